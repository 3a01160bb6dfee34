#!/usr/bin/env python3
"""Report which defects of SWI-Prolog, janus and clingo are still there: make host.

Each reproduction below is a function that returns True if a defect that our code works around is
present. Its docstring says what is wrong, and then where the workaround is. If a defect is gone in
every version that we support, the workaround can go, and the reproduction with it. With a name as
its argument this file runs that reproduction alone, and prints `present` or `gone`.

The exit code is 1 if a reproduction says neither, and 0 otherwise.
"""

from __future__ import annotations

import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from pylogic_sudoku.running import wasm  # noqa: E402

WORDS = ("present", "gone")
SECONDS = 120

REPRODUCTIONS: dict[str, Callable[[], bool]] = {}
"""By name."""


def reproduction(function: Callable[[], bool]) -> Callable[[], bool]:
    REPRODUCTIONS[function.__name__] = function
    return function


# --- what they share --------------------------------------------------------------------------


def ended(code: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run a Python process with this code to its end."""
    command, environ = [sys.executable, "-c", code], {**os.environ, **environment}
    return subprocess.run(command, env=environ, capture_output=True, timeout=60)


def ends_badly(code: str, **environment: str) -> bool:
    """True unless it ends with exit code 0."""
    return ended(code, **environment).returncode != 0


def growth(action: Callable[[int], object], times: int) -> float:
    """The kilobytes that the process needs more after it has done this many times more."""
    for number in range(times // 10):
        action(-number - 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for number in range(times):
        action(number)
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    return grown / (1024 if sys.platform == "darwin" else 1)


def in_a_thread(function: Callable[[], object]) -> None:
    thread = threading.Thread(target=function)
    thread.start()
    thread.join()


# --- clingo -----------------------------------------------------------------------------------


@reproduction
def clingo_arithmetic() -> bool:
    """clingo 5 has numbers of 32 bits, divides towards zero and reads -2**2 as (-2)**2; clingo 6
    does not (https://potassco.org/guide/changes), so a program can get other answers from it,
    without an error.

    Workaround: pyproject.toml keeps clingo 6 out.
    """
    import clingo

    control = clingo.Control()
    control.add(r"values(-5/3, -5\3, -2**2, 100000*100000).")
    control.ground()
    (atom,) = control.symbolic_atoms
    return str(atom.symbol) == "values(-1,-2,4,1410065408)"


@reproduction
def clingo_callback_error() -> bool:
    """An exception in a callback for statistics, such as that of a signal, ends the process.

    Workaround: pylogic_sudoku/running/workers.py handles signals after clingo has returned.
    """
    return ends_badly("""
import clingo
def broken(step, accumulated):
    raise KeyboardInterrupt
control = clingo.Control()
control.ground()
try:
    control.solve(on_statistics=broken)
except BaseException:
    pass
""")


@reproduction
def clingo_constant() -> bool:
    """The message about a constant that clingo cannot read may have bytes of clingo's memory.

    Workaround: pylogic_sudoku/check/programs.py reads constants before clingo does.
    """
    said = ended("import clingo; clingo.Control(['--const', 'x='])").stderr
    # The constant ends in line 2, column 2: what follows is not part of it.
    return b"<x=>:2:2-3" in said


@reproduction
def clingo_endless() -> bool:
    """With --trans-ext=choice, clingo takes all memory for a choice that needs its atom's absence.

    Workaround: benchmarks/fuzz/contestants.py leaves the option out.
    """
    return ends_badly("""
import resource
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
import clingo
control = clingo.Control(["--trans-ext=choice"])
control.add("{ a } :- not a.")
control.ground()
control.solve()
""")


@reproduction
def clingo_crash() -> bool:
    """With --configuration=crafty or handy, clingo ends by a segmentation fault on two rules.

    Workaround: pylogic_sudoku/engines/clingo/session.py adds --eq=0, with which it does not.
    """
    return ends_badly("""
import clingo
control = clingo.Control(["--configuration=crafty"])
control.add("a | c | b :- not b, not not b. :- not b, a.")
control.ground()
control.solve()
""")


@reproduction
def clingo_lost_answers() -> bool:
    """With its usual simplifications, clingo may lose or repeat answers of programs with sums.

    Workaround: pylogic_sudoku/engines/clingo/session.py adds --eq=0 if there are rules beyond
    sudoku.
    """

    def answers(*options: str) -> str:
        # A part of a 4x4 puzzle with two cages, as clingo's grounder writes it.
        program = HERE / "lost_answers.aspif"
        command = [sys.executable, "-m", "clingo", "--mode=clasp", "0", "-q", *options, program]
        lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
        return next(line for line in lines if line.startswith("Models"))

    return answers() != answers("--eq=0")


@reproduction
def clingo_lost_without_sums() -> bool:
    """With its usual simplifications, clingo may lose the only answer of a program without sums.

    Workaround: pylogic_sudoku/engines/clingo/session.py adds --eq=0 to every program that is not
    ours.
    """
    import clingo

    def has_an_answer(*options: str) -> bool:
        control = clingo.Control(["--configuration=handy", *options])
        control.add("c :- not d. :- c, not not c. d | b.")
        control.ground()
        return bool(control.solve().satisfiable)

    assert has_an_answer("--eq=0")
    return not has_an_answer()


@reproduction
def clingo_repeated_answers() -> bool:
    """With --eq=0, clingo may give an answer twice, if a sum has the atom that it derives.

    Workaround: pylogic_sudoku/engines/clingo/ground_per_question.py counts distinct answers.
    """
    import clingo

    control = clingo.Control(["0", "--eq=0"])
    control.add("a :- #sum { 1,2 : b; -1,3 : a } = 0. 2 { e; b }.")
    control.ground()
    found: list[str] = []
    control.solve(on_model=lambda model: found.append(str(model)))
    return len(found) > len({*found})


@reproduction
def clingo_unfounded() -> bool:
    """With its usual simplifications, clingo may have an answer whose atoms only derive each other.

    Workaround: pylogic_sudoku/engines/clingo/session.py adds --eq=0 to every program that is not
    ours.
    """
    import clingo

    def answers(*options: str) -> list[str]:
        control = clingo.Control(["0", *options])
        control.add("c :- f, not 1 { not f }. f :- c. f :- e. { e }.")
        control.ground()
        found: list[str] = []
        control.solve(on_model=lambda model: found.append(" ".join(sorted(str(model).split()))))
        return sorted(found)

    assert answers("--eq=0") == ["", "c e f"]
    return answers() == ["", "c e f", "c f"]


# --- SWI-Prolog -------------------------------------------------------------------------------


def has_a_tuple(goal: str) -> bool:
    """True if a goal of library(clpfd) has a solution."""
    import janus_swi

    janus_swi.query_once("use_module(library(clpfd))")  # its operators are needed to read the goal
    return bool(janus_swi.query_once(goal)["truth"])


@reproduction
def clpfd_division() -> bool:
    """A quotient by a negative number loses solutions if its domain has a hole.

    Workaround: prolog/host/loading.pl mirrors the domain of the positive number for foreign
    programs.
    """
    return not has_a_tuple("_A in 0..3, -1 #\\= _A div -2, _A = 0")


@reproduction
def clpfd_posted() -> bool:
    """tuples_in/2 accepts a tuple that is in no row, if another constraint gives a variable its
    value while the tuple is posted.

    Workaround: prolog/rules/shared.pl has a constraint of its own for lockout lines, and
    prolog/host/loading.pl compares the tuples of foreign programs with the rows.
    """
    return has_a_tuple("_A in 0..3, _B in 0..3, _A+_B #= 3, tuples_in([[_A,_B]], [[1,1],[1,3]])")


@reproduction
def clpfd_repeated() -> bool:
    """tuples_in/2 accepts a tuple that is in no row, if a variable is in it twice.

    Workaround: prolog/host/loading.pl compares the tuples of foreign programs with the rows.
    """
    return has_a_tuple("tuples_in([[_A,_A]], [[0,1],[2,0]])")


# --- janus ------------------------------------------------------------------------------------


@reproduction
def janus_apply_once() -> bool:
    """apply_once in a thread that is not attached to Prolog ends the process.

    Workaround: pylogic_sudoku/engines/prolog/__init__.py attaches its threads and calls query_once.
    """
    return ends_badly("""
import threading
import janus_swi
thread = threading.Thread(target=lambda: janus_swi.apply_once("user", "succ", 1))
thread.start()
thread.join()
""")


@reproduction
def janus_fork() -> bool:
    """A forked process has no thread that collects the garbage of Prolog, so its memory only grows,
    and it waits for ever for a lock that this thread had.

    Workaround: pylogic_sudoku/questions/many.py spawns its processes, and an engine refuses to run
    after a fork.
    """
    import janus_swi

    def collects(prefix: str) -> bool:
        """True if many new atoms, which nothing keeps, make Prolog collect some."""
        collections = "statistics(agc, Number)"
        before = janus_swi.query_once(collections)["Number"]
        for part in range(5):
            atoms = f"forall(between(1, 300_000, _N), atom_concat({prefix}{part}_, _N, _))"
            janus_swi.query_once(atoms)
        return janus_swi.query_once(collections)["Number"] > before

    assert collects("parent")  # the thread starts here
    child = os.fork()
    if not child:
        signal.alarm(60)
        os._exit(not collects("child"))
    return os.waitpid(child, 0)[1] != 0


@reproduction
def janus_goal_texts() -> bool:
    """janus keeps every distinct text of a goal for ever.

    Workaround: pylogic_sudoku/engines/prolog/__init__.py has constant goals; data are their inputs.
    """
    import janus_swi

    return growth(lambda number: janus_swi.query_once(f"X = {number}"), 10_000) > 3000


@reproduction
def janus_init() -> bool:
    """Importing janus loads the user's own init.pl, which may change flags or end the process.

    Workaround: pylogic_sudoku/running/prolog.py starts Prolog with options of our own.
    """
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home, "swi-prolog")
        folder.mkdir()
        (folder / "init.pl").write_text(":- format('loaded~n').\n")
        return b"loaded" in ended("import janus_swi", HOME=home, XDG_CONFIG_HOME=home).stdout


@reproduction
def janus_iterators() -> bool:
    """Of two open queries of janus, only the one that was opened last can be asked.

    Workaround: prolog/host/bridge.pl searches with engines of Prolog.
    """
    import janus_swi

    first, second = (janus_swi.query("member(X, [1, 2])") for _ in range(2))
    next(second)
    try:
        return next(first) is None
    except janus_swi.PrologError:
        return True
    finally:
        second.close()
        first.close()


@reproduction
def janus_large_integers() -> bool:
    """A thread that Prolog did not start allows only small integers.

    Workaround: prolog/host/bridge.pl sets the flag max_integer_size before each search.
    """
    import janus_swi

    def attached() -> None:
        janus_swi.attach_engine()
        try:
            janus_swi.query_once("_X is 2**40_000")
        except janus_swi.PrologError:
            failed.append(True)
        janus_swi.detach_engine()

    failed: list[bool] = []
    janus_swi.query_once("_X is 2**40_000")  # the main thread allows it
    in_a_thread(attached)
    return bool(failed)


@reproduction
def janus_locale() -> bool:
    """Importing janus changes the locale of the process, for numbers and times too.

    Workaround: pylogic_sudoku/running/prolog.py sets it back.
    """
    code = """
import locale
before = locale.setlocale(locale.LC_ALL)
import janus_swi
print(locale.setlocale(locale.LC_ALL) == before)
"""
    done = ended(code, LC_ALL="C.UTF-8")
    done.check_returncode()
    return done.stdout.strip() == b"False"


def breaks() -> Iterator[int]:
    """One number, and then an error."""
    yield 1
    raise ValueError("broken")


@reproduction
def janus_lost_error() -> bool:
    """In a program swipl, an error while Python iterates is taken for the end of the answers.

    Workaround: pylogic_sudoku/engines/prolog/swipl.py has asp_solutions ask for its engine first.
    """
    # A swipl without janus does not have the defect.
    goal = f"""
(   exists_source(library(janus))
->  use_module(library(janus)),
    py_add_lib_dir('{HERE}'),
    findall(Number, py_iter(defects:breaks(), Number), Numbers),
    print(Numbers)
;   true
)"""
    beside = Path(sys.executable).with_name("swipl")
    program = shutil.which(beside) or shutil.which(os.environ.get("SWIPL") or "swipl")
    command = [program or "swipl", "-f", "none", "-g", goal, "-t", "halt"]
    return subprocess.run(command, capture_output=True, text=True).stdout == "[1]"


@reproduction
def janus_nested() -> bool:
    """A deeply nested list as an input ends the process.

    Workaround: pylogic_sudoku/engines/prolog/__init__.py passes flat lists of integers.
    """
    return ends_badly("""
import janus_swi
nested = []
for _ in range(200_000):
    nested = [nested]
try:
    janus_swi.query_once("_X = Nested", {"Nested": nested})
except Exception:
    pass
""")


@reproduction
def janus_no_home() -> bool:
    """If the environment names another Prolog's library, importing janus ends the process.

    Workaround: pylogic_sudoku/running/prolog.py gives Prolog the library that belongs to it.
    """
    with tempfile.TemporaryDirectory() as empty:
        code = "try:\n    import janus_swi\nexcept Exception:\n    pass"
        return ends_badly(code, SWI_HOME_DIR=empty)


@reproduction
def janus_pairs() -> bool:
    """A pair that a goal returns is never freed.

    Workaround: prolog/host/bridge.pl answers with integers, lists and texts only.
    """
    import janus_swi

    numbers = {"List": list(range(81))}
    return growth(lambda _: janus_swi.query_once("X = List-List", dict(numbers)), 3000) > 1500


@reproduction
def janus_threads() -> bool:
    """A thread that ends while it is attached to Prolog leaves its engine behind.

    Workaround: pylogic_sudoku/running/workers.py keeps the threads that have called an engine.
    """
    import janus_swi

    count = "aggregate_all(count, thread_property(_, status(_)), Number)"
    before = janus_swi.query_once(count)["Number"]
    for _ in range(5):
        in_a_thread(janus_swi.attach_engine)
    return janus_swi.query_once(count)["Number"] > before


# --- SWI-Prolog as WebAssembly ----------------------------------------------------------------


@reproduction
def wasm_heartbeat() -> bool:
    """library(wasm) has a clause of the hook prolog:heartbeat/0. A second one leaves a choice point
    at each heartbeat, so a search finds its answers several times.

    Workaround: prolog/host/isolate.pl puts one goal in the place of all clauses.
    """
    isolate = wasm.Isolate()
    hook = ":- multifile prolog:heartbeat/0.\nprolog:heartbeat.\n"
    down = "down(0).\ndown(N) :- N > 0, M is N-1, down(M).\n"
    isolate.call("write", {"/hook.pl": f":- use_module(library(wasm)).\n{hook}{down}"})
    beating = "load_files('/hook.pl'), set_prolog_flag(heartbeat, 10_000)"
    answers = "findall(x, down(10_000), Answers), length(Answers, Answer)"
    outcome = isolate.ask(f"{beating}, {answers}", {})
    isolate.end()
    return outcome["answer"] != 1


# A module of WebAssembly that exports a loop, f.
_LOOP = """\
new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 6, 1, 96, 1, 127, 1, 127, 3, 2, 1, 0, 7, 5, 1, 1, 102, 0, 0,
  10, 27, 1, 25, 1, 1, 127, 3, 64, 32, 1, 32, 0, 106, 33, 1, 32, 0, 65, 1, 107, 34, 0, 13, 0, 11,
  32, 1, 11))).exports.f"""


@reproduction
def wasm_single_threaded() -> bool:
    """mini-racer starts V8 with --single-threaded, and then V8 never optimizes WebAssembly.

    Workaround: pylogic_sudoku/running/isolate.py starts V8 without the flag.
    """
    import inspect

    from py_mini_racer import MiniRacer, init_mini_racer

    usual = inspect.signature(init_mini_racer).parameters["flags"].default
    init_mini_racer(flags=(*usual, "--allow-natives-syntax"))
    run = "for (let times = 0; times < 3000; times++) loop(10_000);"
    first_code = MiniRacer().eval(f"const loop = {_LOOP}; {run} %IsLiftoffFunction(loop)")
    return "--single-threaded" in usual and bool(first_code)


# --- the report -------------------------------------------------------------------------------


def about(name: str) -> tuple[str, str]:
    """The defect in words, and the place of the workaround."""
    wrong, _, where = (REPRODUCTIONS[name].__doc__ or "").partition("Workaround: ")
    return " ".join(wrong.split()), " ".join(where.split())


def result(*command: object) -> str:
    """`present`, `gone`, or what Python says instead when it runs this."""
    try:
        done = subprocess.run(
            [sys.executable, *command],
            env={**os.environ, **prolog()},
            capture_output=True,
            text=True,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return f"unclear: it took over {SECONDS} seconds"
    lines = done.stdout.split("\n")[-2:-1]
    if done.returncode == 0 and lines and lines[0] in WORDS:
        return lines[0]
    return f"unclear: exit code {done.returncode}\n{done.stdout}{done.stderr}".rstrip()


def prolog() -> dict[str, str]:
    """The environment in which `import janus_swi` finds the Prolog inside the package, if any."""
    from pylogic_sudoku.running.prolog import INSIDE, home

    inside = home()
    if inside is None:
        return {}
    path = os.pathsep.join([str(INSIDE), *filter(None, [os.environ.get("PYTHONPATH")])])
    return {"PYTHONPATH": path, "SWI_HOME_DIR": str(inside)}


def is_possible(name: str) -> bool:
    """False for a defect of what is not installed."""
    return not name.startswith("wasm_") or wasm.is_installed()


def main() -> int:
    with ThreadPoolExecutor(2) as pool:
        names = [name for name in REPRODUCTIONS if is_possible(name)]
        results = list(pool.map(lambda name: result(__file__, name), names))
    for name in [name for name in REPRODUCTIONS if name not in names]:
        print(f"skipped  {name}: no SWI-Prolog as WebAssembly is here")
    for name, said in zip(names, results, strict=True):
        wrong, where = about(name)
        print(f"{said:8} {name}: {wrong}")
        if said == "gone":
            print(f"         The workaround may go: {where}")
    counts = ", ".join(f"{results.count(word)} {word}" for word in WORDS)
    unclear = sum(said not in WORDS for said in results)
    print(f"{counts}, {unclear} unclear")
    return 1 if unclear else 0


if __name__ == "__main__":
    if names := sys.argv[1:]:
        print(*(WORDS[not REPRODUCTIONS[name]()] for name in names), sep="\n")
    else:
        sys.exit(main())
