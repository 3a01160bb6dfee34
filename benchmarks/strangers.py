"""Run programs that nobody here wrote, as they are, and print which have other answers here.

    python -m benchmarks.strangers ~/src/hakank:answer_set_programming ~/src/hakank:swi_prolog
    python -m benchmarks.strangers --write strangers.json ~/src/guide@26fba894654e:examples
    python -m benchmarks.strangers --expect strangers.json ~/src/guide@26fba894654e:examples

A checkout is PATH[@COMMIT][:FOLDER]: a git work tree or a bare git directory, the commit (else
HEAD), and the folder whose own programs are run (else the topmost one). Files are read from the
commit, so a work tree stays as it is.

Each .lp or .lp4 runs beside plain clingo, and must have the same sets of atoms, at the same cost if
something is minimized. Facts in a file whose name begins with that of a program, as in
rogo_data_1.lp, are an instance of it; --pair names others. Each .pl is loaded with one more line,
answer([ok]). , and must have that answer. A program is

same      the answers are the same
differs   they are not
refused   there is an error here
late      time runs out here
open      clingo or swipl alone has an error or is late as well, or there are too many answers

Programs run with your permissions: name only checkouts that you trust.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, NamedTuple

import pylogic_sudoku as pls

ASP = (".lp", ".lp4")
"""Endings of programs for clingo; the second one tells them from those for gringo 3."""
BAD = ("differs", "refused", "late")
TURNS = 5
SLACK = 1.3
"""A ratio got worse if it is more than this times what was accepted: machines are busy."""
LEAST = 0.02
"""Seconds that plain clingo is taken to need at least; less is noise."""
WIDTH = 300
"""The most letters of a reason that are printed."""
LINE = "\nanswer([ok]).\n"
"""The line that a program for Prolog gets."""


class Limits(NamedTuple):
    """The bounds of one question."""

    answers: int
    seconds: float


class Checkout(NamedTuple):
    """A folder of a commit."""

    path: Path
    commit: str
    folder: str

    def __str__(self) -> str:
        return f"{self.commit[:12]}:{self.folder}"


class Case(NamedTuple):
    """A program, and an instance if there is one."""

    program: Path
    instance: Path | None = None

    def __str__(self) -> str:
        return f"{self.program.name} {self.instance.name}" if self.instance else self.program.name


class Plain(NamedTuple):
    """The answers of plain clingo."""

    answers: frozenset[Any] = frozenset()
    seconds: float = 0.0
    trouble: str = ""
    """Words, if these are not all answers."""


class Outcome(NamedTuple):
    """The result for one case."""

    result: str
    why: str = ""
    plain: float = 0.0
    """Seconds of plain clingo."""
    ours: float = 0.0


# --- checkouts ---


def git(path: Path, *arguments: str) -> bytes:
    try:
        done = subprocess.run(
            ["git", "-C", str(path), *arguments], capture_output=True, check=False
        )
    except FileNotFoundError:
        raise SystemExit("git is missing, which reads the checkouts: apt install git") from None
    if done.returncode:
        raise SystemExit(f"{path}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def checkout(text: str) -> Checkout:
    """The checkout that an argument names."""
    named = re.fullmatch(r"(.+?)(?:@([\w./-]+))?(?::([^:]*))?", text)
    assert named
    path = Path(named[1]).expanduser()
    if not path.is_dir():
        raise SystemExit(f"there is no folder {path}")
    commit = git(path, "rev-parse", "--verify", f"{named[2] or 'HEAD'}^{{commit}}")
    return Checkout(path, commit.decode().strip(), (named[3] or "").strip("/"))


def extract(source: Checkout, target: Path) -> None:
    """Write the files of the folder into the target."""
    target.mkdir(parents=True)
    archive = git(source.path, "archive", f"{source.commit}:{source.folder}")
    subprocess.run(["tar", "-x", "-C", str(target)], input=archive, check=True)


def cases(folder: Path, pairs: list[list[str]]) -> list[Case]:
    """The programs in a folder, each with each of its instances, and the pairs that are there."""
    named = [Case(folder / program, folder / instance) for program, instance in pairs]
    found = [case for case in named if all(file and file.is_file() for file in case)]
    for ending in ASP:
        programs = {path.stem: path for path in sorted(folder.glob(f"*{ending}"))}
        instances: dict[str, list[Path]] = {}
        for name, path in programs.items():
            owners = [each for each in programs if name.startswith(f"{each}_")]
            if owners and _has_facts_alone(path):
                instances.setdefault(max(owners, key=len), []).append(path)
        used = {path for paths in instances.values() for path in paths}
        for name, path in programs.items():
            if path not in used:
                found += [Case(path, each) for each in instances.get(name, [None])]
    return found + [Case(path) for path in sorted(folder.glob("*.pl"))]


def _has_facts_alone(path: Path) -> bool:
    """True if there seem to be facts in a file, and nothing else."""
    text = re.sub(r"%.*", "", path.read_text(encoding="utf-8", errors="replace"))
    return bool(text.strip()) and not re.search(r":-|[{|]|#(?!const\b)", text)


_NAMES = re.compile(r"(?<=[\"'(\[,])\s*([\w.-]+)\s*(?=[\"')\],])")
"""Possible names of files, among quotation marks and brackets."""


def as_problem(case: Case, place: Path) -> pls.Problem:
    """A new folder with the program, and the files beside it that it seems to load."""
    folder = place / case.program.stem
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    beside = {each.name: each for each in case.program.parent.iterdir() if each.is_file()}
    waiting, copied = [case.program], set[Path]()
    while waiting:
        path = waiting.pop()
        copied.add(path)
        shutil.copyfile(path, folder / path.name)
        if path.suffix == ".lp4":
            (folder / path.name).rename(folder / f"{path.stem}.lp")
        if path.suffix != case.program.suffix:
            continue
        for name in set(_NAMES.findall(path.read_text(encoding="utf-8", errors="replace"))):
            near = {beside.get(name), beside.get(f"{name}{path.suffix}")}
            waiting += [each for each in near if each and each not in copied]
    return pls.Problem(folder)


# --- the plain engines ---


def plain_clingo(case: Case, limits: Limits) -> Plain:
    """The answers of clingo's own program to the files as they are."""
    files = [str(each) for each in case if each]
    command = [sys.executable, "-m", "clingo", "--outf=2", "--opt-mode=optN"]
    command += [f"-n{limits.answers + 1}", f"--time-limit={limits.seconds:.0f}", *files]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=limits.seconds + 10,
            check=False,
            cwd=case.program.parent,
        )
        report = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return Plain(trouble=f"clingo alone takes over {limits.seconds:g} s to ground it")
    except ValueError:
        return Plain(trouble=f"clingo alone: {_error_in(done.stderr, case.program)}")
    seconds = report["Time"]["Total"]
    if report["Result"] == "UNKNOWN" or report.get("TIME LIMIT") or report.get("INTERRUPTED"):
        error = _error_in(done.stderr, case.program)
        late = f"takes over {limits.seconds:g} s"
        return Plain(trouble=f"clingo alone: {error or late}", seconds=seconds)
    found = [each for call in report["Call"] for each in call.get("Witnesses", [])]
    costs = report["Models"].get("Costs")
    best = [each for each in found if each.get("Costs") == costs]
    answers = frozenset(
        (frozenset(map(_unquoted, each.get("Value", []))), tuple(costs or ())) for each in best
    )
    if len(best) > limits.answers:
        return Plain(answers, seconds, f"over {limits.answers:,} answers")
    return Plain(answers, seconds)


