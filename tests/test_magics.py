"""The package in a notebook: cell magics, answers, and pictures."""

from __future__ import annotations

import pickle
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pytest
from helpers.check_programs import BOXES, CHOICE, COLUMNS, PAIRWISE, PROLOG, RIGHT, ROWS, SHOW
from helpers.oracle import all_solutions
from helpers.processes import ended, interrupted, run
from helpers.puzzles import CLASSIC, EMPTY, IMPOSSIBLE, PRINTED, SEVERAL, SMALL, TWO
from helpers.ruled import THERMOMETER_SOLUTION, THERMOMETERS
from helpers.shells import Shell
from helpers.small_programs import GRID
from nbclient import NotebookClient
from nbformat import NotebookNode

import pylogic_sudoku as pls
from pylogic_sudoku.cli.magics import Answers, CellFailed

ROOT = Path(__file__).parent.parent
PUZZLE, SOLUTION = next(iter(PRINTED.items()))
SIX = pls.Grid.parse("...562..........1..26...3....5.4....", box=(2, 3))
ROWS_OF_4 = GRID.rpartition(":-")[0]  # without its columns


@pytest.fixture
def shell() -> Shell:
    return Shell(two=pls.Grid.parse(TWO), six=SIX)


@pytest.fixture
def clingo(shell):
    return shell.magics["clingo"]


@pytest.fixture
def prolog(shell):
    return shell.magics["prolog"]


def strings(grids) -> set[str]:
    return set(map(str, grids))


def figures(answers: Answers) -> list[ElementTree.Element]:
    """The pictures of what a notebook shows, which must be well formed."""
    return ElementTree.fromstring(f"<div>{answers._repr_html_()}</div>").findall(".//{*}svg")


def described(figure: ElementTree.Element) -> str:
    """The description of the picture for those who do not see it."""
    return figure.find(".//{*}desc").text


# --- %%clingo ---------------------------------------------------------------------------------


def test_whole_encoding(clingo):
    answers = clingo(f"{PUZZLE} -n 0", RIGHT)
    assert isinstance(answers, Answers)
    assert (list(map(str, answers)), answers.exhausted) == ([SOLUTION], True)
    assert str(answers.puzzle) == PUZZLE
    (figure,) = figures(answers)
    bold = figure.find(".//{*}g[@font-weight='bold']")
    assert "".join(text.text for text in bold) == PUZZLE.replace(".", "")
    assert figure.find("{*}title").text == "A solution."
    assert repr(answers).startswith("1 answer, and there are no others.\n\nA solution.\n┏")


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("line", "cell", "number", "said"),
    [
        (SEVERAL, RIGHT, 1, "1 answer; -n 0 finds all."),
        (f"{SEVERAL} -n 0", RIGHT, 2, "2 answers, and there are no others."),
        (f"{IMPOSSIBLE} -n 0", RIGHT, 0, "No answer."),
        (PUZZLE, RIGHT.replace(SHOW, "#show digit/1."), 1, "empty (#show hides sudoku/3)"),
        (f"{PUZZLE} -n 0", RIGHT + "{ odd; even }.", 1, "It was found 4 times: answer sets with"),
        ("1" + "." * 80, CHOICE + ":- sudoku(1,1,1)." + ROWS + COLUMNS + BOXES, 1, "1 is given"),
        (f"{SMALL} -n 0", ROWS_OF_4, 6**4, "1296 answers, and there are no others. Here are 6 of"),
    ],
)
def test_how_many_answers_there_are_and_what_they_are(clingo, line, cell, number, said):
    answers = clingo(line, cell)
    assert len(answers) == number
    assert answers.exhausted == ("-n 0" in line)
    assert said in repr(answers)
    for figure, grid in zip(figures(answers), answers, strict=number <= 6):
        caption = figure.find("{*}title").text
        assert (caption == "A solution.") == grid.is_solution_of(answers.puzzle)
        for clash in grid.duplicates()[:1]:
            assert caption == f"Not a solution: {clash}."
            assert f"a digit more than once in a house: {clash.cells[0]}," in described(figure)
        if "given" in said:
            assert "not the given digit, which is small: r1c1, 1 in r1c1" in described(figure)


