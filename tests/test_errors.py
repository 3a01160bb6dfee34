"""Errors: what is wrong is named, where it is, and what would be right."""

from __future__ import annotations

import copy
import pickle
import pkgutil
import re
import signal
import traceback
from importlib import import_module
from pathlib import Path

import clingo
import pytest
from helpers.certificates import ESCARGOT, write
from helpers.command_line import FOUR
from helpers.fakes import without_prolog
from helpers.processes import run
from helpers.programs import WASM
from helpers.puzzles import CLASSIC, EMPTY, IMPOSSIBLE, PRINTED, SEVERAL, SMALL

import pylogic_sudoku as pls
from pylogic_sudoku import cli
from pylogic_sudoku.engines.sudoku import ground_once, rulebook
from pylogic_sudoku.engines.sudoku.clingo import ClingoBackend
from pylogic_sudoku.puzzle.cells import OpenShape, square_box
from pylogic_sudoku.running.workers import Budget, defer_signals, shelf
from pylogic_sudoku.techniques import position

ENGINES = ", ".join(["clingo", "prolog", "sat", *WASM])
PUZZLE = next(iter(PRINTED))
ARGUMENTS = {
    pls.BackendUnavailable: ("why", "fix"),
    pls.SolveTimeout: ("clingo", 1.5),
    pls.Disagreement: (pls.Grid.parse(SEVERAL), {"clingo": 1, "prolog": None}),
}
"""Arguments of the errors that take more than a text."""


def error_types() -> list[type[pls.SudokuError]]:
    """The whole tree, also what stands in modules that few programs import."""
    for module in pkgutil.walk_packages(pls.__path__, "pylogic_sudoku."):
        if not module.name.endswith("__main__"):
            import_module(module.name)
    found = [pls.SudokuError]
    for kind in found:
        found += kind.__subclasses__()
    return [kind for kind in found if kind.__module__.startswith("pylogic_sudoku")]


def sample(kind: type[pls.SudokuError]) -> pls.SudokuError:
    error = kind(*ARGUMENTS.get(kind, ("what is wrong",)))
    error.index = 7
    error.add_note("a note")
    return error


def raised_in_a_callback_of_clingo(error: Exception) -> Exception:
    def fail(_model):
        raise error

    control = clingo.Control()
    control.add("base", [], "a.")
    control.ground()
    with pytest.raises(type(error)) as caught:
        control.solve(on_model=fail)
    return caught.value


CARRIERS = {
    "pickle": lambda error: pickle.loads(pickle.dumps(error)),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "type(error)(error)": lambda error: type(error)(error),
    "a callback of clingo": raised_in_a_callback_of_clingo,
}


@pytest.mark.parametrize("carry", CARRIERS.values(), ids=CARRIERS)
@pytest.mark.parametrize("kind", error_types(), ids=lambda kind: kind.__name__)
def test_an_error_keeps_its_text_and_its_attributes(kind, carry):
    error = sample(kind)
    again = carry(error)
    assert type(again) is kind
    assert (str(again), again.args, vars(again)) == (str(error), error.args, vars(error))
    assert again.index == 7


def test_the_attributes_are_the_arguments():
    unavailable, timeout, disagreement = map(sample, ARGUMENTS)
    assert (unavailable.why, unavailable.fix) == ("why", "fix")
    assert (timeout.backend, timeout.seconds) == ("clingo", 1.5)
    assert (timeout.errno, timeout.strerror) == (None, None)
    assert disagreement.puzzle == pls.Grid.parse(SEVERAL)
    assert disagreement.answers == {"clingo": 1, "prolog": None}


@pytest.mark.parametrize("kind", error_types(), ids=lambda kind: kind.__name__)
def test_a_traceback_ends_with_the_text_of_the_error(kind):
    error = sample(kind)
    text = "".join(traceback.format_exception(error))
    assert text.endswith(f"{kind.__module__}.{kind.__qualname__}: {error}\na note\n")


def test_an_error_made_of_another_type_of_error_is_a_new_one():
    inner = pls.InvalidPuzzle("inner")
    assert pls.NoSolution(inner).args == (inner,)
    assert pls.InvalidPuzzle(pls.NoSolution("inner")).args != ()


# --- signals while clingo searches in the caller's thread --------------------------------


