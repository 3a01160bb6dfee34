"""An exercise on a problem: what students get, and files for platforms.

The folder of the exercise is a problem's folder itself, with the reference programs and all that
they load, and with the answers to its instances in ``solutions``.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from ..engines import engine_for
from ..errors import InvalidPuzzle, counted, listed
from ..files import save
from ..problem import Signature
from ..problem.folder import Problem, declared, template_words, with_loaded
from ..problem.languages import ENDINGS
from ..problem.written import recorded
from .cases import Case
from .folder import FILE, LANGUAGES, fill, more_hidden, settings_in, templates, write_all
from .goals import Goal, GoalTask
from .grading import Grader
from .problem_programs import adapter_of, called_by, provided_by
from .problems import Answers, ProblemTask, of_any_cost, written
from .reports import TEMPLATES
from .telling import (
    PLACE,
    example,
    head_of,
    name_of,
    optimum,
    paragraph,
    predicates,
    provided,
    purpose,
    read,
    source_of,
    wanted,
)

_PARTS = TEMPLATES / "problem"
_INSTALL = """
      - name: Install SWI-Prolog
        run: sudo apt-get update && sudo apt-get install -y swi-prolog-nox
"""
_BESIDE = ("check.lp", "adapter.pl")
"""Files of a problem that help to grade."""


def make_exercise(
    folder: Path,
    problem: Problem,
    grader: Grader,
    language: str = "asp",
    warn: Callable[[str], object] = lambda _words: None,
) -> Iterator[Path]:
    """Make an exercise of a problem's instances in a folder; yield each file that is written.

    Of three instances or more, the last two fifths are hidden. `warn` is called with each doubt
    about what is right. Disagreement if the problem's programs differ, InvalidPuzzle if it has no
    instance, or if it is not clear which of several programs is the reference.
    """
    if folder.resolve() == problem.folder:
        raise InvalidPuzzle(f"{folder} is the folder of the problem; give a new folder")
    files = _reference_files(folder, problem)
    for words in filter(None, map(template_words, problem.paths.values())):
        warn(f"{words}, so it is taken for a template, and not for a reference")
    if problem.cases:
        yield from _make_of_cases(folder, problem, grader, files, warn)
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
    for words in dict.fromkeys(each.warning for each in answers.values() if each.warning):
        warn(words)
    for name, path in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, folder / name)
        yield folder / name
    for beside in _BESIDE:
        if (problem.folder / beside).is_file():
            shutil.copyfile(problem.folder / beside, folder / beside)
            yield folder / beside
    texts = _texts(problem, grader, language, instances, answers, list(files))
    yield from write_all(folder, texts)


def _filled(parts: dict[str, str], words: dict[str, str]) -> dict[str, str]:
    """The templates with these words; the teacher's own page names the places to fill in."""
    open_ = PLACE in fill(parts["student/README.md"], words)
    todo = (
        f"**Before you hand it out,** write into `student/README.md` what a program is to do, where"
        f' it says "{PLACE}".'
    )
    words = words | {"todo": paragraph(todo if open_ else "")}
    return {name: fill(part, words) for name, part in parts.items()}


def _reference_files(folder: Path, problem: Problem) -> dict[str, Path]:
    """The files of the reference programs, by their names in the folder of the exercise.

    The main ones are called as this folder is; those that they load keep their names.
    InvalidPuzzle if there is no main program, if a file is outside the folder of the problem, or if
    its name is that of another file of the exercise.
    """
    mains = _main_programs(problem)
    if not mains and (parts := list(problem.references.values())):
        ending = parts[0].suffix
        includes = " ".join(_including(each) for each in parts)
        raise InvalidPuzzle(
            f"{problem.folder} has {listed(each.name for each in parts)}: call the reference"
            f" {problem.name}{ending}, or, if they are parts of one program, write"
            f" {problem.name}{ending} with {includes}"
        )
    files = {f"{folder.resolve().name}{path.suffix}": path for path in mains}
    taken = {*files, *_BESIDE, FILE, "problem.toml", "cases.pl", "README.md", "pack.sh"}
    taken |= {"instances", "solutions", "student", "gradescope", "coderunner"}
    own = {each.resolve() for each in mains}
    for path in (each for main in mains for each in with_loaded(main) if each not in own):
        if not path.is_relative_to(problem.folder):
            raise InvalidPuzzle(
                f"the reference loads {path}, which is outside {problem.folder}; move it there,"
                " since an exercise has all that it needs in its own folder"
            )
        name = path.relative_to(problem.folder).as_posix()
        if name.partition("/")[0] in taken:
            raise InvalidPuzzle(
                f"the reference loads {name}, and {folder} has another file of that name; rename"
                " it, or give another folder"
            )
        files[name] = path
    return files


def _including(path: Path) -> str:
    """The directive that makes a file a part of a program."""
    return f'#include "{path.name}".' if path.suffix == ".lp" else f":- include('{path.name}')."


