"""Why an ASP program loses a solution or accepts a wrong grid: which statement is to blame.

`main` says what is asked, and in what order. A constraint that excludes the solution may be right,
and a definition that it uses wrong. So the predicates of a statement are followed back to where
they are defined, for as long as their atoms describe nothing that sudoku has (`Shapes`).

`main` runs in a process of its own, since the program is foreign; only it imports this module.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from difflib import get_close_matches
from functools import partial
from itertools import combinations, permutations
from typing import IO, Any

from clingo import parse_term
from clingo.ast import AST, ASTType, Sign
from clingo.symbol import Function, Symbol, SymbolType

from . import _run_clingo
from .relaxed import DERIVED, Binding, Relaxed, Seen, Signature, Statement, read, signature

Value = Any
"""A number; the text of any other term."""
Row = tuple[Value, ...]
"""The arguments of an atom."""
Cell = tuple[int, int]
Pattern = list[Symbol | None]
"""The arguments of an atom; None for any."""
Gap = tuple[Signature, Pattern]
"""An atom that does not hold."""
Gaps = list[Gap]
Found = tuple[Statement, str]
"""A statement, and what it does to the solution."""
Placements = Sequence[tuple[int, int, int]]
"""A grid: row, column and digit of each cell."""
Write = Callable[..., None]
_LOSS = "the program loses the solution"
_NOTHING = "the program has no answer at all"
SHOWN = 6
"""Variables and atoms that are shown."""


def main(request: str, program: str, instance: str) -> None:
    """Explain what a file asks for, and write JSON lists, one per line.

    ::

        ["found", kind, summary, [[file, line, column, text, words], ...]]    the last is the best
        ["accepts", kind]                  all grids that are wrong only in this kind of house
        ["failed", kind, text]             kind: "memory" or "clingo"
    """
    _run_clingo.main(request, program, instance, _explain)


def _explain(asked: dict[str, Any], program: str, instance: str, out: IO[str]) -> None:
    """Write why the program refuses a grid, or which kinds of houses it never mentions.

    Of `asked["grids"]`, those under a kind of house are right but for such houses.
    """
    write = partial(_run_clingo.write, out)
    statements = read(program, instance, asked["atom"])
    if not asked["allow_scripts"] and any(each.is_script for each in statements):
        return
    for kind, grids in asked["grids"].items():
        if not kind:
            _explain_loss(asked, statements, grids[0], write)
        elif _accepts_all(asked, _without_givens(asked, statements), grids):
            write("accepts", kind)


def _relaxed(asked: dict[str, Any], statements: Sequence[Statement], grid: Placements) -> Relaxed:
    options = [part for each in asked["constants"] for part in ("-c", each)] + asked["options"]
    return Relaxed(statements, grid, asked["atom"], options, asked["allow_scripts"])


def _accepts_all(
    asked: dict[str, Any], statements: Sequence[Statement], grids: Sequence[Placements]
) -> bool:
    """True if no constraint excludes one of the grids."""
    return bool(grids) and not any(_relaxed(asked, statements, grid).excludes for grid in grids)


def _without_givens(asked: dict[str, Any], statements: Sequence[Statement]) -> list[Statement]:
    given = (asked["given"], 3)
    return [
        each
        for each in statements
        if not (each.ours and any(signature(term) == given for term, _ in each.heads))
    ]


def _explain_loss(
    asked: dict[str, Any], statements: Sequence[Statement], grid: Placements, write: Write
) -> None:
    name = asked["atom"]
    relaxed = _relaxed(asked, statements, grid)
    sets = relaxed.to_blame()
    if not sets:
        places = [
            [*each.place, each.text, f"does not show {name}/3"]
            for each in _hiding(statements, name)
        ]
        if places:
            write("found", "underived", f"{_LOSS}: no statement shows {name}/3", places)
        else:
            write("found", "none", "no statement of the program excludes the solution", [])
        return
    if [] in sets:
        write("found", "unsatisfiable", f"{_NOTHING} even without its constraints", [])
        return
    lost = [DERIVED] in sets
    if lost:  # what else excludes it together may follow from that
        sets = [members for members in sets if len(members) == 1]
    shapes = Shapes(asked["box"], asked["houses"], map(tuple, grid))  # type: ignore[arg-type]

    def blame(kept: Sequence[int] = ()) -> Blame:
        seen = relaxed.without([each for members in sets for each in members if each not in kept])
        return Blame(statements, seen, shapes, relaxed.control.get_const, name, asked["given"])

    found = _once(_to_blame(statements, sets, blame))
    places = [[*each.place, each.text, words] for each, words in found]
    if lost:
        reason = f"no rule derives {blame().first_lost}"
    else:
        reason = f"{places[0][0]}, line {places[0][1]} excludes it"
    write("found", "underived" if lost else "constraint", f"{_LOSS}: {reason}", places)
    if not relaxed.answers_something(_without_givens(asked, statements)):
        write("found", "unsatisfiable", f"{_NOTHING}: {reason}", places)


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
        yield from _underived(everything, statements)
    for each in alone:
        yield from _excluded(everything, each)
    for members in sets:
        if len(members) > 1:
            together = sorted(members, key=lambda number: by_number[number].is_choice)
            for number in together:
                others = [each for each in members if each != number]
                yield from _excluded(blame(others), by_number[number])


def _hiding(statements: Sequence[Statement], name: str) -> list[Statement]:
    """Return the #show statements of the program, if they hide its answers."""
    shows = [each for each in statements if each.shows is not None]
    if any((name, 3) == each.shows for each in shows):
        return []
    return [each for each in shows if not each.ours]


