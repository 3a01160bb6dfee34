"""Compare SWI-Prolog as WebAssembly with the native one, and stop what has no end.

    python -m benchmarks.wasm ../shared/corpora/random-10k.txt
    python -m benchmarks.wasm --puzzles=5 --problem=queens --seconds=1 puzzles.txt

Both solve the puzzles of the file, in turns, and find the first twenty answers to each instance of
the bundled problems, with each program in Prolog. Seconds are those of the processor, of all
processes together; the memory is the most that a process with V8 had resident. Then come programs
without end, by the clock, and after each of them another question. The exit code is 1 if an answer
differs, or if something does not end as it must. Linux only.
"""

from __future__ import annotations

import argparse
import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache, partial
from itertools import islice
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, process_time, sleep
from typing import NamedTuple

import pylogic_sudoku as pls
from pylogic_sudoku.problem.folder import bundled
from pylogic_sudoku.running.wasm import ISOLATES

from .race.process import seconds_of

NATIVE, WASM = "prolog", "prolog-wasm"
ANSWERS = 20
"""The most answers to an instance."""
LOOKS = 0.1
"""Seconds between two looks at the memory of the processes with V8."""
LONG = 600.0
"""Seconds in which a program without end has filled its memory, even on a busy machine."""
QUEENS = 4
"""The number of answers to the question after a program without end: six queens."""


class Endless(NamedTuple):
    """A program without end, and the error that ends a question to it."""

    text: str
    error: type[pls.LogicError]


ENDLESS = {
    "repeat, fail": Endless("answer([p]) :- repeat, fail.\n", pls.SolveTimeout),
    "huge integers": Endless(
        # There is no heartbeat in one multiplication.
        "answer([p]) :- A is 7**(7**8), huge(A).\nhuge(A) :- _ is A*A mod 7, huge(A).\n",
        pls.SolveTimeout,
    ),
    "a long list": Endless(
        "answer([p]) :- length(L, 100_000_000), L = [p|_].\n", pls.BackendFailure
    ),
    "facts without end": Endless(
        ":- dynamic fact/2.\nanswer([p]) :- numlist(1, 300_000, L), more(0, L).\n"
        "more(N, L) :- M is N+1, assertz(fact(M, L)), more(M, L).\n",
        pls.BackendFailure,
    ),
    "deep recursion": Endless(
        "answer([p]) :- deep(_).\ndeep(X) :- deep(Y), X is Y+1.\n", pls.BackendFailure
    ),
}


# --- what is measured ---


@cache
def _parent(pid: int) -> int:
    """The process that has started this one; 0 if either is not there."""
    with suppress(OSError):
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
        return int(text.rpartition(")")[2].split()[1])
    return 0


def _is_ours(pid: int) -> bool:
    """True if this process has started that one, or one that has."""
    parent = _parent(pid)
    return parent == os.getpid() or (parent > 0 and _is_ours(parent))


def _seconds(work: Callable[[], object]) -> tuple[object, float]:
    """A result, and the processor time of this process and its children until it was there."""

    def others() -> float:
        used = os.times()
        ended = used.children_user + used.children_system
        pids = map(int, filter(str.isdigit, os.listdir("/proc")))
        return ended + sum(map(seconds_of, filter(_is_ours, pids)))

    before, start = others(), process_time()
    result = work()
    own = process_time() - start
    return result, own + others() - before


class _Memory:
    """The most that a process with V8 has had resident, in megabytes."""

    def __init__(self) -> None:
        self.most = 0.0
        threading.Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while True:
            self.look()
            sleep(LOOKS)

    def look(self) -> None:
        for pid in ISOLATES.pids():
            with suppress(OSError):
                for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
                    if line.startswith("VmHWM:"):
                        self.most = max(self.most, int(line.split()[1]) * 1024 / 1e6)

    @contextmanager
    def afresh(self) -> Iterator[None]:
        """Begin with a new process, and print its peak at the end."""
        ISOLATES.end()
        self.most = 0.0
        yield
        self.look()
        print(f"  at most {self.most:.0f} MB resident", flush=True)


# --- the same answers ---


class _Pair(NamedTuple):
    """A question to both: its name, what each answers, and the seconds of each."""

    name: str
    same: bool
    native: float
    wasm: float


