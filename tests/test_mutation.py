"""Broken programs: each rule of each encoding, and each goal of the Prolog programs, dropped or
changed in turn. A fixed battery of small instances must notice every one.

The mutants are made from the parsed programs, so a new rule is broken without anybody's help.
What the battery cannot notice, because it means the same, is listed with the reason; a mutant
that is listed and noticed after all is a failure too.
"""

from __future__ import annotations

import fnmatch
import shutil
import subprocess
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from clingo.ast import AST, ASTType, BinaryOperator, ComparisonOperator, Sign, parse_string
from gallery import ENCODINGS, SMALL, WRONG, Answer, Encoding, answers
from oracle import all_solutions, dig, full_grid
from puzzles import COUNTS, PRINTED

from pylogic_sudoku import Grid
from pylogic_sudoku.resources import resource
from pylogic_sudoku.toplevel import swipl


class Mutant(NamedTuple):
    name: str
    """The first line of the statement that is broken, and how."""
    program: str


# --- mutants of an encoding --------------------------------------------------------------

QUIET = {ASTType.Program, ASTType.Comment}
OTHER_COMPARISONS = {
    ComparisonOperator.NotEqual: [ComparisonOperator.LessThan, ComparisonOperator.Equal],
    ComparisonOperator.LessThan: [ComparisonOperator.LessEqual, ComparisonOperator.GreaterThan],
    ComparisonOperator.Equal: [ComparisonOperator.LessEqual, ComparisonOperator.GreaterEqual],
}
OTHER_OPERATIONS = {
    BinaryOperator.Minus: BinaryOperator.Plus,
    BinaryOperator.Plus: BinaryOperator.Minus,
    BinaryOperator.Multiplication: BinaryOperator.Plus,
    BinaryOperator.Division: BinaryOperator.Modulo,
}
OTHER_NAMES = {"box_rows": "box_columns", "box_columns": "box_rows"}


def nodes(node: AST, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], AST]]:
    """Every node of a tree, with the steps that lead to it."""
    yield path, node
    for key in node.child_keys:
        child = getattr(node, key)
        if isinstance(child, AST):
            yield from nodes(child, (*path, key))
        elif child is not None:
            for place, item in enumerate(child):
                yield from nodes(item, (*path, key, place))


def replaced(tree: AST, path: tuple[Any, ...], new: AST) -> AST:
    """The tree with another node at the end of this path. Nothing is changed in place: copies
    of clingo's trees share their branches."""
    if not path:
        return new
    key, *rest = path
    child = getattr(tree, key)
    if isinstance(child, AST):
        return tree.update(**{key: replaced(child, tuple(rest), new)})
    place, *rest = rest
    items = list(child)
    items[place] = replaced(items[place], tuple(rest), new)
    return tree.update(**{key: items})


def without(items: Any, place: int) -> list[AST]:
    return [item for other, item in enumerate(items) if other != place]


def changes(node: AST) -> Iterator[AST]:
    """Other nodes that could stand in the place of this one."""
    kind = node.ast_type
    if kind == ASTType.Comparison:
        (guard,) = node.guards
        for other in OTHER_COMPARISONS[ComparisonOperator(guard.comparison)]:
            yield node.update(guards=[guard.update(comparison=other)])
    elif kind == ASTType.Literal and node.sign == Sign.Negation:
        yield node.update(sign=Sign.NoSign)
    elif kind == ASTType.BinaryOperation:
        yield node.left
        yield node.right
        yield node.update(operator_type=OTHER_OPERATIONS[BinaryOperator(node.operator_type)])
    elif kind == ASTType.SymbolicTerm:
        name = str(node.symbol)
        if name in OTHER_NAMES:
            yield from _terms(OTHER_NAMES[name])
        elif name.isdigit():
            yield from _terms(str(int(name) + 1))


def _terms(text: str) -> list[AST]:
    found: list[AST] = []
    parse_string(f"t({text}).", found.append)
    return list(found[-1].head.atom.symbol.arguments)