def _excluded(blame: Blame, statement: Statement) -> list[Found]:
    *behind, last = blame.suspects(statement, blame.gaps(statement))
    return [*((each, blame.described(each)) for each in behind), (last, blame.violated(last))]


def _underived(blame: Blame, statements: Sequence[Statement]) -> list[Found]:
    atom = blame.first_lost
    rules = [each for each in statements if each.derives and not each.ours]
    rules.sort(key=lambda rule: not rule.is_choice)
    gaps = {
        rule: [gap for head in rule.derives for gap in blame.missing(rule, *head, atom)]
        for rule in rules
    }
    found: list[Found] = []
    for rule in [rule for rule in rules if gaps[rule]] or rules:
        *behind, last = blame.suspects(rule, gaps[rule])
        found += [(each, blame.described(each)) for each in behind]
        found.append((last, blame.derives_not(last, atom, gaps[rule])))
    return found


def _once(found: Iterable[Found]) -> list[Found]:
    """Return each statement once, with its first words, where it comes first."""
    words: dict[Statement, str] = {}
    for statement, each in found:
        words.setdefault(statement, each)
    return list(words.items())


# --- which statements are to blame, and in what words ------------------------------------------


class Blame:
    """The statements of a program, and what holds in it while a solution is its answer."""

    def __init__(
        self,
        statements: Sequence[Statement],
        seen: Seen,
        shapes: Shapes,
        constants: Callable[[str], Symbol | None],
        solution: str,
        given: str,
    ) -> None:
        self._statements = statements
        self._seen = seen
        self._shapes = shapes
        self._value = constants
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
        """What depends on a choice other than that of the answers."""
        self._from_answers = self._depending({(solution, 3)})
        self._from_givens = self._depending({(given, 3)} - {(solution, 3)})
        self._cells = {
            (row, column): digit
            for row, column, digit in (
                map(_number, atom.arguments) for atom in seen.of.get((solution, 3), ())
            )
        }

    # --- which statements ---------------------------------------------------------------------

    def suspects(self, statement: Statement, gaps: Gaps = ()) -> list[Statement]:  # type: ignore[assignment]
        """Return the statement and the definitions behind it, the most suspicious first.

        The `gaps` are atoms that it needs and nothing derives.
        """
        found: list[Statement] = self._detectors(statement)
        known = {statement, *found}
        for gap in gaps:
            self.why_not(gap, found, known)
        self._follow(statement, found, known)
        return [*found, *([] if statement in found else [statement])]

    def _detectors(self, statement: Statement) -> list[Statement]:
        """Return the rules that find something wrong, if a constraint only forbids that they do."""
        names = statement.uses & self._from_answers - self._answers - self._guessed
        if not statement.is_constraint or len(statement.body) != 1 or len(names) != 1:
            return []
        (name,) = names
        rules = (each for each in self._definers.get(name, ()) if each.is_plain)
        return [each for each in rules if self._seen.derived_by(each)]

    def gaps(self, statement: Statement) -> Gaps:
        """Return the atoms that an integrity constraint demands beside those of the answers."""
        for binding in self._seen.hits(statement)[:1] if statement.is_constraint else ():
            values = dict(binding)
            return [
                (signature(part.atom.symbol), _pattern(part.atom.symbol, values))
                for part in statement.body
                if part.ast_type == ASTType.Literal
                and part.atom.ast_type == ASTType.SymbolicAtom
                and part.sign == Sign.Negation
                and signature(part.atom.symbol) not in self._answers
            ]
        return []

    def _follow(self, statement: Statement, found: list[Statement], known: set[Statement]) -> None:
        """Add a statement, or what it follows from if that is odd."""
        before = len(found)
        for name in sorted(statement.uses - self._answers):
            definers = self._definers.get(name, [])
            for each in definers or self._misnamed(name, statement):
                if each not in known and not each.ours and (not definers or self.odd(each)):
                    known.add(each)
                    self._follow(each, found, known)
        found += [each for each in self._constants(statement) if each not in found]
        if len(found) == before:
            found.append(statement)

    def odd(self, definition: Statement) -> bool:
        """True if a definition describes what sudoku does not have."""
        if not definition.is_plain:
            return False
        name = signature(definition.heads[0][0])
        if name in self._guessed or name in self._from_givens:
            return False
        rules = [each for each in self._definers[name] if each.is_plain]
        atoms = {each: self._seen.derived_by(each) for each in rules}
        if not atoms[definition]:
            # Such as regions in a puzzle with boxes, or what an answer must not have.
            return len(rules) == 1 and name not in self._from_answers
        together = [_flat(atom) for each in rules for atom in atoms[each]]
        alone = [_flat(atom) for atom in atoms[definition]]
        known = self._shapes.known
        return not (known(together) or known(alone) or (rules[1:] and known(alone, part=True)))

    def _misnamed(self, name: Signature, user: Statement) -> list[Statement]:
        """Return what defines a predicate that was meant, if it is used under no other name."""
        other = self.meant(name)
        if other is None:
            return []
        used = any(other in each.uses for each in self._statements if each is not user)
        return [] if used else self._definers[other]

    def meant(self, name: Signature) -> Signature | None:
        """Return a predicate with nearly this name; None if there is none, or this one exists."""
        if name in self._definers:
            return None
        known = [each for each in self._definers if each not in self._answers]
        same = [each for each in known if each[0] == name[0]]
        close = get_close_matches(name[0], [each[0] for each in known if each[1] == name[1]], 1)
        return next(iter([*same, *(each for each in known if each == (*close, name[1]))]), None)

    def _constants(self, statement: Statement) -> Iterator[Statement]:
        """Yield the constants of an odd definition whose values are not sizes of this grid."""
        if statement.is_constraint or not (statement.is_plain and self.odd(statement)):
            return
        names = set(_constants(statement.ast))
        for each in self._statements:
            if each.ast.ast_type == ASTType.Definition and each.ast.name in names and not each.ours:
                value = str(each.ast.value)  # an instance may override it
                if value != str(self._value(each.ast.name)):
                    continue
                if value.isdigit() and int(value) not in self._shapes.numbers:
                    yield each

    def _depending(self, found: set[Signature]) -> set[Signature]:
        """Return these predicates and all that plain rules define by them."""
        while True:
            more = {
                signature(term)
                for each in self._statements
                if each.is_plain and each.uses & found
                for term, _ in each.heads
            }
            if more <= found:
                return found
            found = found | more

    @property
    def first_lost(self) -> Symbol:
        """The first atom of the solution that nothing derives."""
        return Function(self._name, self._seen.lost()[0].arguments)

    # --- what is missing ---------------------------------------------------------------------

    def missing(self, rule: Statement, term: AST, condition: Sequence[AST], atom: Symbol) -> Gaps:
        """Return what a rule lacks to derive an atom: positive literals that do not hold."""
        values = _matched(term, atom)
        found: Gaps = []
        for part in [*rule.body, *condition]:
            if part.ast_type != ASTType.Literal or part.atom.ast_type != ASTType.SymbolicAtom:
                continue
            name = signature(part.atom.symbol)
            if part.sign == Sign.NoSign and name not in self._answers:
                pattern = _pattern(part.atom.symbol, values)
                seen = self._seen.possible if name in self._guessed else self._seen.of
                known = seen.get(name, ())
                if not any(_fits(pattern, each.arguments) for each in known):
                    found.append((name, pattern))
        return found

    def why_not(self, gap: Gap, found: list[Statement], known: set[Statement]) -> None:
        """Add the statements that should derive an atom, the most suspicious first."""
        name, pattern = gap
        if not self._shapes.within(_number(each) for each in pattern if each is not None):
            return  # nothing should derive that
        for each in self._definers.get(name, ()):
            if each in known or each.ours:
                continue
            known.add(each)
            before = len(found)
            for term, condition in each.heads:
                if signature(term) == name and all(each is not None for each in pattern):
                    atom = Function(name[0].lstrip("-"), pattern)  # type: ignore[arg-type]
                    for deeper in self.missing(each, term, condition, atom):
                        self.why_not(deeper, found, known)
            if len(found) == before:
                self._follow(each, found, known)

    # --- in what words ----------------------------------------------------------------------

    def violated(self, statement: Statement) -> str:
        """Return what a violated statement does to the solution, by an example."""
        for binding, arguments in self._seen.wrongly_placed(statement):
            row, column, digit = map(_number, arguments)
            return f"derives {self._instead(row, column, digit)}{_values(binding)}"
        hits = self._seen.hits(statement)
        if not hits:
            return "excludes the solution"
        return self._forbids(statement, hits[0])

    def _forbids(self, statement: Statement, binding: Binding) -> str:
        values = dict(binding)
        positive: list[tuple[Value, ...]] = []
        negative: list[tuple[Value, ...]] = []
        missing: list[str] = []
        for part in statement.body:
            if part.ast_type != ASTType.Literal or part.atom.ast_type != ASTType.SymbolicAtom:
                continue
            term = part.atom.symbol
            if signature(term) == (self._name, 3) and part.sign != Sign.DoubleNegation:
                cell = tuple(_evaluate(each, values) for each in term.arguments)
                (negative if part.sign else positive).append(cell)
            elif part.sign == Sign.Negation:
                missing.append(_shown((signature(term), _pattern(term, values))))
        if statement.is_plain:
            return f"derives {_with_values(statement.heads[0][0], values)}{_values(binding)}"
        number = self._seen.count(statement, binding)
        if number is not None:
            where = ", ".join(f"{name}={value}" for name, value in binding[:SHOWN])
            return f"counts {number} in the braces{where and f' where {where}'}"
        why = f", as nothing derives {missing[0]}" if missing else ""
        if len(positive) > 1:
            first, second = positive[:2]
            beside = "itself" if first == second else _held(second)
            words = f"forbids {_held(first)} beside {beside}{why}"
        elif positive:
            words = f"forbids {_held(positive[0])}{why}"
        elif negative:
            words = f"demands {self._instead(*negative[0])}"
        elif missing:
            words = f"demands {missing[0]}, which nothing derives"
        else:
            words = "is violated"
        return f"{words}{_values(binding)}"

    def _instead(self, row: Any, column: Any, digit: Any) -> str:
        there = self._cells.get((row, column))
        other = (
            "which is not in the solution" if there is None else f"where the solution has {there}"
        )
        return f"{_held((row, column, digit))}, {other}"

    def described(self, definition: Statement) -> str:
        """Return what is odd about a definition."""
        if definition.ast.ast_type == ASTType.Definition:
            size = self._shapes.size
            return f"is {definition.ast.value}, which is not a size of a grid of {size}x{size}"
        atoms = sorted(self._seen.derived_by(definition))
        if not atoms:
            return "derives nothing"
        rows = [_flat(atom) for atom in atoms]
        name = atoms[0].name
        if len(rows[0]) == 1 and all(isinstance(row[0], int) for row in rows):
            return f"derives {name}(N) for N {_range([int(row[0]) for row in rows])}"
        apart = self._shapes.apart(rows)
        if apart is not None:
            return f"puts {_cell(*apart[0])} and {_cell(*apart[1])} together, which share no house"
        shown = ", ".join(map(str, atoms[:SHOWN]))
        rest = f" and {len(atoms) - SHOWN} more" if len(atoms) > SHOWN else ""
        return f"derives {shown}{rest}"

    def derives_not(self, rule: Statement, atom: Symbol, gaps: Gaps) -> str:
        """Return why a rule does not derive an atom of the answers."""
        if gaps:
            return f"derives {atom} only if {_shown(gaps[0])} holds, which nothing derives"
        placed = [tuple(map(str, each.arguments)) for each in self._seen.placed_by(rule)]
        if not placed:
            return f"derives no {self._name}/3"
        parts = []
        for at, what in enumerate(("row", "column", "digit")):
            numbers = {each[at] for each in placed}
            if str(atom.arguments[at]) not in numbers:
                whole = [int(each) for each in numbers if each.lstrip("-").isdigit()]
                parts.append(f"{what} {_range(whole)}")
        if parts:
            return f"derives {self._name}(row,column,digit) only with {' and '.join(parts)}"
        return f"does not derive {atom}"


