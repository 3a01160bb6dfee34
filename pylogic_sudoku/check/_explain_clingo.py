"""Finds why an ASP program refuses a solution, and which houses it never mentions, for the grader.

A script for a process of its own, since the program is foreign. It writes JSON lists, one per
line::

    ["found", kind, summary, [[file, line, column, text, words], ...]]    the last is the best
    ["accepts", kind]                      all grids that are wrong only in this kind of house
    ["failed", kind, text]                 kind: "memory" or "clingo"
    ["end"]
"""

from __future__ import annotations

import json
import sys
from typing import Any


def main(arguments: dict[str, Any], program: str, instance: str) -> None:
    """Explain, and write the results."""
    # A #script block runs in the main module, which must not be this one.
    sys.modules["__main__"] = type(sys)("__main__")
    with open(arguments["results"], "w", encoding="utf-8") as out:

        def write(*line: object) -> None:
            out.write(f"{json.dumps(line)}\n")
            out.flush()  # at the time limit, partial results count

        try:
            from pylogic_sudoku.check.losses import explain

            explain(arguments, program, instance, write)
            write("end")
        except MemoryError:
            write("failed", "memory", "")
        except RuntimeError as error:
            write("failed", "memory" if "bad_alloc" in str(error) else "clingo", str(error))


if __name__ == "__main__":
    with open(sys.argv[1], encoding="utf-8") as asked:
        request = json.load(asked)
    sys.path.append(request["package"])  # where it is not installed
    main(request, *sys.argv[2:])
