"""clingo on a problem's program: the facts of an instance, and answers as sets of atoms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Container, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cached_property, partial
from itertools import chain, islice
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

import clingo

from ...errors import BackendFailure, SolveTimeout
from ...problem import Answer, Atom, Instance, Remaining, Signature
from ...problem.atoms import Numbered, Written, from_lists, from_symbol, to_lists
from ...problem.folder import declared, inputs_of
from ...running import workers
from ..base import ProblemEngine, as_text, with_proved
from .decoding import Decoder, Meanings, key, keys
from .ground_per_question import FreshEngine, FreshProgram, Grounding
from .session import EXACT, Minimized, Session, brave, ground

if TYPE_CHECKING:
    from ...problem.folder import Problem

OPTIONS = (EXACT, "--opt-mode=optN", "--sat-prepro=no")
"""Every answer that is as good as any; no variable is eliminated, since a propagator watches."""


class ClingoInstances(FreshEngine[Instance, Answer, Atom], ProblemEngine):
    """clingo on the program in `path`; answers consist of the atoms of `outputs`, if there are any.

    Without outputs they consist of what the program shows. `options` are more of clingo's, and
    `search` those of its search.
    """

    is_foreign = True

    def __init__(
        self,
        name: str,
        path: Path,
        outputs: Iterable[Signature],
        options: Iterable[str] = (),
        search: Iterable[str] = (),
    ) -> None:
        self.name = name
        self.path = path
        self.outputs = frozenset(outputs)
        self.options = tuple(options)
        self.search = tuple(search)

    def grounding(self, question: Instance) -> Grounding[Atom, Answer]:
        must_be_derived(self.outputs, self.path, question)
        project = "project" if self.outputs else "show"
        options = (*OPTIONS, *self.options, f"--project={project}", *self._chosen)
        inputs = partial(inputs_of, question.problem)
        return partial(_ground, self._text(question), options, self.path, self.outputs, inputs)

    def _text(self, question: Instance) -> str:
        """The facts, and the atoms that distinguish answers."""
        outputs = [f"{name}/{arity}." for name, arity in sorted(self.outputs)]
        statements = (f"{word} {each}" for each in outputs for word in _OF_OUTPUTS)
        return "\n".join((question.text, *statements))

    def solutions(self, question: Instance, timeout: float | None = None) -> Generator[Answer]:
        return with_proved(unpacked(self._stream_fresh(question, timeout, _packed)))

    def written(self, question: Instance, timeout: float | None = None) -> Generator[Written]:
        return with_proved(self._stream_fresh(question, timeout, _written), as_text)

    def count(
        self, question: Instance, limit: int | None = None, timeout: float | None = None
    ) -> int:
        number = 0
        if limit == 0:
            return number
        counting = partial(_counting, limit=limit, limited=timeout is not None)
        try:
            with closing(self._stream_fresh(question, timeout, counting)) as numbers:
                for each in numbers:
                    number = each
        except SolveTimeout as error:
            error.found = number
            raise
        return number

    def candidates(self, question: Instance, timeout: float | None = None) -> frozenset[Atom]:
        return self._ask_fresh(question, timeout, _candidates)

    def candidate_counts(
        self, question: Instance, limit: int | None = None, timeout: float | None = None
    ) -> dict[Atom, int]:
        count = partial(_candidate_counts, limit=limit)
        return dict(sorted(self._ask_fresh(question, timeout, count)))

    def propagate(self, question: Instance, timeout: float | None = None) -> Remaining | None:
        remaining = self._remaining(question, timeout)
        return None if remaining is None else Remaining(*remaining)

    @property
    def _shows_terms(self) -> bool:
        """True if answers consist of terms, which no literal stands for."""
        return not self.outputs and declared(self.path).terms

    def confirms(self, question: Instance, answer: Answer, timeout: float | None = None) -> bool:
        if self._shows_terms:
            return super().confirms(question, answer, timeout)
        return self._ask_fresh(question, timeout, partial(_confirms, answer=answer))

    def enumerates(self, question: Instance, timeout: float | None = None) -> bool:
        return self._shows_terms

    def rejected(
        self, question: Instance, answers: Iterable[Answer], timeout: float | None = None
    ) -> frozenset[Answer]:
        in_order = list(answers)
        if not in_order or self._shows_terms:
            return super().rejected(question, in_order, timeout)
        with closing(self.confirm_each(question, in_order, timeout)) as confirmed:
            return frozenset(
                answer for answer, has in zip(in_order, confirmed, strict=True) if not has
            )

    def lacks(
        self, question: Instance, answers: Iterable[Answer], timeout: float | None = None
    ) -> frozenset[Answer]:
        in_order = list(answers)
        if not in_order or self._shows_terms:
            return super().lacks(question, in_order, timeout)
        costs = partial(_least_costs, answers=in_order)
        own_costs = self._ask_fresh(question, timeout, costs)
        pairs = zip(in_order, own_costs, strict=True)
        return frozenset(answer for answer, own in pairs if own != answer.cost)

    def confirm_each(
        self, question: Instance, answers: Sequence[Answer], timeout: float | None = None
    ) -> Generator[bool]:
        """For each answer whether the program, which is ground once, has it; of its outputs."""
        return self._stream_fresh(question, timeout, partial(_confirmations, answers=answers))


_OF_OUTPUTS = ("#project", "#defined", "#show")
"""Statements about an output. With #show, no other atoms need to be read."""