def weakened(statement: AST) -> Iterator[tuple[str, AST]]:
    """The statement with one thing changed, and what that is."""
    if statement.ast_type == ASTType.Rule:
        for place, literal in enumerate(statement.body):
            yield f"without {literal}", statement.update(body=without(statement.body, place))
    for path, node in nodes(statement):
        if node.ast_type == ASTType.ConditionalLiteral:
            for place, literal in enumerate(node.condition):
                shorter = node.update(condition=without(node.condition, place))
                yield f"without {literal} after the colon", replaced(statement, path, shorter)
        if node.ast_type == ASTType.Aggregate:
            # What stands right of the braces in the file comes as its left guard.
            guard = node.left_guard
            assert ComparisonOperator(guard.comparison) == ComparisonOperator.Equal
            for change, new in [
                ("<=", node.update(left_guard=None, right_guard=at_most(guard))),
                (">=", node.update(left_guard=at_most(guard))),
                ("without", node.update(left_guard=None)),
            ]:
                yield f"{{ ... }} = {guard.term} -> {change}", replaced(statement, path, new)
        for new in changes(node):
            yield f"{node} -> {new}", replaced(statement, path, new)


def at_most(guard: AST) -> AST:
    return guard.update(comparison=ComparisonOperator.LessEqual)


def mutants_of_encoding(source: str) -> Iterator[Mutant]:
    statements: list[AST] = []
    parse_string(source, statements.append)
    lines = source.splitlines()
    for place, statement in enumerate(statements):
        if statement.ast_type in QUIET:
            continue
        before, after = statements[:place], statements[place + 1 :]
        label = lines[statement.location.begin.line - 1].strip()
        broken = weakened(statement) if statement.ast_type != ASTType.Defined else ()
        for change, mutant in [("dropped", None), *broken]:
            program = [*before, *([] if mutant is None else [mutant]), *after]
            text = "\n".join(str(part) for part in program if part.ast_type not in QUIET)
            yield Mutant(f"{label} | {change}", text)


# --- what a right encoding answers -------------------------------------------------------


class Instance(NamedTuple):
    facts: str
    options: list[str]
    expected: frozenset[Answer]


def several(box: tuple[int, int], keep: int) -> Grid:
    return dig(full_grid(box, 5), keep, 5)


BATTERY = [
    Grid((0,) * 16, SMALL),
    several(SMALL, 4),
    full_grid(SMALL, 5),
    several((2, 3), 12),
    several((3, 2), 12),
    several((1, 4), 6),
    several((4, 1), 6),
    Grid((0,), (1, 1)),
    Grid.parse(next(iter(COUNTS))),
    Grid.parse(next(iter(PRINTED))),
]


@cache
def solutions(puzzle: Grid) -> frozenset[Grid]:
    """From the oracle, which knows no engine."""
    return frozenset(all_solutions(puzzle))


def instances(encoding: Encoding) -> Iterator[Instance]:
    for puzzle in BATTERY:
        if encoding.claims(puzzle.box):
            yield Instance(
                encoding.givens(puzzle),
                encoding.options(puzzle.box),
                frozenset(map(encoding.shown, solutions(puzzle))),
            )
    for given in filter(None, (encoding.given, encoding.also_given)):
        for facts in WRONG.values():
            yield Instance(facts.format(given), encoding.options(SMALL), frozenset())


def noticed(program: str, instance: Instance) -> bool:
    """True if the answers are not exactly those expected, each once, without a grumble."""
    facts, options, expected = instance
    found, grumbles = answers(program, facts, options, limit=len(expected) + 1)
    return bool(grumbles) or len(found) != len(expected) or frozenset(found) != expected


def grounds(program: str, encoding: Encoding) -> bool:
    """False if clingo refuses it: then nobody needs a test to see that it is broken."""
    try:
        answers(program, encoding.givens(BATTERY[1]), encoding.options(SMALL), limit=1)
    except RuntimeError:
        return False
    return True