JIGSAW = pls.Puzzle(pls.Grid.parse("." * 16), "1112122233434344", {"r1c1": "odd"})
WITH_REGIONS = """\
{ sudoku(X,Y,N) : N = 1..4 } = 1 :- X = 1..4, Y = 1..4.
:- sudoku(X,Y,N), sudoku(X,Z,N), Y < Z.
:- sudoku(X,Y,N), sudoku(Z,Y,N), X < Z.
:- region(R,X,Y), region(R,A,B), (X,Y) < (A,B), sudoku(X,Y,N), sudoku(A,B,N).
"""


def test_a_puzzle_with_regions_and_marks(shell, clingo):
    shell.user_ns["jigsaw"] = JIGSAW
    answers = clingo("jigsaw -n 0", WITH_REGIONS + ":- excluded(X,Y,N), sudoku(X,Y,N).\n")
    assert set(answers) == set(all_solutions(JIGSAW))
    assert set(clingo("jigsaw --add -n 0", "")) == set(answers)
    marked = clingo("jigsaw", WITH_REGIONS + ":- not sudoku(1,1,2).")
    assert "Not a solution: r1c1 holds 2, but its mark excludes 2." in repr(marked)
    boxes = clingo("jigsaw", pls.Grid.parse("1234341221434321").format("answer").replace(")", ")."))
    assert "Not a solution: r1c3 and r2c1 both hold 3 (region 1)." in repr(boxes)


def test_a_puzzle_with_rules(shell, clingo, prolog):
    shell.user_ns["lines"] = THERMOMETERS
    answers = clingo("lines --add -n 0", "")
    assert strings(answers) == {THERMOMETER_SOLUTION}
    (figure,) = figures(answers)
    assert figure.find("{*}title").text == "A solution."
    assert str(THERMOMETERS.rules[0]) in described(figure)
    assert figure.find(".//{*}g[@data-rule='thermometer']") is not None
    wrong = clingo("lines", pls.Grid.parse("1234341221434321").format("answer").replace(")", ")."))
    assert "Not a solution: thermometer at r1c2 and r1c1 is violated." in repr(wrong)
    assert "broken: thermometer at r1c2 and r1c1: r1c2, r1c1" in described(figures(wrong)[0])
    with pytest.raises(CellFailed, match="rules, which a grid alone cannot hold"):
        prolog("lines", "?- sudoku(Rows, Shape).")
    shown = shell.user_ns["lines"]._repr_svg_()
    assert shown.count('data-rule="thermometer"') == len(THERMOMETERS.rules)


def test_a_query_takes_regions_and_no_marks(shell, prolog):
    jigsaw = shell.user_ns["jigsaw"] = pls.Puzzle(JIGSAW.grid, JIGSAW.regions)
    answers = prolog("jigsaw -n 0", "?- sudoku(Rows, Shape).")
    assert set(answers) == set(all_solutions(jigsaw))
    shell.user_ns["jigsaw"] = JIGSAW
    for cell in ("?- sudoku(Rows, Shape).", PROLOG):
        with pytest.raises(CellFailed, match="marks, which a grid alone cannot hold"):
            prolog("jigsaw", cell)


def test_added_to_our_encoding(clingo):
    rule = ":- sudoku(1,3,A), sudoku(1,4,B), A < B. % no line feed"
    assert strings(clingo("two --add -n 0", rule)) == {"1243341221344321"}
    found = clingo("six --add -n 0", "")
    assert strings(found) == strings(pls.solutions(SIX))
    assert found.exhausted
    assert {grid.box for grid in found} == {(2, 3)}


def test_other_atoms(clingo):
    assert strings(clingo(f"{PUZZLE} --vocabulary sudoku", PAIRWISE)) == {SOLUTION}
    numbered = (ROOT / "encodings" / "programs" / "numbered_box.lp").read_text(encoding="utf-8")
    assert strings(clingo("six --vocabulary numberAt", numbered)) <= strings(pls.solutions(SIX))


