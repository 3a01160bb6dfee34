"""An exercise on a problem: what students get, and files for platforms.

The folder of the exercise is a problem's folder itself, with the reference programs, and with the
answers to its instances in ``solutions``.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..engines import engine_for
from ..errors import InvalidPuzzle
from ..files import save
from ..problem import Signature
from ..problem.folder import Problem, declared
from ..problem.languages import ENDINGS
from ..problem.written import recorded
from .cases import Case
from .folder import FILE, LANGUAGES, fill, more_hidden, templates, write_all
from .goals import Goal, GoalTask
from .grading import Grader
from .problems import Answers, ProblemTask, adapter_of, called_by, written
from .reports import TEMPLATES

_PARTS = TEMPLATES / "problem"
_INSTALL = """
      - name: Install SWI-Prolog
        run: sudo apt-get update && sudo apt-get install -y swi-prolog-nox
"""
_BESIDE = ("check.lp", "adapter.pl")
"""Files of a problem that help to grade."""


def make_exercise(
    folder: Path, problem: Problem, grader: Grader, language: str = "asp"
) -> Iterator[Path]:
    """Make an exercise of a problem's instances in a folder; yield each file that is written.

    Of three instances or more, the last two fifths are hidden. Disagreement if the problem's
    programs differ, InvalidPuzzle if it has no instance.
    """
    if folder.resolve() == problem.folder:
        raise InvalidPuzzle(f"{folder} is the folder of the problem; give a new folder")
    if problem.cases:
        yield from _make_of_cases(folder, problem, grader)
        return
    task = ProblemTask(problem)
    instances = list(task.gather(()))
    answers: dict[str, Answers] = {}
    for each in instances:
        right = answers[each.name] = _right(task, each, grader)
        text = _recorded(each.name, right)
        own = f"{each.name}{each.path.suffix}"
        for name, file, content in (
            ("instances", own, each.text),
            ("solutions", f"{each.name}.json", text),
        ):
            (folder / name).mkdir(parents=True, exist_ok=True)
            path = folder / name / file
            save(path, content)
            yield path
    for program in _main_programs(problem):
        copy = folder / f"{folder.resolve().name}{program.suffix}"
        shutil.copyfile(program, copy)
        yield copy
    for beside in _BESIDE:
        if (problem.folder / beside).is_file():
            shutil.copyfile(problem.folder / beside, folder / beside)
            yield folder / beside
    yield from write_all(folder, _texts(folder, problem, grader, language, instances, answers))


def _texts(
    folder: Path,
    problem: Problem,
    grader: Grader,
    language: str,
    instances: list[Case],
    answers: dict[str, Answers],
) -> dict[str, str]:
    """The texts of the files around the instances, by name."""
    names = [each.name for each in instances]
    outputs = next(iter(answers.values())).question.outputs
    if not outputs:
        raise InvalidPuzzle(f"{problem.folder}: nothing says what answers consist of")
    hidden = _hidden(names)
    program = f"{problem.name}{ENDINGS[language]}"
    references = [f"{folder.resolve().name}{path.suffix}" for path in _main_programs(problem)]
    beside = [name for name in _BESIDE if (problem.folder / name).is_file()]
    packed = ["exercise.toml", "problem.toml", *beside, *references, "instances", "solutions"]
    shown = ", ".join(f"`{name}`" for name in references)
    head = _head(problem, language, outputs)
    is_adapted = language == "prolog" and adapter_of(problem) is not None
    words = {
        **_words(problem, grader, names, hidden),
        "contents": "| `instances/`, `solutions/` | the instances, and all their answers |\n",
        "instances": "instances",
        "settings": 'problem = "."\n',
        "language": LANGUAGES[language],
        "program": program,
        "swipl": _INSTALL if language == "prolog" else "",
        "reference": f"| {shown} | right programs: keep them to yourself |\n" if shown else "",
        "packed": " ".join(packed),
        "head": head,
        "task": _task(language, program, is_adapted),
        "interface": re.sub(r"(?m)^% ?", "    " if is_adapted else "", head),
        "example": _example_of([each for each in instances if each.name not in hidden], answers),
        "defined": "\n".join(f"#defined {each}." for each in map(_name, sorted(problem.inputs))),
        "show": "\n".join(f"#show {each}." for each in map(_name, sorted(outputs))),
        "defines": _defines(problem),
        "clpfd": _clpfd(problem),
        "best": " that is as good as any" if any(each.cost for each in answers.values()) else "",
    }
    parts = templates(program)
    parts["student/README.md"] = _part("README.md")
    parts[f"student/{program}"] = _part(f"start{ENDINGS[language]}")
    texts = {name: fill(part, words) for name, part in parts.items()}
    texts["problem.toml"] = _settings(problem, outputs)
    texts[f"student/exercise/{FILE}"] = fill(parts[FILE], words | {"hide": "[]"})
    texts["student/exercise/problem.toml"] = texts["problem.toml"]
    if (problem.folder / "adapter.pl").is_file():
        adapter = (problem.folder / "adapter.pl").read_text(encoding="utf-8")
        texts["student/exercise/adapter.pl"] = adapter
    for each in instances:
        if each.name not in hidden:
            own = "student/exercise"
            texts[f"{own}/instances/{each.name}{each.path.suffix}"] = each.text
            recorded_answers = _recorded(each.name, answers[each.name])
            texts[f"{own}/solutions/{each.name}.json"] = recorded_answers
    return texts


def _right(task: ProblemTask, instance: Case, grader: Grader) -> Answers:
    """The right answers: those of all programs, or, of a folder without any, the recorded ones."""
    recorded_answers = task.problem.folder / "solutions" / f"{instance.name}.json"
    if not task.problem.paths and recorded_answers.is_file():
        return task.read(instance, recorded_answers, grader.limit)
    return task.solve(instance, "all", grader.limit, grader.timeout)


def _hidden(names: list[str]) -> list[str]:
    """The last two fifths of three instances or more."""
    return names[len(names) - len(names) * 2 // 5 :] if len(names) > 2 else []


def _words(problem: Problem, grader: Grader, names: list[str], hidden: list[str]) -> dict[str, str]:
    """The words about the limits, and how many instances there are."""
    return {
        "title": re.sub(r'["\\]', "", problem.title.partition(":")[0]),
        "timeout": f"{grader.timeout:g}",
        "total": f"{grader.total or len(names) * grader.timeout:g}",
        "memory": str(grader.memory),
        "hide": json.dumps(hidden),
        "visible": str(len(names) - len(hidden)),
        "hidden": more_hidden(len(hidden)),
    }


def _clpfd(problem: Problem) -> str:
    """The line that loads library(clpfd), if no reference for Prolog does without it."""
    path = problem.paths.get("prolog")
    text = path.read_text(encoding="utf-8", errors="replace") if path else "clpfd"
    return ":- use_module(library(clpfd)).\n\n" if "clpfd" in text else ""


# --- an exercise whose instances are goals ---


def _make_of_cases(folder: Path, problem: Problem, grader: Grader) -> Iterator[Path]:
    """Make an exercise of a folder with cases; students get the solutions of the visible ones."""
    task = GoalTask(problem)
    cases = list(task.gather(()))
    goals = [task.solve(each, "clingo", grader.limit, grader.timeout).question for each in cases]
    assert problem.cases is not None
    copied = [problem.cases.name, *(each for each in ("adapter.pl",) if adapter_of(problem))]
    references = [f"{folder.resolve().name}{each.suffix}" for each in _main_programs(problem)]
    names = [each.name for each in cases]
    hidden = _hidden_goals(goals)
    visible = [each for each in goals if each.name not in hidden]
    program = f"{problem.name}{ENDINGS['prolog']}"
    reference = "".join(_read(each) for each in _main_programs(problem))
    head = _predicates(goals, reference)
    shown = ", ".join(f"`{name}`" for name in references)
    words = {
        **_words(problem, grader, names, hidden),
        "contents": f"| `{problem.cases.name}` | the cases: goals, and what is right |\n",
        "instances": "cases",
        "settings": 'problem = "."\n',
        "language": LANGUAGES["prolog"],
        "program": program,
        "swipl": _INSTALL,
        "reference": f"| {shown} | a right program: keep it to yourself |\n" if shown else "",
        "packed": " ".join(["exercise.toml", *copied, *references]),
        "head": "\n".join(f"% {each}" for each in head),
        "interface": "\n".join(f"    {each}" for each in head),
        "clpfd": _clpfd(problem) if reference else "",
        "examples": "\n\n".join(map(_example, _one_each(visible))),
    }
    parts = templates(program)
    parts["student/README.md"] = _part("cases.md")
    parts[f"student/{program}"] = _part("cases.pl")
    texts = {name: fill(part, words) for name, part in parts.items()}
    texts[f"student/exercise/{FILE}"] = fill(parts[FILE], words | {"hide": "[]"})
    texts["student/exercise/cases.pl"] = "".join(each.source for each in visible)
    for name in copied:
        texts[name] = _read(problem.folder / name)
        if name == "adapter.pl":
            texts[f"student/exercise/{name}"] = texts[name]
    for name, path in zip(references, _main_programs(problem), strict=True):
        texts[name] = _read(path)
    yield from write_all(folder, texts)


def _predicates(goals: list[Goal], reference: str) -> list[str]:
    """The predicates to write, with the modes in which the cases call them.

    Where the reference has a line on a predicate, such as ``% sorted(+List, -Sorted)``, that is it.
    """
    lines: dict[str, None] = {}
    for name, modes, of_library in (call for goal in goals for call in goal.calls):
        own = re.search(rf"(?m)^{re.escape(name)}\b", reference)
        if own or not of_library:
            lines.setdefault(_described(name, len(modes), reference) or _called(name, modes))
    return list(lines)


def _called(name: str, modes: Sequence[str]) -> str:
    return f"{name}({','.join(modes)})" if modes else name


def _described(name: str, arity: int, reference: str) -> str:
    """The line of a comment that begins with the predicate and the modes of its arguments."""
    for each in re.findall(rf"(?m)^%+!?\s*({re.escape(name)}\([^()]*\)[^\n]*)$", reference):
        if each.partition(")")[0].count(",") + 1 == arity and re.search(r"[(,]\s*[-+?:]", each):
            return str(each).strip()
    return ""


_SHORT_EXAMPLE = 600
"""Characters of an instance and its answer that a task shows."""


def _example_of(instances: list[Case], answers: dict[str, Answers]) -> str:
    """An instance and one of its answers as a paragraph; nothing if there is no short one.

    It is the smallest one with several answers if there is any.
    """
    with_answers = [each for each in instances if answers[each.name].solutions]

    def order(each: Case) -> tuple[bool, int]:
        return len(answers[each.name].solutions) == 1, len(each.text)

    smallest = min(with_answers, key=order, default=None)
    if smallest is None:
        return ""
    right = answers[smallest.name]
    answer = right.first(right.solutions)
    facts = str(right.question.facts)
    if len(facts) + len(str(answer)) > _SHORT_EXAMPLE:
        return ""
    several = len(right.solutions) > 1
    which = f"one of its {len(right.solutions)} answers" if several else "its answer"
    lines = (f"The instance `{smallest.name}` has these facts:", "", f"    {facts}", "")
    return "\n".join((*lines, f"and this is {which}:", "", f"    {answer}", "", ""))


def _predicate(goal: Goal) -> tuple[str, int]:
    """The first predicate that a goal calls."""
    return next(((name, len(modes)) for name, modes, _ in goal.calls), ("", 0))


def _hidden_goals(goals: list[Goal]) -> list[str]:
    """The last cases of each predicate, two fifths or one of two, so that each has one to see."""
    if len(goals) < 3:
        return []
    by_predicate: dict[tuple[str, int], list[str]] = {}
    for each in goals:
        by_predicate.setdefault(_predicate(each), []).append(each.name)
    hidden: set[str] = set()
    for own in by_predicate.values():
        hidden.update(own[len(own) - max(len(own) * 2 // 5, len(own) > 1) :])
    return [each.name for each in goals if each.name in hidden]


_MOST_EXAMPLES = 6
"""Goals that a task shows."""


def _one_each(goals: list[Goal]) -> list[Goal]:
    """The first case of each predicate, and then others, in their order."""
    firsts = {_predicate(each): each for each in reversed(goals)}.values()
    others = [each for each in goals if each not in firsts]
    shown = [*firsts, *others[: max(0, 3 - len(firsts))]][:_MOST_EXAMPLES]
    return [each for each in goals if each in shown]


def _example(goal: Goal) -> str:
    """A goal with what is right, as Prolog's prompt prints it."""
    if goal.kind == "error":
        return f"?- {goal}.\n% throws {goal.expected[0]}"
    if goal.first and len(goal.expected) == goal.first:
        solutions = " ;\n".join(goal.expected)
        return f"?- {goal}.\n{solutions} ;\n% and so on: the first {goal.first} are asked for"
    return f"?- {goal}.\n" + " ;\n".join(goal.expected or ["false"]) + "."


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _main_programs(problem: Problem) -> list[Path]:
    return [problem.paths[name] for name in ("clingo", "prolog") if name in problem.paths]