def _ground(
    text: str,
    options: Sequence[str],
    path: Path,
    outputs: frozenset[Signature],
    inputs: Callable[[], Container[Signature]],
) -> FreshProgram[Atom, Answer]:
    start = perf_counter()
    observer = Minimized()
    with _told("grounding the program"):
        control = ground(text, options, path, observer, inputs)
    decoder = AtomDecoder(control, outputs, path, observer.minimizes)
    return FreshProgram(decoder, perf_counter() - start, observer.minimizes)


@contextmanager
def _told(activity: str) -> Iterator[None]:
    """Let the process that asks know what is done here."""
    if not workers.turn:
        yield
        return
    workers.turn(activity)
    try:
        yield
    finally:
        workers.turn("")


T = TypeVar("T")
Costs = tuple[int, ...]
Packed = tuple[list[list[Any]], list[int], Costs]
"""The new atoms of an answer as lists, the numbers of all of its atoms, and its costs."""


def _packed(session: Session, make: Grounding[Atom, Answer]) -> Generator[Packed]:
    """Every answer; an atom is sent once, and has a number from then on."""
    sent = 0

    def read(decoder: AtomDecoder, numbers: list[int], cost: Costs) -> Packed:
        nonlocal sent
        new = decoder.atoms[sent:]
        sent += len(new)
        return [to_lists(atom) for atom in new], numbers, cost

    return _answers(session, make, read)


def _written(session: Session, make: Grounding[Atom, Answer]) -> Generator[Written]:
    """The text of every answer, and its costs."""
    return _answers(
        session, make, lambda decoder, numbers, cost: Written(decoder.text(numbers), cost)
    )


def _answers(
    session: Session,
    make: Grounding[Atom, Answer],
    read_one: Callable[[AtomDecoder, list[int], Costs], T],
) -> Generator[T]:
    """Read every answer, each once."""
    so_far: set[frozenset[int]] = set()

    def read(program: FreshProgram[Atom, Answer], handle: clingo.SolveHandle) -> T | None:
        decoder = _atoms_of(program)
        while model := program.model(handle):
            numbers = decoder.numbers(model)
            if decoder.repeats:
                if (answer := frozenset(numbers)) in so_far:
                    handle.resume()
                    continue
                so_far.add(answer)
            return read_one(decoder, numbers, decoder.cost(model))
        return None

    return session.answers([], make, FreshProgram.search, read)