# What the battery cannot notice: patterns of the names of mutants, and why they mean the same.
HALVES = "as many digits as cells: none twice, and every cell or digit once, follow from each other"
ORDER = "the clash of two cells is said for either order of them, and one is enough"
INJECTIVE = "other numbers for the boxes, but no two boxes get the same"
INSIDE = "there are no cells outside the grid to count"
EQUIVALENT: dict[str, dict[str, str]] = {
    "sudoku": {
        "{ sudoku(X,Y,N) : digit(N) } = 1 * = 1 -> [<>]=": HALVES,
        ":- house(*) } = 1. | * = 1 -> [<>]=": HALVES,
    },
    "pairwise": {
        "{ sudoku(X,Y,N) : digit(N) } = 1 * = 1 -> >=": HALVES,
        ":- * | [XY] != [AB] -> [XY] < [AB]": ORDER,
        ":- * same_box(X,Y,A,B), * | without [XY] != [AB]": (
            "cells that share a row or a column as well as a box clash there already"
        ),
    },
    "numbered_box": {
        "{ numberAt(Row,Column,Number) : * = 1 -> >=": HALVES,
        ":- * | * < Other -> * > Other": ORDER,
        "inBox(* | *+((Column-1)/box_columns)) -> *-((Column-1)/box_columns))": INJECTIVE,
    },
    "subgrid_labels": {
        "{ sudoku(X,Y,N) : digit(N) } = 1 * = 1 -> >=": HALVES,
        ":- * | * < * -> * > *": ORDER,
        "label(* | *+((Y-1)/Side)) -> *-((Y-1)/Side))": INJECTIVE,
        "* | without not initial(X,Y,_)": (
            "to choose a digit for a cell that has one only makes the ground program larger"
        ),
        ":- initial(X,Y,N), initial(X,Y,M), N < M. | dropped": (
            "one digit too many for the row: the search finds out, where this rule knows at once"
        ),
    },
    "cardinality": {
        "{ sudoku(X,Y,N) : digit(N) } = 1 * = 1 -> [<>]=": HALVES,
        ":- * } = 1. | * = 1 -> [<>]=": HALVES,
        ":- * | without row(X) after the colon": INSIDE,
        ":- * | without column(Y) after the colon": INSIDE,
    },
}


def judged(killed: list[str], alive: list[str], equivalent: dict[str, str]) -> None:
    """Fails unless exactly the equivalent mutants are alive."""

    def reason(name: str) -> str | None:
        return next((why for p, why in equivalent.items() if fnmatch.fnmatchcase(name, p)), None)

    assert [name for name in alive if reason(name) is None] == [], "nobody noticed these"
    assert [name for name in killed if reason(name)] == [], "these are not equivalent"
    unused = [p for p in equivalent if not any(fnmatch.fnmatchcase(n, p) for n in alive)]
    assert unused == [], "no mutant has such a name"
    assert len(killed) > 4 * len(alive)


# The encoding that the package runs is always mutated, those to read by the slow tests.
@pytest.fixture(
    params=[
        pytest.param(e, marks=[] if e.name == "sudoku" else pytest.mark.slow) for e in ENCODINGS
    ],
    ids=lambda encoding: encoding.name,
)
def encoding(request: pytest.FixtureRequest) -> Encoding:
    return request.param


def test_every_mutant_of_an_encoding_is_noticed(encoding):
    checks = list(instances(encoding))
    source = encoding.path.read_text(encoding="utf-8")
    killed, alive = [], []
    for mutant in mutants_of_encoding(source):
        if grounds(mutant.program, encoding):
            dead = any(noticed(mutant.program, check) for check in checks)
            (killed if dead else alive).append(mutant.name)
    judged(killed, alive, EQUIVALENT[encoding.name])


def test_an_encoding_that_is_only_written_anew_is_not_noticed(encoding):
    """Else the battery would notice how mutants are made, not what is wrong with them."""
    source = encoding.path.read_text(encoding="utf-8")
    statements: list[AST] = []
    parse_string(source, statements.append)
    anew = "\n".join(str(part) for part in statements if part.ast_type not in QUIET)
    for check in instances(encoding):
        assert not noticed(source, check)
        assert not noticed(anew, check)


# --- mutants of the Prolog programs ------------------------------------------------------

HERE = Path(__file__).resolve().parent
BUDGET = 300
"""Seconds for all mutants of a file: a wrong mutant must not hang the suite. None comes near."""


def prolog(rows: Any) -> str:
    return str(rows).replace("(", "[").replace(")", "]").replace(",]", "]").replace("0", "_")


def finds(goal: str, puzzle: Grid) -> str:
    """A goal: `goal`, about Rows and Box, has just the solutions that the oracle finds."""
    rows = puzzle.rows
    expected = sorted(solution.rows for solution in solutions(puzzle))
    return (
        f"Box = {puzzle.box[0]}-{puzzle.box[1]}, Rows = {prolog(rows)},"
        f" mutation:finds(({goal}), Rows, {prolog(expected)})"
    )