def _error_in(output: bytes, program: Path) -> str:
    """The first error in what a plain engine prints, without the folder."""
    lines = output.decode(errors="replace").replace(f"{program.parent}/", "").splitlines()
    return next((line.strip() for line in lines if re.search(r"error: |^ERROR:", line)), "")


def _unquoted(atom: str) -> str:
    """The atom without quotes: here, red and "red" are the same."""
    return atom.replace('"', "")


def plain_swipl(program: Path, seconds: float) -> str:
    """The first complaint of SWI-Prolog alone; empty if there is none."""
    swipl = which("swipl", path=f"{Path(sys.executable).parent}:{os.environ.get('PATH', '')}")
    goal = f"consult({_quoted(program)})"
    try:
        done = subprocess.run(
            [str(swipl), "-q", "--on-error=print", "-g", goal, "-t", "halt"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=seconds,
            check=False,
            cwd=program.parent,
        )
    except subprocess.TimeoutExpired:
        return f"swipl alone takes over {seconds:g} s"
    error = _error_in(done.stderr, program)
    return f"swipl alone: {error}" if error else ""


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("\\", "\\\\").replace("'", "\\'") + "'"


# --- ours ---


@contextmanager
def quiet() -> Iterator[None]:
    """Let programs read and print nothing."""
    kept = [os.dup(number) for number in (0, 2)]
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        for number in (0, 2):
            os.dup2(nothing, number)
        yield
    finally:
        for number, copy in zip((0, 2), kept, strict=True):
            os.dup2(copy, number)
        for each in (*kept, nothing):
            os.close(each)


def ours(
    problem: pls.Problem, instance: Path | None, engine: str, limits: Limits
) -> tuple[frozenset[Any], float]:
    """The answers that this package has, and the seconds."""
    with quiet():
        start = perf_counter()
        asked = problem.instance(instance or "")
        found = list(pls.solutions(asked, engine, limits.answers + 1, limits.seconds))
        passed = perf_counter() - start
    answers = {(frozenset(_unquoted(str(atom)) for atom in each), each.cost) for each in found}
    if len(answers) < len(found):
        raise pls.BackendFailure("an answer is found twice")
    return frozenset(answers), passed


def asp(case: Case, place: Path, limits: Limits, turns: int) -> Outcome:
    """The outcome for a program for clingo; both take turns."""
    plain = plain_clingo(case, limits)
    if plain.trouble.endswith(" answers") or "takes over" in plain.trouble:
        return Outcome("open", plain.trouble)
    problem = as_problem(case, place)
    try:
        answers, passed = ours(problem, case.instance, "clingo", limits)
    except pls.SolveTimeout as error:
        return Outcome("late", str(error))
    except pls.LogicError as error:
        if plain.trouble:
            return Outcome("open", f"{plain.trouble}; here: {_line(error, problem.folder)}")
        return Outcome("refused", _line(error, problem.folder))
    if plain.trouble:
        return Outcome("differs", f"accepted here; {plain.trouble}")
    if answers != plain.answers:
        return Outcome("differs", _difference(plain.answers, answers))
    seconds = [(plain.seconds, passed)]
    for _ in range(turns - 1):
        seconds.append(
            (
                plain_clingo(case, limits).seconds,
                ours(problem, case.instance, "clingo", limits)[1],
            )
        )
    return Outcome("same", "", *map(median, zip(*seconds, strict=True)))


def _difference(plain: frozenset[Any], ours: frozenset[Any]) -> str:
    words = f"{len(plain):,} answers by clingo alone, {len(ours):,} here"
    for who, only in (("clingo", plain - ours), ("this package", ours - plain)):
        if only:
            atoms, cost = min(only, key=lambda each: (len(each[0]), sorted(each[0])))
            text = " ".join(sorted(atoms)) or "nothing"
            words += f"; only {who}: {text:.60}{f' at cost {cost}' if cost else ''}"
    return words


def prolog(case: Case, place: Path, limits: Limits) -> Outcome:
    """The outcome for a program for Prolog."""
    problem = as_problem(case, place)
    copy = problem.folder / case.program.name
    with copy.open("ab") as file:
        file.write(LINE.encode())
    try:
        answers, _ = ours(problem, None, "prolog", limits)
    except pls.SolveTimeout as error:
        result, why = "late", str(error)
    except pls.LogicError as error:
        result, why = "refused", _line(error, problem.folder)
    else:
        if answers == {(frozenset({"ok"}), ())}:
            return Outcome("same")
        result, why = "differs", f"{len(answers)} answers"
    shutil.copyfile(case.program, copy)
    if trouble := plain_swipl(copy, limits.seconds):
        return Outcome("open", f"{why}; {trouble}")
    return Outcome(result, why)


def _line(error: Exception, folder: Path) -> str:
    """The message on one line, without the folder."""
    return " ".join(str(error).replace(f"{folder}/", "").split())


# --- the report ---


def run(
    source: Checkout, place: Path, limits: Limits, options: argparse.Namespace
) -> dict[str, Any]:
    """Print the outcome of each case that is not the same, and a summary; return the figures."""
    folder = place / "checkout"
    extract(source, folder)
    chosen = [
        case
        for case in cases(folder, options.pair)
        if not options.only or any(word in str(case) for word in options.only)
    ]
    print(f"{source}: {len(chosen)} programs", flush=True)
    outcomes: dict[str, Outcome] = {}
    for case in chosen:
        if case.program.suffix in ASP:
            outcome = asp(case, place / "problems", limits, options.turns)
        else:
            outcome = prolog(case, place / "problems", limits)
        outcomes[str(case)] = outcome
        if outcome.result != "same":
            print(f"  {case}: {outcome.result}: {outcome.why:.{WIDTH}}", flush=True)
    shutil.rmtree(folder)
    results = Counter(each.result for each in outcomes.values())
    print(
        f"  {', '.join(f'{results[each]} {each}' for each in ('same', *BAD, 'open'))}", flush=True
    )
    others = {name: each.result for name, each in outcomes.items() if each.result != "same"}
    return {"programs": len(chosen), "others": others, "ratio": ratio(outcomes)}


def ratio(outcomes: Mapping[str, Outcome]) -> float | None:
    """Print how long both take for what is the same; return the ratio, None without a time."""
    timed = {name: each for name, each in outcomes.items() if each.ours}
    if not timed:
        return None
    plain = {name: max(each.plain, LEAST) for name, each in timed.items()}
    ratios = {name: each.ours / plain[name] for name, each in timed.items()}
    largest = max(ratios, key=ratios.__getitem__)
    here = sum(each.ours for each in timed.values())
    whole = here / sum(plain.values())
    print(
        f"  clingo alone {sum(plain.values()):.2f} s, here {here:.2f} s: ratio {whole:.2f};"
        f" median {median(ratios.values()):.2f}, largest {ratios[largest]:.2f} ({largest})",
        flush=True,
    )
    return round(whole, 2)


def worse(source: str, figures: Mapping[str, Any], accepted: Mapping[str, Any]) -> list[str]:
    """In words, each result of a checkout that is worse than what was accepted."""
    if source not in accepted:
        return [f"{source} has no accepted figures"]
    before = accepted[source]
    faults = [
        f"{source}: {name} {result}, accepted: {before['others'].get(name, 'same')}"
        for name, result in figures["others"].items()
        if result in BAD and before["others"].get(name) != result
    ]
    if figures["ratio"] and figures["ratio"] > SLACK * (before["ratio"] or 0):
        faults.append(f"{source}: ratio {figures['ratio']}, accepted: {before['ratio']}")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkouts", nargs="+", metavar="CHECKOUT", type=checkout)
    parser.add_argument(
        "--answers", type=int, default=10_000, help="compare no more (default: 10000)"
    )
    parser.add_argument(
        "--seconds", type=float, default=20.0, help="time for each question (default: 20)"
    )
    parser.add_argument(
        "--turns", type=int, default=TURNS, help=f"times are medians of these (default: {TURNS})"
    )
    parser.add_argument(
        "--pair",
        nargs=2,
        action="append",
        default=[],
        metavar=("PROGRAM", "INSTANCE"),
        help="a program for clingo and an instance, which are run together as well",
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="words in names")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the figures")
    parser.add_argument(
        "--expect", type=Path, metavar="FILE", help="accepted figures; exit with 1 if one is worse"
    )
    options = parser.parse_args()
    if options.only and (options.write or options.expect):
        parser.error("--write and --expect are about all programs, not --only some")
    warnings.simplefilter("ignore", pls.ProgramWarning)
    limits = Limits(options.answers, options.seconds)
    figures = {}
    with TemporaryDirectory() as place:
        pls.solve(pls.Problem("queens").instance("size(1)."))  # starts the engine
        for source in options.checkouts:
            figures[str(source)] = run(source, Path(place).resolve(), limits, options)
    if options.write:
        known = json.loads(options.write.read_text()) if options.write.is_file() else {}
        options.write.write_text(json.dumps(known | figures, indent=1) + "\n")
    accepted = json.loads(options.expect.read_text()) if options.expect else None
    faults = [
        text
        for source, each in figures.items()
        if accepted is not None
        for text in worse(source, each, accepted)
    ]
    for text in faults:
        print(f"worse: {text}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