def unpacked(packed: Generator[Packed]) -> Generator[Answer]:
    """The answers again."""
    numbered = Numbered()
    with closing(packed):
        for new, numbers, cost in packed:
            numbered.atoms += map(from_lists, new)
            yield numbered.answer_of(numbers, cost)


PROGRESS = 0.05
"""Seconds after which a count says how far it is."""


def _counting(
    session: Session, make: Grounding[Atom, Answer], limit: int | None, limited: bool
) -> Generator[int]:
    """The number of answers; if the time is `limited`, also those so far, again and again."""
    with session.borrowed([], make) as program:
        control, number = program.control, 0
        if not _atoms_of(program).is_one_to_one:
            with closing(_packed(session, lambda: program)) as found:
                for number, _ in enumerate(islice(found, limit), 1):
                    yield number
            return

        def add_one(model: clingo.Model) -> None:
            nonlocal number
            number += program.counts(model)

        on_model = add_one if limited or program.optimizes else None
        begin = partial(program.search_all, limit, on_model)
        with session.searching(control, begin) as handle:
            while not session.ask(control, lambda: handle.wait(PROGRESS)):
                if limited:
                    yield number
            session.ask(control, handle.get)
        yield program.counted


def _candidates(program: FreshProgram[Atom, Answer]) -> frozenset[Atom]:
    return frozenset(brave(program.control, read=program.decoder.answer) or ())


def _candidate_counts(
    program: FreshProgram[Atom, Answer], limit: int | None
) -> list[tuple[Atom, int]]:
    """The candidates, and the number of answers with each, up to `limit`.

    Once a candidate has reached the limit, every further answer must have one that has not. So the
    search ends when all have, unless something is minimized.
    """
    decoder = _atoms_of(program)
    counts: Counter[int] = Counter()
    so_far: set[frozenset[int]] = set()
    ends_early = limit is not None and not program.optimizes and decoder.is_one_to_one
    below = decoder.literal_of if ends_early else {}

    def add(model: clingo.Model) -> None:
        if not program.counts(model):
            return
        numbers: Collection[int] = decoder.numbers(model)
        if decoder.repeats:
            if (answer := frozenset(numbers)) in so_far:
                return
            so_far.add(answer)
            numbers = answer  # a term may be the same as an atom
        counts.update(numbers)
        reached = [number for number in numbers if counts[number] == limit]
        if below and reached:
            for number in reached:
                del below[number]
            model.context.add_clause(list(below.values()))

    program.control.solve(on_model=add)
    return [(decoder.atoms[each], min(n, limit or n)) for each, n in counts.items()]


def _atoms_of(program: FreshProgram[Atom, Answer]) -> AtomDecoder:
    assert isinstance(program.decoder, AtomDecoder)
    return program.decoder


def _confirmations(
    session: Session, make: Grounding[Atom, Answer], answers: Sequence[Answer]
) -> Generator[bool]:
    with session.borrowed([], make) as program:
        best = session.ask(program.control, lambda: _best(program))
        for answer in answers:
            confirms = partial(_has, program, answer, best)
            yield session.ask(program.control, confirms)


def _confirms(program: FreshProgram[Atom, Answer], answer: Answer) -> bool:
    return _has(program, answer, _best(program))


def _least_costs(
    program: FreshProgram[Atom, Answer], answers: Sequence[Answer]
) -> list[tuple[int, ...] | None]:
    return [least_cost(program, answer) for answer in answers]


def _best(program: FreshProgram[Atom, Answer]) -> Answer | None:
    """The best answer, if something is minimized."""
    return program.first() if program.optimizes else None


