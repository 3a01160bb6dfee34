"""The words of a handout about a reference and its answers, and nothing that gives it away.

Students are always told the names and modes of predicates, the lines on input and output in the
head of a program, the predicates that ``adapter.pl`` provides, that answers of the least cost
count, and a visible instance with an answer and its cost. The comments at the predicates of the
reference, and at what it minimizes, are shown only if ``problem.toml`` has ``show_comments =
true``; a ``description`` of ``exercise.toml``, or else of ``problem.toml``, always is. Where
nothing says what is to be done, there is a place for the teacher to fill.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path

from ..errors import cost_text, counted, listed
from ..problem import Signature
from ..problem.folder import Problem, terms_in, with_loaded
from .cases import Case
from .comments import comment_at, comment_on
from .folder import settings_in
from .goals import Goal
from .problem_programs import adapter_of, called_by, provided_by
from .problems import Answers

LONGEST_EXAMPLE = 4000
"""Characters of an instance and an answer that a task shows: those of a board of 10x10 fit."""
_WIDTH = 100
"""Characters of a line of an example."""
PLACE = "For the teacher:"
"""The beginning of a place that the teacher is to fill."""
_PLACE = f"**{PLACE}** say here {{what}}, and delete this line."
_LABELS = "Input|Inputs|Output|Outputs|Constants?|Instances?|Answers?|Examples?"
"""The words with which the paragraphs of a head begin that a task shows."""


def paragraph(text: str) -> str:
    """The text as a paragraph before others; empty if it is."""
    return f"{text}\n\n" if text else ""


def read(path: Path) -> str:
    """The text of a program, whatever its bytes are."""
    return path.read_text(encoding="utf-8-sig", errors="replace")


def source_of(programs: Iterable[Path]) -> str:
    """The text of programs and of all that they load."""
    files = dict.fromkeys(file for path in programs for file in with_loaded(path))
    return "\n".join(map(read, files))


def name_of(signature: Signature) -> str:
    """The name of a predicate with the number of its arguments."""
    return f"{signature[0]}/{signature[1]}"


# --- what is to be done ---


def description_of(problem: Problem) -> str:
    """The text for students on what a program is to do: that of the exercise, if it has one.

    InvalidPuzzle for an ``exercise.toml`` that cannot be used.
    """
    return (settings_in(problem.folder).description or problem.description).strip()


def purpose(problem: Problem, source: str, predicates: Iterable[Signature]) -> str:
    """Return what a program is to do: the description, or comments, or a place for it."""
    if description := description_of(problem):
        return description
    if problem.shows_comments:
        several = ((each, comment_on(each[0], source)) for each in predicates)
        if lines := [f"- `{name_of(each)}`: {text}" for each, text in several if text]:
            return "\n".join(lines)
    if rest := problem.title.partition(":")[2].strip():
        return f"{rest[0].upper()}{rest[1:]}"
    what = "what a program is to do, or set `description` in `problem.toml` before `exercise new`"
    return _PLACE.format(what=what)


def wanted(has_costs: bool, costs_count: bool) -> str:
    """Return the answers that a program is to give."""
    if not costs_count:
        return "an answer, and only answers that keep all rules"
    return f"every answer{' of the least cost' if has_costs else ''} and nothing else"


def optimum(problem: Problem, source: str, costs_count: bool = True) -> str:
    """Return what is told about costs: the least one counts, and a comment on what it is."""
    if not costs_count:
        return "Each answer that keeps all rules counts, whatever your program minimizes."
    words = (
        "Each answer has a cost, and only the answers of the least cost count. (What is maximized"
        " makes the cost smaller: clingo counts it as negative.)"
    )
    if problem.shows_comments:
        comment = comment_at(r"\s*(?:#minimi[sz]e|#maximi[sz]e|:~)|model\([^()]*,", source)
        if comment:
            return f"{words} The cost: {comment.rstrip('.')}."
    if description_of(problem):
        return words
    return f"{words}\n\n{_PLACE.format(what='what is minimized or maximized')}"


# --- the predicates ---


def predicates(goals: Sequence[Goal], source: str, known: Iterable[Signature]) -> list[str]:
    """Return the predicates to write, with the modes in which the cases call them.

    Where the reference has a line on a predicate, such as ``% sorted(+List, -Sorted)``, that is it;
    where a comment above the predicate begins a line with ``sorted(List, Sorted)``, this part of
    the line. Those that are `known`, since the teacher's file has them, are left out.
    """
    lines: dict[str, None] = {}
    for name, modes, of_library in (call for goal in goals for call in goal.calls):
        own = re.search(rf"(?m)^{re.escape(name)}\b", source)
        if own or not (of_library or (name, len(modes)) in known):
            described_by = described(name, len(modes), source) or _named(name, len(modes), source)
            lines.setdefault(described_by or _called(name, modes))
    return list(lines)


def _called(name: str, modes: Sequence[str]) -> str:
    return f"{name}({','.join(modes)})" if modes else name


def described(name: str, arity: int, source: str) -> str:
    """Return the line of a comment that begins with the predicate and the modes of arguments."""
    for each in re.findall(rf"(?m)^%+!?\s*({re.escape(name)}\([^()]*\)[^\n]*)$", source):
        if each.partition(")")[0].count(",") + 1 == arity and re.search(r"[(,]\s*[-+?:]", each):
            return str(each).strip()
    return ""


def _named(name: str, arity: int, source: str) -> str:
    """Return the predicate with the names of its arguments, from a line of the comment above it.

    The rest of the line may tell how the reference works, and is left out.
    """
    call = rf"{re.escape(name)}\([A-Z_]\w*(?:\s*,\s*[A-Z_]\w*)*\)"
    until_clause = rf"[^\n]*\n(?:%[^\n]*\n)*\n?{re.escape(name)}\("
    commented = rf"(?m)^%+!?[ \t]*({call})(?!\s*(?::-|-->)){until_clause}"
    calls = (each for each in re.findall(commented, source) if each.count(",") + 1 == arity)
    return str(next(calls, ""))


def head_of(problem: Problem, language: str, outputs: frozenset[Signature]) -> str:
    """Return the lines on input and output in the head of the reference, as comments.

    With ``adapter.pl``, programs for Prolog have the predicates that it calls instead.
    """
    adapter = adapter_of(problem)
    if language == "prolog" and adapter:
        source = source_of(problem.references.values())
        calls = ((name, text) for name, text in called_by(adapter) if name not in problem.inputs)
        return "\n".join(f"% {described(*name, source) or text}" for name, text in calls)
    path = problem.paths.get("prolog" if language == "prolog" else "clingo")
    if path and (lines := _interface(source_of([path]))):
        return lines
    inputs = ", ".join(map(name_of, sorted(problem.inputs))) or "none"
    shown = ", ".join(map(name_of, sorted(outputs)))
    return f"% Input:   facts of {inputs}\n% Output:  atoms of {shown}"


def _interface(text: str) -> str:
    """The paragraphs of a head from ``Input:`` on, as long as they are about what a task shows."""
    match = re.search(r"(?m)^% *Inputs?:.*\n(?:%.*\n)*", text)
    told: list[str] = []
    for number, block in enumerate(re.split(r"(?m)^%[^\S\n]*\n", match[0] if match else "")):
        kept = re.match(r"(?:%(?! *(?:Teaches|Costs|Unseen):).*\n)*", block)
        if number and not re.match(rf"% *(?:{_LABELS}):", block):
            break
        told.append(kept[0] if kept else "")
        if told[-1] != block:
            break
    lines = (line.rstrip() for line in "%\n".join(told).splitlines())
    return "\n".join(lines)


def provided(problem: Problem, source: str) -> str:
    """Return a paragraph on the predicates of ``adapter.pl`` that a program may call, if any.

    They are those that the reference mentions; without a reference, those that are facts.
    """
    adapter = adapter_of(problem)
    if adapter is None:
        return ""
    mentioned = {name for name, _ in terms_in(source)}
    known = [
        f"`{name_of(name)}` ({counted(facts, 'fact')})" if facts else f"`{name_of(name)}`"
        for name, facts in provided_by(adapter)
        if (name in mentioned if source else facts)
    ]
    if not known:
        return ""
    return f"These predicates are there already, in `exercise/adapter.pl`: {listed(known)}."


# --- an example ---


def example(instances: Sequence[Case], answers: Mapping[str, Answers]) -> str:
    """Return an instance and one of its answers as paragraphs, or the names of their files.

    It is the smallest one with several answers if there is any that is short enough. Nothing if
    none has an answer.
    """
    by_size = {
        each.name: sum(map(len, chain.from_iterable(_texts(answers[each.name]))))
        for each in instances
        if answers[each.name].solutions
    }

    def order(name: str) -> tuple[bool, bool, int]:
        right = answers[name].solutions
        return by_size[name] > LONGEST_EXAMPLE, len(right) == 1, by_size[name]

    smallest = min(by_size, key=order, default=None)
    if smallest is None:
        return ""
    right = answers[smallest]
    if by_size[smallest] > LONGEST_EXAMPLE:
        ending = next(each.path.suffix for each in instances if each.name == smallest)
        files = f"`exercise/instances/{smallest}{ending}`", f"`exercise/solutions/{smallest}.json`"
        return f"A small instance is {files[0]}, and {files[1]} has its answers.{_cost(right)}\n\n"
    several = len(right.solutions) > 1
    which = "its answer" if right.complete else "one of its answers"
    if several:
        which = f"one of {'its' if right.complete else 'at least'} {len(right.solutions)} answers"
    facts, answer = map(_indented, _texts(right))
    lines = (f"The instance `{smallest}` has these facts:", "", facts, "")
    return "\n".join((*lines, f"and this is {which}:", "", answer, "", "")) + paragraph(
        _cost(right).strip()
    )


def _cost(right: Answers) -> str:
    return f" Its cost is {cost_text(right.cost)}." if right.cost else ""


def _texts(right: Answers) -> tuple[list[str], list[str]]:
    """The facts of an instance, and the atoms of an answer."""
    asked = right.question.facts
    facts = [f"#const {name}={value}." for name, value in asked.constants]
    facts += [f"{each.text}." for each in asked.facts]
    return facts, [f"{each}." for each in sorted(right.first(right.solutions) or ())]


def _indented(atoms: Iterable[str]) -> str:
    """The atoms as a block of Markdown."""
    return "\n".join(f"    {line}" for line in _broken(atoms))


def _broken(atoms: Iterable[str]) -> Iterator[str]:
    """The lines of atoms, which break between them."""
    line = ""
    for each in atoms:
        if line and len(line) + len(each) >= _WIDTH:
            yield line
            line = ""
        line = f"{line} {each}" if line else each
    yield line