def _texts(
    problem: Problem,
    grader: Grader,
    language: str,
    instances: list[Case],
    answers: dict[str, Answers],
    references: list[str],
) -> dict[str, str]:
    """The texts of the files around the instances, by name."""
    names = [each.name for each in instances]
    outputs = next(iter(answers.values())).question.outputs
    if not outputs:
        raise InvalidPuzzle(f"{problem.folder}: nothing says what answers consist of")
    hidden = _hidden(names)
    program = f"{problem.name}{ENDINGS[language]}"
    beside = [name for name in _BESIDE if (problem.folder / name).is_file()]
    files = ["exercise.toml", "problem.toml", *beside, *references, "instances", "solutions"]
    shown = ", ".join(f"`{name}`" for name in references)
    head = head_of(problem, language, outputs)
    source = source_of(problem.references.values())
    visible = [each for each in instances if each.name not in hidden]
    has_costs = any(each.cost for each in answers.values())
    costs_count = settings_in(problem.folder).options.get("costs", True)
    shown_answers = answers
    if not costs_count:
        shown_answers = {name: of_any_cost(right, name) for name, right in answers.items()}
    adapter = adapter_of(problem) if language == "prolog" else None
    of_task = {name for name, _ in called_by(adapter)} if adapter else outputs
    words = {
        **_words(problem, grader, names, hidden),
        "contents": "| `instances/`, `solutions/` | the instances, and all their answers |\n",
        "instances": "instances",
        "settings": 'problem = "."\n' + ("" if costs_count else "costs = false\n"),
        "language": LANGUAGES[language],
        "program": program,
        "ending": Path(program).suffix,
        "swipl": _INSTALL if language == "prolog" else "",
        "reference": f"| {shown} | right programs: keep them to yourself |\n" if shown else "",
        "packed": _packed(files),
        "head": head,
        "purpose": purpose(problem, source, sorted(of_task)),
        "provided": paragraph(provided(problem, source) if language == "prolog" else ""),
        "cost": paragraph(optimum(problem, source, costs_count) if has_costs else ""),
        "task": _task(language, program, adapter is not None),
        "interface": re.sub(r"(?m)^% ?", "    ", head),
        "example": example(visible, shown_answers),
        "defined": "\n".join(f"#defined {each}." for each in map(name_of, sorted(problem.inputs))),
        "show": "\n".join(f"#show {each}." for each in map(name_of, sorted(outputs))),
        "defines": _defines(problem),
        "clpfd": _clpfd(problem),
        "wanted": wanted(has_costs, costs_count),
    }
    parts = templates(program)
    parts["student/README.md"] = _part("README.md")
    parts[f"student/{program}"] = _part(f"start{ENDINGS[language]}")
    texts = _filled(parts, words) | _begun(problem, program)
    texts["problem.toml"] = _settings(problem, outputs)
    texts[f"student/exercise/{FILE}"] = fill(parts[FILE], words | {"hide": "[]"})
    texts["student/exercise/problem.toml"] = texts["problem.toml"]
    if own_adapter := adapter_of(problem):
        texts["student/exercise/adapter.pl"] = own_adapter.read_text(encoding="utf-8")
    for each in instances:
        if each.name not in hidden:
            own = "student/exercise"
            texts[f"{own}/instances/{each.name}{each.path.suffix}"] = each.text
            recorded_answers = _recorded(each.name, answers[each.name])
            texts[f"{own}/solutions/{each.name}.json"] = recorded_answers
    return texts


def _begun(problem: Problem, program: str) -> dict[str, str]:
    """The file that students begin with, if the teacher's folder has a template for it."""
    ending = Path(program).suffix
    own = [path for path in problem.paths.values() if path.suffix == ending]
    path = own[0] if len(own) == 1 else problem.folder / program
    if path not in own or not template_words(path) or not read(path).strip():
        return {}
    return {f"student/{program}": read(path)}


def _right(task: ProblemTask, instance: Case, grader: Grader) -> Answers:
    """The right answers: those of all programs, or, of a folder without any, the recorded ones."""
    recorded_answers = task.problem.folder / "solutions" / f"{instance.name}.json"
    if not task.problem.references and recorded_answers.is_file():
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
    path = problem.references.get("prolog")
    text = source_of([path]) if path else "clpfd"
    return ":- use_module(library(clpfd)).\n\n" if "clpfd" in text else ""


# --- an exercise whose instances are goals ---


