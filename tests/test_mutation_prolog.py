"""Each goal of each Prolog program dropped or changed: small puzzles must notice every change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.gallery import SMALL, answers
from helpers.jigsaws import KEEP, jigsaw
from helpers.mutants import judged, several, solutions
from helpers.oracle import full_grid
from helpers.prolog_mutants import mutants_of_program, prolog
from helpers.puzzles import COUNTS, PRINTED

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines.prolog import shape

HERE = Path(__file__).resolve().parent


def finds(goal: str, puzzle: Grid | Puzzle) -> str:
    """A goal: `goal`, about Rows and Shape, has exactly the solutions that the oracle finds."""
    expected = sorted(solution.rows for solution in solutions(puzzle))
    form = f"{puzzle.box[0]}-{puzzle.box[1]}"
    if puzzle.layout.regions:
        form = f"regions({shape(puzzle.layout)})"
    excluded = [list(each) for each in puzzle.excluded]
    marked = f"sudoku_rules:exclude_placements(Rows, {excluded}), " if excluded else ""
    return (
        f"Shape = {form}, Rows = {prolog(puzzle.rows)},"
        f" mutation:finds(({marked}{goal}), Rows, {prolog(expected)})"
    )


WHOLE = [several(SMALL, 4), several((2, 3), 12), several((3, 2), 12), several((1, 4), 6)]
WHOLE += [Grid((0,), (1, 1)), full_grid(SMALL, 5), Grid((1, 2, 3, 4, *[0] * 12), SMALL)]
JIGSAWS = [jigsaw(size, KEEP[size], 5, marked=2) for size in (4, 5, 6)]
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
    for puzzle in JIGSAWS:
        yield finds("sudoku(Rows, Shape)", puzzle)
    for number, puzzle in enumerate(WHOLE + CLASHES):
        yield finds("sudoku(Rows, Shape)", puzzle)
        yield finds("sudoku_rules(Rows, Shape), sudoku_search(Rows)", puzzle)
        if puzzle.box == SMALL and number:
            yield finds("sudoku(Rows), Shape = Shape", puzzle)
            yield finds("sudoku_rules(Rows), sudoku_search(Rows), Shape = Shape", puzzle)
    for puzzle in [*NINE, SEARCHED]:
        yield finds("sudoku_rules(Rows, Shape), sudoku_search(Rows)", puzzle)
    for search in ("sudoku_search(Rows, [total])", "sudoku_search(Rows, [])"):
        yield (
            "length(Rows, 4), maplist([Row]>>length(Row, 4), Rows),"
            " sudoku_rules(Rows, 2-2, [total(cells=[1-1,1-1,1-2], sum=4)]),"
            f" aggregate_all(count, ( {search}, ground(Rows) ), 24)"
        )
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
    yield (
        "Rows = [[A,B|_]|Others], Rows = [[_,_,_,_]|_], Others = [[_,_,_,_],[_,_,_,_],[_,_,_,_]],"
        " sudoku_rules(Rows), A = 2, fd_dom(B, Left), Left == 1 \\/ 3..4"
    )
    yield "length(Rows, 16), maplist(same_length(Rows), Rows), sudoku_rules(Rows)"
    yield finds(
        "sudoku_rules(Rows, Shape), copy_term(Rows, Copy, Goals), maplist(call, Goals),"
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
            sudoku(X,Y,N), sudoku(A,B,N), box(X,Y,Shape,P), box(A,B,Shape,Q), P < Q.
        :- twice(P,Q), P != {place}, Q != {place}.
        :- not twice(_,_).
        #show sudoku/3.
        """,
        limit=1,
    )
    return Grid.parse(" ".join(sorted(answer)), format="facts", box=(3, 3))


def checks_of_classic() -> Iterator[str]:
    full = full_grid((3, 3), 5)
    wrong = Grid((full.digits[1], *full.digits[1:]), (3, 3))
    for puzzle in [*NINE[::-1], SEARCHED, full, wrong]:
        yield finds("sudoku(Rows)", puzzle)
    for place in range(9):
        yield f"\\+ sudoku({prolog(near_miss(place).rows)})"
    yield "once(sudoku(Rows)), length(Rows, 9), maplist(same_length(Rows), Rows)"


SUDOKU = "prolog/sudoku.pl"
BOARD_CHECKS = "tests/helpers/board_checks.pl"
AHEAD_CHECKS = "tests/helpers/ahead_checks.pl"