def _number(symbol: Symbol) -> Value:
    return symbol.number if symbol.type == SymbolType.Number else str(symbol)


def _flat(symbol: Symbol) -> tuple[Value, ...]:
    """Return the arguments of an atom, with those of tuples among them."""
    found: list[Value] = []
    for each in symbol.arguments:
        if each.type == SymbolType.Function and each.arguments:
            found += _flat(each)
        else:
            found.append(_number(each))
    return tuple(found)


def _constants(node: AST) -> Iterator[str]:
    """Yield the names in a statement that may be constants."""
    if node.ast_type == ASTType.SymbolicTerm and node.symbol.type == SymbolType.Function:
        yield node.symbol.name
    elif node.ast_type == ASTType.Function and not node.arguments:
        yield node.name
    else:
        for key in node.child_keys:
            child = getattr(node, key)
            for each in [child] if isinstance(child, AST) else child or ():
                yield from _constants(each)


def _evaluate(term: AST, values: dict[str, Symbol]) -> Value:
    """Return the value of a term; its text if it has none."""
    text = _with_values(term, values)
    try:
        return _number(parse_term(text, logger=lambda _code, _message: None))
    except RuntimeError:
        return text


def _with_values(term: AST, values: dict[str, Symbol]) -> str:
    from clingo.ast import SymbolicTerm, Transformer

    class Replace(Transformer):
        def visit_Variable(self, node: AST) -> AST:
            if node.name in values:
                return SymbolicTerm(node.location, values[node.name])
            return node

    return str(Replace().visit(term))