@pytest.fixture
def alarmed():
    """A handler of SIGALRM that raises, as those of many time limits do."""

    def out_of_time(_number, _frame):
        raise pls.SolveTimeout("the test", 1.5)

    before = signal.signal(signal.SIGALRM, out_of_time)
    yield out_of_time
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "callback", ["on_finish", "on_statistics", "on_model"], ids=lambda name: name[3:]
)
def test_a_signal_within_a_callback_of_clingo_counts_after_the_search(
    monkeypatch, alarmed, callback
):
    """Raised at once, the error would change its type on its way, or end the process."""
    handler = clingo.control._SolveEventHandler
    real = getattr(handler, callback)
    done = []

    def interrupted(self, *arguments):
        signal.raise_signal(signal.SIGALRM)
        done.append(callback)
        return real(self, *arguments)

    pls.count(PUZZLE)  # grounds
    monkeypatch.setattr(handler, callback, interrupted)
    with pytest.raises(pls.SolveTimeout, match=r"the test gave no answer within 1\.5 s"):
        pls.count(PUZZLE)
    assert done
    assert signal.getsignal(signal.SIGALRM) is alarmed
    monkeypatch.undo()
    assert pls.count(PUZZLE) == 1


def test_every_signal_counts_even_if_the_handler_of_another_raises():
    handled = []

    def handler(number, _frame):
        handled.append(number)
        raise KeyError(number)

    both = (signal.SIGALRM, signal.SIGUSR1)
    before = [signal.signal(number, handler) for number in both]
    try:
        with pytest.raises(KeyError):
            defer_signals(lambda: [signal.raise_signal(number) for number in both])
        assert handled == [*both]
        assert [signal.getsignal(number) for number in both] == [handler, handler]
    finally:
        for number, old in zip(both, before, strict=True):
            signal.signal(number, old)


# --- one error, once ---------------------------------------------------------------------


def test_an_engine_that_is_not_here_is_reported_once(tmp_path):
    """Closing the search does not ask the missing engine again."""
    ended = run(
        """
        import traceback
        for ask in (pls.solve, pls.count, pls.candidates, lambda *a: list(pls.solutions(*a))):
            for _ in range(2):
                try:
                    ask(PUZZLE, "prolog")
                except pls.BackendUnavailable:
                    print(traceback.format_exc().count("BackendUnavailable: "))
        """,
        **without_prolog(tmp_path),
    )
    assert (ended.stdout, ended.stderr) == ("1\n" * 8, "")


def test_a_search_that_broke_says_so_and_not_that_it_cannot_be_closed(monkeypatch):
    def broken(*_):
        raise RuntimeError("broken")

    for found in (pls.solutions(EMPTY, ClingoBackend()), pls.why_not(PUZZLE, "r1c2", 4).all()):
        next(found)
        monkeypatch.setattr(clingo.SolveHandle, "resume", broken)
        monkeypatch.setattr(clingo.SolveHandle, "__exit__", broken)
        with pytest.raises(pls.BackendFailure, match="clingo: broken") as caught:
            list(found)
        monkeypatch.undo()
        # The cause is clingo's own error, for a bug report; that of closing is not in between.
        assert isinstance(caught.value.__cause__, RuntimeError)
        assert caught.value.__cause__.__context__ is None
    assert pls.count("." * 16) == 288


def test_a_thread_that_cannot_start_is_a_failure_of_the_engine(monkeypatch, own_engine):
    def refused(_thread):
        raise RuntimeError("can't start new thread")

    from pylogic_sudoku.engines.prolog import search
    from pylogic_sudoku.engines.sudoku.clingo import ClingoBackend
    from pylogic_sudoku.engines.sudoku.sat import SatBackend
    from pylogic_sudoku.running.workers import Workers

    monkeypatch.setattr(search, "workers", Workers("test"))
    for owner in (ClingoBackend, SatBackend):
        monkeypatch.setattr(owner, "_workers", Workers("test"))
    monkeypatch.setattr("threading.Thread.start", refused)
    with pytest.raises(pls.BackendFailure, match="can't start new thread"):
        pls.count(EMPTY, own_engine)
    with pytest.raises(pls.BackendFailure, match="can't start new thread"):
        next(pls.solutions(EMPTY, own_engine))


# --- every call into clingo --------------------------------------------------------------

TINY = pls.Grid.parse("4......3...13...")
DEMANDS = [("house", house.kind, house.number) for house in TINY.houses]