NOT_TAKEN = {
    "syntax": ("clingo", "{ a\nb.", "cell.lp:3:1-2: error: syntax error"),
    "unsafe": ("clingo", "\na(X).", "cell.lp:3:1-6: error: unsafe variables"),
    "ranked": ("clingo", "#minimize { 1 : a }.", "cell.lp:2:13: #minimize"),
    "script": ("clingo", "#script(python) #end.", "cell.lp:2:1: #script is not run"),
    "syntax of Prolog": ("prolog", "\nsudoku(Rows) :- a b.", "ERROR: cell.pl:3:19: Syntax error"),
    "in query": ("prolog", "a.\n?- sudoku(Rows) b.", "ERROR: cell.pl:3:17: Syntax error"),
    "no predicate": ("prolog", "sudoko(_).", "there is no sudoku/1, but there is sudoko/1"),
    "unknown in query": ("prolog", "?- sudoko(Rows).", "Unknown procedure: sudoko/1"),
    "thrown": ("prolog", "sudoku(_) :- throw(up).", "the program throws up"),
    "two queries": ("prolog", "?- a.\n?- b.", "a cell has one query"),
    "halt": ("prolog", ":- halt.\nsudoku(_).", "exited with code 0 before finishing"),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", NOT_TAKEN)
def test_what_a_cell_does_not_take(shell, name):
    """Lines count from that of the magic, as notebooks number them; no file of ours is named."""
    magic, cell, said = NOT_TAKEN[name]
    with pytest.raises(CellFailed) as caught:
        shell.magics[magic](SMALL, cell)
    assert said in str(caught.value)
    if magic == "clingo":
        assert str(caught.value).startswith(said)
    assert "cell_query" not in str(caught.value)
    assert "pylogic-sudoku-" not in str(caught.value)


def test_scripts_run_if_allowed(clingo):
    script = """\
#script(python)
import clingo
def size(): return clingo.Number(4)
#end.
{ sudoku(X,Y,N) : N = 1..@size() } = 1 :- X = 1..@size(), Y = 1..@size().
"""
    assert len(clingo(f"{SMALL} --allow-scripts -n 3", script)) == 3


def test_warnings_are_shown_below_the_grid(clingo):
    answers = clingo(PUZZLE, RIGHT + "a :- b.")
    assert strings(answers) == {SOLUTION}
    assert "atom does not occur in any rule head" in answers._repr_html_().split("<pre>")[1]


@pytest.mark.parametrize(
    ("magic", "line", "cell"),
    [("clingo", "." * 81 + " --add -n 0", ""), ("prolog", SMALL, "?- repeat, fail.")],
)
def test_out_of_time(shell, magic, line, cell):
    with pytest.raises(CellFailed, match=r"^no end within 0\.5 s \(-t SECONDS allows more\)"):
        shell.magics[magic](f"{line} -t 0.5", cell)


def test_interrupted(tmp_path):
    done = interrupted(
        """
        from helpers.shells import Shell
        from pylogic_sudoku.cli.magics import CellFailed
        clingo = Shell().magics["clingo"]
        ready("*/results")
        try:
            clingo(EMPTY + " --add -n 0 -t 600", "")
        except CellFailed as failed:
            print(failed)
        print(len(clingo(PUZZLE, "sudoku(1,1,2).")))
        """,
        TMPDIR=str(tmp_path),
        PYTHONPATH=str(Path(__file__).parent),
    )
    assert (done.stdout, done.stderr) == ("interrupted; the program is stopped\n1\n", "")


# --- The puzzle, and the line as a whole ------------------------------------------------------


@pytest.mark.parametrize("puzzle", [TWO, pls.Grid.parse(TWO), pls.Grid.parse(TWO).rows])
def test_puzzle_in_a_variable(shell, clingo, puzzle):
    shell.user_ns["mine"] = puzzle
    assert len(clingo("mine --add -n 0 --store kept", "")) == 2
    assert strings(shell.user_ns["kept"]) == strings(pls.solutions(TWO))
    assert shell.user_ns["kept"][0] in shell.user_ns["kept"][:2]


def test_puzzle_in_a_file(clingo, tmp_path):
    file = tmp_path / "my puzzle.lp"
    file.write_text(pls.Grid.parse(TWO).format("facts"), encoding="utf-8")
    assert len(clingo(f"'{file}' --add -n 0", "")) == 2


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "Missing argument 'PUZZLE'."),
        ("puzle", "there is no variable 'puzle'"),
        ("number", "the puzzle is 7; expected a list of rows"),
        ("two -t 0", "'0' is not a number of seconds"),
        ("two --store 2", "'2' is not a name of a variable"),
        ("two '", "No closing quotation: two '"),
        ("1.2", "PUZZLE: puzzle 1: the line has 3 characters; expected 81"),
    ],
)
def test_lines_that_make_no_sense(shell, clingo, line, said):
    shell.user_ns["number"] = 7
    with pytest.raises(CellFailed) as caught:
        clingo(line, RIGHT)
    assert said in str(caught.value)


