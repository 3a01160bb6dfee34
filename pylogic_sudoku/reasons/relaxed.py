"""An ASP program whose constraints can be switched off, one by one, while an answer is given.

The atoms of the answer are facts. A rule that derives such atoms says instead which of them it can
derive, and what it demands of the others becomes a constraint: so does the bound of a choice.
Each constraint says where it is violated, and holds only if its switch is on.

A program runs in the process that calls this; for a foreign program, that is one of the grader.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import clingo
from clingo import parse_term
from clingo.ast import (
    AST,
    ASTType,
    BodyAggregate,
    BodyAggregateElement,
    ComparisonOperator,
    Guard,
    SymbolicTerm,
    Transformer,
    Variable,
    parse_files,
    parse_string,
)
from clingo.symbol import Function, Number, Symbol, SymbolType

from ..engines.clingo.session import EXACT, loadable
from ..running.workers import Unfinished
from .lines import Line
from .minimal import minimal

Signature = tuple[str, int]
"""The name of a predicate, with ``-`` if it is negated, and the number of its arguments."""
Binding = dict[str, Symbol]
"""The variables of a statement and their values."""
Pattern = list[Symbol | None]
"""The arguments of an atom; None for any."""

T = TypeVar("T")

CONFLICTS = 10_000
"""The conflicts after which a search for any answer is given up."""
DERIVED = 0
"""The switch of the demand that each atom of the answer is derived."""
_STRING = "<string>"
"""clingo's name for a text that is not from a file."""
_COUNT = "COUNT__"
_LOCAL = (ASTType.ConditionalLiteral, ASTType.BodyAggregateElement, ASTType.TheoryAtom)
"""The parts of a body whose variables are their own."""
_COMMENT = re.compile(r'("(?:\\.|[^"\\\n])*")|%\*.*?\*%|%[^\n]*', re.DOTALL)


_ORIGINALS: dict[str, Path] = {}
"""The files in place of which clingo has read others, by the names of these."""


