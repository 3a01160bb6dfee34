"""What the fields of a rule hold, and how each engine and each format has them.

From the type of a field follow its checks, its JSON, its facts and its part of a Prolog term, so a
new rule needs only its fields.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from itertools import chain, count, pairwise
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, TypeVar, cast, get_type_hints

from ..errors import InvalidPuzzle, choice, shown
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import MAX_SIZE, Cell, Cells, Layout

Groups = tuple[Cells, ...]
Numbers = tuple[int, ...]
NumberGroups = tuple[Numbers, ...]

LARGEST = 1_000_000
"""No sum of a rule comes near it, and clingo can add such numbers."""


class Field(ABC):
    """One type of field."""

    expected: str
    """What it holds, for a message."""

    @abstractmethod
    def read(self, value: Any) -> Any:
        """The checked value; InvalidPuzzle, TypeError or ValueError if it is another kind."""

    def to_json(self, value: Any) -> Any:
        return value

    @abstractmethod
    def facts(self, rule: int, name: object, value: Any) -> Iterator[str]:
        """The facts of ``encodings/rules.lp``."""

    @abstractmethod
    def term(self, value: Any) -> str:
        """The value in Prolog."""

    def words(self, name: str, value: Any) -> str:
        """What a person reads; may be empty."""
        return f"{name} {value}"

    def cells(self, value: Any) -> Iterator[Cell]:
        """The cells in it."""
        return iter(())


class _Cells(Field):
    expected = "cells such as ['r1c1', 'r1c2']"

    def read(self, value: Any) -> Cells:
        items = re.split(r"[\s,]+", value.strip()) if isinstance(value, str) else items_of(value)
        found = []
        for each in items:
            try:
                found.append(Cell.of(tuple(each) if isinstance(each, list) else each, MAX_SIZE))
            except IndexError:
                raise ValueError(f"{shown(each)} is not a cell; expected such as r1c1") from None
        return tuple(found)

    def to_json(self, value: Cells) -> list[str]:
        return [str(cell) for cell in value]

    def facts(self, rule: int, name: object, value: Cells) -> Iterator[str]:
        for at, (row, column) in enumerate(value, 1):
            yield f"on({rule},{name},{at},{row},{column})."

    def term(self, value: Cells) -> str:
        return listed(f"{row}-{column}" for row, column in value)

    def words(self, name: str, value: Cells) -> str:
        text = ", ".join(map(str, value[:-1])) + (" and " if value[1:] else "") + str(value[-1])
        return text if name == "cells" else f"{name} {text}"

    def cells(self, value: Cells) -> Iterator[Cell]:
        return iter(value)


class _Numbers(Field):
    expected = "whole numbers such as [1, 2]"

    def read(self, value: Any) -> Numbers:
        if isinstance(value, str):
            raise TypeError
        return tuple(map(number_of, items_of(value)))

    def to_json(self, value: Numbers) -> list[int]:
        return list(value)

    def facts(self, rule: int, name: object, value: Numbers) -> Iterator[str]:
        for at, number in enumerate(value, 1):
            yield f"value({rule},{name},{at},{number})."

    def term(self, value: Numbers) -> str:
        return listed(map(str, value))

    def words(self, name: str, value: Numbers) -> str:
        return f"{name} {', '.join(map(str, value))}" if value else ""


class _Several(Field):
    """Groups of what another field holds; a group counts from 1: ``(pairs,3)`` is the third."""

    def __init__(self, one: _Cells | _Numbers) -> None:
        self.one = one
        self.expected = f"lists of {one.expected}"

    def read(self, value: Any) -> tuple[Any, ...]:
        if isinstance(value, str):
            raise TypeError
        return tuple(map(self.one.read, items_of(value)))

    def to_json(self, value: Any) -> list[Any]:
        return [self.one.to_json(each) for each in value]

    def facts(self, rule: int, name: object, value: Any) -> Iterator[str]:
        for at, each in enumerate(value, 1):
            yield from self.one.facts(rule, f"({name},{at})", each)

    def term(self, value: Any) -> str:
        return listed(map(self.one.term, value))

    def words(self, name: str, value: Any) -> str:
        texts = " / ".join(self.one.words("cells", each).removeprefix("cells ") for each in value)
        return f"{name} {texts}" if value else ""

    def cells(self, value: Any) -> Iterator[Cell]:
        for each in value:
            yield from self.one.cells(each)


class _Number(Field):
    expected = "a whole number"

    def read(self, value: Any) -> int | None:
        return number_of(value)

    def facts(self, rule: int, name: object, value: int) -> Iterator[str]:
        yield f"value({rule},{name},1,{value})."

    def term(self, value: int) -> str:
        return str(value) if value >= 0 else f"({value})"  # `=-` would be one operator


class _Optional(_Number):
    expected = "a whole number, or nothing"

    def read(self, value: Any) -> int | None:
        return None if value is None else number_of(value)


class _Flag(Field):
    expected = "true or false"

    def read(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise TypeError
        return value

    def facts(self, rule: int, name: object, value: bool) -> Iterator[str]:
        if value:
            yield f"value({rule},{name},1,1)."

    def term(self, value: bool) -> str:
        return "true" if value else "false"

    def words(self, name: str, value: bool) -> str:
        return name if value else f"not {name}"


class _Text(Field):
    """For people: the engines do not get it."""

    expected = "text"

    def read(self, value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        return value

    def facts(self, rule: int, name: object, value: str) -> Iterator[str]:
        return iter(())

    def term(self, value: str) -> str:
        return ""

    def words(self, name: str, value: str) -> str:
        return value


FIELDS: dict[Any, Field] = {
    Cells: _Cells(),
    Groups: _Several(_Cells()),
    Numbers: _Numbers(),
    NumberGroups: _Several(_Numbers()),
    int: _Number(),
    int | None: _Optional(),
    bool: _Flag(),
    str: _Text(),
}
"""By the type of the field."""


def number_of(value: Any) -> int:
    """The whole number, within the range that both engines can add up."""
    if isinstance(value, bool):
        raise TypeError
    number = index(value)
    if abs(number) > LARGEST:
        raise InvalidPuzzle(f"{shown(value)} is too large a number for a rule")
    return number


def items_of(value: Any) -> list[Any]:
    """The items of a list, a tuple or another iterable that is not text."""
    if not isinstance(value, Iterable) or isinstance(value, bytes | dict):
        raise TypeError
    return list(value)


def listed(items: Iterable[str]) -> str:
    """A list in Prolog."""
    return f"[{','.join(items)}]"


# --- a rule beyond plain sudoku, and all that follows from its fields ---
#
# A kind of rule is a small class that is defined three times: by `Rule.holds` in Python, the
# oracle; by a module in ``encodings/rules/`` for clingo; and by a clause in ``prolog/rules/``.
# These two engines get a rule by its name and fields. Python never breaks a rule down for them, so
# each engine says it in its own way, and a comparison means something.
#
# For proofs and SAT solvers, clauses are made from the Python definition. They are found by trying
# digits, so a rule should say what it can about a few cells at a time: see `Rule.parts` and
# `Split`.


class Digits(Mapping[Cell, int]):
    """The digit of every cell of a full grid, and the layout of its puzzle."""

    __slots__ = ("_digits", "layout")

    def __init__(self, digits: Sequence[int], layout: Layout) -> None:
        self._digits = dict(zip(layout.cells, digits, strict=True))
        self.layout = layout

    def __getitem__(self, cell: Cell) -> int:
        return self._digits[cell]

    def __contains__(self, cell: object) -> bool:
        return cell in self._digits

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._digits)

    def __len__(self) -> int:
        return len(self._digits)


class Empty(Exception):
    """The digit of an empty cell is asked for."""


class Known(Digits):
    """The digits of a grid, 0 for an empty cell; those of empty cells cannot be read."""

    __slots__ = ()

    def __getitem__(self, cell: Cell) -> int:
        digit = super().__getitem__(cell)
        if not digit:
            raise Empty
        return digit

    def fill(self, cells: Iterable[Cell], digits: Iterable[int]) -> None:
        """Put these digits into these cells."""
        self._digits.update(zip(cells, digits, strict=True))


class Part(NamedTuple):
    """A test that the digits of some cells must pass, in each of several places.

    ``Part(lt, [(r1c1, r1c2), (r1c2, r1c3)])`` says that the digits increase from r1c1 to r1c3.
    """

    passes: Callable[..., bool]
    """Takes a digit for each cell of a place."""
    places: Iterable[Sequence[Cell]]
    """Each has the same number of cells; a cell may be there twice."""
    groups: Sequence[int] = ()
    """The lengths of runs of cells within which the order of the digits does not matter: (1, 3) if
    the test treats the last three of four cells alike. Empty if the order always matters; ignored
    for a place that has a cell twice. It saves trying each order."""
    sorts: Sequence[Numbers] = ()
    """Sets that together hold all digits, if the test treats the digits of one set alike; empty if
    it tells all digits apart. It saves trying each of them."""


KINDS: dict[str, type[Rule]] = {}
"""Every kind of rule, by its name."""

R = TypeVar("R", bound="type[Rule]")


class Example(NamedTuple):
    """A rule on a 4x4 grid, or a larger one, with a grid that obeys it and one that does not.

    Both grids obey all rules of plain sudoku.
    """

    fields: dict[str, Any]
    good: str
    bad: str


class Rule(ABC):
    """A rule on some cells of a puzzle: a frozen, comparable, hashable, picklable value.

    A field takes cells as text (``"r1c1 r1c2"``), as names or as pairs of numbers. InvalidPuzzle if
    a field holds something else.
    """

    __slots__ = ()

    kind: ClassVar[str]
    """Its name in JSON, facts and Prolog, such as ``"killer_cage"``."""
    title: ClassVar[str]
    """Its name for people, such as ``"killer cage"``."""
    types: ClassVar[dict[str, Field]]
    """What each field holds, by its name."""
    defaults: ClassVar[dict[str, Any]]
    """The fields that may be missing, and their values then."""
    example: ClassVar[Example]
    line: ClassVar[bool] = False
    """True if the cells are a line: each touches the next one."""
    least: ClassVar[int] = 1
    """The fewest cells that it can have."""
    asp: ClassVar[Path | str | None] = None
    """A module of one's own for clingo: a file or the text; None for ``encodings/rules/``."""
    prolog: ClassVar[Path | str | None] = None
    """Clauses of one's own for Prolog: a file or the text; None for ``prolog/rules/``."""

    if TYPE_CHECKING:  # a field takes more than what it then holds, such as text for cells

        def __init__(self, *fields: Any, **named: Any) -> None: ...

    @abstractmethod
    def holds(self, digits: Digits) -> bool:
        """True if a full grid obeys the rule. Plain Python that knows no engine: the oracle."""

    def parts(self, layout: Layout) -> Iterator[Part]:
        """Tests that say the same as `holds`: a full grid obeys the rule if it passes them all.

        Here there is one test, of all cells of the rule. A rule with many cells should have several
        smaller ones, since only tests of few cells can be said in clauses.
        """
        named = list(self.cells_used())
        alike = self.alike() if len(set(named)) == len(named) else ()
        alone = [cell for cell in dict.fromkeys(named) if not any(cell in each for each in alike)]
        cells = [*alone, *chain(*alike)]
        known = Known((0,) * len(layout.cells), layout)

        def passes(*digits: int) -> bool:
            known.fill(cells, digits)
            return self.holds(known)

        yield Part(passes, [cells], [1] * len(alone) + [len(each) for each in alike])

    def alike(self) -> Groups:
        """Groups of cells: to exchange digits within a group never changes what `holds` returns.

        They need not be right if the fields name a cell twice.
        """
        return ()

    def problem(self, layout: Layout) -> str | None:
        """What is wrong with the fields for a grid of this layout, beyond cells that it lacks.

        None if nothing is.
        """
        return None

    def check(self, layout: Layout) -> None:
        """InvalidPuzzle, with what is wrong, unless a grid of this layout can have the rule."""
        n = layout.size
        for cell in self.cells_used():
            if max(cell) > n:
                raise InvalidPuzzle(f"{self}: {cell} is not a cell of a {n}x{n} grid")
        wrong = self.problem(layout)
        if wrong:
            raise InvalidPuzzle(f"{self}: {wrong}")

    def cells_used(self) -> Iterator[Cell]:
        """Every cell that its fields name, perhaps more than once."""
        for name, field in self.types.items():
            yield from field.cells(getattr(self, name))

    def given(self) -> Iterator[tuple[str, Field, Any]]:
        """Each field that does not have its default: its name, its type and its value."""
        for name, field in self.types.items():
            value = getattr(self, name)
            if name not in self.defaults or value != self.defaults[name]:
                yield name, field, value

    def to_json(self) -> dict[str, Any]:
        """Its kind under ``"rule"``, and its fields; `from_json` reads that."""
        found = {name: field.to_json(value) for name, field, value in self.given()}
        return {"rule": self.kind, **found}

    def __post_init__(self) -> None:
        for name, field in self.types.items():
            value = getattr(self, name)
            try:
                read = field.read(value)
            except InvalidPuzzle as error:
                raise InvalidPuzzle(f"{self.title}: {name}: {error}") from None
            except (TypeError, ValueError) as error:
                detail = str(error) if type(error) is ValueError and str(error) else ""
                expected = detail or f"expected {field.expected}"
                raise InvalidPuzzle(f"{self.title}: {name} is {shown(value)}; {expected}") from None
            object.__setattr__(self, name, read)
        cells = getattr(self, "cells", None)
        if cells is not None and len(cells) < self.least:
            raise InvalidPuzzle(
                f"{self.title}: cells are {shown(self.types['cells'].to_json(cells))};"
                f" expected {self.least} or more"
            )
        if self.line:
            for one, other in pairwise(cells or ()):
                if max(abs(one.row - other.row), abs(one.column - other.column)) != 1:
                    raise InvalidPuzzle(
                        f"{self.title}: {one} and {other} do not touch, so they are not on one line"
                    )

    def __str__(self) -> str:
        values: list[str] = []
        cells: list[str] = []
        for name, field, value in self.given():
            words = field.words(name, value)
            (cells if any(True for _ in field.cells(value)) else values).append(words)
        text = self.title + (f" ({', '.join(filter(None, values))})" if values else "")
        return f"{text} at {'; '.join(cells)}" if cells else text

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self}>"