def must_be_derived(outputs: Iterable[Signature], path: Path, question: Instance) -> None:
    """BackendFailure if no rule of the program, and no fact, has one of the outputs as its head.

    Of those that ``#show`` names, some may have none, as for clingo.
    """
    about = declared(path)
    heads = about.heads
    if heads is None:
        return
    known = heads | {fact.signature for fact in question.facts}
    derived = known.intersection(outputs)
    for name, arity in sorted(set(outputs) - about.shown if derived else outputs):
        if (name, arity) not in known:
            there = ", ".join(f"{name}/{arity}" for name, arity in sorted(heads)) or "none"
            raise BackendFailure(
                f"{path}: no rule has {name}/{arity} as its head, and answers consist of such"
                f" atoms; there is {there}"
            )


def _has(program: FreshProgram[Atom, Answer], answer: Answer, best: Answer | None) -> bool:
    """True if the program has this answer, which costs no more than the best one, if there is."""
    cost = least_cost(program, answer)
    return cost is not None and (best is None or best.cost == cost)


def least_cost(program: FreshProgram[Atom, Answer], answer: Answer) -> tuple[int, ...] | None:
    """The least cost with which the program has this answer, empty if it has no costs.

    None if it does not have it, whatever the cost.
    """
    literals = program.decoder.literals
    if not answer <= {atom for _, atom in literals}:
        return None
    assumed = [literal if atom in answer else -literal for literal, atom in literals]
    with program.control.solve(assumptions=assumed, yield_=True) as handle:
        costs = [tuple(model.cost) for model in handle]
    return costs[-1] if costs else None


def answers_by_size(
    path: Path, problem: Problem, each_size: int | None = None
) -> Generator[Answer]:
    """The answers of a program that needs no facts, those with few atoms first.

    Of those with equally many, the ones whose numbers have the smallest sum come first, without
    their signs, up to `each_size`. BackendFailure if the program has no ``#show`` statement.
    """
    outputs = declared(path).shown
    if not outputs:
        raise BackendFailure(f"{path} shows nothing; expected #show for the facts of an instance")
    nothing = Instance(problem, ())
    most = _Smallest(path, outputs).most_atoms(nothing)
    for size in range(most + 1):
        yield from islice(_of_size(path, outputs, size, nothing), each_size)


def _of_size(
    path: Path, outputs: frozenset[Signature], size: int, nothing: Instance
) -> Iterator[Answer]:
    least: int | None = 0
    while least is not None:
        more, least = least, None
        for answer in _Smallest(path, outputs, size, more).solutions(nothing):
            least = answer.cost[-1] + 1
            yield answer


class _Smallest(ClingoInstances):
    """A program whose answers have this number of atoms, and numbers with the least sum possible.

    That is a certain sum at least. If no number of atoms is given, the program is as it is.
    """

    def __init__(
        self, path: Path, outputs: frozenset[Signature], size: int | None = None, least: int = 0
    ) -> None:
        super().__init__("clingo", path, outputs)
        self._size = size
        self._least = least

    def most_atoms(self, question: Instance) -> int:
        """The number of atoms that may be in answers."""
        return self._ask_fresh(question, None, _number_of_atoms)

    def _text(self, question: Instance) -> str:
        text = super()._text(question)
        if self._size is None:
            return text
        atoms: list[str] = []
        numbers = [("0", "none")]  # without which no numbers would have no cost
        for name, arity in sorted(self.outputs):
            variables = [f"X{i}" for i in range(arity)]
            atom = f"{name}({','.join(variables)})" if variables else name
            term = ",".join([f'"{name}"', *variables])
            atoms.append(f"{term}: {atom}")
            numbers += ((f"|{x}|", f"{x[1:]},{term}: {atom}, {x}<={_LARGEST}") for x in variables)
        summed = "; ".join(f"{number},{which}" for number, which in numbers)
        minimized = "; ".join(f"{number}@{_LAST},{which}" for number, which in numbers)
        return (
            f"{text}\n:- #count {{ {'; '.join(atoms)} }} != {self._size}.\n"
            f":- #sum {{ {summed} }} < {self._least}.\n"
            f"#minimize {{ {minimized} }}."
        )


