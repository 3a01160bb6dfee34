"""Reasons why an ASP program loses a solution or accepts a wrong grid: the statements to blame.

`main` asks the questions, in their order. A constraint that excludes the solution may be right, and
a definition that it uses wrong. So the predicates of a statement are followed back to where
they are defined, for as long as their atoms describe nothing that sudoku has (`Shapes`).

`main` runs in a process of its own, since the program is foreign; only it imports this module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise, permutations
from math import prod
from typing import IO, Any

from clingo.ast import AST, ASTType, Sign
from clingo.symbol import Function, Number, Symbol, SymbolType

from ..reasons.relaxed import (
    DERIVED,
    Binding,
    Model,
    Pattern,
    Relaxed,
    Signature,
    Statement,
    arguments,
    filled,
    fits,
    literals,
    read,
    signature,
    with_values,
)
from ..running import child

Value = Any
"""A number; the text of any other term."""
Row = tuple[Value, ...]
"""The arguments of an atom."""
Cell = tuple[int, ...]
"""Row and column; a single number for a whole row or column."""
Gap = tuple[Signature, Pattern]
"""An atom that does not hold."""
Found = tuple[Statement, str]
"""A statement, and what it does to the solution."""
Placements = Sequence[tuple[int, int, int]]
"""A grid: row, column and digit of each cell."""
Write = Callable[..., None]
_LOSS = "the program loses the solution"
_NOTHING = "the program has no answer at all"
_MAY_LACK = frozenset({("region", 3), ("excluded", 3)})
"""Facts of which an instance may have none."""
SHOWN = 6
"""Variables and atoms that are shown."""


def main(program: str, results: str) -> None:
    """Do the job in the input, and write JSON lists, one per line.

    ::

        ["found", kind, summary, [[file, line, column, text, words], ...]]    the last is the best
        ["accepts", kind]                  all grids that are wrong only in this kind of house
        ["failed", kind, text]             kind: "memory" or "clingo"
    """
    child.main(program, results, _explain)


def _explain(job: dict[str, Any], program: str, instance: str, out: IO[str]) -> None:
    """Write why the program refuses a grid, or which kinds of houses it never mentions.

    Of `job["grids"]`, those under a kind of house are right except for such houses.
    """
    write = partial(child.write, out)
    outputs = frozenset({(job["atom"], 3)})
    statements = read(program, instance, outputs)
    if not job["allow_scripts"] and any(each.ast.ast_type == ASTType.Script for each in statements):
        return
    options = [part for each in job["constants"] for part in ("-c", each)]
    given = (job["given"], 3)
    without_givens = [
        each
        for each in statements
        if not (each.ours and any(signature(term) == given for term, _ in each.heads))
    ]

    def relaxed(statements: Sequence[Statement], grid: Placements) -> Relaxed:
        atoms = [Function(job["atom"], list(map(Number, cell))) for cell in grid]
        return Relaxed(statements, atoms, outputs, options, job["allow_scripts"])

    for kind, grids in job["grids"].items():
        if kind:
            if not any(relaxed(without_givens, grid).excludes for grid in grids):
                write("accepts", kind)
            continue
        loss = relaxed(statements, grids[0])
        explained = _explain_loss(job, loss, write)
        if explained and not loss.answers_something(without_givens):
            reason, places = explained
            write("found", "unsatisfiable", f"{_NOTHING}: {reason}", places)


def _explain_loss(
    job: dict[str, Any], relaxed: Relaxed, write: Write
) -> tuple[str, list[list[Any]]] | None:
    """Write why the grid is refused; return the reason and the places, if statements refuse it."""
    name, statements = job["atom"], relaxed.statements
    sets = relaxed.to_blame()
    if not sets:
        words = f"does not show {name}/3"
        places = [[*each.place, each.text, words] for each in _hiding(statements, name)]
        if places:
            write("found", "underived", f"{_LOSS}: no statement shows {name}/3", places)
        else:
            write("found", "none", "no statement of the program excludes the solution", [])
        return None
    if [] in sets:
        write("found", "unsatisfiable", f"{_NOTHING} even without its constraints", [])
        return None
    lost = [DERIVED] in sets
    if lost:  # what else excludes it together may follow from that
        sets = [members for members in sets if len(members) == 1]
    shapes = Shapes(job["box"], job["houses"], map(_placement, relaxed.answer))

    def blame(remaining: Sequence[int] = ()) -> Blame:
        model = relaxed.without(
            [each for members in sets for each in members if each not in remaining]
        )
        return Blame(statements, model, shapes, name, job["given"])

    blamed: dict[Statement, str] = {}
    for statement, words in _to_blame(statements, sets, blame):
        blamed.setdefault(statement, words)
    places = [[*each.place, each.text, words] for each, words in blamed.items()]
    if lost:
        reason = f"no rule derives {blame().first_lost}"
    else:
        reason = f"{places[0][0]}, line {places[0][1]} excludes it"
    write("found", "underived" if lost else "constraint", f"{_LOSS}: {reason}", places)
    return reason, places


def _to_blame(
    statements: Sequence[Statement], sets: Sequence[Sequence[int]], blame: Callable[..., Blame]
) -> Iterator[Found]:
    """Yield what is to blame, the most likely first."""
    everything = blame()
    by_number = {each.number: each for each in statements}
    alone = [by_number[first] for first, *others in sets if not others and first != DERIVED]
    if [DERIVED] in sets:
        # A rule that derives something else is likely to be the one that should derive this.
        yield from ((each, everything.violated(each)) for each in alone if each.is_single)
        yield from everything.underived()
    for each in alone:
        yield from everything.excluded(each)
    for members in sets:
        if len(members) > 1:
            for number in sorted(members, key=lambda number: by_number[number].is_choice):
                others = [each for each in members if each != number]
                yield from blame(others).excluded(by_number[number])


def _hiding(statements: Sequence[Statement], name: str) -> list[Statement]:
    """Return the #show statements of the program, if they hide its answers."""
    shows = [each for each in statements if each.shows is not None]
    if any((name, 3) == each.shows for each in shows):
        return []
    return [each for each in shows if not each.ours]


