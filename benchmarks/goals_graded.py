"""Compare the grader's verdicts on goals with those of plain SWI-Prolog.

    python -m benchmarks.goals_graded [-v]

The folders of ``goals/`` are exercises with cases; ``goals/wrong.toml`` has programs with mistakes.
A process of `swipl` that knows nothing of the grader collects the solutions of each goal by
findall/3, with a time limit. A case is passed if these are the solutions of the case, as a
multiset; or the first ones, or an error of its form. The grader must pass the same cases of each
program, and each program must fail some.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from pylogic_sudoku.check import grade
from pylogic_sudoku.running.prolog import command as swipl_command

GOALS = Path(__file__).parent / "goals"
SECONDS = 10.0
"""Time for the grader, a case; plain Prolog has a tenth of it."""

_PLAIN = """
:- use_module(library(time)).
judge(File, Cases) :-
    catch(user:load_files(File, [silent(true)]), _, true),
    setup_call_cleanup(open(Cases, read, In), judged(In), close(In)).
judged(In) :-
    read_term(In, Case, []),
    (   Case == end_of_file
    ->  true
    ;   arg(1, Case, Name),
        ( catch(call_with_time_limit(1, passes(Case)), _, fail) -> V = 1 ; V = 0 ),
        format("~w ~w~n", [Name,V]),
        judged(In)
    ).
passes(case(_, Goal, Solutions)) :- solutions(Goal, Solutions, 1000000).
passes(case(_, Goal, Solutions, first(N))) :- solutions(Goal, Solutions, N).
passes(fails(_, Goal)) :- \\+ user:Goal.
passes(throws(_, Goal, Pattern)) :-
    catch(( once(user:Goal), fail ), Error, true),  % the first answer decides, as in plunit
    subsumes_term(Pattern, Error).
solutions(Goal, Solutions, Most) :-
    findall(G, limit(Most, wanted(Goal, Solutions, G)), Wanted),
    findall(Goal, limit(Most, user:Goal), Found),
    same(Wanted, Found).
wanted(Goal, Solutions, G) :-
    member(Solution, Solutions),
    copy_term(Goal-Solution, G-Copy),
    call(Copy).
same([], []).
same([X|Xs], Ys0) :- select(Y, Ys0, Ys), Y =@= X, !, same(Xs, Ys).
"""


class Row(NamedTuple):
    """A program, the cases that it passes by plain Prolog, and those that it passes here."""

    exercise: str
    mistake: str
    plain: frozenset[str]
    graded: frozenset[str]
    cases: int


def programs() -> Iterator[tuple[str, str, str]]:
    """The exercise, the mistake and the text of each program; a right one has no mistake."""
    for exercise, mistakes in tomllib.loads((GOALS / "wrong.toml").read_text("utf-8")).items():
        right = (GOALS / exercise / f"{exercise}.pl").read_text("utf-8")
        yield exercise, "", right
        for mistake, (old, new) in mistakes.items():
            if right.count(old) != 1:
                raise ValueError(
                    f"{exercise}, {mistake}: {old!r} is there {right.count(old)} times"
                )
            yield exercise, mistake, right.replace(old, new)


def plain(program: Path, cases: Path, judge: Path) -> frozenset[str]:
    """The cases that a program passes by plain SWI-Prolog."""
    goal = f"judge('{program}', '{cases}')"
    command = [*swipl_command(), "-q", "-f", "none", "-g", goal, "-t", "halt", str(judge)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    return frozenset(re.findall(r"(?m)^(\w+) 1$", done.stdout))


def rows() -> Iterator[Row]:
    """Each program with its verdicts."""
    with TemporaryDirectory() as place:
        judge = Path(place, "judge.pl")
        judge.write_text(_PLAIN, "utf-8")
        for number, (exercise, mistake, text) in enumerate(programs()):
            program = Path(place, f"program{number}.pl")
            program.write_text(text, "utf-8")
            folder = GOALS / exercise
            verdicts = list(grade(program, (), problem=folder, timeout=SECONDS))
            passed = frozenset(each.instance for each in verdicts if each.passed)
            known = plain(program, folder / "cases.pl", judge)
            yield Row(exercise, mistake, known, passed, len(verdicts))


def main(arguments: list[str] | None = None) -> int:
    """Print the table; 1 if a verdict is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("-v", action="store_true", dest="talk", help="print each program")
    talk = parser.parse_args(arguments).talk
    wrong = cases = number = 0
    for row in rows():
        differ = row.plain ^ row.graded
        is_odd = bool(row.mistake) == (len(row.plain) == row.cases)
        wrong += len(differ) + is_odd
        cases += row.cases
        number += bool(row.mistake)
        if talk or differ or is_odd:
            print(f"{row.exercise}: {row.mistake or 'right'}: {len(row.graded)}/{row.cases} passed")
        for name in sorted(differ):
            print(f"    {name}: {'passed' if name in row.graded else 'failed'} here, not there")
    print(f"{number} wrong programs, {cases} verdicts, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