@dataclass(frozen=True, eq=False)
class Statement:
    """A statement of the program."""

    number: int
    """From 1, in the order of the files."""
    ast: AST
    ours: bool
    """True if it is part of the instance."""
    outputs: frozenset[Signature]
    """The predicates of the answers."""

    @property
    def file(self) -> str:
        """The file without its folder."""
        return Path(self.ast.location.begin.filename).name

    @property
    def line(self) -> Line:
        """The place, with the text."""
        return line_of(self.ast, self.text)

    @property
    def text(self) -> str:
        """The text of the file, on one line and without comments."""
        return " ".join(_COMMENT.sub(lambda match: match[1] or " ", self.source).split())

    @cached_property
    def source(self) -> str:
        """The text as it is in the file."""
        begin, end = self.ast.location.begin, self.ast.location.end
        lines = _lines_of(begin.filename)[begin.line - 1 : end.line]
        if not lines:
            return str(self.ast)
        if self.ast.ast_type != ASTType.Minimize:  # whose place is that of an element
            lines[-1] = lines[-1][: end.column - 1]  # columns count bytes
            lines[0] = lines[0][begin.column - 1 :]
        return b"\n".join(lines).decode(errors="replace")

    @property
    def body(self) -> list[AST]:
        """The literals of the body; none for other statements."""
        return list(getattr(self.ast, "body", ()))

    @cached_property
    def is_constraint(self) -> bool:
        head = getattr(self.ast, "head", None)
        return (
            head is not None
            and head.ast_type == ASTType.Literal
            and head.atom.ast_type == ASTType.BooleanConstant
            and not head.atom.value
        )

    @cached_property
    def heads(self) -> list[tuple[AST, list[AST]]]:
        """The atoms that it can derive, as terms, each with its condition."""
        if self.ast.ast_type == ASTType.ShowTerm:
            own = signature(self.ast.term) in self.outputs
            return [(self.ast.term, [])] if own else []
        if self.ast.ast_type == ASTType.External:
            return [(self.ast.atom.symbol, [])]
        if self.ast.ast_type != ASTType.Rule:
            return []
        return [
            (term, condition)
            for literal, condition in _elements(self.ast.head)
            if literal.atom.ast_type == ASTType.SymbolicAtom
            for term in _each(literal.atom.symbol)
        ]

    @property
    def shows(self) -> Signature | None:
        """The predicate that a #show statement shows; None for other statements."""
        if self.ast.ast_type == ASTType.ShowSignature:
            return ("" if self.ast.positive else "-") + self.ast.name, self.ast.arity
        return signature(self.ast.term) if self.ast.ast_type == ASTType.ShowTerm else None

    @cached_property
    def derives(self) -> list[tuple[AST, list[AST]]]:
        """Those of the heads that are atoms of the answers."""
        return [each for each in self.heads if signature(each[0]) in self.outputs]

    @property
    def is_edge(self) -> bool:
        """True for a statement that forbids cycles."""
        return self.ast.ast_type == ASTType.Edge

    @cached_property
    def is_choice(self) -> bool:
        kinds = (ASTType.Aggregate, ASTType.HeadAggregate)
        return self.ast.ast_type == ASTType.Rule and self.ast.head.ast_type in kinds

    @cached_property
    def is_plain(self) -> bool:
        """True for a rule or fact that derives one atom, and not an atom of the answer."""
        rule = self.ast.ast_type == ASTType.Rule and self.ast.head.ast_type == ASTType.Literal
        return rule and bool(self.heads) and not self.derives

    @cached_property
    def is_single(self) -> bool:
        """True for a rule, fact or #show statement that derives an atom of the answers."""
        head = getattr(self.ast, "head", None)
        return bool(self.derives) and (head is None or head.ast_type == ASTType.Literal)

    @property
    def is_negative(self) -> bool:
        """True for a rule or fact that derives an atom with ``-``."""
        return self.is_plain and signature(self.heads[0][0])[0].startswith("-")

    @property
    def is_demand(self) -> bool:
        """True if an answer can violate it."""
        own = self.is_constraint or self.derives or self.is_choice or self.is_edge
        return self.is_negative or bool(own and not self.ours)

    @cached_property
    def uses(self) -> set[Signature]:
        """The predicates of its body and of its conditions."""
        parts = [*self.body, *(part for _, condition in self.heads for part in condition)]
        nodes = (node for part in parts for node in nodes_in(part))
        return {signature(node.symbol) for node in nodes if node.ast_type == ASTType.SymbolicAtom}

    @cached_property
    def constants(self) -> set[str]:
        """The names in it that may be constants."""
        terms = (node for node in nodes_in(self.ast) if node.ast_type == ASTType.SymbolicTerm)
        symbols = (term.symbol for term in terms if term.symbol.type == SymbolType.Function)
        return {symbol.name for symbol in symbols if not symbol.arguments}

    @property
    def constant(self) -> str:
        """The constant that it sets; empty for other statements."""
        return str(self.ast.name) if self.ast.ast_type == ASTType.Definition else ""

    @cached_property
    def variables(self) -> list[str]:
        """The global variables of its body, in their order."""
        nodes = (node for part in self.body for node in nodes_in(part, _LOCAL))
        names = (node.name for node in nodes if node.ast_type == ASTType.Variable)
        return [name for name in dict.fromkeys(names) if name != "_"]

    @cached_property
    def aggregate(self) -> Any:
        """The first set in its body or, for a choice, in its head, as it would be in a body."""
        if self.is_choice:
            head = self.ast.head
            if head.ast_type == ASTType.Aggregate:
                return head
            elements = [
                BodyAggregateElement(
                    each.terms, [each.condition.literal, *each.condition.condition]
                )
                for each in head.elements
            ]
            guards = head.left_guard, head.right_guard
            return BodyAggregate(head.location, guards[0], head.function, elements, guards[1])
        kinds = (ASTType.Aggregate, ASTType.BodyAggregate)
        atoms = (part.atom for part in self.body if part.ast_type == ASTType.Literal)
        return next((atom for atom in atoms if atom.ast_type in kinds), None)