class Split(Rule):
    """A rule that is nothing but its parts: `holds` follows from them."""

    __slots__ = ()

    @abstractmethod
    def parts(self, layout: Layout) -> Iterator[Part]: ...

    def holds(self, digits: Digits) -> bool:
        return all(
            part.passes(*(digits[cell] for cell in place))
            for part in self.parts(digits.layout)
            for place in part.places
        )


Options = tuple[tuple[Rule, ...], ...]
"""Alternatives, each of them rules."""


class _Options(Field):
    expected = "lists of rules"

    def read(self, value: Any) -> Options:
        return tuple(
            tuple(each if isinstance(each, Rule) else from_json(each) for each in items_of(option))
            for option in items_of(value)
        )

    def to_json(self, value: Options) -> list[Any]:
        return [[each.to_json() for each in option] for option in value]

    def facts(self, rule: int, name: object, value: Options) -> Iterator[str]:
        return iter(())  # the rules get numbers of their own: see the function `facts`

    def term(self, value: Options) -> str:
        return listed(listed(map(term, option)) for option in value)

    def words(self, name: str, value: Options) -> str:
        return " or ".join(" and ".join(map(str, option)) for option in value)

    def cells(self, value: Options) -> Iterator[Cell]:
        for each in chain(*value):
            yield from each.cells_used()


