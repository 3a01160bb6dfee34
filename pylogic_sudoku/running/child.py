"""Runs a foreign program by clingo: a script for a process of its own.

It does not import the package. Its input has two lines of JSON: the job, and a list of the file
that it is to write for the instance, and its text. The second line comes when the program has been
read and found to be one, so that until then nothing depends on the instance. It writes JSON lists,
one per line::

    ["ready"]                            the instance may come
    ["stage", name]                      "grounding" and then "searching"
    ["derived", [[name, arity], ...]]    the predicates of which the ground program has atoms
    ["note", text]                       a remark that may explain wrong answers
    ["message", "error", [kind, file, line, column, text, cure]]
                                         why the program is refused, if that is before "failed"
    ["answer", costs, [[name, ...], ...]]  atoms of an answer set, each set of atoms once
    ["found", number, how]               answer sets so far, and how the same atoms came again
    ["failed", kind, text]               kind: "refused", "memory", or "clingo"
    ["end", exhausted, number]           after all answer sets, or the limit

A job may name another script, whose class `Answers` takes the place of that below, and writes the
parts of an answer that it likes. Modules of ours do other work by `main`.

clingo itself writes its messages to standard error. A logger would be worse: a byte in a message
that is not UTF-8 would end the process.
"""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import IO, Any

ALLOWING = "--allow-read allows it"
EXACT = "--eq=0"
"""As in ``engines/clingo/session.py``, which says why."""