def _matched(term: AST, atom: Symbol) -> dict[str, Symbol]:
    """Return the values of the variables that are arguments of the term."""
    while term.ast_type == ASTType.UnaryOperation:
        term = term.argument
    pairs = zip(getattr(term, "arguments", ()), atom.arguments, strict=False)
    return {part.name: value for part, value in pairs if part.ast_type == ASTType.Variable}


def _pattern(term: AST, values: dict[str, Symbol]) -> Pattern:
    """Return the arguments of a term; None for those that are not known."""
    while term.ast_type == ASTType.UnaryOperation:
        term = term.argument
    found: Pattern = []
    for each in getattr(term, "arguments", ()):
        try:
            text = _with_values(each, values)
            found.append(parse_term(text, logger=lambda _code, _message: None))
        except RuntimeError:
            found.append(None)
    return found


def _fits(pattern: Pattern, arguments: Sequence[Symbol]) -> bool:
    return all(
        wanted is None or wanted == there for wanted, there in zip(pattern, arguments, strict=True)
    )


def _shown(gap: Gap) -> str:
    (name, _), pattern = gap
    arguments = ",".join("_" if each is None else str(each) for each in pattern)
    return f"{name}({arguments})" if pattern else name


def _cell(row: Value, column: Value) -> str:
    return f"r{row}c{column}"