def _lines_of(file: str) -> list[bytes]:
    """The lines of a file that clingo has read."""
    return _ORIGINALS.get(file, Path(file)).read_bytes().removeprefix(BOM_UTF8).splitlines()


def line_of(node: AST, text: str) -> Line:
    """The place where a part of the program begins, with its text."""
    begin = node.location.begin
    (row,) = _lines_of(begin.filename)[begin.line - 1 : begin.line] or (b"",)
    before = row[: begin.column - 1].decode(errors="replace")  # columns count bytes
    return Line(Path(begin.filename).name, begin.line, text, len(before) + 1)


def _elements(head: AST) -> Iterator[tuple[AST, list[AST]]]:
    """Yield the literals of a head, each with its condition."""
    if head.ast_type == ASTType.Literal:
        yield head, []
    elif head.ast_type in (ASTType.Aggregate, ASTType.Disjunction):
        for each in head.elements:
            yield each.literal, list(each.condition)
    elif head.ast_type == ASTType.HeadAggregate:
        for each in head.elements:
            yield each.condition.literal, list(each.condition.condition)


def _each(term: AST) -> list[AST]:
    """Return the terms of a pool, such as ``p(1;2)``; else the term itself."""
    return list(term.arguments) if term.ast_type == ASTType.Pool else [term]


def pattern(predicate: Signature) -> str:
    """Return an atom of this predicate with variables."""
    name, arity = predicate
    return f"{name}({','.join(f'X{at}' for at in range(arity))})" if arity else name


def signature(term: AST) -> Signature:
    sign, term = "", _each(term)[0]
    while term.ast_type == ASTType.UnaryOperation:
        sign, term = "-", term.argument
    if term.ast_type == ASTType.Function:
        return sign + term.name, len(term.arguments)
    if term.ast_type == ASTType.SymbolicTerm and term.symbol.type == SymbolType.Function:
        return sign + term.symbol.name, len(term.symbol.arguments)
    return str(term), -1


def signature_of(atom: Symbol) -> Signature:
    """The predicate of an atom."""
    return ("" if atom.positive else "-") + atom.name, len(atom.arguments)


def arguments(term: AST) -> list[AST]:
    while term.ast_type == ASTType.UnaryOperation:
        term = term.argument
    return list(getattr(term, "arguments", ()))


def literals(body: Iterable[AST]) -> Iterator[AST]:
    """Yield the literals of a body that are atoms of a predicate."""
    for part in body:
        if part.ast_type == ASTType.Literal and part.atom.ast_type == ASTType.SymbolicAtom:
            yield part


def fits(pattern: Pattern, symbols: Sequence[Symbol]) -> bool:
    return all(wanted in (None, there) for wanted, there in zip(pattern, symbols, strict=True))


def nodes_in(node: AST, skipped: Collection[ASTType] = ()) -> Iterator[AST]:
    """Yield a node and all nodes within it, but nothing within nodes of `skipped` types."""
    yield node
    for key in () if node.ast_type in skipped else node.child_keys:
        child = getattr(node, key)
        for each in [child] if isinstance(child, AST) else child or ():
            yield from nodes_in(each, skipped)


def read(
    program: str,
    instance: str,
    outputs: Iterable[Signature],
    facts: str = "",
    logger: Callable[[Any, str], None] | None = None,
) -> list[Statement]:
    """Return the statements of a program and what it includes, and of an instance, of part `base`.

    The instance is a file, if it has a name, and facts.
    """
    statements: list[Statement] = []
    predicates = frozenset(outputs)
    texts = {Path(instance).resolve()} if instance else set()
    base = True

    def take(ast: AST) -> None:
        nonlocal base
        if ast.ast_type == ASTType.Program:
            base = ast.name == "base" and not ast.parameters
        elif base and ast.ast_type != ASTType.Comment:
            name = ast.location.begin.filename
            ours = name == _STRING or Path(name).resolve() in texts
            statements.append(Statement(len(statements) + 1, ast, ours, predicates))

    with ExitStack() as files:
        paths = [Path(each) for each in (program, instance) if each]
        names = [files.enter_context(loadable(path)) for path in paths]
        _ORIGINALS.update(zip(names, paths, strict=True))
        parse_files(names, take, logger=logger)
    base = True
    parse_string(facts, take)
    return statements


