"""A run of the study: who is asked what, in which order, and whether the answers are right."""

from __future__ import annotations

import json
import lzma
import os
import platform
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random
from threading import Event, Lock
from time import monotonic
from typing import Any

import pylogic_sudoku as pls
from pylogic_sudoku import Disagreement
from pylogic_sudoku.files import save
from pylogic_sudoku.problem import Instance
from pylogic_sudoku.questions.shares import Share, head_of, merged

from ..race.process import Process, Refused
from . import worker
from .families import AnyInstance, Group
from .ours import Contestant
from .worker import MOST, QUESTIONS, Answer, Ask, Question

ENOUGH = 10
"""Each group gets this number of instances before any gets more."""
GRACE = 10.0
"""Seconds, besides twice its limit, after which a contestant that says nothing is killed."""
GIVE_UP = 3
"""After this number of time limits without an answer, a contestant is not asked this question again
in this group. What it was not asked counts as a time limit."""
SHARD = tuple(head_of(Share(1, 1), "study", {}, []))
"""The fields at the head of a share that other records lack."""
IMPLIED = {"status": "timeout", "implied": True}
"""A record of a question that was not asked, since the answer is known to take too long."""


@dataclass
class Plan:
    """The questions, the contestants, and the time."""

    groups: Sequence[Group]
    contestants: Sequence[Contestant]
    corpora: Path
    seconds: float
    """For each question."""
    minutes: float
    instances: int
    """The most for each group."""
    jobs: int
    seed: str
    """The seed of the instances; written at the head of the records."""
    shard: dict[str, Any] = field(default_factory=dict)
    """The head of a share; `head_of` has it."""