def main(
    program: str,
    results: str,
    work: Callable[[dict[str, Any], str, str, IO[str]], None] | None = None,
) -> None:
    """Do a job with the program; by default, solve."""
    asked = _input()
    job = json.loads(asked.readline())
    # A #script block runs in the main module, which must not be this one.
    sys.modules["__main__"] = type(sys)("__main__")
    with open(results, "w", encoding="utf-8") as out:

        def instance() -> str:
            write(out, "ready")
            path, text = json.loads(asked.readline())
            os.makedirs(os.path.dirname(path))
            with open(path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            return str(path)

        try:
            if work:
                work(job, program, instance(), out)
            else:
                _solve(job, program, instance, out)
        except MemoryError:
            write(out, "failed", "memory", "")
        except _Refused as refusal:
            write(out, "message", "error", ["refused", *refusal.place, refusal.words, ""])
            write(out, "failed", "refused", str(refusal))
        except RuntimeError as error:
            kind = "memory" if "bad_alloc" in str(error) else "clingo"
            write(out, "failed", kind, str(error))


def _input() -> IO[str]:
    """Return the standard input; for the program there is none."""
    asked = os.fdopen(os.dup(0), encoding="utf-8")
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    os.close(empty)
    return asked


class _Refused(Exception):
    """The program has a statement that the grader does not run."""

    def __init__(self, words: str | _Refused, statement: Any = None) -> None:
        self.words: str
        self.place: tuple[str, int, int] = ("", 0, 0)
        if isinstance(words, _Refused):  # clingo raises type(error)(error) in the place of an error
            self.words, self.place = words.words, words.place
        else:
            self.words = words
            if statement:
                begin = statement.location.begin
                self.place = begin.filename, begin.line, begin.column
        where = ":".join(map(str, self.place)) if self.place[0] else ""
        super().__init__(f"{where}: {self.words}" if where else self.words)


def _solve(job: dict[str, Any], program: str, instance: Callable[[], str], out: IO[str]) -> None:
    import clingo
    from clingo.ast import ASTType, parse_files

    make = runpy.run_path(job["answers"])["Answers"] if "answers" in job else Answers
    reader = make(job)
    options = [part for each in job["constants"] for part in ("-c", each)]
    options += (EXACT, *reader.options)
    if job["allow_scripts"]:
        from clingo.script import enable_python

        enable_python()
    statements: list[Any] = []

    def take(statement: Any) -> None:
        check(statement, job["allow_scripts"], job["visible"])
        if words := reader.refused(statement):
            raise _Refused(words, statement)
        statements.append(statement)

    # All statements that run are checked, also those of included files.
    parse_files([program], take)
    for note in reader.notes(statements):
        write(out, "note", note)
    text = f"#include {_quote(program)}. #program base. "
    # A script runs only once, and when no message of it is about the program alone.
    if all(each.ast_type != ASTType.Script for each in statements):
        # The warnings come below, when the instance is there.
        trial = clingo.Control([*options, "--warn=none"])
        trial.add("base", [], text + reader.text)
        trial.ground([])  # checks it, and no more
    # Megabytes of facts as statements would take three times as long. Both files are read at once,
    # since a constant may be overridden in either.
    control = clingo.Control(options)
    control.add("base", [], f"{text}#include {_quote(instance())}. {reader.text}")
    write(out, "stage", "grounding")
    control.ground()
    write(out, "derived", list(_derivable(control)))
    if hasattr(sys.modules["__main__"], "main"):
        raise _Refused("a #script defines main(), but the grader grounds and solves itself")
    control.configuration.solve.models = 0  # type: ignore[union-attr]
    control.configuration.solve.project = reader.project  # type: ignore[union-attr]
    write(out, "stage", "searching")
    _search(control, reader, job["limit"], out)


def _derivable(control: Any) -> Iterator[tuple[str, int]]:
    """Yield what ``engines/clingo/session.py`` has under this name, too."""
    atoms = control.symbolic_atoms
    for name, arity, positive in atoms.signatures:
        if next(atoms.by_signature(name, arity, positive), None):
            yield ("" if positive else "-") + name, arity


def _quote(path: str) -> str:
    """Return the path as a string of clingo."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _search(control: Any, reader: Any, most: int, out: IO[str]) -> None:
    number, exhausted = 0, True
    digests: set[bytes] = set()
    with control.solve(yield_=True) as handle:
        for model in handle:
            if model.cost and not model.optimality_proven:
                continue
            number += 1
            atoms, line = reader.answer(model)
            key = blake2b("".join(atoms).encode(errors="replace"), digest_size=16).digest()
            if key in digests:
                if number & (number - 1) == 0:  # at each power of two: often enough for a report
                    write(out, "found", number, reader.again)
                continue
            digests.add(key)
            _write_line(out, line)
            if len(digests) == most:
                exhausted = False
                break
    write(out, "found", number, reader.again)
    write(out, "end", exhausted, number)


class Answers:
    """Answers as the atoms of some predicates; of those with costs, the best."""

    options = ("--opt-mode=optN",)
    again = "answer sets with the same output differ in other atoms"

    def __init__(self, job: dict[str, Any]) -> None:
        self._outputs = {(name, arity) for name, arity in job["outputs"]}
        named = [f"{name}/{arity}." for name, arity in sorted(self._outputs)]
        self.text = " ".join(
            f"{word} {each}" for each in named for word in ("#project", "#defined")
        )
        self._known: dict[Any, str] = {}
        self._terms = False

    @property
    def project(self) -> str:
        """The setting of clingo for the atoms that distinguish answers."""
        return "show" if self._terms else "project"

    def refused(self, statement: Any) -> str:
        """Return why a statement does not belong in such a program; empty if it does."""
        return ""

    def notes(self, statements: list[Any]) -> Iterator[str]:
        """Refuse a program without any rule for one of the predicates."""
        from clingo.ast import ASTType

        self._terms = any(each.ast_type == ASTType.ShowTerm for each in statements)
        derived = {name for each in statements for name in _derived(each)}
        for name, arity in sorted(self._outputs - derived):
            there = ", ".join(f"{each}/{number}" for each, number in sorted(derived)) or "none"
            raise _Refused(
                f"no rule derives {name}/{arity}, and answers consist of such atoms; the program"
                f" derives {there}"
            )
        return iter(())

    def answer(self, model: Any) -> tuple[list[str], str]:
        symbols = model.symbols(atoms=True, terms=self._terms)
        atoms = sorted({*filter(None, map(self._atom, symbols))})
        return atoms, f'["answer", {json.dumps(list(model.cost))}, [{",".join(atoms)}]]'

    def _atom(self, symbol: Any) -> str:
        """Return an atom of one of the predicates as JSON; empty for others."""
        key = getattr(symbol, "_rep", symbol)
        text = self._known.get(key)
        if text is None:
            parts: list[Any] = []
            if symbol.type.name == "Function":  # a term that is shown may be a number
                name = ("" if symbol.positive else "-") + symbol.name
                if (name, len(symbol.arguments)) in self._outputs:
                    parts = [name, *map(_listed, symbol.arguments)]
            self._known[key] = text = json.dumps(parts) if parts else ""
        return text


def _derived(statement: Any) -> Iterator[tuple[str, int]]:
    """Yield the predicates of the atoms in the head of a rule, and of a term that is shown."""
    from clingo.ast import ASTType

    if statement.ast_type == ASTType.ShowTerm:
        yield from _signatures(statement.term)
    elif statement.ast_type == ASTType.External:
        yield from _signatures(statement.atom.symbol)
    elif statement.ast_type == ASTType.Rule:
        waiting = [statement.head]
        while waiting:
            node = waiting.pop()
            if node.ast_type == ASTType.SymbolicAtom:
                yield from _signatures(node.symbol)
                continue
            for key in node.child_keys:
                child = getattr(node, key)
                waiting += [child] if hasattr(child, "ast_type") else list(child or ())


def _signatures(term: Any, sign: str = "") -> Iterator[tuple[str, int]]:
    from clingo.ast import ASTType

    if term.ast_type == ASTType.Pool:
        for each in term.arguments:
            yield from _signatures(each, sign)
    elif term.ast_type == ASTType.UnaryOperation:
        yield from _signatures(term.argument, "-")
    elif term.ast_type == ASTType.Function:
        yield sign + term.name, len(term.arguments)
    elif term.ast_type == ASTType.SymbolicTerm and term.symbol.type.name == "Function":
        yield sign + term.symbol.name, len(term.symbol.arguments)


def _listed(symbol: Any) -> Any:
    """Return an argument as a number, a text, or a list of a name and arguments."""
    kind = symbol.type.name
    if kind == "Number":
        return symbol.number
    if kind == "String":
        return symbol.string
    if kind != "Function":
        return str(symbol)
    parts = list(map(_listed, symbol.arguments))
    value = [symbol.name, *parts] if parts or not symbol.name else symbol.name
    return value if symbol.positive else ["-", value]


def may_read(path: str, visible: dict[str, bool]) -> bool:
    """True if the deepest of these folders and files that holds the file makes it visible."""
    real = os.path.realpath(path)
    holding = [each for each in visible if f"{real}/".startswith(f"{each.rstrip('/')}/")]
    return bool(holding) and visible[max(holding, key=len)]


def check(statement: Any, allow_scripts: bool, visible: dict[str, bool]) -> None:
    """Refuse a statement that the grader does not run."""
    from clingo.ast import ASTType

    if not may_read(statement.location.begin.filename, visible):
        name = statement.location.begin.filename
        raise _Refused(f"{name} is outside the program's own folder; {ALLOWING}")
    if statement.ast_type == ASTType.Script and not allow_scripts:
        raise _Refused("#script is not run without --allow-scripts", statement)


def write(out: IO[str], *line: object) -> None:
    _write_line(out, json.dumps(line))


def _write_line(out: IO[str], line: str) -> None:
    out.write(f"{line}\n")
    out.flush()  # at the time limit, partial results count


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2])