def chosen(statements: Sequence[Statement]) -> set[Signature]:
    """The predicates of choices and disjunctions, except the outputs."""
    return {
        signature(term)
        for each in statements
        if not each.is_plain
        for term, _ in each.heads
        if signature(term) not in each.outputs
    }


def depending(statements: Sequence[Statement], on: Iterable[Signature]) -> set[Signature]:
    """These predicates, and all that plain rules define by them."""
    derived = set(on)
    while (
        more := {
            signature(term)
            for each in statements
            if each.is_plain and each.uses & derived
            for term, _ in each.heads
        }
        - derived
    ):
        derived |= more
    return derived


# --- the program with switches ------------------------------------------------------------


def _tuple(names: Iterable[str]) -> str:
    return f"({''.join(f'{name},' for name in names)})"


def _join(*parts: Iterable[object]) -> str:
    """Return a body; conditional literals need the semicolons."""
    return "; ".join(str(each) for part in parts for each in part) or "#true"


def _and(condition: Iterable[object]) -> str:
    """Return a condition, as it is written behind a colon."""
    return ", ".join(map(str, condition)) or "#true"


def _switched(statement: Statement) -> Iterator[str]:
    """Yield the replacement of a statement of the program."""
    ast, number, body = statement.ast, statement.number, statement.body

    def hit(*more: object) -> str:
        return f"__hit({number},{_tuple(statement.variables)}) :- {_join(body, more)}."

    for term, condition in statement.derives:
        yield f"__can({number},{term}) :- {_join(body, condition)}."
    if ast.ast_type == ASTType.Minimize:
        return  # an answer is no worse for its cost here
    if statement.is_edge and not statement.ours:
        yield f"#edge ({ast.node_u},{ast.node_v}) : {_and([*body, f'__on({number})'])}."
    elif statement.is_constraint:
        yield hit()
        yield from _counted(statement)
    elif statement.is_plain and not statement.ours:
        for term, _ in statement.heads:
            yield f"__from({number},{term}) :- {_join(body)}."
        if statement.is_negative:
            # The two may not both hold: an integrity constraint that is not in the program.
            yield f"{term} :- {_join(body, [f'not {term.argument}'])}."
            yield hit(term.argument)
        else:
            yield str(ast)
    elif statement.is_single:
        yield from (hit(f"not {term}") for term, _ in statement.derives)
    elif statement.is_choice:
        if ast.head.left_guard or ast.head.right_guard:
            yield hit(f"not {statement.aggregate}")
            yield from _counted(statement)
        others = [
            f"{literal}: {_and(condition)}"
            for literal, condition in _elements(ast.head)
            if signature(literal.atom.symbol) not in statement.outputs
        ]
        if others:
            yield f"{{ {'; '.join(others)} }} :- {_join(body)}."
    elif statement.derives and len(statement.derives) == len(ast.head.elements):  # a disjunction
        yield hit(*(f"not {term}: {_and(condition)}" for term, condition in statement.derives))
    else:
        yield str(ast)


def _counted(statement: Statement) -> Iterator[str]:
    """Yield a rule that counts the elements of the first set of a statement."""
    if statement.aggregate is not None:
        guard = Guard(ComparisonOperator.Equal, Variable(statement.ast.location, _COUNT))
        counted = statement.aggregate.update(left_guard=guard, right_guard=None)
        yield (
            f"__count({statement.number},{_tuple(statement.variables)},{_COUNT}) :- "
            f"{_join(statement.body, [counted])}."
        )


# --- asked ----------------------------------------------------------------------------------


def _ask_here(_control: clingo.Control, question: Callable[[], T]) -> T:
    return question()