WHOLE = [several(SMALL, 4), several((2, 3), 12), several((3, 2), 12), several((1, 4), 6)]
WHOLE += [Grid((0,), (1, 1)), full_grid(SMALL, 5), Grid((1, 2, 3, 4, *[0] * 12), SMALL)]
CLASHES = [
    Grid((3, 0, 0, 3, *[0] * 12), SMALL),
    Grid((3, *[0] * 11, 3, 0, 0, 0), SMALL),
    Grid((3, 0, 0, 0, 0, 3, *[0] * 10), SMALL),
]
NINE = [Grid.parse(puzzle) for puzzle in [*list(COUNTS)[:3], next(iter(PRINTED))]]
SEARCHED = Grid.parse(list(COUNTS)[8])
"""No solution, but nothing that the rules alone see."""
ALONE = Grid.parse(".3.1..2.........6..25......4...1..3.", box=(2, 3))
"""One solution, and a search for it that could go on after that."""
SEEN = Grid.parse(list(COUNTS)[9])
"""No solution: matching sees it at once, a search would take hours."""


def checks_of_sudoku() -> Iterator[str]:
    for number, puzzle in enumerate(WHOLE + CLASHES):
        yield finds("sudoku(Rows, Box)", puzzle)
        yield finds("sudoku_rules(Rows, Box), sudoku_search(Rows)", puzzle)
        if puzzle.box == SMALL and number:
            yield finds("sudoku(Rows), Box = Box", puzzle)
            yield finds("sudoku_rules(Rows), sudoku_search(Rows), Box = Box", puzzle)
    for puzzle in [*NINE, SEARCHED]:
        yield finds("sudoku_rules(Rows, Box), sudoku_search(Rows)", puzzle)
    # The rules alone: what they see, and that a person can go on from there.
    yield f"\\+ sudoku_rules({prolog(SEEN.rows)})"
    yield "Rows = [[_]], sudoku_rules(Rows), Rows == [[1]]"
    yield (
        "Rows = [[A,B,C,D]|Others], Others = [[_,_,_,_],[_,_,_,_],[_,_,_,_]],"
        " [A,B] ins 1..2, sudoku_rules(Rows), fd_dom(C, Left), Left == 3..4"
    )
    yield (
        "Rows = [[_,B,_,D]|Others], Others = [[_,_,_,_],[_,_,_,_],[_,_,_,_]],"
        " [B,D] ins 2..3, sudoku_rules(Rows), Rows = [[A|_]|_], fd_dom(A, Left), Left == 1 \\/ 4"
    )
    yield "length(Rows, 16), maplist(same_length(Rows), Rows), sudoku_rules(Rows)"
    yield finds(
        "sudoku_rules(Rows, Box), copy_term(Rows, Copy, Goals), maplist(call, Goals),"
        " sudoku_search(Copy), Rows = Copy",
        NINE[0],
    )
    # every_digit/1 by itself.
    three = "[[1,2,3],[1,3,2],[2,1,3],[2,3,1],[3,1,2],[3,2,1]]"
    yield f"House = [_,_,_], mutation:finds((every_digit(House), label(House)), House, {three})"
    yield "[A,B,C,D] ins 1..4, [B,C,D] ins 2..4, every_digit([A,B,C,D]), A == 1"
    yield "every_digit([A,B,C,D]), [B,C,D] ins 2..4, A == 1"
    yield "[A,B,C,D] ins 1 \\/ 3..4, \\+ every_digit([A,B,C,D])"
    # One solution, which the rules do not find by themselves: no choice point is left.
    yield (
        f"Rows = {prolog(ALONE.rows)},"
        " call_cleanup(sudoku(Rows, 2-3), End = true), End == true, ground(Rows)"
    )
    # What only makes the search faster is noticed by what it takes where it has to be long.
    yield "problem(hard, Rows), sudoku_rules(Rows), once(sudoku_search(Rows))"


def near_miss(place: int) -> Grid:
    """A Latin square of 9 with a digit twice in a box, though not if the box had no `place`."""
    (answer,), _ = answers(
        f"""
        digit(1..9).
        box(X, Y, (X-1) / 3 * 3 + (Y-1) / 3, (X-1) \\ 3 * 3 + (Y-1) \\ 3) :- digit(X), digit(Y).
        {{ sudoku(X,Y,N) : digit(N) }} = 1 :- digit(X), digit(Y).
        {{ sudoku(X,Y,N) : digit(X) }} = 1 :- digit(Y), digit(N).
        {{ sudoku(X,Y,N) : digit(Y) }} = 1 :- digit(X), digit(N).
        twice(P,Q) :-
            sudoku(X,Y,N), sudoku(A,B,N), box(X,Y,Box,P), box(A,B,Box,Q), P < Q.
        :- twice(P,Q), P != {place}, Q != {place}.
        :- not twice(_,_).
        #show sudoku/3.
        """,
        limit=1,
    )
    return Grid.parse(" ".join(sorted(answer)), format="facts", box=(3, 3))


