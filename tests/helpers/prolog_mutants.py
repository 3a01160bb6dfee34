"""Mutants of the Prolog programs, each judged by goals that are true of the program itself."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from helpers.programs import resource
from pylogic_sudoku.running.prolog import swipl

HERE = Path(__file__).resolve().parent
BUDGET = 840
"""Seconds for all mutants of a test, which then fails before faulthandler ends the process."""


class Judged(NamedTuple):
    name: str
    """The head of the clause that is broken, and how."""
    noticed: bool
    check: str
    """The goal that noticed it; if none did, "all", or "none" if no goal calls it."""


def prolog(rows: Any) -> str:
    """Lists, in which an empty cell is a variable."""
    text = str(rows).replace("(", "[").replace(")", "]").replace(",]", "]")
    return re.sub(r"\b0\b", "_", text)


def mutants_of_program(
    program: str,
    mutated: str,
    predicates: list[str],
    checks: Iterable[str],
    folder: Path,
    share: str = "0/1",
) -> list[Judged]:
    """Each mutant of these predicates (none: all) of the file `mutated`.

    With the share "1/3", every third of them from the first on.
    """
    shutil.copytree(resource("prolog/sudoku.pl").parent, folder / "prolog")
    shutil.copytree(HERE, folder / "tests" / "helpers")
    facts = folder / "checks.pl"
    facts.write_text("".join(f"{n} - ({check}).\n" for n, check in enumerate(checks)))
    goal = "judge('{}', '{}', [{}], '{}', {})".format(
        *(folder / program, folder / "prolog" / mutated, ",".join(predicates), facts, share)
    )
    done = subprocess.run(
        [str(swipl()), "-g", goal, "-t", "halt", str(HERE / "mutation.pl")],
        capture_output=True,
        text=True,
        timeout=BUDGET,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = [line.split("\t") for line in done.stdout.splitlines()]
    *found, last = lines
    # After all mutants the program itself, as it is written anew, passes. Before them it did, too.
    assert last == ["right", "all", "program", "mended"]
    return [
        Judged(f"{clause} | {change}", outcome != "right", check)
        for outcome, check, clause, change in found
    ]