def _held(cell: Sequence[Value]) -> str:
    row, column, digit = cell
    return f"{_cell(row, column)} = {digit}"


def _values(binding: Binding) -> str:
    shown = ", ".join(f"{name}={value}" for name, value in binding[:SHOWN])
    return f": {shown}" if shown else ""


def _range(numbers: Iterable[int]) -> str:
    ordered = sorted(set(numbers))
    if len(ordered) > 2 and ordered[-1] - ordered[0] == len(ordered) - 1:
        return f"in {ordered[0]}..{ordered[-1]}"
    shown = ", ".join(map(str, ordered[:12])) + (", ..." if len(ordered) > 12 else "")
    return f"= {shown}" if len(ordered) == 1 else f"in {shown}"


# --- what the atoms of a predicate say of a grid, and whether sudoku has such a thing ---
#
# A program may number its boxes as it likes, and give its predicates any names. What a predicate
# means can be read off its atoms: those of ``box(B,X,Y)`` put cells together, and right boxes put
# together the cells of a house.


class Shapes:
    """The numbers, cells and houses of a grid."""

    def __init__(
        self,
        box: tuple[int, int],
        houses: Iterable[tuple[str, Iterable[Cell]]],
        grid: Iterable[tuple[int, int, int]],
    ) -> None:
        rows, columns = box
        self._digits = {(row, column): digit for row, column, digit in grid}
        self.size = size = rows * columns
        self._kinds: dict[str, set[frozenset[Cell]]] = {}
        for kind, cells in houses:
            self._kinds.setdefault(kind, set()).add(
                frozenset((row, column) for row, column in cells)
            )
        self._houses = set().union(*self._kinds.values())
        self.numbers = {size, rows, columns, size**2, size * (size + 1) // 2}
        """What the size of something can be, or the sum of a house."""
        self._lines = frozenset(range(1, size + 1))
        self._sets = {
            frozenset(range(first, first + length))
            for length in (size, rows, columns, size**2)
            for first in (0, 1)
        }
        self._sets |= {
            frozenset(range(first, first + size, step))
            for step in (rows, columns)
            for first in (0, 1)
        }
        self._pairs = dict(self._relations(rows, columns))
        self._blocks = [
            {frozenset(range(at, at + step)) for at in range(1, size + 1, step)}
            for step in (rows, columns)
        ]

    def _relations(self, rows: int, columns: int) -> Iterator[tuple[str, frozenset[Any]]]:
        """Yield relations between cells, symmetric and without equal ones."""
        each = {
            kind: frozenset(pair for house in houses for pair in permutations(house, 2))
            for kind, houses in self._kinds.items()
        }
        for number in range(1, len(each) + 1):
            for kinds in combinations(each, number):
                yield " or ".join(kinds), frozenset().union(*(each[kind] for kind in kinds))
        lines = each.get("row", frozenset()) | each.get("column", frozenset())
        for kind in each.keys() - {"row", "column"}:
            yield f"{kind} only", each[kind] - lines

    def within(self, values: Iterable[Value]) -> bool:
        """True unless one of the numbers is outside the grid."""
        return all(0 <= each <= self.size for each in values if isinstance(each, int))

    # --- whether sudoku has it ------------------------------------------------------------

    def known(self, rows: Collection[Row], part: bool = False) -> bool:
        """True if these are the arguments of atoms that say something right of the grid.

        True as well if nothing is known of such atoms. They may be a `part` of those that do.
        """
        if not rows:
            return False
        widths = {len(row) for row in rows}
        if len(widths) > 1 or widths == {0}:
            return True
        (width,) = widths
        columns = list(zip(*rows, strict=True))
        numeric = [at for at in range(width) if all(isinstance(v, int) for v in columns[at])]
        if not numeric:
            return True
        constant = [at for at in numeric if len(set(columns[at])) == 1 and len(rows) > 1]
        moving = [at for at in numeric if at not in constant] or numeric
        if len(moving) == 1:
            return self._known_numbers(frozenset(columns[moving[0]]))
        labels = [at for at in range(width) if at not in numeric]
        if len(moving) == 4 and all({row[at] for row in rows} == self._lines for at in moving):
            return self._is_pairs(rows, moving)
        tests: list[Callable[[], bool]] = [
            lambda: self._is_grid(rows, moving, labels),
            lambda: self._is_grouped(rows, numeric, part),
            lambda: self._is_lines(rows, moving) and not labels,
            lambda: self._is_pairs(rows, moving),
        ]
        return any(test() for test in tests) or len(moving) > 4

    def _known_numbers(self, numbers: frozenset[int]) -> bool:
        if len(numbers) == 1:
            return numbers <= self.numbers
        return numbers in self._sets

    def _is_grid(self, rows: Collection[Row], moving: Sequence[int], labels: Sequence[int]) -> bool:
        """True for all cells, or for all combinations of known numbers."""
        if labels or len(moving) > 3:
            return False
        sets = [frozenset(row[at] for row in rows) for at in moving]
        product = 1
        for each in sets:
            product *= len(each)
        right = all(self._known_numbers(each) for each in sets)
        return right and product == len({tuple(row[at] for at in moving) for row in rows})

    def _is_grouped(self, rows: Collection[Row], numeric: Sequence[int], part: bool) -> bool:
        """True if some arguments are a cell, and others number the houses, or the cells.

        True as well for a copy of the solution.
        """
        width = len(next(iter(rows)))
        for x, y in permutations(numeric, 2):
            shift = {0: 1, 1: 0}.get(min(row[x] for row in rows))
            if shift is None:
                if not part:
                    continue
                shift = 0
            # A digit that the solution has in the cell is not a label.
            digit = next((at for at in numeric if self._is_digit(rows, x, y, at)), None)
            groups: dict[Row, set[Any]] = {}
            for row in rows:
                cell = row[x] + shift, row[y] + shift
                label = tuple(row[at] for at in range(width) if at not in (x, y, digit))
                groups.setdefault(label, set()).add(cell)
            found = [frozenset(group) for group in groups.values()]
            whole = part or len(set().union(*found)) == self.size**2
            if whole and len(found) == len(set(found)):
                numbered = width == 3 and len(found) == len(rows) == self.size**2
                copied = digit is not None and len(found) == 1
                if numbered or copied or self._houses.issuperset(found):
                    return True
        return False

    def _is_digit(self, rows: Collection[Row], x: int, y: int, at: int) -> bool:
        return all(self._digits.get((row[x], row[y])) == row[at] for row in rows)

    def _is_lines(self, rows: Collection[Row], moving: Sequence[int]) -> bool:
        """True if it groups or compares the numbers of rows or columns."""
        if len(moving) != 2:
            return False
        pairs = {(row[moving[0]], row[moving[1]]) for row in rows}
        for pair in (pairs, {(b, a) for a, b in pairs}):
            groups: dict[Value, set[Value]] = {}
            for a, b in pair:
                groups.setdefault(b, set()).add(a)
            found = {frozenset(group) for group in groups.values()}
            if any(found == blocks for blocks in self._blocks):
                return True
        both = {frozenset(pair) for pair in pairs if pair[0] != pair[1]}
        lines = sorted(self._lines)
        together = [
            {frozenset(two) for block in blocks for two in combinations(block, 2)}
            for blocks in self._blocks
        ]
        each = [{frozenset(two) for two in combinations(lines, 2)}]
        each.append({frozenset((a, a + 1)) for a in lines[:-1]})
        return both in [*each, *together]

    def _is_pairs(self, rows: Collection[Row], moving: Sequence[int]) -> bool:
        """True if it relates exactly the cells of a kind of house."""
        if len(moving) != 4:
            return False
        first, *others = moving
        for second in others:
            rest = [at for at in others if at != second]
            for order in (rest, rest[::-1]):
                pairs = {
                    ((row[first], row[second]), (row[order[0]], row[order[1]])) for row in rows
                }
                found = {(a, b) for a, b in pairs | {(b, a) for a, b in pairs} if a != b}
                if found in self._pairs.values():
                    return True
        return False

    def apart(self, rows: Collection[Row]) -> tuple[Cell, Cell] | None:
        """Return two cells that share no house, but that these arguments put together; or None."""
        together = {pair for house in self._houses for pair in permutations(house, 2)}
        width = len(next(iter(rows)))
        numeric = [at for at in range(width) if all(isinstance(row[at], int) for row in rows)]
        whole = set(range(1, self.size + 1))
        lines = [at for at in numeric if {row[at] for row in rows} == whole]
        if width == len(lines) == 4:
            pairs = (((row[0], row[1]), (row[2], row[3])) for row in sorted(rows))
            return next((pair for pair in pairs if _differ(pair) and pair not in together), None)
        for x, y in combinations(lines, 2):
            if len({(row[x], row[y]) for row in rows}) < self.size**2:
                continue
            groups: dict[Row, list[Any]] = {}
            for row in sorted(rows, key=str):
                label = tuple(value for at, value in enumerate(row) if at not in (x, y))
                groups.setdefault(label, []).append((row[x], row[y]))
            for group in groups.values():
                for one, other in combinations(group, 2):
                    if (one, other) not in together:
                        return one, other
        return None


def _differ(pair: tuple[Any, Any]) -> bool:
    return bool(pair[0] != pair[1])