def checks_of_classic() -> Iterator[str]:
    full = full_grid((3, 3), 5)
    wrong = Grid((full.cells[1], *full.cells[1:]), (3, 3))
    for puzzle in [*NINE[::-1], SEARCHED, full, wrong]:
        yield finds("sudoku(Rows)", puzzle)
    for place in range(9):
        yield f"\\+ sudoku({prolog(near_miss(place).rows)})"
    yield "once(sudoku(Rows)), length(Rows, 9), maplist(same_length(Rows), Rows)"


def mutants_of_program(
    program: str, mutated: str, predicates: list[str], checks: Iterator[str], folder: Path
) -> list[list[str]]:
    """For each mutant of these predicates (none: all) of the file `mutated`: outcome, the check
    that told, clause, change."""
    shutil.copytree(resource("prolog/sudoku.pl").parent, folder / "prolog")
    facts = folder / "checks.pl"
    facts.write_text("".join(f"{n} - ({check}).\n" for n, check in enumerate(checks)))
    goal = "judge('{}', '{}', [{}], '{}')".format(
        *(folder / "prolog" / program, folder / "prolog" / mutated, ",".join(predicates), facts)
    )
    done = subprocess.run(
        [str(swipl()), "-g", goal, "-t", "halt", str(HERE / "mutation.pl")],
        capture_output=True,
        text=True,
        timeout=BUDGET,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return [line.split("\t") for line in done.stdout.splitlines()]


EQUIVALENT_GOALS = {
    "without_choice_point_if_unique(*10000000*10000001*": "a limit is as good as the next",
}
EQUIVALENT_IN_A_HOUSE = {
    "locked(* | Size=<7 -> Size=<8": "a limit is as good as the next",
    "*run_propagator(* | ground(House)-> ... -> fail-> ...": "a full house is only looked at again",
    "*run_propagator(* | clpfd:kill(State) -> true": "a full house is only looked at again",
    "*run_propagator(* -> places(House,Sets,0,Found,1,Settled)": "there is no digit 0",
    "*run_propagator(* | Single=:=0-> ... -> fail-> ...": "to place no digits changes nothing",
    "*run_propagator(* | Single=:=0 -> Single=:=1": "there is no digit 0 to be placed",
    "places(* | integer(Cell)-> ... -> fail-> ...": "a digit is a domain of one, placed once more",
    "place(* | Here=:=1<<lsb(Here) -> true": (
        "of two digits for one cell the first is placed, and then the other has no place"
    ),
}
"""Of sudoku.pl and sudoku/house.pl; of the others, every mutant is noticed."""

HOUSES = ["sudoku_houses", "boxes", "band_boxes", "pieces"]


@pytest.mark.parametrize(
    ("program", "mutated", "predicates", "checks", "equivalent"),
    [
        ("sudoku.pl", "sudoku.pl", [], checks_of_sudoku, EQUIVALENT_GOALS),
        ("sudoku.pl", "sudoku/house.pl", [], checks_of_sudoku, EQUIVALENT_IN_A_HOUSE),
        ("sudoku.pl", "sudoku/grid.pl", HOUSES, checks_of_sudoku, {}),
        pytest.param(
            *("classic_sudoku.pl", "classic_sudoku.pl", [], checks_of_classic, {}),
            marks=pytest.mark.slow,
        ),
    ],
    ids=["sudoku.pl", "house.pl", "grid.pl", "classic_sudoku.pl"],
)
def test_every_mutant_of_a_prolog_program_is_noticed(
    program, mutated, predicates, checks, equivalent, tmp_path
):
    first, *found, last = mutants_of_program(program, mutated, predicates, checks(), tmp_path)
    # Before and after all mutants the program itself, as it is written anew, passes.
    assert first == ["right", "all", "program", "written anew"]
    assert last == ["right", "all", "program", "mended"]
    killed, alive = [], []
    for outcome, _, clause, change in found:
        (alive if outcome == "right" else killed).append(f"{clause} | {change}")
    judged(killed, alive, equivalent)