_LARGEST = 2**31 - 1
"""The largest number; names and texts come after it."""
_LAST = -1_000_000
"""A level below those of the program itself, if it minimizes anything."""


def _number_of_atoms(program: FreshProgram[Atom, Answer]) -> int:
    return len(program.decoder.literals)


class AtomDecoder(Numbered, Decoder[Atom, Answer]):
    """Atoms as they are: those of the output predicates, or else all that are shown.

    Other atoms are not read. An atom has a number, in the order in which they are first met.
    """

    def __init__(
        self, control: clingo.Control, outputs: frozenset[Signature], path: Path, optimizes: bool
    ) -> None:
        Numbered.__init__(self)
        Decoder.__init__(self, control)
        self._outputs = outputs
        self._path = path
        self._optimizes = optimizes
        self._numbers = Meanings(self._number)
        self._symbols: dict[Atom, clingo.Symbol] = {}
        about = declared(path)
        self.repeats = not outputs and about.terms
        """True if models may be the same answer: a term may be shown for several reasons."""
        # Terms may look like outputs, and other atoms may be shown as well.
        self._shows_others = bool(outputs) and (about.terms or not about.shown <= outputs)

    def answer(self, model: clingo.Model) -> Answer:
        return Answer(map(self.atoms.__getitem__, self.numbers(model)), self.cost(model))

    def numbers(self, model: clingo.Model) -> list[int]:
        """The numbers of the atoms of an answer."""
        if self._shows_others:
            is_true = model.is_true
            mine = [each for literal, each in self._keyed if is_true(literal)]
        else:
            mine = keys(model.symbols(shown=True))
        return list(map(self._numbers.__getitem__, mine))

    def cost(self, model: clingo.Model) -> tuple[int, ...]:
        return tuple(model.cost) if self._optimizes else ()

    @cached_property
    def literals(self) -> list[tuple[int, Atom]]:
        if self.repeats:
            raise BackendFailure(
                f"{self._path}: #show has a term, which is not watched; name a predicate instead:"
                " #show queen/2."
            )
        return [(literal, self.atoms[number]) for number, literal in self.literal_of.items()]

    @property
    def literal_of(self) -> dict[int, int]:
        """By its number, the literal of each atom that may be part of an answer."""
        return {self._numbers[key]: literal for literal, key in self._keyed}

    @cached_property
    def _keyed(self) -> list[tuple[int, Any]]:
        return [(each.literal, key(each.symbol)) for each in self._symbolic]

    @property
    def _symbolic(self) -> Iterator[clingo.SymbolicAtom]:
        """All atoms that may be part of an answer."""
        if not self._outputs:
            return iter(self.control.symbolic_atoms)
        by_signature = self.control.symbolic_atoms.by_signature
        return chain.from_iterable(
            by_signature(name.removeprefix("-"), arity, not name.startswith("-"))
            for name, arity in sorted(self._outputs)
        )

    @property
    def is_one_to_one(self) -> bool:
        """True if each model is surely another answer, and can be read.

        A constant and a string may be the same text, and then no answer may have both.
        """
        return not self.repeats and not any('"' in str(each.symbol) for each in self._symbolic)

    def _number(self, symbol: clingo.Symbol) -> int:
        try:
            atom = from_symbol(symbol)
        except ValueError as error:
            raise BackendFailure(f"{self._path}: {error}") from None
        other = self._symbols.setdefault(atom, symbol)
        if other != symbol:  # they would be one atom, and different answers the same
            raise BackendFailure(
                f"{self._path}: {other} and {symbol} are two atoms for clingo and one for"
                " Prolog, where a constant is a text; use one of them"
            )
        self.atoms.append(atom)
        return len(self.atoms) - 1


def prepare() -> None:
    """Make a fork server ready, with this module loaded: it is all that a child needs."""