FIELDS[Options] = _Options()


def rule(cls: R) -> R:
    """Make a class a kind of rule: a frozen dataclass, known by its name in small letters."""
    if "kind" not in vars(cls):
        cls.kind = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
    if "title" not in vars(cls):
        cls.title = cls.kind.replace("anti_", "anti-").replace("_", " ")
    hints = get_type_hints(cls)
    made: Any = dataclass(frozen=True, slots=True, repr=False)(cls)
    own = [field for field in fields(made) if not field.name.startswith("_")]
    made.types = {field.name: FIELDS[hints[field.name]] for field in own}
    made.defaults = {field.name: field.default for field in own if field.default is not MISSING}
    KINDS[made.kind] = made
    return cast("R", made)


def no_rule(kind: object) -> InvalidPuzzle:
    """The error about a kind of rule that is not known."""
    listed = "`pylogic-sudoku rules` and pylogic_sudoku.rules.KINDS list all rules"
    return InvalidPuzzle(f"no rule {shown(kind)} here; {choice(kind, KINDS, listed)}")


def from_json(value: Any) -> Rule:
    """The rule of a JSON object; InvalidPuzzle, with the choices, if there is no such rule."""
    if not isinstance(value, Mapping) or not isinstance(value.get("rule"), str):
        raise InvalidPuzzle(
            f"{shown(value)} is not a rule; expected one of pylogic_sudoku.rules,"
            " or its JSON, such as {'rule': 'anti_knight'}"
        )
    kind = value["rule"]
    if kind not in KINDS:
        raise no_rule(kind)
    made = KINDS[kind]
    given = {name: each for name, each in value.items() if name != "rule"}
    for name in given:
        if name not in made.types:
            known = ", ".join(made.types) or "no fields"
            raise InvalidPuzzle(f"{made.title}: unknown field {shown(name)}; expected {known}")
    for name in made.types:
        if name not in given and name not in made.defaults:
            raise InvalidPuzzle(f"{made.title}: the field {name!r} is missing")
    return made(**given)


