"""Print how long plain engines and this package take for the same, and the ratios.

    python -m benchmarks.road
    python -m benchmarks.road --write road.json count
    python -m benchmarks.road --expect road.json count

A row is a question about one program and one instance, which all read from the same files. A plain
engine says itself how long it took, so its start does not count; ours is asked something small
before. They take turns, and each turn has processes of its own. A figure is the median of the
turns: seconds, or for memory the megabytes of the largest process.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from shutil import which
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from types import MappingProxyType
from typing import Any, NamedTuple

import pylogic_sudoku as pls
from pylogic_sudoku.engines.clingo.session import EXACT
from pylogic_sudoku.running._limited import descendants

TURNS = 5
LONGEST = 60.0
"""Seconds after which a question is given up."""
SLACK = 1.3
"""A figure got worse if it is more than this times what was accepted: machines are busy."""
LEAST = 0.02
"""Seconds that a plain engine is taken to need at least; less is noise."""

Texts = Mapping[str, str]
"""The files of a problem, by their names in its folder."""


def _facts(number: int, fact: Callable[[int], str]) -> str:
    return "".join(f"{fact(each)}.\n" for each in range(number))


BITS: Texts = {
    "bits.lp": "#defined size/1.\n{ bit(I,0..1) } = 1 :- size(N), I = 1..N.\n#show bit/2.\n",
    "bits.pl": """:- use_module(library(clpfd)).
model(Pairs) :- size(N), numlist(1, N, Is), maplist([I,bit(I)-B]>>(B in 0..1), Is, Pairs).
""",
    "instances/1.lp": "size(1).\n",
    "instances/16.lp": "size(16).\n",
}
HIDDEN: Texts = {
    "hidden.lp": """#defined size/1.
{ chosen(1..8) }.
hidden(I,X) :- chosen(I), size(N), X = 1..N.
hidden(0,X) :- size(N), X = 1..N.
#show chosen/1.
""",
    "instances/1.lp": "size(1).\n",
    "instances/5000.lp": "size(5000).\n",
}
TERMS: Texts = {  # the answer is named beside what is shown
    "terms.lp": f"{HIDDEN['hidden.lp']}#show seen(X) : chosen(X).\n",
    "problem.toml": 'output = ["chosen/1"]\n',
    **{name: text for name, text in HIDDEN.items() if name.startswith("instances/")},
}
GRAPH: Texts = {
    "graph.lp": "#defined edge/2.\nedges(N) :- N = #count { X,Y : edge(X,Y) }.\n#show edges/1.\n",
    "graph.pl": "answer([edges(N)]) :- aggregate_all(count, edge(_,_), N).\n",
    "problem.toml": 'input = ["edge/2"]\n',
    "instances/1.lp": "edge(1,1).\n",
    "instances/100000.lp": _facts(100_000, lambda n: f"edge({n // 300},{n % 300})"),
    "instances/texts.lp": _facts(100_000, lambda n: f'edge({n},"n{n}")'),
}
_APART = """answer(Atoms) :-
    size(N), numlist(1, N, Is), permutation(Is, Vs), apart(Vs),
    findall(at(I,V), nth1(I, Vs, V), Atoms).
