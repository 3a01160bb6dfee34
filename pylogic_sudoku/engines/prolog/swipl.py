"""The interactive SWI-Prolog, and what `doctor` shows of it."""

from __future__ import annotations

import os
import platform
import re
import sys
import tempfile
from pathlib import Path
from typing import NoReturn

from ...errors import BackendUnavailable
from ...files import resource
from ...problem import Instance
from ...problem.text import read_text
from ...running.prolog import command, inside, prompt, swipl
from . import search


def run_problem(path: Path, instance: Instance) -> NoReturn:
    """Start a swipl with a problem's program and the facts of an instance.

    It replaces this process, or is this process if SWI-Prolog is inside the package.
    """
    program = read_text(path)
    query = "answer(Atoms)."
    if match := re.search(r"^model\(\w+(, *\w+)?\)", program, re.MULTILINE):
        search = "labeling([min(Cost)], Values)" if match[1] else "label(Values)"
        arguments = "Pairs, Cost" if match[1] else "Pairs"
        query = f"model({arguments}), pairs_values(Pairs, Values), {search}."
    # In a file, since an argument may be too long for the system.
    handle, name = tempfile.mkstemp(suffix=".pl", prefix="instance-")
    with open(handle, "w", encoding="utf-8") as facts:
        facts.write(instance_text(instance))
    file = quoted(name)
    loads = (
        f"open({file}, read, In, [encoding(utf8)]), load_files(user:instance, [stream(In)]),"
        f" close(In), delete_file({file})"
    )
    welcome = f'{loads}, format("A query to try:~n  ?- {query}~n  ?- halt.~n~n")'
    start("-q", "-g", welcome, str(path))


def instance_text(instance: Instance) -> str:
    """The facts of an instance as clauses; an input predicate without facts fails."""
    known = {fact.signature for fact in instance.clauses} | instance.problem.inputs
    declared = (f":- dynamic {name}/{arity}.\n" for name, arity in sorted(known))
    clauses = (f"{fact.text}.\n" for fact in instance.clauses)
    return "".join((*declared, *clauses))


def start(*arguments: str) -> NoReturn:
    """Start swipl with these arguments in place of this process.

    A wrong query is answered by its error, and not by the debugger.
    """
    arguments = ("-D", "debug_on_error=false", *arguments)
    program = command()
    if inside():
        sys.stdout.flush()
        prompt(*arguments)
    if sys.prefix != sys.base_prefix:
        os.environ["VIRTUAL_ENV"] = sys.prefix  # where library(janus) looks for Python's packages
    sys.stdout.flush()
    os.execv(program[0], [*program, *arguments])


def details() -> dict[str, str]:
    """The details that a bug report needs: versions and paths."""
    return {
        "Python": f"{platform.python_version()} ({sys.executable})",
        "SWI-Prolog": _running(),
        "swipl": str(swipl() or "none"),
        "Prolog program": str(resource("prolog/sudoku.pl")),
        "ASP encoding": str(resource("encodings/sudoku.lp")),
    }


def _running() -> str:
    try:
        folder = search.home()
    except BackendUnavailable:
        from ...running import wasm  # which a native Prolog does without

        return f"{wasm.DATA} (as WebAssembly)" if wasm.stands_in() else "none"
    return f"{folder} ({'inside the package' if inside() else 'on this machine'})"


def quoted(text: str) -> str:
    """The text as a Prolog atom."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"