def checks_in(program: str) -> Iterator[str]:
    """The names in the heads of its clauses."""
    text = (HERE.parent / program).read_text()
    return (f"check({name})" for name in re.findall(r"^check\((\w+)\) :-", text, re.MULTILINE))


def checks_of_board() -> Iterator[str]:
    return checks_in(BOARD_CHECKS)


def checks_of_ahead() -> Iterator[str]:
    return checks_in(AHEAD_CHECKS)


EQUIVALENT_GOALS = {
    "without_choice_point_if_unique(*10000000*10000001*": "any limit near this one will do",
}
EQUIVALENT_IN_A_HOUSE = {
    "locked(* | Size=<7 -> Size*[78]": "any limit near this one will do",
    "*run_propagator(* | ground(House)-> ... -> fail-> ...": "a full house is only looked at again",
    "*run_propagator(* | clpfd:kill(State) -> true": "a full house is only looked at again",
    "*run_propagator(* -> survey(House,Sets,0,Found,1,Settled)": "there is no digit 0",
    "*run_propagator(* | Single=:=0-> ... -> fail-> ...": "to place no digits changes nothing",
    "*run_propagator(* | Single=:=0 -> Single=:=1": "there is no digit 0 to be placed",
    "survey(* | integer(Cell)-> ... -> fail-> ...": "a digit is a domain of one, placed once more",
    "put_single(* | Here=:=1<<lsb(Here) -> true": (
        "of two digits for one cell the first is placed, and then the other has no place"
    ),
}
"""Of sudoku.pl and sudoku/house.pl; in sudoku/grid.pl, every mutant is noticed."""

EQUIVALENT_ON_A_BOARD = {
    "* | */\\(*-1)=:=0 -> */\\(*-2)=:=0": "there is no digit 0",
    "* -> survey(Cells,Sets,0,Found,1,Twice)": "there is no digit 0",
    "* -> keep_out(Cells,Before,Sets,Seen,Locked,1,Changed)": "a house is looked at in vain",
}
EQUIVALENT_AHEAD = {
    "smallest(* | Size>Size0 -> Size>=Size0": "if they are equal, the goal before has seen it",
}

EQUIVALENT_RULES = {
    "sudoku_search(Rows,[]) | dropped": "the other search finds the same solutions",
}

RULES = ["sudoku_rules", "exclude_placements", "sudoku_search"]
# (:) is for clpfd:run_propagator.
HOUSE = ["every_digit", "watch_digits", "(:)", "survey", "put_single"]
HOUSE += ["locked_digits", "enough", "locked"]
BITS = ["candidate_set", "domain_set", "post_propagator", "attach"]
HOUSES = ["sudoku_houses", "boxes", "band_boxes", "pieces", "region"]


@pytest.mark.parametrize(
    ("program", "mutated", "predicates", "checks", "equivalent"),
    [
        (SUDOKU, "sudoku.pl", [], checks_of_sudoku, EQUIVALENT_GOALS),
        (SUDOKU, "sudoku/rules.pl", RULES, checks_of_sudoku, EQUIVALENT_RULES),
        pytest.param(
            *(SUDOKU, "sudoku/house.pl", HOUSE, checks_of_sudoku, EQUIVALENT_IN_A_HOUSE),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *(SUDOKU, "sudoku/bits.pl", BITS, checks_of_sudoku, {}), marks=pytest.mark.slow
        ),
        pytest.param(
            *(BOARD_CHECKS, "sudoku/board.pl", [], checks_of_board, EQUIVALENT_ON_A_BOARD),
            marks=pytest.mark.slow,
        ),
        pytest.param(
            *(AHEAD_CHECKS, "sudoku/ahead.pl", [], checks_of_ahead, EQUIVALENT_AHEAD),
            marks=pytest.mark.slow,
        ),
        (SUDOKU, "sudoku/grid.pl", HOUSES, checks_of_sudoku, {}),
        pytest.param(
            *("prolog/classic_sudoku.pl", "classic_sudoku.pl", [], checks_of_classic, {}),
            marks=pytest.mark.slow,
        ),
    ],
    ids=[
        "sudoku.pl",
        "rules.pl",
        "house.pl",
        "bits.pl",
        "board.pl",
        "ahead.pl",
        "grid.pl",
        "classic_sudoku.pl",
    ],
)
def test_every_mutant_of_a_prolog_program_is_noticed(
    program, mutated, predicates, checks, equivalent, tmp_path
):
    found = mutants_of_program(program, mutated, predicates, checks(), tmp_path)
    killed = [mutant.name for mutant in found if mutant.noticed]
    judged(killed, [mutant.name for mutant in found if not mutant.noticed], equivalent)