apart([_]).
apart([X,Y|Ys]) :- abs(X-Y) =\\= 1, apart([Y|Ys]).
"""
APART: Texts = {  # no neighbours differ by 1: 5,242 permutations of 8 numbers, 47,622 of 9
    "apart.lp": """#defined size/1.
{ at(I,1..N) } = 1 :- size(N), I = 1..N.
:- size(N), V = 1..N, { at(_,V) } != 1.
:- at(I,V), at(I+1,W), |V-W| = 1.
#show at/2.
""",
    "apart.pl": _APART,
    "apart_other.pl": _APART.replace("at(I,V)", "at(I,W)").replace(
        "nth1(I, Vs, V)", "(nth1(I, Vs, V), W is V + N)"
    ),
    "instances/4.lp": "size(4).\n",
    "instances/8.lp": "size(8).\n",
    "instances/9.lp": "size(9).\n",
}
PROBLEMS: Mapping[str, Texts] = MappingProxyType(
    {"bits": BITS, "hidden": HIDDEN, "terms": TERMS, "graph": GRAPH, "apart": APART}
)
"""All but those that are bundled."""


class Figures(NamedTuple):
    """Figures of one turn."""

    seconds: float
    megabytes: float
    found: int
    """The number of answers or atoms; plain and ours must have the same."""


class Row(NamedTuple):
    """One question, with the instance that it is about and a small one."""

    problem: str
    instance: str
    small: str
    plain: Callable[[Path, Path], tuple[float, int]]
    """Takes the folder of the problem and the file of the instance; the seconds, and the number."""
    ours: Callable[[pls.Problem, Path], int]
    bound: float
    """The ratio of the seconds that is the aim."""


# --- the plain engines ---


def _output(*command: object) -> str:
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, check=False)
    return done.stdout + done.stderr


def plain_clingo(*options: str) -> Callable[[Path, Path], tuple[float, int]]:
    """Return a function that runs clingo's own program, and reads the time that it prints.

    Where most of that is the search for many answers, it has to be as exact as ours.
    """

    def ask(folder: Path, instance: Path) -> tuple[float, int]:
        program = folder / f"{folder.name}.lp"
        text = _output(sys.executable, "-m", "clingo", "-q", "-n0", *options, program, instance)
        seconds = re.search(r"^Time +: ([\d.]+)s", text, re.MULTILINE)
        models = re.search(r"^Models +: (\d+)", text, re.MULTILINE)
        if not seconds or not models:
            raise RuntimeError(text)
        return float(seconds[1]), int(models[1])

    return ask


def plain_prolog(goal: str) -> Callable[[Path, Path], tuple[float, int]]:
    """Return a function that lets SWI-Prolog load the program and the facts, and prove a goal."""

    def ask(folder: Path, instance: Path) -> tuple[float, int]:
        timed = (
            f"get_time(T0), consult(['{folder / folder.name}.pl','{instance}']),"
            f" nb_setval(found, 0), {goal}, nb_getval(found, Found),"
            " get_time(T), Seconds is T-T0, format('~w ~w~n', [Seconds,Found])"
        )
        swipl = which("swipl", path=f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}")
        text = _output(swipl, "-q", "-g", "use_module(library(clpfd))", "-g", timed, "-t", "halt")
        try:
            seconds, found = text.splitlines()[-1].split()
            return float(seconds), int(found)
        except (ValueError, IndexError):
            raise RuntimeError(text) from None

    return ask


_FOUND = "nb_getval(found, N0), N is N0+1, nb_setval(found, N)"
_MODEL = f"forall(( model(P), pairs_values(P, Vs), label(Vs) ), ( {_FOUND} ))"
_ANSWER = f"forall(answer(_), ( {_FOUND} ))"


def both(folder: Path, instance: Path) -> tuple[float, int]:
    """All answers of both programs."""
    one, found = plain_clingo()(folder, instance)
    other, _ = plain_prolog(_ANSWER)(folder, instance)
    return one + other, found


# --- ours ---


def counted(engine: str) -> Callable[[pls.Problem, Path], int]:
    return lambda problem, instance: pls.count(problem.instance(instance), engine)


def listed(engine: str) -> Callable[[pls.Problem, Path], int]:
    return lambda problem, instance: sum(
        1 for _ in pls.solutions(problem.instance(instance), engine)
    )


def compared(other: str, limit: int | None = 50) -> Callable[[pls.Problem, Path], int]:
    def ask(problem: pls.Problem, instance: Path) -> int:
        comparison = pls.compare(problem.instance(instance), ["clingo", other], limit)
        return max(len(each.solutions) for each in comparison.answers.values())

    return ask


def candidates(problem: pls.Problem, instance: Path) -> int:
    return len(pls.candidates(problem.instance(instance)))


def printed(problem: pls.Problem, instance: Path) -> int:
    """Answers of the command, in a file."""
    command = [
        sys.executable,
        "-m",
        "pylogic_sudoku",
        "solve",
        "-n",
        "0",
        "-p",
        problem.folder,
        instance,
    ]
    with TemporaryDirectory() as folder:
        output = Path(folder) / "answers.txt"
        with output.open("wb") as file:
            subprocess.run([*map(str, command)], stdout=file, check=True)
        return output.read_bytes().count(b"\n")


ROWS: Mapping[str, Row] = MappingProxyType(
    {
        "clingo count": Row("bits", "16", "1", plain_clingo(), counted("clingo"), 3),
        "clingo solve > file": Row("bits", "16", "1", plain_clingo(), printed, 10),
        "clingo solutions": Row("bits", "16", "1", plain_clingo(), listed("clingo"), 15),
        "clingo hidden atoms": Row(
            "hidden", "5000", "1", plain_clingo(EXACT), listed("clingo"), 1.5
        ),
        "clingo hidden, terms": Row(
            "terms", "5000", "1", plain_clingo(EXACT), listed("clingo"), 1.5
        ),
        "clingo candidates": Row(
            "quasigroup", "9", "2", plain_clingo("--enum-mode=brave"), candidates, 12
        ),
        "clingo facts": Row("graph", "100000", "1", plain_clingo(), listed("clingo"), 3),
        "clingo facts of texts": Row("graph", "texts", "1", plain_clingo(), listed("clingo"), 3),
        "prolog count": Row("bits", "16", "1", plain_prolog(_MODEL), counted("prolog"), 3),
        "prolog solutions": Row("bits", "16", "1", plain_prolog(_MODEL), listed("prolog"), 3),
        "prolog facts": Row("graph", "100000", "1", plain_prolog(_ANSWER), listed("prolog"), 3),
        "prolog facts of texts": Row(
            "graph", "texts", "1", plain_prolog(_ANSWER), listed("prolog"), 3
        ),
        "compare": Row("apart", "9", "4", both, compared("prolog"), 3),
        "compare all": Row("apart", "9", "4", both, compared("prolog", None), 3),
        "compare, all differ": Row("apart", "9", "4", both, compared("prolog:apart_other"), 3),
    }
)
"""By name; the first word is the engine, or compare."""


def ask(name: str, who: str, folder: Path, small: bool) -> Figures:
    """Ask one row once, in this process, which does nothing else."""
    row = ROWS[name]
    place = folder / row.problem
    instance, first = (
        place / "instances" / f"{each}.lp"
        for each in (row.small if small else row.instance, row.small)
    )
    if who == "plain":
        with Peak() as peak:
            seconds, found = row.plain(place, instance)
        return Figures(seconds, peak.kilobytes / 1024, found)
    problem = pls.Problem(place)
    start = perf_counter()
    row.ours(problem, first)
    small_seconds = perf_counter() - start
    with Peak() as peak:
        start = perf_counter()
        found = row.ours(problem, instance)
        seconds = perf_counter() - start
    if row.ours is printed:  # which starts each time
        seconds = max(0.0, seconds - small_seconds)
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Figures(seconds, max(peak.kilobytes, own) / 1024, found)


class Peak:
    """The memory of the largest process that this one has started, looked at again and again.

    A child that answers questions is killed, so nobody is told what it used.
    """

    kilobytes = 0

    def __enter__(self) -> Peak:
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch)
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.wait(0.05):
            for process in descendants(os.getpid()):
                with suppress(OSError):
                    text = Path(f"/proc/{process}/status").read_text(encoding="utf-8")
                    for peak in re.findall(r"^VmHWM:\s+(\d+) kB", text, re.MULTILINE):
                        self.kilobytes = max(self.kilobytes, int(peak))


# --- the turns ---


def turn(name: str, who: str, folder: Path, small: bool) -> Figures | None:
    """Figures of a process of its own; None if it takes too long."""
    command = [sys.executable, "-m", "benchmarks.road", "--ask", who, "--folder", folder, name]
    with subprocess.Popen(
        [*map(str, command), *(["--small"] if small else [])],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            text, _ = process.communicate(timeout=LONGEST)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None
    if process.returncode:
        raise SystemExit(f"{name}, {who}: exit code {process.returncode}")
    return Figures(*json.loads(text.splitlines()[-1]))


def measured(name: str, folder: Path, turns: int, small: bool) -> dict[str, float] | None:
    """Print the row, and return its ratios; None if it takes too long."""
    figures: dict[str, list[Figures]] = {"plain": [], "ours": []}
    for number in range(turns):
        for who in ("plain", "ours") if number % 2 else ("ours", "plain"):
            figure = turn(name, who, folder, small)
            if figure is None:
                print(f"{name:22} {who} takes over {LONGEST:.0f} s", flush=True)
                return None
            figures[who].append(figure)
    plain, ours = (Figures(*map(median, zip(*figures[who], strict=True))) for who in figures)
    ratio = ours.seconds / max(plain.seconds, LEAST)
    memory = ours.megabytes / max(plain.megabytes, 1)  # of a process too short to be seen
    print(
        f"{name:22} {plain.seconds:7.3f} s -> {ours.seconds:7.3f} s : {ratio:6.1f} of"
        f" {ROWS[name].bound:4.1f}   {plain.megabytes:5.0f} MB -> {ours.megabytes:5.0f} MB :"
        f" {memory:4.1f}   {ours.found:7,.0f} found",
        flush=True,
    )
    if plain.found != ours.found and not name.startswith(("compare", "clingo candidates")):
        raise SystemExit(f"{name}: plain finds {plain.found:,.0f}")
    return {"time": round(ratio, 2), "memory": round(memory, 2)}


def written(folder: Path) -> None:
    """Write the problems."""
    for problem, texts in PROBLEMS.items():
        for name, text in texts.items():
            file = folder / problem / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
    quasigroup = pls.Problem("quasigroup").folder
    place = folder / "quasigroup"
    (place / "instances").mkdir(parents=True)
    (place / "quasigroup.lp").write_bytes((quasigroup / "quasigroup.lp").read_bytes())
    for size in (2, 9):
        (place / "instances" / f"{size}.lp").write_text(f"size({size}).\n", encoding="utf-8")


def worse(name: str, figures: Mapping[str, float] | None, accepted: Mapping[str, Any]) -> list[str]:
    """In words, each ratio that is more than was accepted."""
    if name not in accepted:
        return [f"{name} has no accepted figures"]
    if accepted[name] is None:
        return []
    if figures is None:
        return [f"{name} takes over {LONGEST:.0f} s"]
    return [
        f"{name}: {kind} {figures[kind]}, accepted {most}"
        for kind, most in accepted[name].items()
        if figures[kind] > SLACK * most
    ]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n", 1)[0], epilog=f"Rows: {', '.join(ROWS)}."
    )
    parser.add_argument(
        "rows", nargs="*", help="words: rows that have one in their name (default: all)"
    )
    parser.add_argument("--turns", type=int, default=TURNS, help=f"default: {TURNS}")
    parser.add_argument("--small", action="store_true", help="ask the small instances, to try it")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the ratios")
    parser.add_argument(
        "--expect",
        type=Path,
        metavar="FILE",
        help="accepted ratios; exit with 1 if one is now much larger",
    )
    parser.add_argument("--ask", choices=("plain", "ours"), help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.ask:
        print(json.dumps(ask(options.rows[0], options.ask, options.folder, options.small)))
        return 0
    names = [n for n in ROWS if not options.rows or any(word in n for word in options.rows)]
    if not names:
        parser.error(f"no row has {' or '.join(options.rows)} in its name")
    with TemporaryDirectory() as place:
        folder = Path(place).resolve()
        written(folder)
        ratios = {n: measured(n, folder, options.turns, options.small) for n in names}
    if options.write:
        known = json.loads(options.write.read_text()) if options.write.is_file() else {}
        options.write.write_text(json.dumps(known | ratios, indent=1) + "\n")
    accepted = json.loads(options.expect.read_text()) if options.expect else {}
    faults = [text for n in names for text in worse(n, ratios[n], accepted)] if accepted else []
    for text in faults:
        print(f"worse: {text}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