@dataclass(eq=False)
class Relaxed:
    """A program with switches, ground for one answer.

    RuntimeError if clingo cannot read or ground it.
    """

    statements: Sequence[Statement]
    answer: Sequence[Symbol]
    outputs: frozenset[Signature]
    options: Sequence[str] = ()
    """More of clingo's."""
    allow_scripts: bool = False
    ask: Callable[[clingo.Control, Callable[[], Any]], Any] = _ask_here
    """Calls a function that solves with a control; another one may be interrupted."""
    logger: Callable[[Any, str], None] | None = None
    """Called with what clingo has to say of the program; else it goes to standard error."""
    control: clingo.Control = field(init=False)

    def __post_init__(self) -> None:
        self.control = self._control()
        last = max((each.number for each in self.statements), default=0)
        lines = [line for each in self.statements for line in _switched(each)]
        lines += [f"{atom}." for atom in self.answer]
        lines += ["#defined __can/2.", "#defined __hit/2.", "#defined __lost/1."]
        lines.append("__can(A) :- __can(_,A).")
        lines += [
            f"__lost({atom}) :- {atom}, not __can({atom})." for atom in map(pattern, self.outputs)
        ]
        lines += [f"#defined {name}/{arity}." for name, arity in self.outputs]
        lines.append(f"{{ __on({DERIVED}..{last}) }}.")
        lines.append(f":- __on({DERIVED}), __lost(_).")
        lines.append(":- __hit(K,_), __on(K).")
        self.control.add("base", [], "\n".join(lines))
        self.control.ground()
        self._switch = {
            atom.symbol.arguments[0].number: atom.literal
            for atom in self.control.symbolic_atoms.by_signature("__on", 1)
        }
        self.demands = [each.number for each in self.statements if each.is_demand]

    def _control(
        self, options: Sequence[str] = (), logger: Callable[[Any, str], None] | None = None
    ) -> clingo.Control:
        if self.allow_scripts:
            from clingo.script import enable_python

            enable_python()
        return clingo.Control([EXACT, *self.options, *options], logger=logger or self.logger)

    @cached_property
    def definers(self) -> dict[Signature, list[Statement]]:
        """The statements of the program, without the instance, that can derive a predicate."""
        found: dict[Signature, list[Statement]] = {}
        for each in self.statements:
            for name in dict.fromkeys(signature(term) for term, _ in each.heads):
                if not each.ours:
                    found.setdefault(name, []).append(each)
        return found

    @cached_property
    def inputs(self) -> set[Signature]:
        """The predicates of the instance's facts."""
        ours = (each for each in self.statements if each.ours)
        return {signature(term) for each in ours for term, _ in each.heads}

    @cached_property
    def from_choices(self) -> set[Signature]:
        """The predicates that depend on a choice other than that of the answer."""
        return depending(self.statements, chosen(self.statements))

    @cached_property
    def from_answer(self) -> set[Signature]:
        """The predicates that depend on the answer."""
        return depending(self.statements, self.outputs)

    def with_values(self, term: AST, values: Binding) -> str:
        """The text of a part of the program with these values, and with those of its constants."""
        value_of = self._value_of

        class Replace(Transformer):
            def visit_Variable(self, node: AST) -> AST:
                if node.name in values:
                    return SymbolicTerm(node.location, values[node.name])
                return node

            def visit_SymbolicTerm(self, node: AST) -> AST:
                return SymbolicTerm(node.location, value_of(node))

        return str(Replace().visit(term))

    def _value_of(self, term: AST) -> Symbol:
        """The symbol of a term, or the value of the constant that it names."""
        value = self.control.get_const(str(term))
        symbol: Symbol = term.symbol
        return symbol if value is None else value

    def filled(self, term: AST, values: Binding) -> Pattern:
        """Return the arguments of a term with these values; None for those that are not known."""
        pattern: Pattern = []
        for each in arguments(term):
            try:
                text = self.with_values(each, values)
                pattern.append(parse_term(text, logger=lambda _code, _message: None))
            except RuntimeError:
                pattern.append(None)
        return pattern

    def matched(self, term: AST, symbol: Symbol) -> Binding | None:
        """The variables with which a term may be this symbol; None if it cannot.

        What has to be computed may be anything.
        """
        values: Binding = {}

        def may_be(part: AST, value: Symbol) -> bool:
            if part.ast_type == ASTType.Variable:
                return part.name == "_" or values.setdefault(part.name, value) == value
            if part.ast_type == ASTType.SymbolicTerm:
                return bool(self._value_of(part) == value)
            if part.ast_type != ASTType.Function or part.external:
                return True
            is_alike = value.type == SymbolType.Function and part.name == value.name
            pairs = zip(part.arguments, value.arguments, strict=False)
            same = is_alike and len(part.arguments) == len(value.arguments)
            return same and all(may_be(*pair) for pair in pairs)

        while term.ast_type == ASTType.UnaryOperation:
            term = term.argument
            symbol = Function(symbol.name, symbol.arguments, not symbol.positive)
        return values if symbol.positive and may_be(term, symbol) else None

    @property
    def excludes(self) -> bool:
        """True if the program refuses the answer."""
        return self.unsat_core([DERIVED, *self.demands]) is not None

    @property
    def is_founded(self) -> bool:
        """True if the program has the answer, or may have it, though nothing else excludes it."""
        demands = "".join(f":- not {atom}." for atom in self.answer)
        return self.answers_something(self.statements, demands)

    def answers_something(self, statements: Sequence[Statement], more: str = "") -> bool:
        """True if such a program has an answer, or may have one: the search for it is short."""
        control = self._control(["--solve-limit", f"{CONFLICTS}"])
        control.add("base", [], "\n".join((*(str(each.ast) for each in statements), more)))
        control.ground()
        result = control.solve()
        return not result.unsatisfiable

    def holding(self, bodies: Sequence[str], facts: Iterable[Symbol] = ()) -> list[bool] | None:
        """For each body, return True if it holds with these facts and the program's constants.

        None if clingo cannot ground them: one may leave a variable without a value.
        """
        control = self._control(logger=lambda _code, _message: None)
        settings = (ASTType.Definition, ASTType.Script)
        lines = [str(each.ast) for each in self.statements if each.ast.ast_type in settings]
        lines += [f"{fact}." for fact in facts]
        lines += [f"__holds({number}) :- {body}." for number, body in enumerate(bodies)]
        control.add("base", [], "\n".join(lines))
        try:
            control.ground()
        except RuntimeError:
            return None
        atoms = [Function("__holds", [Number(at)]) for at in range(len(bodies))]
        return [control.symbolic_atoms[atom] is not None for atom in atoms]

    def unsat_core(self, demands: Sequence[int]) -> set[int] | None:
        """Some of the demands that contradict each other; None if they do not.

        Unfinished if the search for that was interrupted.
        """
        number_of = {self._switch[each]: each for each in demands}

        def core() -> set[int] | None:
            with self.control.solve(assumptions=list(number_of), yield_=True) as handle:
                if handle.model() is not None:
                    return None
                if handle.get().interrupted:
                    raise Unfinished
                return {number_of[literal] for literal in handle.core() if literal in number_of}

        members: set[int] | None = self.ask(self.control, core)
        return members

    def to_blame(self) -> list[list[int]]:
        """Return sets of demands that exclude the answer, with no member in common.

        Each is minimal; demands that exclude it alone are first. Empty if it is accepted.
        """
        underived = self.unsat_core([DERIVED]) is not None
        anyway = () if underived else (DERIVED,)
        sets = [[DERIVED]] if underived else []
        alone = [[each] for each in self.demands if self.unsat_core([*anyway, each]) is not None]
        sets += alone
        untested = [each for each in self.demands if [each] not in alone]
        while (members := minimal(self, anyway, untested)) is not None:
            if not members:
                return [*sets, []]
            sets.append(members)
            untested = [each for each in untested if each not in members]
        return sets

    def without(self, demands: Iterable[int]) -> Model:
        """Return what holds if these demands are dropped, and as many others as need be."""
        dropped = set(demands)
        remaining = [each for each in (DERIVED, *self.demands) if each not in dropped]
        while (core := self.unsat_core(remaining)) is not None:
            if not core:
                return Model((), ())
            remaining = [each for each in remaining if each not in core]
        symbols = self.ask(self.control, lambda: self._model(remaining))
        return Model(symbols, (each.symbol for each in self.control.symbolic_atoms))

    def with_choice(self, atoms: Iterable[Symbol]) -> Relaxed:
        """Return the program with these atoms, which it may or may not have; itself without any."""
        text = "".join(f"{{ {atom} }}." for atom in atoms)
        if not text:
            return self
        more: list[AST] = []
        parse_string(text, more.append)
        number = max(each.number for each in self.statements)
        choices = [
            Statement(number + at, ast, True, self.outputs) for at, ast in enumerate(more[1:], 1)
        ]
        return replace(self, statements=[*self.statements, *choices])

    def violated(self, guessed: Mapping[Signature, Collection[Symbol]]) -> set[int] | None:
        """Return the numbers of what is violated if these are all atoms of their predicates.

        None if it cannot be so.
        """
        assumptions = []
        for (name, arity), wanted in guessed.items():
            positive, bare = not name.startswith("-"), name.removeprefix("-")
            atoms = list(self.control.symbolic_atoms.by_signature(bare, arity, positive))
            if not {atom.symbol for atom in atoms}.issuperset(wanted):
                return None
            assumptions += [atom.literal * (1 if atom.symbol in wanted else -1) for atom in atoms]
        symbols = self.ask(self.control, lambda: self._model((), assumptions))
        hits = _by_predicate(symbols).get(("__hit", 2), [])
        return {hit.arguments[0].number for hit in hits} if symbols else None

    def _model(self, demands: Sequence[int], more: Sequence[int] = ()) -> Sequence[Symbol]:
        """Return the atoms of an answer set that meets these demands; none if there is none.

        `more` are literals that hold.
        """
        assumptions = [*(self._switch[each] for each in demands), *more]
        with self.control.solve(assumptions=assumptions, yield_=True) as handle:
            model = handle.model()
            return model.symbols(atoms=True) if model else ()