def position_of(grid: pls.Grid):
    from pylogic_sudoku.rules.demands import every_placement

    return position.Position(grid, every_placement(grid.size), Budget("clingo", None))


def hit(_engine: ClingoBackend) -> None:
    with rulebook.demand_solver(TINY.layout, Budget("clingo", None)) as solver:
        hitting_sets = solver.hitting_sets([1, 2, 3])
        hitting_sets.hit([1, 2])
        hitting_sets.spare([1, 3])
        hitting_sets.smallest()
        hitting_sets.large()


def satisfy(_engine: ClingoBackend) -> None:
    with rulebook.demand_solver(TINY.layout, Budget("clingo", None)) as solver:
        demands = solver.literals(DEMANDS)
        solver.run(lambda: solver.satisfied_soon(demands, demands))


def tell_apart(engine: ClingoBackend) -> None:
    grids = list(engine.solutions(TINY.without("r1c1")))
    rulebook.tell_apart(grids, Budget("clingo", None))


QUESTIONS = {
    "solve": lambda engine: engine.solve(TINY),
    "solutions": lambda engine: list(engine.solutions(TINY)),
    "count": lambda engine: engine.count(TINY),
    "candidates": lambda engine: engine.candidates(TINY),
    "candidate_counts": lambda engine: engine.candidate_counts(TINY),
    "consistent": lambda engine: engine.consistent(TINY.layout, [*DEMANDS, *TINY.givens]),
    "inconsistent": lambda engine: engine.consistent(
        TINY.layout, [*DEMANDS, *TINY.givens, (1, 2, 4)]
    ),
    "satisfy": satisfy,
    "hit": hit,
    "why not": lambda engine: list(engine.removals(TINY, (1, 1, 2))),
    "tell apart": tell_apart,
    "steps at once": lambda _: position_of(TINY).at_once(),
    "steps": lambda _: position_of(TINY).by("als_xz"),
    "minimal set": lambda _: position_of(TINY).solver().unsat_core([]),
}

