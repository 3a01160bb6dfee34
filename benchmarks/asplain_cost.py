"""The cost of asplain on our annotated encoding and on its own example: a ratio within one run.

    python benchmarks/asplain_cost.py FOLDER [ROUNDS]

FOLDER is `examples/sudoku` of asplain's repository, with `encoding.lp` and `instance9x9.lp`. Needs
the extra [asplain]. The command is asplain's own; the instance and the query are those of the
example. The figures are seconds of processor time. `dot` is replaced by a program that does
nothing, since it does not finish on the example's encoding. A round takes about six minutes.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

from pylogic_sudoku._resources import resource as ours

QUERY = ["--query", "sudoku(2,2,2)", "--prune", "CHANGES", "--prune", "ORPHANS"]


def processor_time() -> float:
    """The seconds used by all child processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds(encoding: Path, instance: Path, *options: str) -> float:
    """The processor time of asplain for the query, in a folder where `dot` does nothing."""
    with tempfile.TemporaryDirectory() as folder:
        dot = Path(folder) / "dot"
        dot.write_text("#!/bin/sh\n")
        dot.chmod(0o755)
        environment = {**os.environ, "PATH": os.pathsep.join([folder, os.environ["PATH"]])}
        command = [sys.executable, "-m", "asplain", encoding, instance, *QUERY, *options]
        before = processor_time()
        subprocess.run(command, cwd=folder, env=environment, stdout=subprocess.DEVNULL, check=True)
        return processor_time() - before


def main() -> None:
    if not 2 <= len(sys.argv) <= 3 or not (Path(sys.argv[1]) / "encoding.lp").exists():
        sys.exit(__doc__)
    folder = Path(sys.argv[1]).absolute()
    instance = folder / "instance9x9.lp"
    explain, once = (ours(f"encodings/{name}.lp") for name in ("explain", "explain_once"))
    pairs = []
    for number in range(1, 1 + int(sys.argv[2] if len(sys.argv) > 2 else 1)):
        mine = seconds(explain, instance)
        short = seconds(explain, instance, "--cost-encoding", str(once))
        theirs = seconds(folder / "encoding.lp", instance)
        print(
            f"round {number}: the example's encoding {theirs:.0f} s, explain.lp {mine:.0f} s,",
            end="",
        )
        print(f" with explain_once.lp {short:.0f} s", flush=True)
        pairs.append(theirs / mine)
    print(f"explain.lp: {statistics.median(pairs):.1f} times faster")


if __name__ == "__main__":
    main()