def _part(name: str) -> str:
    return (_PARTS / name).read_text(encoding="utf-8")


def _recorded(name: str, right: Answers) -> str:
    witnesses = [written(answer) for answer in sorted(right.solutions, key=sorted)]
    facts = right.question.facts
    engines = [engine_for(each, facts) for each in facts.problem.paths if ":" not in each]
    versions = [f"{each.engine} {each.version()}" for each in engines]
    return recorded(f"{name}.lp", witnesses, right.complete, versions)


def _name(signature: Signature) -> str:
    return f"{signature[0]}/{signature[1]}"


def _settings(problem: Problem, outputs: frozenset[Signature]) -> str:
    """The text of ``problem.toml``."""
    lines = [f"title = {json.dumps(problem.title)}"]
    for word, signatures in (("output", outputs), ("input", problem.inputs)):
        lines.append(f"{word} = {json.dumps(sorted(map(_name, signatures)))}")
    return "\n".join(lines) + "\n"


def _head(problem: Problem, language: str, outputs: frozenset[Signature]) -> str:
    """The lines on input and output in the head of the reference, as comments.

    With ``adapter.pl``, programs for Prolog have the predicates that it calls instead.
    """
    adapter = adapter_of(problem)
    if language == "prolog" and adapter:
        reference = "".join(map(_read, _main_programs(problem)))
        calls = ((name, text) for name, text in called_by(adapter) if name not in problem.inputs)
        return "\n".join(f"% {_described(*name, reference) or text}" for name, text in calls)
    path = problem.paths.get("prolog" if language == "prolog" else "clingo")
    text = path.read_text(encoding="utf-8", errors="replace") if path else ""
    match = re.search(r"(?m)^% *Input:.*\n(?:%(?! *(?:Teaches|Costs):) *\S.*\n)*", text)
    if match:
        return match[0].rstrip()
    inputs = ", ".join(map(_name, sorted(problem.inputs))) or "none"
    shown = ", ".join(map(_name, sorted(outputs)))
    return f"% Input:   facts of {inputs}\n% Output:  atoms of {shown}"


def _task(language: str, program: str, is_adapted: bool) -> str:
    """The sentence that says what to write."""
    begin = f"Begin with `{program}`."
    if is_adapted:
        return (
            "Write these predicates in Prolog. The grader makes answers of their solutions: they"
            f"\nmust give **every** answer to an instance, and nothing else. {begin}"
        )
    return (
        f"Write a program in {LANGUAGES[language]} that gives **every** answer to an instance, and"
        f" nothing else. {begin}"
    )


def _defines(problem: Problem) -> str:
    if (problem.folder / "adapter.pl").is_file():
        return "Your predicates:"
    path = problem.paths.get("clingo")
    if path and declared(path).optimizes:
        return f"model(Pairs, Cost): Cost is a variable, {_PAIRS}"
    return f"model(Pairs): {_PAIRS}"


_PAIRS = "Pairs is a list of Name(Arguments...)-Variable and Atom #<==> Variable."
