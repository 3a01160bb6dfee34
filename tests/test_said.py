"""Every door says the same lines of a program: check, compare, the page, MCP, and Python.

Of a sudoku, check and the page say the same.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
import warnings
from pathlib import Path

import pytest
from helpers.command_line import ROOT, run
from helpers.faults import ASP, FAULTS, PROLOG
from helpers.programs import need_sandbox
from helpers.serving import asked

import pylogic_sudoku as pls
from pylogic_sudoku.check import grade
from pylogic_sudoku.check.results import mark
from pylogic_sudoku.errors import LogicError, ProgramWarning
from pylogic_sudoku.files import resource
from pylogic_sudoku.mcp import Tools
from pylogic_sudoku.page import problems, questions
from pylogic_sudoku.running import notices

pytestmark = pytest.mark.usefixtures("unhurried")

QUEENS = pls.Problem("queens")
SIZE = "size(4)."
OUR = QUEENS.instance(SIZE)
TEACHING = (ROOT / "docs" / "teaching.md").read_text(encoding="utf-8")
(PATTERN,) = json.loads(re.findall(r"```json\n(.+?)```", TEACHING, re.DOTALL)[0])["problemMatcher"][
    0
]["pattern"]
MATCHER = re.compile(PATTERN["regexp"])
"""The problem matcher of docs/teaching.md."""
OF_PAGE = {"asp": "clingo", "prolog": "prolog"}
Said = list[tuple[int | None, str]]


def of_messages(messages) -> Said:
    return [(each.line, each.words) for each in messages]


def of_json(found) -> Said:
    return [(each.get("line"), each["message"]) for each in found]


def by_check(path: Path) -> Said:
    (verdict,) = grade(path, [SIZE], problem=QUEENS).all
    result = mark(path.name, verdict, path=str(path))
    return of_messages(message for _, message in result.remarks())


def by_lines(path: Path) -> Said:
    done = run("check", "-p", "queens", "-e", path, "-f", "lines", SIZE)
    assert done.returncode == 1
    matches = [MATCHER.match(line) for line in done.stdout.splitlines()]
    assert all(matches), done.stdout
    assert {each[1] for each in matches} == {str(path)}
    return [(int(each[2]), each[5]) for each in matches]


def by_text(path: Path) -> Said:
    done = run("check", "-p", "queens", "-e", path, SIZE)
    found: Said = []
    for line in done.stdout.splitlines():
        place = re.search(rf"{re.escape(path.name)}(?::|, line )(\d+)", line)
        found.append((int(place[1]) if place else (found[-1][0] if found else None), line))
    return found


def by_compare(path: Path) -> Said:
    name = f"{OF_PAGE['asp' if path.suffix == '.lp' else 'prolog']}:{path}"
    done = run("compare", "-p", "queens", "-b", "clingo", "-b", name, "-f", "lines", SIZE)
    assert done.returncode in (3, 5)
    matches = [MATCHER.match(line) for line in done.stdout.splitlines()]
    assert all(matches), done.stdout
    return [(int(each[2]), each[5]) for each in matches if Path(each[1]).name == path.name]


def by_mcp(path: Path) -> Said:
    language = "asp" if path.suffix == ".lp" else "prolog"
    tools = Tools("auto")
    (result,) = tools.check("queens", path.read_text(), language, [SIZE], 60)["results"]
    why = result["diagnosis"] or {"summary": "", "places": []}
    places = [(each["line"], f"{why['summary']} {each['words']}") for each in why["places"]]
    return of_json(result.get("errors", ())) + of_json(result.get("warnings", ())) + places


def by_page(path: Path) -> Said:
    engine = "clingo" if path.suffix == ".lp" else "prolog"
    source = problems.InstanceSource("queens", SIZE, {engine: path.read_text()})

    def asked(question, **body):
        return questions.ask_about(question, source, engine, tempfile.gettempdir(), body, 60)

    with notices.collected() as warned:
        try:
            found = asked(questions.solve, limit=10)
        except LogicError as error:
            return of_messages(error.messages)
    told = of_messages(warned)
    shown = [each["atoms"] for each in found["solutions"]]
    for answer in pls.solutions(OUR, "clingo"):
        atoms = list(map(str, sorted(answer)))
        if atoms not in shown:
            why = asked(questions.refusal, answer=problems.AtomSet(atoms=atoms))
            told += [(each["line"], why["says"]) for each in why["places"]]
    return told


def by_python(path: Path) -> Said:
    backend = f"{'clingo' if path.suffix == '.lp' else 'prolog'}:{path}"
    told: Said = []
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            found = set(pls.solutions(OUR, backend))
            for answer in sorted(set(pls.solutions(OUR, "clingo")) - found, key=sorted):
                why = pls.refusal(OUR, answer, backend)
                told += [(each.number, str(why)) for each in why.lines]
        except LogicError as error:
            told += of_messages(error.messages)
    shown = (each.message for each in caught if isinstance(each.message, ProgramWarning))
    return told + of_messages(each.message for each in shown)


DOORS = [by_check, by_lines, by_text, by_compare, by_mcp, by_page, by_python]


def test_the_programs_without_a_fault_are_right(tmp_path):
    for name, text in {"my.lp": ASP, "my.pl": PROLOG}.items():
        (tmp_path / name).write_text(text)
        done = run("check", "-p", "queens", "-e", tmp_path / name, "-f", "lines", SIZE)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(FAULTS) == 40


@pytest.mark.one_in(20)
@pytest.mark.parametrize("number", range(len(FAULTS)))
def test_each_door_says_the_same_line(number, tmp_path):
    need_sandbox()
    fault = FAULTS[number]
    for door in DOORS:
        # A process tells the same of a file once.
        path = tmp_path / door.__name__ / f"queens.{'lp' if fault.language == 'asp' else 'pl'}"
        path.parent.mkdir()
        path.write_text(fault.text)
        found = door(path)
        if fault.words:
            same = [words for line, words in found if line == fault.line]
            assert any(fault.words in each for each in same), (door.__name__, found)
        else:
            first = next(line for line, _ in found if line is not None)
            assert first == fault.line, (door.__name__, found)


def test_compare_prints_the_column_of_a_goal(tmp_path):
    path = tmp_path / "queens.pl"
    path.write_text(PROLOG.replace("Q #\\= P", "Q #> P"))
    backend = f"prolog:{path}"
    done = run("compare", "-p", "queens", "-b", "clingo", "-b", backend, "-f", "lines", SIZE)
    text = path.read_text().splitlines()
    number = next(at for at, line in enumerate(text, 1) if "Q #> P" in line)
    column = text[number - 1].index("Q #> P") + 1
    places = [MATCHER.match(line).group(2, 3) for line in done.stdout.splitlines()]
    assert (str(number), str(column)) in places


# --- a sudoku ---

OPEN = "1..............."
HOUSE = ":- house(Kind,Number,_,_), digit(N),"
DIFFERENT = "    maplist(all_different, Houses), "
EVERY = "    maplist(every_digit, Houses), "
SUDOKU = {
    "no boxes in ASP": ("clingo", {HOUSE: f"{HOUSE} Kind != box,"}, "boxes", ""),
    "no rows in ASP": ("clingo", {HOUSE: f"{HOUSE} Kind != row,"}, "rows", ""),
    "no boxes in Prolog": (
        "prolog",
        {
            DIFFERENT: "    length(Plain, 8), append(Plain, _, Houses),\n"
            "    maplist(all_different, Plain), ",
            EVERY: "    maplist(every_digit, Plain), ",
        },
        "boxes",
        "",
    ),
    "a lost digit in Prolog": (
        "prolog",
        {DIFFERENT: f"    Cells = [D|_], D #\\= 1,\n{DIFFERENT}"},
        "",
        "D #\\= 1",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", SUDOKU)
def test_the_page_says_of_a_sudoku_what_check_says(strangers, tmp_path, fault):
    need_sandbox()
    engine, changes, kind, line = SUDOKU[fault]
    folder, name = {"clingo": ("encodings", "sudoku.lp"), "prolog": ("prolog", "sudoku.pl")}[engine]
    shutil.copytree(resource(folder), tmp_path / folder)
    path = tmp_path / folder / name
    text = path.read_text(encoding="utf-8")
    for old, new in changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")
    why = next(grade(path, OPEN)).diagnosis
    said = asked(strangers, "diagnose", puzzle=OPEN, engine=engine, files={name: text})["diagnosis"]
    assert said["summary"] == why.summary
    # The page calls sudoku/3, and check calls it through sudoku/1.
    lines = [each["line"] for each in said["places"]]
    assert lines == [*dict.fromkeys(place.line for place in why.places)][: len(lines)]
    if kind:
        assert said == {"summary": f"no constraint of the program is about {kind}", "places": []}
    else:
        first = said["places"][0]
        assert first["file"] == name
        assert line in text.splitlines()[first["line"] - 1]