def test_help(shell, capsys):
    for name, magic in shell.magics.items():
        assert magic("--help", "") is None
        printed = capsys.readouterr().out
        assert printed.startswith(f"Usage: %%{name} [OPTIONS] PUZZLE")
        assert f"\n  %%{name} puzzle" in printed
        assert "PUZZLE is a variable" in magic.__doc__


# --- %%prolog ---------------------------------------------------------------------------------


def test_whole_program(prolog):
    comment = "/* Ask\n   ?- sudoku(Rows).\n*/\n% ?- sudoku(Rows).\n"  # this is not a query
    assert strings(prolog(f"{SEVERAL} -n 0", comment + PROLOG)) == strings(pls.solutions(SEVERAL))
    assert strings(prolog(f"{PUZZLE} --predicate s", PROLOG.replace("sudoku(", "s("))) == {SOLUTION}


def test_query(prolog):
    query = "?- sudoku(Rows, Shape), nth1(1, Rows, First)."
    found = prolog("six -n 0", query)
    assert strings(found) == strings(pls.solutions(SIX))
    for grid in found:
        assert f"First = {list(grid.rows[0])}".replace(" ", "") in repr(found).replace(" ", "")
    assert "Rows =" not in repr(found)
    assert "Shape =" not in repr(found)


def test_query_of_the_rules_alone(prolog):
    cell = (
        "?- sudoku_rules(Rows), Rows = [[_,A|_],[B|_]|_], print_grid(Rows), C = [A, 'x y'], D = _."
    )
    answers = prolog("4..3......2.....", cell)
    assert str(answers[0]) == "4213..42..2.2.3."
    assert "label/1 is missing" in repr(answers)
    assert repr(answers).splitlines()[-6:] == [
        *("4 2 | 1 3", ". . | 4 2", "----+----", ". . | 2 .", "2 . | 3 ."),
        r"A = 2, B in 1\/3, C = [2,'x y']",
    ]


def test_query_of_clauses_of_the_cell(prolog):
    cell = """\
sudoku(Rows) :- sudoku_rules(Rows), first(Rows, 3), maplist(label, Rows).
first([[_,_,A|_]|_], A).
?- sudoku(Rows)."""
    answers = prolog("two -n 0", cell)
    assert strings(answers) == {"1234341221434321"}
    assert "\n\nA solution.\n" in repr(answers)


def test_what_a_program_prints_is_shown(prolog):
    answers = prolog(SMALL, "sudoku(Rows) :- writeln(seen), Rows = [[4,Once|_]|_].")
    assert repr(answers).endswith("Singleton variables: [Once]\nseen")
    assert "<pre>Warning: cell.pl:2:\n" in answers._repr_html_()
    assert "the program leaves a variable there" in repr(answers)


def test_no_swipl(prolog, monkeypatch, tmp_path):
    monkeypatch.setattr("pylogic_sudoku.running.prolog._spec", lambda: None)
    monkeypatch.setattr("pylogic_sudoku.running.wasm.is_installed", lambda: False)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("SWIPL", "nowhere")
    with pytest.raises(CellFailed, match=r"there is no swipl here\n.*SWI-Prolog"):
        prolog(SMALL, "?- sudoku(Rows).")