def _both(name: str, ask: Callable[[str], object], native: str = NATIVE) -> _Pair:
    """Ask one engine and then the other."""
    first, seconds = _seconds(partial(ask, native))
    second, others = _seconds(partial(ask, native.replace(NATIVE, WASM)))
    return _Pair(name, first == second, seconds, others)


def _puzzles(file: Path, number: int) -> Iterator[_Pair]:
    for puzzle in islice(pls.read_puzzles(file), number):
        yield _both(str(puzzle), partial(pls.solve, puzzle))


def _instances(names: list[str]) -> Iterator[_Pair]:
    for problem in bundled():
        for program in problem.paths if not names or problem.name in names else ():
            if program.partition(":")[0] == NATIVE:
                for instance in problem.instances.values():
                    name = f"{problem.name} {program} {instance.label}"
                    yield _both(name, partial(_answers, instance), program)


def _answers(instance: pls.Instance, engine: str) -> list[pls.Answer]:
    return list(islice(pls.solutions(instance, engine), ANSWERS))


def compare(title: str, pairs: Iterator[_Pair]) -> int:
    """Print the sums of these questions; return the number of those whose answers differ."""
    found = []
    for pair in pairs:
        found.append(pair)
        if not pair.same:
            print(f"  {pair.name}: the answers differ", flush=True)
    native, wasm = (sum(getattr(each, name) for each in found) for name in ("native", "wasm"))
    differing = sum(not each.same for each in found)
    print(f"{title}: {len(found)} questions, {differing} differences")
    ratios = [each.wasm / each.native for each in found if each.native]
    print(
        f"  {NATIVE} {native:.2f} s, {WASM} {wasm:.2f} s, ratio {wasm / native:.1f}, "
        f"median {median(ratios):.1f}",
        flush=True,
    )
    return differing


# --- what ends ---


def _next() -> tuple[bool, float]:
    """Ask another question: True if its answer is right, and the seconds of the clock."""
    start = perf_counter()
    number = pls.count(pls.Problem("queens").instance("size(6)."), WASM)
    return number == QUEENS, perf_counter() - start


def end(name: str, folder: Path, timeout: float) -> int:
    """Print how a program ends, and how the next question does; return 1 if that is wrong."""
    (folder / "problem.toml").write_text('output = ["p/0"]\n', encoding="utf-8")
    (folder / f"{folder.name}.pl").write_text(ENDLESS[name].text, encoding="utf-8")
    start = perf_counter()
    error: pls.LogicError | None = None
    try:
        pls.solve(pls.Problem(folder).instance(""), WASM, timeout=timeout)
    except pls.LogicError as caught:
        error = caught
    passed = perf_counter() - start
    right, then = _next()
    print(
        f"{name:18} {type(error).__name__} after {passed:.2f} s, "
        f"the next question {'right' if right else 'wrong'} after {then:.2f} s",
        flush=True,
    )
    print(f"  {error}".partition("\n")[0])
    return int(not (right and isinstance(error, ENDLESS[name].error)))


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", metavar="FILE", type=Path, help="puzzles, one a line")
    parser.add_argument("--puzzles", type=int, default=50, help="puzzles of the file")
    parser.add_argument("--problem", action="append", default=[], help="this one alone")
    parser.add_argument("--seconds", type=float, default=2.0, help="limit of a loop without end")
    asked = parser.parse_args()
    memory = _Memory()
    wrong = 0
    sets = {
        asked.file.stem: _puzzles(asked.file, asked.puzzles),
        "problems": _instances(asked.problem),
    }
    for title, pairs in sets.items():
        with memory.afresh():
            for name in (NATIVE, WASM):
                _, seconds = _seconds(partial(pls.count, "." * 16, name))
                print(f"{name} begins: {seconds:.2f} s")
            wrong += compare(title, pairs)
    with memory.afresh(), TemporaryDirectory() as folder:
        _next()
        for number, name in enumerate(ENDLESS):
            place = Path(folder, f"endless{number}")
            place.mkdir()
            # Memory is to end before the time does.
            late = ENDLESS[name].error is pls.SolveTimeout
            wrong += end(name, place, asked.seconds if late else LONG)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
