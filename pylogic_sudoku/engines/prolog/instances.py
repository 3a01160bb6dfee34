"""SWI-Prolog on a problem's program: the facts of an instance, and answers as sets of atoms."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from contextlib import closing
from itertools import chain
from pathlib import Path
from typing import Any

from ...errors import BackendFailure, BackendUnavailable, InvalidProblem, listed
from ...problem import Answer, Atom, Instance, Remaining, Signature
from ...problem.atoms import Numbered, Written, from_lists, to_lists
from ...problem.text import read_text
from ...running.workers import Budget
from ..base import Event, Measurement, ProblemEngine, as_text, or_proved, with_proved
from . import hosts, search
from .search import KINDS, Loaded, PrologSearches, Search, pushed

_POSED = "instance(Program, Facts, Outputs, Search)"
_PART = "host/questions"
_MORE_PARTS = {
    **dict.fromkeys(("left", "measure", "trace"), "host/watch"),
    "refusal": "host/refusal",
}
"""The files of ``prolog/`` that a question needs in addition to that part."""


class PrologInstances(PrologSearches, ProblemEngine):
    """SWI-Prolog on the program in `path`, as described in ``prolog/host/instances.pl``.

    Answers consist of the atoms of `outputs`, or of all atoms of the program if there are none.
    `search` has options of ``labeling/2``.
    """

    engine = "SWI-Prolog"

    def __init__(
        self,
        name: str,
        path: Path,
        outputs: Iterable[Signature],
        search: Iterable[str] = (),
    ) -> None:
        self.name = name
        self._chosen = tuple(search)
        self.path = path.resolve()
        self._outputs = frozenset(outputs)

    def version(self) -> str:
        return hosts.version(self.name, True, _PART)

    def solutions(self, question: Instance, timeout: float | None = None) -> Generator[Answer]:
        search = self._search("solution", question, _answer)
        if not search.is_foreign:
            return with_proved(self._stream(search, timeout))
        return with_proved(
            atoms.answer_of(numbers, cost)
            for atoms, numbers, cost in self._numbered(search, timeout)
        )

    def written(self, question: Instance, timeout: float | None = None) -> Generator[Written]:
        search = self._search("solution", question, _answer)
        if not search.is_foreign:
            return super().written(question, timeout)
        texts = (
            Written(atoms.text(numbers), tuple(cost))
            for atoms, numbers, cost in self._numbered(search, timeout)
        )
        return with_proved(texts, as_text)

    def _numbered(
        self, search: Search, timeout: float | None
    ) -> Generator[tuple[Numbered, Iterable[int], Iterable[int]]]:
        """All answers: the atoms that are known, their numbers, and the costs."""
        atoms = Numbered()
        slots: list[_Slot] = []
        places: list[int] = []
        fixed: list[int] = []
        subsets = False
        with closing(pushed(search, Budget(self.name, timeout))) as items:
            for kind, *item in chain.from_iterable(items):
                if kind == 0:
                    values = map(item.__getitem__, places)
                    numbers = [*fixed, *map(dict.__getitem__, slots, values)]
                    yield atoms, [n for n in numbers if n >= 0] if subsets else numbers, ()
                elif kind == 2:
                    yield atoms, item[1:], item[0]
                elif kind == 3:
                    atoms.atoms.append(from_lists(item[0]))
                else:
                    keys, placed = item
                    subsets = any(key[0] for key in keys)
                    pairs = [(_Slot(key, atoms), at) for key, at in zip(keys, placed, strict=True)]
                    slots = [each for each, at in pairs if isinstance(at, int)]
                    places = [at for _, at in pairs if isinstance(at, int)]
                    fixed = [each.number(at[0]) for each, at in pairs if not isinstance(at, int)]

    def solve(self, question: Instance, timeout: float | None = None) -> Answer | None:
        return or_proved(lambda: self._first(question, timeout))

    def _first(self, question: Instance, timeout: float | None) -> Answer | None:
        data = self._answer(self._search("solution", question, _answer), timeout)
        return _answer(data) if data else None

    def count(
        self, question: Instance, limit: int | None = None, timeout: float | None = None
    ) -> int:
        if timeout is not None:
            return super().count(question, limit, timeout)  # which knows how many it found in time
        most = {"Limit": -1 if limit is None else limit}
        return int(self._answer(self._search("count", question, int, **most), timeout))

    def candidates(self, question: Instance, timeout: float | None = None) -> frozenset[Atom]:
        (atoms,) = self._answer(self._search("candidates", question, list), timeout)
        return frozenset(map(from_lists, atoms))

    def confirms(self, question: Instance, answer: Answer, timeout: float | None = None) -> bool:
        wanted = [to_lists(atom) for atom in answer]
        search = self._search("confirms", question, bool, Wanted=wanted)
        return bool(self._answer(search, timeout))

    def enumerates(self, question: Instance, timeout: float | None = None) -> bool:
        return bool(self._answer(self._search("enumerates", question, bool), timeout))

    def rejected(
        self, question: Instance, answers: Iterable[Answer], timeout: float | None = None
    ) -> frozenset[Answer]:
        if not (in_order := list(answers)):
            return frozenset()
        wanted = [[to_lists(atom) for atom in answer] for answer in in_order]
        data = self._answer(self._search("rejected", question, list, Wanted=wanted), timeout)
        if not data:
            return super().rejected(question, in_order, timeout)
        (numbers,) = data
        return frozenset(in_order[number] for number in numbers)

    def lacks(
        self, question: Instance, answers: Iterable[Answer], timeout: float | None = None
    ) -> frozenset[Answer]:
        if not (in_order := list(answers)):
            return frozenset()
        wanted = [[to_lists(atom) for atom in answer] for answer in in_order]
        (costs,) = self._answer(self._search("costs", question, list, Wanted=wanted), timeout)
        pairs = zip(in_order, costs, strict=True)
        return frozenset(answer for answer, own in pairs if own != [list(answer.cost)])

    def refusal(
        self, question: Instance, answer: Answer, timeout: float | None = None
    ) -> tuple[str, int, str, list[list[Any]]]:
        """The kind of a refusal, how many goals refuse together, why, and rows about goals.

        A row is the file, empty if it is the program itself, line, column, text, and nothing.
        """
        wanted = [to_lists(atom) for atom in answer]
        search = self._search("refusal", question, list, Wanted=wanted)
        kind, together, why, rows = self._answer(search, timeout)
        return kind, together, why, rows

    def propagate(self, question: Instance, timeout: float | None = None) -> Remaining | None:
        data = self._answer(self._search("left", question, _answer), timeout)
        return Remaining(*(map(from_lists, atoms) for atoms in data)) if data else None

    def measure(self, question: Instance, timeout: float | None = None) -> Measurement[Answer]:
        measured, data = self._work(self._search("measure", question, _answer), timeout)
        solution = _answer(data) if data else None
        return measured._replace(solution=solution, chosen=self._chosen)

    def trace(
        self, question: Instance, timeout: float | None = None
    ) -> Generator[Event[Atom, Answer]]:
        if halves := {"enum", "bisect"}.intersection(self._chosen):
            raise BackendUnavailable(
                f"a search by {listed(halves)} is not shown, since it does not choose single atoms",
                "Leave it out here: step is the usual one.",
            )
        events = self._stream(self._search("trace", question, _event), timeout)
        with closing(events):
            for event in events:
                if output_event := self._of_outputs(event):
                    yield output_event

    def _of_outputs(self, event: Event[Atom, Answer]) -> Event[Atom, Answer] | None:
        """The part of an event about the outputs; None if only something else follows."""
        if not self._outputs or not (event.placed or event.excluded):
            return event
        placed, excluded = (
            tuple(atom for atom in atoms if atom.signature in self._outputs)
            for atoms in (event.placed, event.excluded)
        )
        silent = event.kind == "implied" and not (placed or excluded)
        return None if silent else event._replace(placed=placed, excluded=excluded)

    def _search(self, question: str, instance: Instance, read: Any, **inputs: object) -> Search:
        try:
            text = read_text(self.path)
        except InvalidProblem as error:
            raise BackendFailure(f"SWI-Prolog: {error}") from None
        loaded = Loaded("problem", self.path, text)
        facts = ",".join(fact.text for fact in instance.clauses)
        signatures = {fact.signature for fact in instance.clauses}
        declared = _predicates(signatures | instance.problem.inputs)
        inputs |= {
            "Program": loaded.module,
            "Facts": f"facts([{facts}],{declared})",
            "Outputs": _predicates(self._outputs),
            "Search": list(self._chosen),
            "StackLimit": self._stack_limit,
        }
        if question == "refusal":
            inputs["Program"] = loaded.copy
        more = [_MORE_PARTS[question]] if question in _MORE_PARTS else []
        kind = hosts.search_class(self.name)
        return kind(question, _POSED, inputs, read, [_PART, *more], [loaded], True, _answer)


class _Slot(dict[int, int]):
    """By the value of a pair, the number of its atom."""

    def __init__(self, key: list[Any], atoms: Numbered) -> None:
        super().__init__()
        self._is_whole, *self._key = key
        self._atoms = atoms.atoms

    def __missing__(self, value: int) -> int:
        number = self[value] = self.number(value)
        return number

    def number(self, value: Any) -> int:
        """A number for the atom that the value stands for; -1 if it stands for none."""
        if self._is_whole and not value:
            return -1
        self._atoms.append(from_lists(self._key if self._is_whole else [*self._key, value]))
        return len(self._atoms) - 1


def _predicates(signatures: Iterable[Signature]) -> str:
    return "[" + ",".join(f"'{name}'/{arity}" for name, arity in sorted(signatures)) + "]"


def _answer(data: list[Any]) -> Answer:
    costs, atoms = data
    return Answer(map(from_lists, atoms), costs)


def _event(data: list[Any]) -> Event[Atom, Answer]:
    number, level, *rest = data
    kind = KINDS[number]
    if kind == "solution":
        return Event(kind, level, solution=_answer(rest[0]))
    placed, excluded = (tuple(sorted(map(from_lists, part))) for part in (*rest, [], [])[:2])
    return Event(kind, level, placed, excluded)


def prepare() -> None:
    """Make a fork server ready, with this module and its Prolog loaded."""
    search.prepare()