# --- which statements are to blame, and in what words ------------------------------------------


class Blame:
    """The statements of a program, and what holds in it while a solution is its answer."""

    def __init__(
        self,
        statements: Sequence[Statement],
        model: Model,
        shapes: Shapes,
        solution: str,
        given: str,
    ) -> None:
        self._statements = statements
        self._model = model
        self._shapes = shapes
        self._name = solution
        self._definers: dict[Signature, list[Statement]] = {}
        for statement in statements:
            for name in dict.fromkeys(signature(term) for term, _ in statement.heads):
                self._definers.setdefault(name, []).append(statement)
        self._answers = {(sign + name, 3) for name in (solution, given) for sign in ("", "-")}
        choices = {
            signature(term) for each in statements if not each.is_plain for term, _ in each.heads
        }
        self._guessed = self._depending(choices - self._answers)
        """The predicates that depend on a choice other than that of the answers."""
        self._from_answers = self._depending({(solution, 3)})
        self._cells: dict[tuple[Symbol | None, ...], Symbol] = {
            tuple(atom.arguments[:2]): atom.arguments[2] for atom in model.of.get((solution, 3), ())
        }

    def _depending(self, derived: set[Signature]) -> set[Signature]:
        """Return these predicates and all that plain rules define by them."""
        while True:
            more = {
                signature(term)
                for each in self._statements
                if each.is_plain and each.uses & derived
                for term, _ in each.heads
            }
            if more <= derived:
                return derived
            derived = derived | more

    # --- which statements ---------------------------------------------------------------------

    def excluded(self, statement: Statement) -> Iterator[Found]:
        """Yield a violated statement after what is odd behind it."""
        gaps: list[Gap] = []
        for values in self._model.hits(statement)[:1] if statement.is_constraint else ():
            gaps = [
                (signature(literal.atom.symbol), filled(literal.atom.symbol, values))
                for literal in literals(statement.body)
                if literal.sign == Sign.Negation
                and signature(literal.atom.symbol) not in self._answers
            ]
        return self._named(statement, gaps, self.violated)

    def underived(self) -> Iterator[Found]:
        """Yield the rules that should derive the first atom of the solution that is lost."""
        atom = self.first_lost
        rules = [each for each in self._statements if each.derives and not each.ours]
        rules.sort(key=lambda rule: not rule.is_choice)
        for rule in rules:
            gaps = [gap for head in rule.derives for gap in self._missing(rule, *head, atom)]
            yield from self._named(rule, gaps, partial(self._derives_not, atom=atom, gaps=gaps))

    def _named(
        self, statement: Statement, gaps: Sequence[Gap], words: Callable[[Statement], str]
    ) -> Iterator[Found]:
        """Yield the definitions behind a statement, the most suspicious first, and then itself.

        The `gaps` are atoms that it needs and nothing derives.
        """
        suspects = self._detectors(statement)
        known = {statement, *suspects}
        for gap in gaps:
            self._why_not(gap, suspects, known)
        self._follow(statement, suspects, known)
        *behind, last = dict.fromkeys([*suspects, statement])
        yield from ((each, self._described(each)) for each in behind)
        yield last, words(last)

    def _detectors(self, statement: Statement) -> list[Statement]:
        """Return the rules that find something wrong, if a constraint only forbids that they do."""
        names = statement.uses & self._from_answers - self._answers - self._guessed
        if not statement.is_constraint or len(statement.body) != 1 or len(names) != 1:
            return []
        (name,) = names
        rules = (each for each in self._definers.get(name, ()) if each.is_plain)
        return [each for each in rules if self._model.derived_by(each)]

    def _follow(
        self, statement: Statement, suspects: list[Statement], known: set[Statement]
    ) -> None:
        """Add a statement, or what it follows from if that is odd."""
        before = len(suspects)
        for name in sorted(statement.uses - self._answers):
            for each in self._definers.get(name, ()):
                if each not in known and not each.ours and self._odd(each):
                    known.add(each)
                    self._follow(each, suspects, known)
        if len(suspects) == before:
            suspects.append(statement)

    def _odd(self, definition: Statement) -> bool:
        """True if a definition describes what sudoku does not have."""
        if not definition.is_plain:
            return False
        name = signature(definition.heads[0][0])
        if name in self._guessed:
            return False
        rules = [each for each in self._definers[name] if each.is_plain]
        atoms = {each: [_flat(atom) for atom in self._model.derived_by(each)] for each in rules}
        alone = atoms[definition]
        if not alone:
            # Such as regions in a puzzle with boxes, or what an answer must not have.
            needed = name not in self._from_answers and not definition.uses & _MAY_LACK
            return len(rules) == 1 and needed
        together = [row for each in rules for row in atoms[each]]
        known = self._shapes.known
        return not (known(together) or known(alone) or (rules[1:] and known(alone, part=True)))

    def _missing(
        self, rule: Statement, term: AST, condition: Sequence[AST], atom: Symbol
    ) -> list[Gap]:
        """Return what a rule lacks to derive an atom: positive literals that do not hold."""
        pairs = zip(arguments(term), atom.arguments, strict=False)
        values = {part.name: each for part, each in pairs if part.ast_type == ASTType.Variable}
        missing: list[Gap] = []
        for literal in literals([*rule.body, *condition]):
            name = signature(literal.atom.symbol)
            if literal.sign == Sign.NoSign and name not in self._answers:
                pattern = filled(literal.atom.symbol, values)
                known = (self._model.possible if name in self._guessed else self._model.of).get(
                    name
                )
                if not any(fits(pattern, each.arguments) for each in known or ()):
                    missing.append((name, pattern))
        return missing

    def _why_not(self, gap: Gap, suspects: list[Statement], known: set[Statement]) -> None:
        """Add the statements that should derive an atom, the most suspicious first."""
        name, pattern = gap
        numbers = [each.number for each in pattern if each and each.type == SymbolType.Number]
        if not all(0 <= number <= self._shapes.size for number in numbers):
            return  # nothing should derive that
        for each in self._definers.get(name, ()):
            if each in known or each.ours:
                continue
            known.add(each)
            self._follow(each, suspects, known)

    @property
    def first_lost(self) -> Symbol:
        """The first atom of the solution that nothing derives."""
        return self._model.lost()[0]

    # --- in what words ----------------------------------------------------------------------

    def violated(self, statement: Statement) -> str:
        """Return what a violated statement does to the solution, by an example."""
        hits = self._model.hits(statement)
        if not hits:
            return "excludes the solution"
        values = hits[0]
        number = self._model.count(statement, values)
        if number is not None:
            return f"counts {number} in the braces{_values(values, ' where ')}"
        if statement.is_plain:
            words = f"derives {with_values(statement.heads[0][0], values)}"
        elif statement.is_single:
            cells = [filled(term, values) for term, _ in statement.derives]
            words = f"derives {next(filter(None, map(self._instead, cells)))}"
        else:
            words = self._forbids(statement, values)
        return f"{words}{_values(values, ': ')}"

    def _forbids(self, statement: Statement, values: Binding) -> str:
        atoms = [
            (each.sign, (signature(each.atom.symbol), filled(each.atom.symbol, values)))
            for each in literals(statement.body)
        ]
        answer = (self._name, 3)
        first, second, *_ = [
            *(cell for sign, (name, cell) in atoms if name == answer and sign == Sign.NoSign),
            *(None, None),
        ]
        negative = [gap for sign, gap in atoms if sign == Sign.Negation]
        missing = [_shown(gap) for gap in negative if gap[0] != answer]
        why = f", as nothing derives {missing[0]}" if missing else ""
        if first:
            beside = "itself" if first == second else second and _held(second)
            return f"forbids {_held(first)}{f' beside {beside}' if beside else ''}{why}"
        if len(missing) < len(negative):
            cell = next(cell for name, cell in negative if name == answer)
            return f"demands {self._instead(cell)}"
        return f"demands {missing[0]}, which nothing derives" if missing else "is violated"

    def _instead(self, cell: Pattern) -> str:
        """Return the cell, and what the solution has there; empty if it is the same."""
        there = self._cells.get(tuple(cell[:2]))
        other = f"where the solution has {there}" if there else "which is not in the solution"
        return "" if there == cell[2] else f"{_held(cell)}, {other}"

    def _described(self, definition: Statement) -> str:
        """Return what is odd about a definition."""
        atoms = sorted(self._model.derived_by(definition))
        if not atoms:
            return "derives nothing"
        rows = [_flat(atom) for atom in atoms]
        if len(rows[0]) == 1 and all(isinstance(row[0], int) for row in rows):
            return f"derives {atoms[0].name}(N) for N {_range([row[0] for row in rows])}"
        apart = self._shapes.apart(rows)
        if apart is not None:
            one, other = ("r{}c{}".format(*cell) for cell in apart)
            return f"puts {one} and {other} together, which share no house"
        shown = ", ".join(map(str, atoms[:SHOWN]))
        rest = f" and {len(atoms) - SHOWN} more" if len(atoms) > SHOWN else ""
        return f"derives {shown}{rest}"

    def _derives_not(self, rule: Statement, atom: Symbol, gaps: Sequence[Gap]) -> str:
        """Return why a rule does not derive an atom of the answers."""
        if gaps:
            return f"derives {atom} only if {_shown(gaps[0])} holds, which nothing derives"
        placed = self._model.placed_by(rule)
        if not placed:
            return f"derives no {self._name}/3"
        parts = []
        for what, symbol, *there in zip(
            ("row", "column", "digit"),
            atom.arguments,
            *(each.arguments for each in placed),
            strict=True,
        ):
            if symbol not in there:
                numbers = [each.number for each in there if each.type == SymbolType.Number]
                parts.append(f"{what} {_range(numbers)}")
        if parts:
            return f"derives {self._name}(row,column,digit) only with {' and '.join(parts)}"
        return f"does not derive {atom}"