class Study:
    """One run; its records are in the file as soon as an instance is done.

    The group that has taken the least time so far is the next one, of those that have not had
    `ENOUGH` instances as long as there are any. So each gets the same time in the end, and a run
    that is stopped is balanced.
    """

    def __init__(self, plan: Plan, file: Path, note: Callable[[str], object]) -> None:
        self._plan = plan
        self._file = file
        self._note = note
        self._lock = Lock()
        self._stopped = Event()
        self._spent: dict[Group, float] = dict.fromkeys(plan.groups, 0.0)
        self._open = list(plan.groups)
        self._named = {(group.family, group.name): group for group in plan.groups}
        self._asked: Counter[Group] = Counter()
        self._sources: dict[Group, Iterator[AnyInstance]] = {}
        self._hopeless: defaultdict[tuple[Group, str, Question], int] = defaultdict(int)
        self._processes: set[Process] = set()
        self._end = monotonic() + 60 * plan.minutes
        self._take_up()

    def _take_up(self) -> None:
        """Go on where the file ends; begin it if it is not there."""
        if not self._file.exists():
            _append(self._file, [self._head()])
            return
        whole, _, cut_off = self._file.read_bytes().rpartition(b"\n")
        if cut_off:
            self._file.write_bytes(whole + b"\n")
        seen: set[tuple[str, str, int]] = set()
        for record in read(self._file)[1]:
            if group := self._named.get((record["family"], record["group"])):
                seen.add((group.family, group.name, record["number"]))
                self._spent[group] += record.get("seconds", 0.0)
                self._count(group, record)
        for family, name, number in seen:
            group = self._named[family, name]
            self._asked[group] = max(self._asked[group], number + 1)

    def _head(self) -> dict[str, Any]:
        plan = self._plan
        return {
            "machine": f"{_processor()}, {os.cpu_count()} cores, {platform.system()}",
            "python": platform.python_version(),
            "package": f"{pls.__version__} at {_commit()}",
            "seconds": plan.seconds,
            "jobs": plan.jobs,
            "seed": plan.seed,
            "contestants": {
                each.name: {
                    "paradigm": each.paradigm,
                    "version": each.version(),
                    **({"ingredient": True} if each.ingredient else {}),
                }
                for each in plan.contestants
            },
            **plan.shard,
        }

    def run(self) -> None:
        """Ask until the time is over or all is asked; Disagreement stops it."""
        with ThreadPoolExecutor(self._plan.jobs) as lanes:
            running = [lanes.submit(self._lane) for _ in range(self._plan.jobs)]
            try:
                ended, _ = wait(running, return_when=FIRST_EXCEPTION)
            finally:
                self._stopped.set()
                for process in list(self._processes):
                    process.end()
        for lane in ended:
            lane.result()

    def _lane(self) -> None:
        asker = _Asker(self._processes)
        items = {name: {"item": at} for at, name in self._plan.shard.get("share", ())}
        while not self._stopped.is_set() and (found := self._next()):
            group, number, instance = found
            item = items.get(f"{group.family} {group.name}", {})
            records = [item | each for each in self._instance(asker, group, number, instance)]
            if self._stopped.is_set():
                return
            with self._lock:
                _append(self._file, records)
                self._spent[group] += sum(each.get("seconds", 0.0) for each in records)
                for each in records:
                    self._count(group, each)

    def _next(self) -> tuple[Group, int, AnyInstance] | None:
        """The next instance, of the group that is first in line."""
        with self._lock:
            while self._open and monotonic() < self._end:
                group = min(
                    self._open, key=lambda each: (self._asked[each] >= ENOUGH, self._spent[each])
                )
                number = self._asked[group]
                if group not in self._sources:
                    made = group.instances(self._plan.corpora)
                    self._sources[group] = islice(made, number, self._plan.instances)
                self._asked[group] += 1
                # It counts at once, so that another lane takes another group.
                self._spent[group] += 0.1
                with suppress(StopIteration):
                    return group, number, next(self._sources[group])
                self._open.remove(group)
        return None

    def _instance(
        self, asker: _Asker, group: Group, number: int, instance: AnyInstance
    ) -> Iterator[dict[str, Any]]:
        """Ask everybody everything about an instance, in an order of its own."""
        left_out = {"all": not group.every, "stream": not _is_one_of_many(instance)}
        questions = [each for each in QUESTIONS if not left_out.get(each)]
        answers: dict[Question, dict[str, tuple[Any, ...]]] = {each: {} for each in questions}
        order = Random(f"{group.family} {group.name} {number}")
        everyone = [
            each for each in self._plan.contestants if each.takes_part(group.family, group.name)
        ]
        for contestant in order.sample(everyone, len(everyone)):
            late = False
            for question in questions:
                if self._stopped.is_set():
                    return
                head = {
                    "family": group.family,
                    "group": group.name,
                    "number": number,
                    "contestant": contestant.name,
                    "question": question,
                }
                if late or self._is_hopeless(group, contestant.name, question):
                    late = late or question == "one"
                    yield {**head, **IMPLIED}
                    continue
                self._note(f"{group.family} {group.name}, number {number + 1}: {contestant.name}")
                ask = Ask(contestant.name, question, instance, self._plan.seconds)
                answer = asker.ask(ask)
                if answer.status == "done" and question != "left":
                    answers[question][contestant.name] = answer.solutions
                    _check(instance, contestant.name, question, answers[question])
                yield {
                    **head,
                    "status": answer.status,
                    "seconds": round(answer.seconds, 6),
                    **({"solutions": len(answer.solutions)} if question in MOST else {}),
                    **answer.work,
                    **({"why": answer.why} if answer.why else {}),
                }
                if answer.status in ("refused", "failed"):
                    break
                late = late or (question == "one" and answer.status == "timeout")
        _check_all(instance, answers)

    def _is_hopeless(self, group: Group, name: str, question: Question) -> bool:
        """True after `GIVE_UP` time limits, here or in a group that is easier."""
        easier = [self._named.get((group.family, each)) for each in group.easier]
        asked = [group, *filter(None, easier)]
        return any(self._hopeless[each, name, question] >= GIVE_UP for each in asked)

    def _count(self, group: Group, record: dict[str, Any]) -> None:
        """Count the time limits of those who have never answered the question in this group."""
        key = group, record["contestant"], record["question"]
        if record["status"] == "timeout" and not record.get("implied"):
            self._hopeless[key] += 1
        elif record["status"] == "done":
            self._hopeless[key] = -(10**9)