# --- In IPython -------------------------------------------------------------------------------


RULES = """\
{ sudoku(X,Y,N) : N = 1..size } = 1 :- X = 1..size, Y = 1..size.
:- initial(X,Y,N), not sudoku(X,Y,N).
#show sudoku/3.
"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("line", ["0 {} -", "{} 0", "- {} 0", "-n 0 {} -", "{} -n 0"])
def test_the_words_of_clingo_itself(clingo, tmp_path, line):
    file = tmp_path / "ex01.lp"
    file.write_text(pls.Grid.parse("12343412214343..").format("facts"))
    assert len(clingo(f"{line.format(file)} -c size=4", RULES)) == 16


def test_words_that_clingo_would_not_take_either(shell):
    for line, said in {"a b": "not a b", "-": "expected one puzzle"}.items():
        with pytest.raises(Exception, match=said):
            shell.magics["clingo"](line, RULES)


@pytest.mark.slow
def test_in_ipython(tmp_path):
    """The real shell: grids as text, errors without a traceback, and the help."""
    session = f"""\
%load_ext pylogic_sudoku
get_ipython().run_cell("%%prolog {SMALL} --store found\\n?- sudoku(Rows).")
get_ipython().run_cell("%%clingo {SMALL}\\na b.")
print(len(found))
get_ipython().run_cell("%%clingo --help")
"""
    file = tmp_path / "session.ipy"
    file.write_text(session, encoding="utf-8")
    folders = {"HOME": str(tmp_path), "IPYTHONDIR": str(tmp_path)}
    command = [sys.executable, "-m", "IPython", "--colors=NoColor", file]
    done = ended(*command, env={**folders, "PATH": "", "LC_ALL": "C.UTF-8"})
    assert done.stderr == ""
    session, begin, printed = done.stdout.partition("Usage: %%clingo [OPTIONS] PUZZLE\n")
    assert begin
    assert "--store NAME" in printed
    lines = session.splitlines()
    assert lines[0].startswith("Out[")
    assert lines[1] == "1 answer; -n 0 finds all."
    assert (lines[3], lines[5]) == ("A solution.", "┃ 4 │ 3 ┃ 1 │ 2 ┃")
    assert lines[-2:] == ["cell.lp:2:3-4: error: syntax error, unexpected <IDENTIFIER>", "1"]


def test_importing_the_package_does_not_import_ipython():
    done = run("import pylogic_sudoku.cli.magics; print('IPython' in sys.modules)")
    assert (done.stdout, done.stderr) == ("False\n", "")


# === The tutorial: it runs from top to bottom, and is kept in the form that a reader gets it in ===

DOCS = Path(__file__).parent.parent / "docs"
TUTORIAL = DOCS / "tutorial.ipynb"
MISTAKE = "raises-exception"
"""The tag of cells that show what an error looks like; Jupyter goes on after them."""

SAID = {
    "as-facts": "initial(1,1,5). initial(1,2,3). initial(1,5,7).",
    "small": "#const box_rows=2.",
    "clingo-guess": "Not a solution",
    "clingo-givens": "Not a solution",
    "clingo-rows": "1296 answers, and there are no others. Here are 6 of them.",
    "clingo-columns": "2 answers, and there are no others.",
    "clingo-boxes": "1 answer, and there are no others.",
    "clingo-any-size": "A solution.",
    "clingo-diagonals": "1 answer, and there are no others.",
    "prolog-program": "1 answer, and there are no others.",
    "prolog-rules": "A in 1\\/3, B in 1\\/3",
    "prolog-diagonals": "A = 4, E = 3, B = 3, F = 4, G = 1, C = 2, H = 2, D = 1",
    "compare-many": "solutions: 3, puzzle: ..3",
    "trace": "solution: 4",
    "grade-mine": "ex001: failure r1c2 and r3c1 both hold 3 (box 1)",
    "mend": "ex001: success",
    "why": "r5c5 is 5",
    "why-not": "r5c5 can be 2",
    "conflicts": "no solution",
    "hint": "r5c5 is 5",
    "steps": "12. ",
    "rate": "easy",
    "queens-compare": "queen(1,2). queen(2,4). queen(3,6). queen(4,1). queen(5,3). queen(6,5).",
    "queens-fault": "the engines disagree; prolog:queens_faulty has queen(1,1). queen(2,2);",
    "queens-refusal": "clingo refuses it: queens.lp:3 excludes it: :- queen(R,C), queen(S,D),",
}
"""Passages that these cells need in the text around them."""

ONE_EACH = "puzzle solution clingo-guess knows differ candidates why conflicts hint picture"
PICTURES = {**dict.fromkeys(ONE_EACH.split(), 1), "clingo-rows": 6, "clingo-columns": 2}


def read() -> NotebookNode:
    return nbformat.read(TUTORIAL, as_version=4)


def tagged(notebook: NotebookNode) -> list[str]:
    return [cell.id for cell in notebook.cells if MISTAKE in cell.metadata.get("tags", [])]


def shown(cell: list[NotebookNode]) -> str:
    """All that a cell prints and shows, each in every form that it has."""
    return "\n".join(
        text for each in cell for text in (each.get("text"), *each.get("data", {}).values()) if text
    )


# One test, as each test may be run by another process, and they would all have to run the cells.
@pytest.mark.slow
def test_it_runs_and_shows_what_its_text_says(tmp_path, monkeypatch):
    for name in ("IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR"):
        monkeypatch.setenv(name, str(tmp_path))
    notebook = read()
    # This raises the error of any cell but a tagged one.
    NotebookClient(notebook, timeout=60, resources={"metadata": {"path": str(tmp_path)}}).execute()
    outputs = {cell.id: cell.outputs for cell in notebook.cells if cell.cell_type == "code"}

    assert tagged(notebook) == ["clingo-mistake"]
    (mistake,) = outputs.pop("clingo-mistake")
    assert mistake.traceback == [mistake.evalue]
    assert mistake.evalue.startswith("cell.lp:3:1-3: error: syntax error, unexpected :-")
    for name, cell in outputs.items():
        assert all(each.get("name") != "stderr" for each in cell), name
        assert all(each.output_type != "error" for each in cell), name

    assert {name: said for name, said in SAID.items() if said not in shown(outputs[name])} == {}
    assert {name: shown(outputs[name]).count("</svg>") for name in PICTURES} == PICTURES
    # What the reader is asked to see in the grid that the grader found wrong.
    pairs = re.findall(r"r(\d)c(\d) and r(\d)c(\d) both", shown(outputs["show-wrong"]))
    assert pairs
    assert all(upper < lower and right > left for upper, right, lower, left in pairs)


def test_what_it_asks_the_reader_to_try():
    small, loose = pls.Grid.parse("4......3...13..."), pls.Grid.parse("4..3......2.....")
    shell = Shell(small=small, loose=loose)
    cells = {cell.id: cell.source.partition("\n")[2] for cell in read().cells}
    # "The cell works with %%clingo small as well."
    assert list(shell.magics["clingo"]("small -n 0", cells["clingo-any-size"])) == [
        pls.solve(small)
    ]
    # "Take out label(Cells). The puzzle is solved all the same. And is that so with loose?"
    bare = cells["prolog-program"].replace("boxes(Rows),\n    label(Cells).", "boxes(Rows).")
    assert bare != cells["prolog-program"]
    assert shell.magics["prolog"]("small", bare)[0] == pls.solve(small)
    assert 0 in shell.magics["prolog"]("loose", bare)[0].digits


def test_it_is_kept_without_outputs():
    """These differ with each run and machine: `jupyter nbconvert --clear-output --inplace`."""
    notebook = read()
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    assert notebook.metadata.kernelspec.name == "python3"
    assert TUTORIAL.stat().st_size < 40_000


# === What notebooks show of other answers: rich text without scripts ==============================

HARD = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
VIEWS = {
    "why": lambda: pls.why(CLASSIC, "r5c5"),
    "not forced": lambda: pls.why(TWO, "r3c3"),
    "why not": lambda: pls.why_not(CLASSIC, "r5c5", 4),
    "a step": lambda: pls.hint(CLASSIC),
    "steps": lambda: pls.steps(SMALL),
    "the same": lambda: pls.compare(CLASSIC),
    "several": lambda: pls.compare(TWO),
    "a search": lambda: pls.trace(HARD),
}


@pytest.mark.parametrize("name", VIEWS)
def test_it_is_rich_text_without_scripts(name):
    shown = VIEWS[name]()
    html = shown._repr_html_()
    assert "<script" not in html
    assert ElementTree.fromstring(f"<div>{html.replace('scope=row', '')}</div>").itertext()
    assert shown._repr_html_() == html or name in ("the same", "several")  # these have times


def test_an_explanation_is_a_picture_with_its_text():
    why = VIEWS["why"]()
    html = why._repr_html_()
    assert why.picture().to_svg() in html
    assert all(line.strip() in html for line in str(why).splitlines())


def test_a_comparison_has_a_line_for_each_engine():
    html = pls.compare(TWO, ("clingo", "prolog"))._repr_html_()
    assert html.count("<tr>") == 2
    assert html.count("2 solutions</td>") == 2
    assert "<svg" not in html
    assert pls.compare(CLASSIC)._repr_html_().count("<svg") == 1


@pytest.mark.parametrize(("limit", "ends"), [(2_000, ""), (5, "; there may be more")])
def test_a_search_is_shown_from_its_start_and_does_not_move(limit, ends):
    search = pls.trace(HARD, "prolog:classic", limit)
    first = next(search)
    html = search._repr_html_()
    events = [first, *search]
    kinds = [event.kind for event in events]
    choices, conflicts = (kinds.count(kind) for kind in ("choice", "conflict"))
    said = f"prolog:classic: {len(events)} events, {choices} choices, {conflicts} conflict"
    assert said in html
    assert html.count("\n") == len(events) - 1
    assert ends in html.partition("</p>")[0]


@pytest.mark.parametrize("ask", [pls.propagate, pls.candidates])
@pytest.mark.parametrize("puzzle", [SMALL, TWO, EMPTY])
def test_candidates_are_drawn_as_pencil_marks(ask, puzzle):
    rows = ask(puzzle)
    grid = pls.Grid.parse(puzzle)
    assert rows == tuple(rows)
    assert hash(rows) == hash(tuple(rows))
    again = pickle.loads(pickle.dumps(rows))
    assert (again, again._repr_svg_()) == (rows, rows._repr_svg_())
    texts = "".join(ElementTree.fromstring(rows._repr_svg_()).itertext())
    number = sum(len(digits) for row in rows for digits in row)
    assert sum(map(str.isdigit, texts)) >= number
    assert grid.size == len(rows)


def test_new_puzzles_are_drawn_and_can_still_be_taken():
    made = pls.generate(8, box=(2, 2), seed=3, distinct=False)
    first = next(made)
    html = made._repr_html_()
    assert (html.count("<svg"), "the seed 3 makes the same again" in html) == (6, True)
    assert html == made._repr_html_()
    assert repr(made) == "<MadePuzzles: seed '3', 1 so far>"
    assert [first, *made] == list(pls.generate(8, box=(2, 2), seed=3, distinct=False))
    assert "<svg" not in made._repr_html_()


def test_why_there_is_no_new_puzzle_is_said_and_raised_in_its_turn():
    made = pls.generate(2, seed=1, box=(2, 2), givens=4, minimal=True, tries=1)
    expected = []
    for puzzles in (pls.generate(2, seed=1, box=(2, 2), givens=4, minimal=True, tries=1), made):
        if puzzles is made:
            assert "full grid" in puzzles._repr_html_() or "<svg" in puzzles._repr_html_()
        found = []
        for _ in range(2):
            try:
                found.append(str(next(puzzles)))
            except pls.NotGenerated as error:
                found.append(str(error))
        expected.append(found)
    assert expected[0] == expected[1]


def test_the_seed_of_a_random_run_makes_its_puzzles_again():
    made = pls.generate(2, box=(2, 2))
    assert list(made) == list(pls.generate(2, box=(2, 2), seed=made.seed))