def _placement(atom: Symbol) -> tuple[int, int, int]:
    row, column, digit = (each.number for each in atom.arguments)
    return row, column, digit


def _flat(symbol: Symbol) -> Row:
    """Return the arguments of an atom, with those of tuples among them."""
    values: list[Value] = []
    for each in symbol.arguments:
        if each.type == SymbolType.Function and each.arguments:
            values += _flat(each)
        else:
            values.append(each.number if each.type == SymbolType.Number else str(each))
    return tuple(values)


def _texts(pattern: Pattern) -> list[str]:
    return ["_" if each is None else str(each) for each in pattern]


def _shown(gap: Gap) -> str:
    (name, _), pattern = gap
    return f"{name}({','.join(_texts(pattern))})" if pattern else name


def _held(cell: Pattern) -> str:
    return "r{}c{} = {}".format(*_texts(cell))


def _values(binding: Binding, before: str) -> str:
    shown = ", ".join(f"{name}={value}" for name, value in [*binding.items()][:SHOWN])
    return shown and before + shown


def _range(numbers: Iterable[int]) -> str:
    ordered = sorted(set(numbers))
    if len(ordered) > 2 and ordered[-1] - ordered[0] == len(ordered) - 1:
        return f"in {ordered[0]}..{ordered[-1]}"
    shown = ", ".join(map(str, ordered[:12])) + (", ..." if len(ordered) > 12 else "")
    return f"= {shown}" if len(ordered) == 1 else f"in {shown}"