class _Asker:
    """Asks contestants in one process; a new one if it was lost."""

    def __init__(self, processes: set[Process]) -> None:
        self._processes = processes
        self._process: Process | None = None

    def ask(self, ask: Ask) -> Answer:
        """The answer; a contestant that does not answer has reached its limit."""
        if self._process is None or self._process.lost:
            if self._process:
                self._process.end()
            self._process = Process(worker.__name__)
            self._processes.add(self._process)
        self._process.send(ask)
        answer = self._process.receive(2 * ask.seconds + GRACE)
        if isinstance(answer, Refused):
            late = "no answer" in answer.why
            self._process.lost = True
            return Answer("timeout" if late else "failed", ask.seconds, why=answer.why)
        found: Answer = answer
        return found


def _check(
    instance: AnyInstance, name: str, question: Question, answers: dict[str, tuple[Any, ...]]
) -> None:
    """Disagreement if an answer is not a solution, comes twice, or is not what others found.

    Whether an atom set is an answer to a problem, only others know.
    """
    mine = answers[name]
    others = {other: found for other, found in answers.items() if other != name}
    right = len(set(mine)) == len(mine)
    if not isinstance(instance, Instance):
        right = right and all(grid.is_solution_of(instance) for grid in mine)
    few = len(mine) < MOST[question]
    for found in others.values():
        right = right and (set(found) == set(mine) if few else len(found) == len(mine))
    if not right:
        said = {
            each: " ".join(map(str, found[:3])) or "no solution" for each, found in answers.items()
        }
        raise Disagreement(instance, said)


def _is_one_of_many(instance: AnyInstance) -> bool:
    """True if other puzzles have the same layout, so that something can be prepared for them."""
    return not isinstance(instance, Instance) and not instance.rules and not instance.regions


def _check_all(instance: AnyInstance, answers: dict[Question, dict[str, tuple[Any, ...]]]) -> None:
    """Disagreement if somebody found an answer that is not one of all there are."""
    wholes = [each for each in answers.get("all", {}).items() if len(each[1]) < MOST["all"]]
    for whole, every in wholes[:1]:
        for found in answers.values():
            for name, mine in found.items():
                if not set(mine).issubset(every):
                    raise Disagreement(instance, {whole: set(every), name: set(mine)})


def read(file: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The head and the records of a file, also of one that is compressed with xz.

    A last line that is cut off is left out.
    """
    opened = lzma.open if file.suffix == ".xz" else open
    with opened(file, "rt", encoding="utf-8") as text:
        lines = text.readlines()
    whole = [json.loads(line) for line in lines if line.endswith("\n")]
    return whole[0], whole[1:]


def merge(file: Path, parts: Sequence[Path]) -> None:
    """Write the records of all shares to a file; InvalidRecords if they are not of one run."""
    found = merged(parts, once=False)
    heads = [read(each)[0] for each in parts]
    head = {name: each for name, each in heads[0].items() if name not in SHARD}
    head["machine"] = " / ".join(sorted({each["machine"] for each in heads}))
    records = sorted(found.records, key=lambda each: (each["item"], each["number"]))
    plain = [{name: each[name] for name in each if name != "item"} for each in records]
    save(file, "".join(f"{json.dumps(each)}\n" for each in (head, *plain)))


def _append(file: Path, records: Sequence[dict[str, Any]]) -> None:
    with file.open("a", encoding="utf-8") as out:
        out.writelines(f"{json.dumps(record)}\n" for record in records)


def _processor() -> str:
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _commit() -> str:
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "--short", "HEAD"]
    with suppress(OSError):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.stdout.strip() or "an unknown commit"
    return "an unknown commit"
