"""The fields of a rule: their values, and their forms in each engine and each format.

From the type of a field follow its checks, its JSON, its facts and its part of a Prolog term, so a
new rule needs only its fields.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections import UserDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from itertools import chain, pairwise, product
from operator import index
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    NamedTuple,
    SupportsIndex,
    TypeVar,
    cast,
    dataclass_transform,
    get_type_hints,
)

from ..errors import InvalidPuzzle, choice, listed, shown
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import MAX_SIZE, Cell, CellLike, Cells, Layout, touch

Groups = tuple[Cells, ...]
Numbers = tuple[int, ...]
NumberGroups = tuple[Numbers, ...]

LARGEST = 1_000_000
"""A bound far above any sum of a rule, which clingo can still add."""


class Field(NamedTuple):
    """One type of field."""

    expected: str
    """Its values in words, for a message."""
    read: Callable[[Any], Any]
    """The checked value; InvalidPuzzle, TypeError or ValueError if it is another kind."""


def _items(value: Any) -> list[Any]:
    """The items of a list, a tuple or another iterable that is not text."""
    if not isinstance(value, Iterable) or isinstance(value, str | bytes | dict):
        raise TypeError
    return list(value)


def _cells(value: Any) -> Cells:
    """The cells, in their order; of a range such as ``r1c1-r2c3``, all of the rectangle."""
    if isinstance(value, str):
        value = re.split(r"[\s,]+", re.sub(r"\s*-\s*", "-", value.strip()))
    return tuple(chain.from_iterable(map(_range, _items(value))))


def _range(value: Any) -> list[Cell]:
    """The cells from one corner to the other, row by row, or the only cell."""
    corners = value.split("-") if isinstance(value, str) and value.count("-") == 1 else [value]
    try:
        first, last = (Cell.of(each, MAX_SIZE) for each in (corners[0], corners[-1]))
    except IndexError:
        raise ValueError(
            f"{shown(value)} is not a cell; expected such as r1c1, or r1c1-r1c3 for a range"
        ) from None
    rows, columns = (
        range(one, other + step, step)
        for one, other in zip(first, last, strict=True)
        for step in [1 if one <= other else -1]
    )
    return [Cell(*each) for each in product(rows, columns)]


def _number(value: Any) -> int:
    """The whole number, within the range that both engines can add up."""
    if isinstance(value, bool):
        raise TypeError
    number = index(value)
    if abs(number) > LARGEST:
        raise InvalidPuzzle(f"{shown(value)} is too large a number for a rule")
    return number


def _of_type(kind: type) -> Callable[[Any], Any]:
    def read(value: Any) -> Any:
        if not isinstance(value, kind):
            raise TypeError
        return value

    return read


def _several(one: Field) -> Field:
    return Field(f"lists of {one.expected}", lambda value: tuple(map(one.read, _items(value))))


CELLS = Field("cells such as ['r1c1', 'r1c2']", _cells)
NUMBERS = Field("whole numbers such as [1, 2]", lambda value: tuple(map(_number, _items(value))))
FIELDS: dict[Any, Field] = {
    Cells: CELLS,
    Groups: _several(CELLS),
    Numbers: NUMBERS,
    NumberGroups: _several(NUMBERS),
    int: Field("a whole number", _number),
    int | None: Field(
        "a whole number, or nothing", lambda value: None if value is None else _number(value)
    ),
    bool: Field("true or false", _of_type(bool)),
    str: Field("text", _of_type(str)),
}
"""By the type of the field. Text is for people: the engines ignore it."""


# --- the value of a field, whatever its type, in JSON, facts, terms and words ---


def _json(value: Any) -> Any:
    match value:
        case Rule():
            return value.to_json()
        case Cell():
            return str(value)
        case tuple():
            return [_json(each) for each in value]
    return value


def _facts(rule: int, name: str, value: Any) -> Iterator[str]:
    """The facts of ``encodings/rules.lp``; a group counts from 1: ``(pairs,3)`` is the third."""
    match value:
        case tuple():
            for at, each in enumerate(value, 1):
                match each:
                    case Cell(row, column):
                        yield f"on({rule},{name},{at},{row},{column})."
                    case int():
                        yield f"value({rule},{name},{at},{each})."
                    case _:
                        yield from _facts(rule, f"({name},{at})", each)
        case bool() | int() if value is not False:
            yield f"value({rule},{name},1,{int(value)})."


def _term(value: Any, modules: Mapping[str, str]) -> str:
    match value:
        case Rule():
            return term(value, modules)
        case Cell(row, column):
            return f"{row}-{column}"
        case tuple():
            return f"[{','.join(_term(each, modules) for each in value)}]"
        case bool():
            return str(value).lower()
    return str(value)


def _words(name: str, value: Any) -> str:
    """The text that a person reads; may be empty."""
    match value:
        case bool():
            return name if value else f"not {name}"
        case str():
            return value
        case (Cell(), *_):
            return listed(value) if name == "cells" else f"{name} {listed(value)}"
        case (int(), *_):
            return f"{name} {', '.join(map(str, value))}"
        case ((Rule(), *_), *_):
            return " or ".join(" and ".join(map(str, option)) for option in value)
        case (tuple(), *_):
            return f"{name} {' / '.join(_words('', each).strip() or 'none' for each in value)}"
    return "" if value == () else f"{name} {value}"


def _within(value: Any) -> Iterator[Any]:
    """The value, and all values within it."""
    yield value
    if isinstance(value, Rule):
        value = tuple(getattr(value, name) for name in value.types)
    if isinstance(value, tuple) and not isinstance(value, Cell):
        for each in value:
            yield from _within(each)


def _has_cells(value: Any) -> bool:
    return any(isinstance(each, Cell) for each in _within(value))


# --- further conditions that the type of a field can state ---


class Shape(NamedTuple):
    """A condition on the values of a field, beyond their type."""

    right: Callable[[Any, int], bool] = lambda _value, _n: True
    """True if the value, or each of several, is right in an n x n grid."""
    problem: str = ""
    """The message otherwise; it may name the field, its value, and n."""
    each: bool = False
    line: bool = False
    """True if the cells are a line, drawn from each to the next one, which it need not touch."""
    unordered: bool = False
    """True if digits of these cells may change places; it need not be right if one is named twice.
    """

    def problems(self, name: str, value: Any, n: int) -> Iterator[str]:
        """Yield what is wrong with the value of the field of this name."""
        for each in value if self.each else [value]:
            if not self.right(each, n):
                yield self.problem.format(name=name, value=each, text=_text(each), n=n)


def _text(value: Any) -> str:
    return " ".join(map(str, value)) or "none" if isinstance(value, tuple) else str(value)


def _unlike(cells: Cells, _n: int) -> bool:
    return len(set(cells)) == len(cells)


def _is_pair(cells: Cells, _n: int) -> bool:
    return len(cells) == 2 == len(set(cells))


def _is_digit(number: int, n: int) -> bool:
    return 1 <= number <= n


_TWICE, _NO_PAIR = "a cell is named twice", "expected two different cells, not {text}"
_NO_DIGIT = "{value} is not a digit from 1 to {n}"

if TYPE_CHECKING:  # the constructor takes more than what a field then holds, such as text for cells
    CellsLike = str | Iterable[CellLike]

    class CellsField(Cells):
        """A field of cells."""

        def __get__(self, instance: object, owner: object = None) -> Cells: ...
        def __set__(self, instance: object, value: CellsLike) -> None: ...

    class GroupsField(Groups):
        """A field of lists of cells."""

        def __get__(self, instance: object, owner: object = None) -> Groups: ...
        def __set__(self, instance: object, value: Iterable[CellsLike]) -> None: ...

    class NumbersField(Numbers):
        """A field of whole numbers."""

        def __get__(self, instance: object, owner: object = None) -> Numbers: ...
        def __set__(self, instance: object, value: Iterable[SupportsIndex]) -> None: ...

    class NumberGroupsField(NumberGroups):
        """A field of lists of whole numbers."""

        def __get__(self, instance: object, owner: object = None) -> NumberGroups: ...
        def __set__(self, instance: object, value: Iterable[Iterable[SupportsIndex]]) -> None: ...

    class OptionsField(tuple["tuple[Rule, ...]", ...]):
        """A field of alternatives."""

        def __get__(self, instance: object, owner: object = None) -> Options: ...
        def __set__(
            self, instance: object, value: Iterable[Iterable[Rule | Mapping[str, Any]]]
        ) -> None: ...

    Line = CellsField
    LineOfTwoEnds = CellsField
    Diagonal = CellsField
    Seen = CellsField
    Cage = CellsField
    CellSet = CellsField
    Distinct = CellsField
    Pair = CellsField
    One = CellsField
    CellSets = GroupsField
    Pairs = GroupsField
    DigitList = NumbersField
    Digit = int
    Positive = int
    Clue = int
    ClueOrNone = int | None
else:
    CellsField, GroupsField = Cells, Groups
    NumbersField, NumberGroupsField = Numbers, NumberGroups
    Line = Annotated[Cells, Shape(line=True)]
    LineOfTwoEnds = Annotated[
        Cells,
        Shape(
            lambda cells, _n: len(cells) == 1 or cells[0] != cells[-1],
            "both ends are {value[0]}; expected two cells",
            line=True,
        ),
    ]
    Diagonal = Annotated[
        Cells,
        Shape(
            lambda cells, _n: all(touch(*pair) for pair in pairwise(cells)),
            "its cells do not touch, so they are not on one diagonal",
            line=True,
            unordered=True,
        ),
    ]
    Seen = Annotated[
        Cells,
        Shape(
            lambda cells, n: _unlike(cells, n) and len(cells) <= n,
            "a cell is named twice, or there are more than {n}",
        ),
    ]
    """The cells seen from a clue next to the grid."""
    Cage = Annotated[Cells, Shape(unordered=True)]
    CellSet = Annotated[Cells, Shape(_unlike, _TWICE, unordered=True)]
    CellSets = Annotated[Groups, Shape(_unlike, _TWICE, each=True)]
    Distinct = Annotated[Cells, Shape(_unlike, _TWICE)]
    Pair = Annotated[Cells, Shape(_is_pair, _NO_PAIR)]
    Pairs = Annotated[Groups, Shape(_is_pair, _NO_PAIR, each=True)]
    One = Annotated[
        Cells, Shape(lambda cells, _n: len(cells) == 1, "the {name} is {text}; expected one cell")
    ]
    Digit = Annotated[int, Shape(_is_digit, _NO_DIGIT)]
    DigitList = Annotated[Numbers, Shape(_is_digit, _NO_DIGIT, each=True)]
    Positive = Annotated[
        int, Shape(lambda value, _n: value >= 1, "the {name} is {value}; expected 1 or more")
    ]
    _NOT_NEGATIVE = Shape(
        lambda value, _n: (value or 0) >= 0, "the {name} is {value}; expected 0 or more"
    )
    Clue = Annotated[int, _NOT_NEGATIVE]
    """A number that is a sum or difference of digits, or a number of them."""
    ClueOrNone = Annotated[int | None, _NOT_NEGATIVE]

NONE: Any = ()
"""The default of a field that holds several values."""


# --- a rule beyond plain sudoku, and all that follows from its fields ---
#
# A kind of rule is a small class that is defined three times: by `Rule.holds` in Python, the
# oracle; by a module in ``encodings/rules/`` for clingo; and by a clause in ``prolog/rules/``.
# These two engines get a rule by its name and fields. Python never breaks a rule down for them, so
# each engine states it in its own way, and a comparison means something.
#
# For proofs and SAT solvers, clauses are made from the Python definition. They are found by trying
# digits, so a rule should state what it can about a few cells at a time: see `Rule.parts` and
# `Split`.


class Empty(Exception):
    """The digit of an empty cell is requested."""


class Digits(UserDict[Cell, int]):
    """The digit of every cell of a grid, and the layout of its puzzle.

    0 stands for an empty cell; to read its digit raises Empty.
    """

    def __init__(self, digits: Sequence[int], layout: Layout) -> None:
        self.data = dict(zip(layout.cells, digits, strict=True))
        self.layout = layout

    def __getitem__(self, cell: Cell) -> int:
        digit = self.data[cell]
        if not digit:
            raise Empty
        return digit


class Part(NamedTuple):
    """A test that the digits of some cells must pass, in each of several places.

    ``Part(lt, [(r1c1, r1c2), (r1c2, r1c3)])`` states that the digits increase from r1c1 to r1c3.
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
    it distinguishes all digits. It saves trying each of them."""


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


PLAIN, MIXED, OTHER = "1234 3412 2143 4321", "1324 2413 3142 4231", "1342 2413 3124 4231"
"""Grids of many examples."""


class Rule(ABC):
    """A rule on some cells of a puzzle: a frozen, comparable, hashable, picklable value.

    A field takes cells as text (``"r1c1 r1c2"``), as names or as pairs of numbers; ``"r1c1-r3c3"``
    are those of the rectangle from corner to corner.

    Raises:
        InvalidPuzzle: If a field holds something else, or what is wrong in a grid of any size.
    """

    __slots__ = ()

    kind: ClassVar[str]
    """Its name in JSON, facts and Prolog, such as ``"killer_cage"``."""
    title: ClassVar[str]
    """Its name for people, such as ``"killer cage"``."""
    types: ClassVar[dict[str, Field]]
    """The type of each field, by its name."""
    shapes: ClassVar[dict[str, Shape]]
    """Further conditions that the type of a field states."""
    defaults: ClassVar[dict[str, Any]]
    """The fields that may be missing, and their values then."""
    example: ClassVar[Example]
    line: ClassVar[bool] = False
    """True if the cells are a line, drawn from each to the next one, which it need not touch."""
    least: ClassVar[int] = 1
    """The fewest cells that it can have."""
    asp: ClassVar[str | None] = None
    """The text of a custom module for clingo; None for ``encodings/rules/``."""
    prolog: ClassVar[str | None] = None
    """The text of custom clauses for Prolog; None for ``prolog/rules/``."""

    @abstractmethod
    def holds(self, digits: Digits) -> bool:
        """True if a full grid obeys the rule. Plain Python that knows no engine: the oracle."""

    def parts(self, layout: Layout) -> Iterator[Part]:
        """Tests that are equivalent to `holds`: a full grid obeys the rule if it passes them all.

        Here there is one test, of all cells of the rule. A rule with many cells should have several
        smaller ones, since clauses can only express tests of few cells.
        """
        named = list(self.cells_used())
        alike = self.alike() if len(set(named)) == len(named) else ()
        alone = [cell for cell in dict.fromkeys(named) if not any(cell in each for each in alike)]
        cells = [*alone, *chain(*alike)]
        known = Digits((0,) * len(layout.cells), layout)

        def passes(*digits: int) -> bool:
            known.data.update(zip(cells, digits, strict=True))
            return self.holds(known)

        yield Part(passes, [cells], [1] * len(alone) + [len(each) for each in alike])

    def alike(self) -> Groups:
        """Groups of cells: to exchange digits within a group never changes what `holds` returns.

        They need not be right if the fields name a cell twice.
        """
        return tuple(getattr(self, name) for name, shape in self.shapes.items() if shape.unordered)

    def problems(self, layout: Layout) -> Iterator[str]:
        """Yield what is wrong with it for a grid of this layout, beyond its types."""
        yield from ()

    def wrong(self, layout: Layout) -> Iterator[str]:
        """All that is wrong with the rule for a grid of this layout, if its cells are there."""
        yield from self.problems(layout)
        for name, shape in self.shapes.items():
            yield from shape.problems(name, getattr(self, name), layout.size)

    def check(self, layout: Layout) -> None:
        """Check that a grid of this layout can have the rule.

        Args:
            layout: The boxes or regions of the grid, and its rules.

        Raises:
            InvalidPuzzle: If it cannot; the message says what is wrong.
        """
        n = layout.size
        for cell in self.cells_used():
            if max(cell) > n:
                raise InvalidPuzzle(f"{self}: {cell} is not a cell of a {n}x{n} grid")
        for wrong in self.wrong(layout):
            raise InvalidPuzzle(f"{self}: {wrong}")

    def impossible(self, layout: Layout) -> Iterator[str]:
        """Yield the reasons why no grid of this layout obeys the rule, if they need no search."""
        yield from ()

    def check_possible(self, layout: Layout) -> None:
        """Check that it is not plain that no grid of this layout obeys the rule.

        A puzzle may have it, and has no solution then; whoever adds a rule wants to know.

        Args:
            layout: The boxes or regions of the grid, and its rules.

        Raises:
            InvalidPuzzle: If it is plain that none does; the message has the reason.
        """
        for why in self.impossible(layout):
            raise InvalidPuzzle(f"{self}: {why}")

    def cells_used(self) -> Iterator[Cell]:
        """Every cell that its fields name, perhaps more than once."""
        yield from (each for each in _within(self) if isinstance(each, Cell))

    def given(self) -> Iterator[tuple[str, Any]]:
        """The name and the value of each field that does not have its default."""
        for name in self.types:
            value = getattr(self, name)
            if name not in self.defaults or value != self.defaults[name]:
                yield name, value

    def to_json(self) -> dict[str, Any]:
        """Its kind under ``"rule"``, and its fields; `from_json` reads that."""
        return {"rule": self.kind, **{name: _json(value) for name, value in self.given()}}

    def __post_init__(self) -> None:
        for name, field in self.types.items():
            value = getattr(self, name)
            try:
                result = field.read(value)
            except InvalidPuzzle as error:
                raise InvalidPuzzle(f"{self.title}: {name}: {error}") from None
            except (TypeError, ValueError) as error:
                detail = str(error) if type(error) is ValueError and str(error) else ""
                expected = detail or f"expected {field.expected}"
                raise InvalidPuzzle(f"{self.title}: {name} is {shown(value)}; {expected}") from None
            object.__setattr__(self, name, result)
        cells: Cells | None = getattr(self, "cells", None)
        if cells is not None and len(cells) < self.least:
            raise InvalidPuzzle(
                f"{self.title}: cells are {shown(_json(cells))}; expected {self.least} or more"
            )
        for name, shape in self.shapes.items():
            if "{n}" in shape.problem:  # the size of the grid matters
                continue
            for wrong in shape.problems(name, getattr(self, name), MAX_SIZE):
                raise InvalidPuzzle(f"{self}: {wrong}")

    def without_cells(self) -> str:
        """The rule as people read it, without its cells."""
        phrases = (_words(name, value) for name, value in self.given() if not _has_cells(value))
        words = ", ".join(filter(None, phrases))
        return f"{self.title} ({words})" if words else self.title

    def __str__(self) -> str:
        cells = (_words(name, value) for name, value in self.given() if _has_cells(value))
        where = "; ".join(cells)
        return f"{self.without_cells()} at {where}" if where else self.without_cells()

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
if not TYPE_CHECKING:
    OptionsField = Options


def _options(value: Any) -> Options:
    return tuple(
        tuple(each if isinstance(each, Rule) else from_json(each) for each in _items(option))
        for option in _items(value)
    )


FIELDS[Options] = Field("lists of rules", _options)


@dataclass_transform(frozen_default=True)
def rule(cls: R) -> R:
    """Make a class a kind of rule: a frozen dataclass, known by its name in small letters."""
    if "kind" not in vars(cls):
        cls.kind = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
    if "title" not in vars(cls):
        cls.title = cls.kind.replace("anti_", "anti-").replace("_", " ")
    hints, full = get_type_hints(cls), get_type_hints(cls, include_extras=True)
    rule_class: Any = dataclass(frozen=True, slots=True, repr=False)(cls)
    own = [field for field in fields(rule_class) if not field.name.startswith("_")]
    rule_class.types = {field.name: FIELDS[hints[field.name]] for field in own}
    rule_class.shapes = {
        name: shape
        for name in rule_class.types
        for shape in getattr(full[name], "__metadata__", ())
    }
    rule_class.line = any(shape.line for shape in rule_class.shapes.values())
    rule_class.defaults = {
        field.name: field.default for field in own if field.default is not MISSING
    }
    KINDS[rule_class.kind] = rule_class
    return cast("R", rule_class)


_DIFFERENT = "it is 'different' for each {}, and pylogic_sudoku.rules.{}({}) has their cells"
_USUAL = {
    "kropki": "a white dot is 'difference', and a black one 'ratio'",
    "xv": "both are 'pair_sum', X with the value 10 and V with 5",
    "whisper": "it is 'whispers', with the difference 5 if German, and 4 if Dutch",
    "german": "it is 'whispers' with the difference 5",
    "dutch": "it is 'whispers' with the difference 4",
    "windoku": _DIFFERENT.format("window", "windoku", ""),
    "hyper": _DIFFERENT.format("window", "windoku", ""),
    "diagonal": _DIFFERENT.format("diagonal", "diagonals", "9"),
    "xsudoku": _DIFFERENT.format("diagonal", "diagonals", "9"),
    "sudokux": _DIFFERENT.format("diagonal", "diagonals", "9"),
    "disjoint": _DIFFERENT.format("group", "disjoint_groups", "(3, 3)"),
    "extraregion": "it is 'different'",
    "consecutive": "a white dot is 'difference'; nonconsecutive is 'negative' with differences [1]",
    "quad": "it is 'contains'",
    "inequal": "it is 'greater'",
    "numberedroom": "it is 'index'",
    "framesum": "it is 'total'",
    "outsidesum": "it is 'total'",
    "slow": "it is 'thermometer' with slow",
    "regex": "'automaton' has regular expressions",
    "regular": "'automaton' has regular expressions",
    "king": "it is 'anti_king'",
    "knight": "it is 'anti_knight'",
    "miracle": "it is 'anti_knight', 'anti_king', and 'negative' with differences [1]",
}
"""Usual names of rules, or their beginnings, and what a rule of that name is here."""


def plain_name(name: object) -> str:
    """The letters and digits of a name, all small: ``xsudoku`` for X-Sudoku."""
    return re.sub(r"[\W_]", "", str(name)).lower()


def usual_name(name: object) -> str:
    """The meaning of a usual name, in words; empty if the name is not known."""
    plain = plain_name(name)
    return next((words for begin, words in _USUAL.items() if plain.startswith(begin)), "")


def no_rule(kind: object) -> InvalidPuzzle:
    """The error about a kind of rule that is not known."""
    listed = "`pylogic-sudoku rules` and pylogic_sudoku.rules.KINDS list all rules"
    words = usual_name(kind) or choice(kind, KINDS, listed)
    return InvalidPuzzle(f"no rule {shown(kind)} here; {words}")


def from_json(value: Any) -> Rule:
    """The rule of a JSON object.

    Args:
        value: The object.

    Raises:
        InvalidPuzzle: If there is no such rule; the message has the choices.
    """
    if not isinstance(value, Mapping) or not isinstance(value.get("rule"), str):
        raise InvalidPuzzle(
            f"{shown(value)} is not a rule; expected one of pylogic_sudoku.rules,"
            " or its JSON, such as {'rule': 'anti_knight'}"
        )
    kind = value["rule"]
    if kind not in KINDS:
        raise no_rule(kind)
    rule_class: Any = KINDS[kind]
    field_values = {name: each for name, each in value.items() if name != "rule"}
    for name in field_values:
        if name not in rule_class.types:
            known = ", ".join(rule_class.types) or "no fields"
            raise InvalidPuzzle(
                f"{rule_class.title}: unknown field {shown(name)}; expected {known}"
            )
    for name in rule_class.types:
        if name not in field_values and name not in rule_class.defaults:
            raise InvalidPuzzle(f"{rule_class.title}: the field {name!r} is missing")
    result: Rule = rule_class(**field_values)
    return result


def facts(rules: Iterable[Rule]) -> Iterator[str]:
    """The rules as facts of ``encodings/rules.lp``, one line for each; they count from 1."""
    for number, each, options in _numbered(rules):
        line = [f"rule({number},{each.kind})."]
        for name, field in each.types.items():
            if field is not FIELDS[Options]:
                line += _facts(number, name, getattr(each, name))
        for at, parts in enumerate(options, 1):
            line.append(f"option({number},{at}).")
            line += [f"option({number},{at},{part})." for part in parts]
        yield " ".join(line)


def texts(rules: Iterable[Rule]) -> Iterator[str]:
    """The texts of the rules, as facts for people: ``text(1,name,"diagonal")``."""
    for number, each, _ in _numbered(rules):
        for name, value in each.given():
            if isinstance(value, str):
                quoted = value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
                yield f'text({number},{name},"{quoted}").'


def _numbered(rules: Iterable[Rule]) -> Iterator[tuple[int, Rule, list[range]]]:
    """The number of each rule, and for each of its alternatives the numbers of the rules in it."""
    waiting = list(rules)
    number = 0
    while number < len(waiting):
        each = waiting[number]
        number += 1
        options: list[range] = []
        for name, field in each.types.items():
            if field is FIELDS[Options]:
                for option in getattr(each, name):
                    options.append(range(len(waiting) + 1, len(waiting) + len(option) + 1))
                    waiting += option
        yield number, each, options


def term(each: Rule, modules: Mapping[str, str] | None = None) -> str:
    """The rule as a term of ``prolog/rules/``, such as ``thermometer(cells=[1-1,1-2])``.

    Fields that are empty or false are left out; a text in quotes is for people. `modules` are those
    that have the clauses of some kinds: of these the term is ``module:kind(...)``.
    """
    modules = modules or {}
    parts = []
    for name in each.types:
        match getattr(each, name):
            case None | False | () | "":
                continue
            case str(text):
                parts.append(f"{name}={json.dumps(text, ensure_ascii=False)}")
            case int(number) if number < 0:
                parts.append(f"{name}=({number})")  # `=-` would be one operator
            case value:
                parts.append(f"{name}={_term(value, modules)}")
    kind = f"{modules[each.kind]}:{each.kind}" if each.kind in modules else each.kind
    return f"{kind}({','.join(parts)})" if parts else kind


def grid_term(grid: Grid) -> str:
    """The rows of a grid as a list for Prolog, ``_`` for an empty cell."""
    rows = ("[" + ",".join(str(digit or "_") for digit in row) + "]" for row in grid.rows)
    return "[" + ",\n ".join(rows) + "]"


def shape_term(layout: Layout) -> str:
    """The shape for a sudoku in Prolog: the size of a box, or the label of each cell."""
    if not layout.regions:
        return "{}-{}".format(*layout.box)
    rows = ("[" + ",".join(map(str, row)) + "]" for row in layout.labels)
    return "regions([" + ",\n ".join(rows) + "])"


def everything(rules: Iterable[Rule]) -> Iterator[Rule]:
    """The rules, and those within them."""
    return (each for each in _within(tuple(rules)) if isinstance(each, Rule))


# --- the rules that digits break, even if some cells are empty ---


def broken_rules(puzzle: Grid | Puzzle) -> Iterator[Rule]:
    """The rules that the digits of the puzzle break, in its order.

    With empty cells these are the rules that can be decided without a look at any of them.
    """
    if not puzzle.rules:
        return
    digits = Digits(puzzle.digits, puzzle.layout)
    for rule in puzzle.rules:
        try:
            holds = rule.holds(digits)
        except (Empty, InvalidPuzzle):  # of these, only an engine can check a custom rule
            continue
        if not holds:
            yield rule