def _make_of_cases(
    folder: Path,
    problem: Problem,
    grader: Grader,
    files: dict[str, Path],
    warn: Callable[[str], object],
) -> Iterator[Path]:
    """Make an exercise of a folder with cases and these files of its reference.

    Students get the solutions of the visible cases. Facts of the reference may be data that a
    program needs, and students do not get them: `warn` is called with that.
    """
    task = GoalTask(problem)
    cases = list(task.gather(()))
    goals = [task.solve(each, "clingo", grader.limit, grader.timeout).question for each in cases]
    assert problem.cases is not None
    copied = [problem.cases.name, *(each for each in ("adapter.pl",) if adapter_of(problem))]
    names = [each.name for each in cases]
    hidden = _hidden_goals(goals)
    visible = [each for each in goals if each.name not in hidden]
    examples = _one_each(visible)
    program = f"{problem.name}{ENDINGS['prolog']}"
    source = source_of(_main_programs(problem))
    adapter = adapter_of(problem)
    known = {name for name, _ in provided_by(adapter)} if adapter else set()
    head = predicates(goals, source, known)
    called = ((name, len(modes)) for goal in goals for name, modes, _ in goal.calls)
    of_task = [each for each in dict.fromkeys(called) if each not in known]
    if data := _data(files.values(), {*of_task, *known}):
        warn(
            f"students do not get the facts of {listed(data)} in the reference; write those that"
            " they need into adapter.pl"
        )
    shown = ", ".join(f"`{name}`" for name in files)
    words = {
        **_words(problem, grader, names, hidden),
        "contents": f"| `{problem.cases.name}` | the cases: goals, and what is right |\n",
        "instances": "cases",
        "settings": 'problem = "."\n',
        "language": LANGUAGES["prolog"],
        "program": program,
        "ending": Path(program).suffix,
        "swipl": _INSTALL,
        "reference": f"| {shown} | a right program: keep it to yourself |\n" if shown else "",
        "packed": _packed(["exercise.toml", *copied, *files]),
        "purpose": purpose(problem, source, of_task),
        "provided": paragraph(provided(problem, source)),
        "head": "\n".join(f"% {each}" for each in head),
        "interface": "\n".join(f"    {each}" for each in head),
        "clpfd": _clpfd(problem) if source else "",
        "cases": counted(len(visible), "case"),
        "are": "is" if len(visible) == 1 else "are",
        "some": ". Some of them, as" if len(examples) < len(visible) else ", as",
        "them": "it" if len(visible) == 1 else "them",
        "examples": "\n\n".join(map(_example, examples)),
    }
    parts = templates(program)
    parts["student/README.md"] = _part("cases.md")
    parts[f"student/{program}"] = _part("cases.pl")
    texts = _filled(parts, words) | _begun(problem, program)
    texts[f"student/exercise/{FILE}"] = fill(parts[FILE], words | {"hide": "[]"})
    texts["student/exercise/cases.pl"] = "".join(each.source for each in visible)
    for name in copied:
        texts[name] = read(problem.folder / name)
        if name == "adapter.pl":
            texts[f"student/exercise/{name}"] = texts[name]
    for name, path in files.items():
        texts[name] = read(path)
    yield from write_all(folder, texts)


def _data(paths: Iterable[Path], known: set[Signature]) -> list[str]:
    """The predicates that consist of several facts without variables, except those known."""
    facts = (each for path in paths if path.suffix == ".pl" for each in provided_by(path))
    return [name_of(each) for each, number in facts if number > 1 and each not in known]


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


def _one_each(goals: list[Goal]) -> list[Goal]:
    """The first case of each predicate, and up to three in all, in their order."""
    firsts: dict[tuple[str, int], Goal] = {}
    for each in goals:
        firsts.setdefault(_predicate(each), each)
    others = [each for each in goals if each not in firsts.values()]
    shown = [*firsts.values(), *others[: max(0, 3 - len(firsts))]]
    return [each for each in goals if each in shown]


def _example(goal: Goal) -> str:
    """A goal with what is right, as Prolog's prompt prints it."""
    if goal.kind == "error":
        return f"?- {goal}.\n% throws {goal.expected[0]}"
    if goal.first and len(goal.expected) == goal.first:
        solutions = " ;\n".join(goal.expected)
        return f"?- {goal}.\n{solutions} ;\n% and so on: the first {goal.first} are asked for"
    return f"?- {goal}.\n" + " ;\n".join(goal.expected or ["false"]) + "."


def _main_programs(problem: Problem) -> list[Path]:
    known = problem.references
    return [known[name] for name in ("clingo", "prolog") if name in known]


def _packed(names: list[str]) -> str:
    """The arguments of ``zipfile``, which keeps the names in folders alone."""
    return " ".join(dict.fromkeys(name.partition("/")[0] for name in names))


def _part(name: str) -> str:
    return (_PARTS / name).read_text(encoding="utf-8")


def _recorded(name: str, right: Answers) -> str:
    witnesses = [written(answer) for answer in sorted(right.solutions, key=sorted)]
    facts = right.question.facts
    engines = [engine_for(each, facts) for each in facts.problem.references if ":" not in each]
    versions = [f"{each.engine} {each.version()}" for each in engines]
    return recorded(f"{name}.lp", witnesses, right.complete, versions)


def _settings(problem: Problem, outputs: frozenset[Signature]) -> str:
    """The text of ``problem.toml``."""
    lines = [f"title = {json.dumps(problem.title)}"]
    for word, signatures in (("output", outputs), ("input", problem.inputs)):
        lines.append(f"{word} = {json.dumps(sorted(map(name_of, signatures)))}")
    return "\n".join(lines) + "\n"


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
    path = problem.references.get("clingo")
    if path and declared(path).optimizes:
        return f"model(Pairs, Cost): Cost is a variable, {_PAIRS}"
    return f"model(Pairs): {_PAIRS}"


_PAIRS = "Pairs is a list of Name(Arguments...)-Variable and Atom #<==> Variable."