class Model:
    """The atoms of one answer set of a relaxed program, by predicate."""

    def __init__(self, atoms: Iterable[Symbol], possible: Iterable[Symbol]) -> None:
        self.of = _by_predicate(atoms)
        self.possible = _by_predicate(possible)
        """Those of other answer sets as well."""

    def hits(self, statement: Statement) -> list[Binding]:
        """Return where a statement is violated, in the order of its variables."""
        hits = sorted(each[1].arguments for each in self._about("__hit", 2, statement))
        return [dict(zip(statement.variables, values, strict=True)) for values in hits]

    def derived_by(self, statement: Statement) -> list[Symbol]:
        """Return the atoms that a plain rule derives."""
        return [each[1] for each in self._about("__from", 2, statement)]

    def placed_by(self, statement: Statement) -> list[Symbol]:
        """Return the atoms of the answers that a rule can derive."""
        atoms = (atom.arguments for atom in self.possible.get(("__can", 2), ()))
        return [atom for number, atom in atoms if number.number == statement.number]

    def count(self, statement: Statement, binding: Binding) -> Symbol | None:
        """Return what the first set of a statement counts there."""
        values = list(binding.values())
        counts = self._about("__count", 3, statement)
        return next((each[2] for each in counts if each[1].arguments == values), None)

    def lost(self) -> list[Symbol]:
        """Return the atoms of the answer that nothing can derive; else, those that nothing does."""
        lost = [atom.arguments[0] for atom in sorted(self.of.get(("__lost", 1), []))]
        some = {atom.arguments[1] for atom in self.possible.get(("__can", 2), ())}
        return [atom for atom in lost if atom not in some] or lost

    def _about(self, name: str, arity: int, statement: Statement) -> Iterator[Sequence[Symbol]]:
        atoms = (atom.arguments for atom in self.of.get((name, arity), ()))
        return (each for each in atoms if each[0].number == statement.number)


def _by_predicate(atoms: Iterable[Symbol]) -> dict[Signature, list[Symbol]]:
    by_signature: dict[Signature, list[Symbol]] = {}
    for atom in atoms:
        name = atom.name if atom.positive else f"-{atom.name}"
        by_signature.setdefault((name, len(atom.arguments)), []).append(atom)
    return by_signature
