"""Each goal of each Prolog program dropped or changed: small puzzles must notice every change."""

from __future__ import annotations

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
from pylogic_sudoku.engines.sudoku.prolog import shape

HERE = Path(__file__).resolve().parent


def finds(goal: str, puzzle: Grid | Puzzle) -> str:
    """A goal: `goal`, about Rows and Shape, has exactly the solutions that the oracle finds."""
    expected = sorted(solution.rows for solution in solutions(puzzle))
    form = f"{puzzle.box[0]}-{puzzle.box[1]}"
    if puzzle.layout.regions:
        form = f"regions({shape(puzzle.layout)})"
    excluded = "".join(
        f"nth1({x}, Rows, Row{n}), nth1({y}, Row{n}, Cell{n}), clpfd:'#\\\\='(Cell{n}, {digit}), "
        for n, (x, y, digit) in enumerate(puzzle.excluded)
    )
    return (
        f"Shape = {form}, Rows = {prolog(puzzle.rows)},"
        f" mutation:finds(({excluded}{goal}), Rows, {prolog(expected)})"
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


INKALA = Grid.parse(
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
)
"""Needs much search. What only makes that shorter is noticed by what it takes."""


def checks_of_any_program() -> Iterator[str]:
    full = full_grid(SMALL, 5)
    wrong = Grid((full.digits[1], *full.digits[1:]), SMALL)
    for puzzle in [*WHOLE, *CLASHES, *JIGSAWS, wrong, NINE[0], SEARCHED]:
        yield finds("sudoku(Rows, Shape)", puzzle)


def checks_of_a_program() -> Iterator[str]:
    yield from checks_of_any_program()
    yield f"once(sudoku({prolog(INKALA.rows)}, 3-3))"


def checks_of_sudoku() -> Iterator[str]:
    yield from checks_of_any_program()
    for puzzle in WHOLE + CLASHES:
        yield finds("sudoku_rules(Rows, Shape), maplist(label, Rows)", puzzle)
        if puzzle.box == SMALL:
            yield finds("sudoku(Rows), Shape = Shape", puzzle)
            yield finds("sudoku_rules(Rows), maplist(label, Rows), Shape = Shape", puzzle)
    for puzzle in NINE:
        yield finds("sudoku(Rows, Shape)", puzzle)
    yield "aggregate_all(count, sudoku(_, 2-2, [total(cells=[1-1,1-1,1-2], sum=4)]), 24)"
    yield "aggregate_all(count, sudoku(_, 2-2, []), 288)"
    # The rules alone, which see the last place of a digit but not two cells that share two.
    yield "sudoku_rules([[1,2,3,A]|_], 2-2), A == 4"
    yield "sudoku_rules([[A,_,_,_],[_,_,1,_],[_,1,_,_],_], 2-2), A == 1"
    yield f"\\+ sudoku_rules({prolog(SEEN.rows)}) ; true"
    # What the prompt lists for the cells is every house once, and as good as the program.
    listed = "mutation:listed(sudoku_rules(Rows, Shape), Rows, Goals, Copy)"
    searched = "memberchk(every_digit/1, Goals), maplist(label, Copy), Rows = Copy"
    yield finds(f"{listed}, {searched}", WHOLE[-1])
    # Boxes of one row would be rows once more, which no answer shows.
    yield "sudoku_grid:sudoku_houses([[a,b],[c,d]], 1-2, [[a,b],[c,d],[a,c],[b,d]])"
    # every_digit/1 by itself.
    three = "[[1,2,3],[1,3,2],[2,1,3],[2,3,1],[3,1,2],[3,2,1]]"
    yield f"House = [_,_,_], mutation:finds((every_digit(House), label(House)), House, {three})"
    yield "[A,B,C,D] ins 1..4, [B,C,D] ins 2..4, every_digit([A,B,C,D]), A == 1"
    yield "every_digit([A,B,C,D]), [B,C,D] ins 2..4, A == 1"
    yield "[A,B,C,D] ins 1 \\/ 3..4, \\+ every_digit([A,B,C,D])"
    # What only makes the search faster is noticed by what it takes where it has to be long.
    yield f"once(sudoku({prolog(INKALA.rows)}))"
    killers = "killer_cage(cells=[1-1,1-2,2-1], sum=6), anti_knight"
    yield f"once(sudoku(_, 2-3, [{killers}]))"


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


EQUIVALENT_IN_A_HOUSE = {
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

EQUIVALENT_GOALS = {
    "sudoku_rules(* | Cells ins 1..Size -> true": "every_digit/1 says it again",
}
EQUIVALENT_IN_PROGRAMS: dict[str, dict[str, str]] = {
    "cardinality": {"sudoku_rules(* | Cells ins 1..Size -> true": "the count says it again"},
    "backtracking": {"fill(* | integer(Cell)-> ... -> fail-> ...": "a given passes too"},
    "bits": {
        "* | *-1)=:=0 -> *-2)=:=0": "there is no digit 0",
        "look(* | Waiting1 *-2)": "there is no house 0",
        "look(* -> survey(Cells,Sets,0,All,*1,*": "there is no digit 0",
        "survey(* | Set/\\Placed0=:=0 -> true": "another digit then has no place",
        "smallest(*,1001,0,Cell)": "any number above the size of a grid will do",
        "smallest(0,* | ! -> true": "there is no cell 0",
        "smallest(* | Size=<Size0 -> *": "another cell is tried first",
        "seen(*nth1(House,Houses,Cells),Set)": (
            "then a change makes it look at all houses: slower, not wrong"
        ),
        "restrict(* | New=\\=0 -> true": "an empty set shows in the next look",
        "restrict(* | New=\\=0 -> New=\\=1": "there is no digit 0",
        "restrict(* | Here/\\(Here-1)=:=0 -> true": "then it has no place for a digit",
    },
}

# (:) is for clpfd:run_propagator.
HOUSE = ["every_digit", "(:)", "survey", "put_single"]
BITS = ["candidate_set", "domain_set", "post_propagator", "attach"]
HOUSES = ["sudoku_houses", "boxes", "band_boxes", "pieces", "region", "has_label"]
PROGRAMS = ["classic", "first_fail", "different", "cardinality", "dual", "backtracking", "bits"]
OTHER_CHECKS = {"classic": checks_of_classic, "backtracking": checks_of_any_program}
FILES = {
    "sudoku.pl": (SUDOKU, "sudoku.pl", [], checks_of_sudoku, EQUIVALENT_GOALS),
    "house.pl": (SUDOKU, "sudoku/house.pl", HOUSE, checks_of_sudoku, EQUIVALENT_IN_A_HOUSE),
    "propagator.pl": (SUDOKU, "sudoku/propagator.pl", BITS, checks_of_sudoku, {}),
    "grid.pl": (SUDOKU, "sudoku/grid.pl", HOUSES, checks_of_sudoku, {}),
    **{
        name: (
            *(f"prolog/programs/{name}.pl", f"programs/{name}.pl", []),
            *(OTHER_CHECKS.get(name, checks_of_a_program), EQUIVALENT_IN_PROGRAMS.get(name, {})),
        )
        for name in PROGRAMS
    },
}
"""The program, what is broken of it: a file and its predicates, the checks, and what they miss."""


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
def test_every_mutant_of_a_prolog_program_is_noticed(name, tmp_path):
    program, mutated, predicates, checks, equivalent = FILES[name]
    found = mutants_of_program(program, mutated, predicates, checks(), tmp_path)
    killed = [mutant.name for mutant in found if mutant.noticed]
    judged(killed, [mutant.name for mutant in found if not mutant.noticed], equivalent)