def facts(rules: Iterable[Rule]) -> Iterator[str]:
    """The rules as facts of ``encodings/rules.lp``, one line for each; they count from 1."""
    rules = list(rules)
    fresh = count(len(rules) + 1)

    def lines(number: int, each: Rule) -> Iterator[str]:
        line = [f"rule({number},{each.kind})."]
        nested: list[tuple[int, Rule]] = []
        for name, field in each.types.items():
            value = getattr(each, name)
            if isinstance(field, _Options):
                for at, option in enumerate(value, 1):
                    line.append(f"option({number},{at}).")
                    for part in option:
                        nested.append((next(fresh), part))
                        line.append(f"option({number},{at},{nested[-1][0]}).")
            elif value is not None:
                line += field.facts(number, name, value)
        yield " ".join(line)
        for pair in nested:
            yield from lines(*pair)

    for number, each in enumerate(rules, 1):
        yield from lines(number, each)


def term(each: Rule) -> str:
    """The rule as a term of ``prolog/rules/``, such as ``thermometer(cells=[1-1,1-2])``.

    Fields that are empty or false are left out.
    """
    values = ((name, field, getattr(each, name)) for name, field in each.types.items())
    parts = [
        f"{name}={text}"
        for name, field, value in values
        if value is not None and value is not False and value != () and (text := field.term(value))
    ]
    return f"{each.kind}({','.join(parts)})" if parts else each.kind


def everything(rules: Iterable[Rule]) -> Iterator[Rule]:
    """The rules, and those within them."""
    for each in rules:
        yield each
        for name, field in each.types.items():
            if isinstance(field, _Options):
                yield from everything(chain(*getattr(each, name)))


# --- the rules that digits break, also if some cells are empty ---


def broken_rules(puzzle: Grid | Puzzle) -> Iterator[Rule]:
    """The rules that the digits of the puzzle break, in its order.

    With empty cells these are the rules that can be decided without a look at any of them.
    """
    if not puzzle.rules:
        return
    digits = Known(puzzle.digits, puzzle.layout)
    for rule in puzzle.rules:
        try:
            holds = rule.holds(digits)
        except (Empty, InvalidPuzzle):  # of these, only an engine can check a rule of one's own
            continue
        if not holds:
            yield rule