# --- what the atoms of a predicate mean in a grid, and whether sudoku has such a thing ---
#
# A program may number its boxes as it likes, and give its predicates any names. What a predicate
# means can be read off its atoms: those of ``box(B,X,Y)`` put cells together, and right boxes put
# together the cells of a house.


def _pairs(groups: Iterable[Iterable[Cell]]) -> set[tuple[Cell, Cell]]:
    """Return the pairs of different members of a group, each in both orders."""
    return {pair for group in groups for pair in permutations(group, 2)}


class Shapes:
    """The shapes of sudoku: sets of numbers, groups of cells and of lines, and pairs of them.

    A line is a row or a column, as a cell with one coordinate.
    """

    def __init__(
        self,
        box: tuple[int, int],
        houses: Iterable[Iterable[Cell]],
        grid: Iterable[tuple[int, int, int]],
    ) -> None:
        rows, columns = box
        self.size = size = rows * columns
        self._digits = {(row, column): digit for row, column, digit in grid}
        sizes = (size, rows, columns, size**2)
        self._numbers = {frozenset((number,)) for number in (*sizes, size * (size + 1) // 2)}
        for first in (0, 1):
            self._numbers |= {frozenset(range(first, first + length)) for length in sizes}
            self._numbers |= {frozenset(range(first, first + size, step)) for step in box}
        cells = [frozenset(map(tuple, house)) for house in houses]
        lines = [(line,) for line in range(1, size + 1)]
        bands = [[frozenset(lines[at : at + n]) for at in range(0, size, n)] for n in box]
        self._groups = set().union(cells, *bands)
        self._together = _pairs(cells)
        of_lines: list[Iterable[Iterable[Cell]]] = [*bands, [lines], pairwise(lines)]
        self._relations = list(map(_pairs, of_lines))

    def known(self, rows: Collection[Row], part: bool = False) -> bool:
        """True if these are the arguments of atoms that describe the grid correctly.

        Also True for atoms that cannot be judged. With `part`, some of the atoms may be missing.
        """
        if not rows:
            return False
        if len({len(row) for row in rows}) > 1:
            return True
        columns = dict(enumerate(zip(*rows, strict=True)))
        numeric = [at for at in columns if all(isinstance(v, int) for v in columns[at])]
        constant = [at for at in numeric if len(set(columns[at])) == 1 and len(rows) > 1]
        moving = [at for at in numeric if at not in constant] or numeric
        if not numeric or len(moving) > 4:
            return True
        sets = [frozenset(columns[at]) for at in moving]
        known = [each in self._numbers for each in sets]
        if len(moving) == 1:
            return known[0]
        if len(moving) == 4 and set(sets) == {frozenset(range(1, self.size + 1))}:
            return self.apart(rows) is None
        if len(numeric) < len(columns):  # a name, as of the kind of a house
            return self._is_grouped(rows, numeric, part)
        # Else these may be all combinations of such numbers.
        full = len({tuple(row[at] for at in moving) for row in rows}) == prod(map(len, sets))
        return (
            (all(known) and full and len(moving) < 4)
            or self._is_grouped(rows, numeric, part)
            or _pairs(((row[at],) for at in moving) for row in rows) in self._relations
        )

    def _readings(
        self, rows: Collection[Row], numeric: Sequence[int], part: bool = False
    ) -> Iterator[tuple[list[frozenset[Cell]], bool]]:
        """Yield the groups of cells, or of lines, that the other arguments number.

        With each is True if the atoms also hold the solution's digits of these cells.
        """
        width = len(next(iter(rows)))
        for ends in [*permutations(numeric, 2), *(permutations(numeric, 1) if width == 2 else ())]:
            first = min(row[at] for row in rows for at in ends)
            groups: dict[Row, set[Cell]] = {}
            cells = [tuple(row[at] + (first == 0) for at in ends) for row in rows]
            digits = [self._digits.get(cell) for cell in cells]
            copied = [at for at in numeric if digits == [row[at] for row in rows]]
            for row, cell in zip(rows, cells, strict=True):
                label = tuple(row[at] for at in range(width) if at not in (*ends, *copied))
                groups.setdefault(label, set()).add(cell)
            if part or len(set(cells)) == self.size ** len(ends):
                yield [frozenset(group) for group in groups.values()], bool(copied)

    def _is_grouped(self, rows: Collection[Row], numeric: Sequence[int], part: bool) -> bool:
        """True if some arguments are a cell or a line, and others number its groups, or the cells.

        True as well for a copy of the solution.
        """
        for groups, copied in self._readings(rows, numeric, part):
            if len(groups) == len(set(groups)):
                numbered = len(groups) == len(rows) == self.size**2 and len(next(iter(rows))) == 3
                if numbered or (copied and len(groups) == 1) or self._groups.issuperset(groups):
                    return True
        return False

    def apart(self, rows: Collection[Row]) -> tuple[Cell, Cell] | None:
        """Return two cells that share no house, but that these arguments put together; or None."""
        width = len(next(iter(rows)))
        lines = set(range(1, self.size + 1))
        full = [at for at in range(width) if {row[at] for row in rows} == lines]
        if width == len(full) == 4:
            groups = [[(row[:2], row[2:]) for row in sorted(rows) if row[:2] != row[2:]]]
        else:
            sets, _ = next(self._readings(rows, full if width > 2 else ()), ((), False))
            groups = [list(combinations(sorted(group), 2)) for group in sets]
        pairs = (pair for group in groups for pair in group)
        return next((pair for pair in pairs if pair not in self._together), None)