CALLS = {
    "Control": ("__init__", "add", "ground", "solve", "backend", "symbolic_atoms", "statistics"),
    "SolveHandle": ("model", "resume", "get", "core", "last"),
    "Model": ("symbols", "is_true"),
    "Backend": ("__enter__", "add_atom", "add_rule", "add_minimize"),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("broken", [RuntimeError("broken"), MemoryError("std::bad_alloc")], ids=str)
@pytest.mark.parametrize(
    ("kind", "call"), [(kind, call) for kind, calls in CALLS.items() for call in calls]
)
def test_every_error_of_clingo_is_a_failure_of_the_engine(monkeypatch, kind, call, broken):
    """Whichever call it is, and whichever question makes it; questions answered without it pass."""
    reached: list[str] = []
    questions: list[str] = []

    def fail(*_arguments, **_named):
        reached.append(call)
        raise broken

    owner = getattr(clingo.backend if kind == "Backend" else clingo, kind)
    instead = property(fail) if isinstance(getattr(owner, call), property) else fail
    for name, ask in QUESTIONS.items():
        reached.clear()
        with monkeypatch.context() as patched:
            patched.setattr(owner, call, instead)
            patched.setattr(rulebook, "_idle", shelf(list, 2))
            failure = None
            try:
                ask(ClingoBackend())
            except pls.BackendFailure as error:
                failure = str(error)
        assert failure == (f"clingo: {broken}" if reached else None), name
        questions += [name] if reached else []
    assert questions, "no question makes this call"
    assert pls.count("." * 16) == 288


@pytest.mark.parametrize("ask", QUESTIONS.values(), ids=QUESTIONS)
def test_a_broken_encoding_is_a_failure_of_the_engine(monkeypatch, capfd, ask):
    for module in (ground_once, rulebook, position):
        monkeypatch.setattr(module, "encoding", lambda *_names, **_more: "a(")
    monkeypatch.setattr(rulebook, "_idle", shelf(list, 2))
    with pytest.raises(pls.BackendFailure, match=r"clingo: .*syntax error|clingo: parsing failed"):
        ask(ClingoBackend())
    assert capfd.readouterr().err == ""


# === Common mistakes at the command line, and the messages about them =============================

# Every row is a command, run in a folder with the files of `files`. It prints nothing, says the
# words on standard error, ends with the exit code, and leaves all files as they were.

ZEROS = "0.0.2.3.4.5.6.7." + "." * 240
NONE = "1.....1....2.21."
"""No solution, though no two givens clash."""
OPEN = "1" + "." * 35
"""Boxes of several shapes are possible."""
NO_FILE = "there is no such file, and as a puzzle it cannot be read:"


@pytest.fixture(scope="module")
def files(tmp_path_factory) -> Path:
    """One of each kind of file that people give by mistake."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "empty.txt").touch()
    (folder / "four.txt").write_text(f"{FOUR}\n")
    (folder / "four.drat").write_text(f"{FOUR}\n")
    (folder / "utf16.txt").write_bytes(f"{EMPTY}\n".encode("utf-16"))
    (folder / "broken.json").write_text('{"grid": [[1, 2')
    (folder / "other.json").write_text('{"name": "a puzzle"}')
    (folder / "fine.lp").write_text("sudoku(1,1,1).")
    (folder / "fine.pl").write_text("sudoku(_).")
    write(pls.certify(ESCARGOT), folder / "proof.json")
    (folder / "full.svg").symlink_to("/dev/full")
    for name in ("nothing", "folder.svg", "mine/instances", "ours/solutions"):
        (folder / name).mkdir(parents=True)
    (folder / "mine/instances/mine.lp").write_text("mine")
    (folder / "ours/solutions/ex001.json").write_text("ours")
    (folder / "instances").mkdir()
    (folder / "instances" / "one.lp").write_text("initial(1,1,1). #const dim=2.")
    return folder


@pytest.mark.parametrize("wrapped", [False, True])
def test_the_command_names_its_own_option_whatever_the_words_of_the_error(wrapped):
    error = OpenShape("choose, say, by one, by two, or by three; or wait")
    error.ways, error.option = "by one, by two, or by three", "three"
    place = "a.txt, line 3: " if wrapped else ""
    with pytest.raises(pls.InvalidPuzzle) as raised:  # noqa: PT012
        try:
            raise error
        except OpenShape:
            if wrapped:
                raise pls.InvalidPuzzle(f"{place}{error}") from None
            raise
    assert cli.message_of(raised.value) == f"{place}choose, say, three; or wait"
    assert cli.message_of(pls.InvalidPuzzle("by one")) == "by one"
    with pytest.raises(OpenShape) as found:
        square_box(6)
    assert str(found.value).endswith(found.value.ways)
    assert found.value.ways.endswith(found.value.option)


TABLE = [
    # The puzzle
    ("solve", 2, "Missing argument 'PUZZLE...'"),
    ("solve nothing", 2, "nothing: cannot be read: Is a directory"),
    ("solve empty.txt", 2, "empty.txt: the text is empty; expected a puzzle"),
    ("solve utf16.txt", 2, "save it as UTF-8"),
    ("solve broken.json", 2, "broken.json, line 1: this is not JSON"),
    ("solve other.json", 2, 'expected a key "grid" in the JSON object'),
    (f"solve {ZEROS}", 2, "write all empty cells alike, and the digits as 1 to G"),
    (f"solve --from numbers {FOUR}", 2, "'numbers' is not one of 'line', 'rows'"),
    # The box
    (f"solve {OPEN}", 2, "open: choose 1x6, 2x3, 3x2 or 6x1, for example --box 2x3\n"),
    (f"program prolog --open {OPEN}", 2, "for example --box 2x3\n"),
    (f"solve --box 2,3 {OPEN}", 2, "'2,3' is not a box shape; expected rows x columns, such as"),
    (f"solve --box 6x7 {OPEN}", 2, "a 6x7 box is not possible: rows x columns must be 1 to 36"),
    (f"solve --box={10**24}x2 {OPEN}", 2, f"a {10**24}x2 box is not possible"),
    # What is neither a puzzle nor a file
    (["solve", f"{FOUR}\n{FOUR}\n"], 2, "several puzzles; expected one"),
    ("solve puzzles", 2, f"puzzles: {NO_FILE} the table"),
    ("solve 17-clue", 2, f"17-clue: {NO_FILE} the line"),
    ("solve README.md", 2, f"README.md: {NO_FILE} "),
    ("solve a/b", 2, "a/b: there is no such file\n"),
    (["solve", " "], 2, "puzzle 1: the text is empty; expected a puzzle\n"),
    ("solve https://f-puzzles.com/?load=N4Ig", 2, "only links with the puzzle in them"),
    # The options
    (f"solve -b gurobi {FOUR}", 2, f"not one of {ENGINES}, all"),
    (f"solve --stats -n 2 {FOUR}", 2, "--stats is about one solution"),
    (f"compare -b clingo -b clingo {FOUR}", 2, "-b clingo needs another -b to be compared with\n"),
    (f"solve -n=2 {FOUR}", 2, "'=2' is not a whole number"),
    (f"solv {FOUR}", 2, "No such command 'solv'. Did you mean 'solve'?"),
    # No answer
    (f"solve {IMPOSSIBLE}", 1, "no solution"),
    (f"count -t 0.2 {EMPTY}", 4, "at least"),
    # Certificates
    (f"certify -o a.cnf {SMALL} {SMALL}", 2, "-f cnf takes one puzzle, but there are several"),
    (f"certify -f prolog {SMALL} {SMALL}", 2, "-f prolog takes one puzzle, but there are several"),
    (f"certify -o nowhere/a.json {SMALL}", 2, "nowhere/a.json: No such file or directory"),
    (f"certify -b python {SMALL}", 2, "'python' is not one of clingo, prolog"),
    (f"certify -b sat {SMALL}", 3, "the sat engine cannot prove its answers\nChoose clingo."),
    (f"certify -t 0.000001 {CLASSIC}", 4, "puzzle 1: clingo gave no answer within 1e-06 s"),
    ("certify check b.json", 2, "b.json: there is no such file"),
    ("certify check proofs", 2, "proofs: there is no such file, and"),
    ("certify check empty.txt", 2, "empty.txt: the text is empty"),
    ("certify check .", 2, ".: cannot be read: Is a directory"),
    ("certify check -b clingo proof.json", 3, "the clingo engine cannot check certificates"),
    ("certify check -t 0.000001 proof.json", 4, "Python gave no answer within 1e-06 s"),
    # Explanations
    (f"explain why r9c9 {FOUR}", 2, " cell of a 4x4 grid; expected r1c1 to r4c4\n"),
    (f"explain why-not r1c2 x {FOUR}", 2, "'x' is not a whole number from 1"),
    (f"explain steps {NONE}", 1, "ask for its conflicts"),
    (f"explain ambiguity {NONE}", 1, "ask for its conflicts"),
    (f"explain redundant {NONE}", 1, "nothing is redundant; ask for its conflicts"),
    (f"explain rate {'.' * 16}", 2, "several solutions, so it has no rating; ask for its ambig"),
    ("explain rate 11..............", 1, "no solution"),
    (f"explain why {SMALL} r1c1", 2, f"'{SMALL}' is not a cell, such as r3c2; it comes before the"),
    (f"explain why-not r1c2 9 {SMALL}", 2, "9 is not a digit of this puzzle; expected 1 to 4"),
    (f"explain steps -o steps.svg {SMALL}", 2, "use -o FILE.html"),
    (f"explain rate -o rate.svg {SMALL}", 2, "no picture; use -f text or json"),
    (f"explain hint -o hint.gif {SMALL}", 2, "should end in one of .svg"),
    (f"explain why r1c2 {NONE}", 1, "no solution, so nothing follows from it"),
    (f"explain why r1c3 --smallest -t 0.000001 {CLASSIC}", 4, "no answer within"),
    ("explain foo", 2, "foo: there is no such file, and as a puzzle it cannot be read: "),
    (f"explain graph sudoku(9,9,9) {SMALL}", 2, "expected atoms such as sudoku(3,2,1), up to 4"),
    # Pictures
    (f"show -o x.gif {FOUR}", 2, "'x.gif' should end in one of .svg, .png, .pdf, .html, .txt"),
    (f"show --solution none.txt {FOUR}", 2, "none.txt: there is no such file"),
    (f"show --solve -b all {FOUR}", 2, "'all' is not one of clingo, prolog"),
    ("show none.txt", 2, "none.txt: there is no such file"),
    # The grader
    ("check -e fine.lp -i instances -s instances", 2, "instances: there are no solutions"),
    *(
        (f"check -e fine.lp -i instances -c {text}", 2, "Invalid value for '-c' / '--const': ")
        for text in ("foo", "x=\u00e9")
    ),
    *(
        (f"check {given}", 2, "Error: expected -e ENCODING, and either -i INSTANCES, perhaps with")
        for given in ("", "-e fine.lp", "-e fine.lp fine.lp fine.pl")
    ),
    ("check -e fine.lp -i . four.txt", 2, "Invalid value for -i: there is no instance 'four.txt'"),
    ("check -e no.lp -i instances", 2, "'no.lp' does not exist"),
    ("check -e no*.lp four.txt", 2, "'no*.lp' does not exist, or has no programs"),
    ("check -e fine.lp -i no", 2, "'no' does not exist"),
    ("check -e fine.lp -i instances -s no", 2, "'no' does not exist"),
    ("check -e fine.lp -i instances --against x", 2, "'x' is not one of clingo"),
    ("check -e fine.lp -i instances -t 0", 2, "is not a number of seconds"),
    ("check -e fine.lp -i instances --vocabulary A,b", 2, "'A' is not a name of an atom"),
    ("check -e fine.pl -i instances --predicate A", 2, "is not a name of a predicate"),
    ("check -e . --report x=y four.txt", 2, "expected FORMAT=FILE, and a FORMAT of"),
    ("check -e . --report html four.txt", 2, "expected FORMAT=FILE"),
    ("check -e . --report gradescope=a.json four.txt", 2, "is for one program; {} in"),
    ("check -e fine.lp -i nothing", 2, "nothing: there are no instances; expected files *.lp"),
    ("check -e fine.lp nothere.txt", 2, "nothere.txt: there is no such file"),
    (f"check -e fine.lp {OPEN}", 2, "open: choose 1x6, 2x3, 3x2 or 6x1, for example --box 2x3\n"),
    # Exercises
    ("exercise solutions new", 2, "Missing argument 'PUZZLE...'"),
    ("exercise new new --vocabulary A,b", 2, "'A' is not a name of an atom"),
    ("exercise solutions mine 1", 2, "mine/instances already holds *.lp files; give a new folder"),
    ("exercise solutions ours 1", 2, "ours/solutions already holds *.json files; give a new"),
    # Files to write
    *(
        (f"{command} {target} {'9' * 81}", 2, words)
        for command in ("show -o", "explain -o", "compare --json")
        for target, words in {
            "folder.svg": "File 'folder.svg' is a directory.",
            "none/x.svg": "Error: none/x.svg: No such file or directory",
            "fine.lp/x.svg": "Error: fine.lp/x.svg: Not a directory",
            "x" * 300 + ".svg": ".svg: File name too long",
        }.items()
    ),
    *(
        (f"{command} -o full.svg {FOUR}", 6, "Error: full.svg: No space left on device\n")
        for command in ("solve -f line", "show", "explain why r1c2")
    ),
    ("count -o four.txt four.txt", 2, "four.txt is read as input; give the output another"),
    ("certify -o four.cnf four.drat", 2, "four.drat is read as input; give the output another"),
    ("compare --json x -o x four.txt", 2, "x is given twice; give the output another name"),
    (f"explain why r1c2 -o x.html {FOUR} {FOUR}", 2, "Error: -o takes one puzzle, but there are"),
    # The rest
    ("rules sandwhich", 2, "Error: no rule 'sandwhich' here; did you mean 'sandwich'?\n"),
    ("serve --host nowhere.invalid", 2, "cannot listen at nowhere.invalid, port 8000"),
    (f"solve --tim {FOUR}", 2, "--help' for help."),
    ("programs prolog", 2, "Got unexpected extra argument (prolog)"),
    ("nothing-like-it", 2, "No such command 'nothing-like-it'."),
    ("program asp --open", 2, "--open goes with prolog"),
    (f"program clingo:pairwise {FOUR}", 2, "PUZZLE goes with asp and prolog"),
]


@pytest.mark.parametrize(("typed", "code", "words"), TABLE)
def test_wrong_input(files, command, monkeypatch, typed, code, words):
    monkeypatch.chdir(files)
    before = contents(files)
    ended, output, errors = command(*(typed.split() if isinstance(typed, str) else typed))
    assert (ended, output) == (code, "")
    assert words in errors
    assert "Traceback" not in errors
    # The advice is in the words of the command line, not in those of Python.
    assert not re.search(r"\w\(\)|\w=\(|\bNone\b|\bpair\b|sequence|frozenset", errors)
    assert contents(files) == before


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
