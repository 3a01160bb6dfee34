"""In a program swipl, an error while Python iterates is taken for the end of the answers.

Workaround: pylogic_sudoku/engines/prolog/swipl.py has asp_solutions ask for its engine first.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from probe import report

HERE = Path(__file__).parent
# A swipl without janus does not have the defect.
GOAL = f"""
(   exists_source(library(janus))
->  use_module(library(janus)),
    py_add_lib_dir('{HERE}'),
    findall(Number, py_iter(probe:breaks(), Number), Numbers),
    print(Numbers)
;   true
)"""

beside = Path(sys.executable).with_name("swipl")
program = shutil.which(beside) or shutil.which(os.environ.get("SWIPL") or "swipl")
command = [program or "swipl", "-f", "none", "-g", GOAL, "-t", "halt"]
done = subprocess.run(command, capture_output=True, text=True)
report(done.stdout == "[1]")
