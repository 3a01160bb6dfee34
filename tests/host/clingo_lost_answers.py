"""With its usual simplifications, clingo may lose answers of programs with sums, or repeat them.

Workaround: pylogic_sudoku/engines/clingo/program.py adds --eq=0 if there are rules beyond sudoku.
"""

import subprocess
import sys
from pathlib import Path

from probe import report

# A part of a 4x4 puzzle with two cages, as clingo's grounder writes it.
PROGRAM = Path(__file__).with_name("lost_answers.aspif")


def answers(*options: str) -> str:
    command = [sys.executable, "-m", "clingo", "--mode=clasp", "0", "-q", *options, PROGRAM]
    lines = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    return next(line for line in lines if line.startswith("Models"))


report(answers() != answers("--eq=0"))
