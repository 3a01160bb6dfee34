"""An exercise on a problem: what students get, and files for platforms.

The folder of the exercise is a problem's folder itself, with the reference programs, and with the
answers to its instances in ``solutions``.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from ..engines import engine_for
from ..errors import InvalidPuzzle
from ..files import save
from ..problem import Signature
from ..problem.folder import Problem, declared
from ..problem.languages import ENDINGS
from ..problem.written import recorded
from .cases import Case
from .folder import FILE, LANGUAGES, fill, templates, write_all
from .grading import Grader
from .problems import Answers, ProblemTask, written
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
    task = ProblemTask(problem)
    instances = list(task.gather(()))
    answers: dict[str, Answers] = {}
    for each in instances:
        right = answers[each.name] = task.solve(each, "all", grader.limit, grader.timeout)
        text = _recorded(each.name, right)
        for name, content in (("instances", each.text), ("solutions", text)):
            (folder / name).mkdir(parents=True, exist_ok=True)
            path = folder / name / f"{each.name}.{'lp' if name == 'instances' else 'json'}"
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
    hidden = names[len(names) - len(names) * 2 // 5 :] if len(names) > 2 else []
    program = f"{problem.name}{ENDINGS[language]}"
    references = [f"{folder.resolve().name}{path.suffix}" for path in _main_programs(problem)]
    beside = [name for name in _BESIDE if (problem.folder / name).is_file()]
    packed = ["exercise.toml", "problem.toml", *beside, *references, "instances", "solutions"]
    shown = ", ".join(f"`{name}`" for name in references)
    head = _head(problem, language, outputs)
    words = {
        "title": re.sub(r'["\\]', "", problem.title.partition(":")[0]),
        "timeout": f"{grader.timeout:g}",
        "total": f"{grader.total or len(names) * grader.timeout:g}",
        "memory": str(grader.memory),
        "settings": 'problem = "."\n',
        "language": LANGUAGES[language],
        "program": program,
        "swipl": _INSTALL if language == "prolog" else "",
        "reference": f"| {shown} | right programs: keep them to yourself |\n",
        "hide": json.dumps(hidden),
        "visible": str(len(names) - len(hidden)),
        "hidden": f"; {len(hidden)} more are hidden" if hidden else "",
        "packed": " ".join(packed),
        "head": head,
        "interface": re.sub(r"(?m)^% ?", "", head),
        "defined": "\n".join(f"#defined {each}." for each in map(_name, sorted(problem.inputs))),
        "show": "\n".join(f"#show {each}." for each in map(_name, sorted(outputs))),
        "defines": _defines(problem),
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
            own = f"student/exercise/{{}}/{each.name}.{{}}"
            texts[own.format("instances", "lp")] = each.text
            texts[own.format("solutions", "json")] = _recorded(each.name, answers[each.name])
    return texts


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
    """The lines on input and output in the head of the reference, as comments."""
    path = problem.paths.get("prolog" if language == "prolog" else "clingo")
    text = path.read_text(encoding="utf-8", errors="replace") if path else ""
    match = re.search(r"(?m)^% *Input:.*\n(?:%(?! *(?:Teaches|Costs):) *\S.*\n)*", text)
    if match:
        return match[0].rstrip()
    inputs = ", ".join(map(_name, sorted(problem.inputs))) or "none"
    shown = ", ".join(map(_name, sorted(outputs)))
    return f"% Input:   facts of {inputs}\n% Output:  atoms of {shown}"


def _defines(problem: Problem) -> str:
    if (problem.folder / "adapter.pl").is_file():
        return "Your predicates:"
    path = problem.paths.get("clingo")
    if path and declared(path).optimizes:
        return f"model(Pairs, Cost): Cost is a variable, {_PAIRS}"
    return f"model(Pairs): {_PAIRS}"


_PAIRS = "Pairs is a list of Name(Arguments...)-Variable and Atom #<==> Variable."
