"""The cost of reading 100,000 puzzles, one a line, compared with reading ten.

python benchmarks/reading.py
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
CODE = """
import resource, sys, time
from pylogic_sudoku import read_puzzles
start = time.perf_counter()
number = sum(1 for _ in read_puzzles(sys.argv[1]))
seconds = time.perf_counter() - start
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(f"{number:7,} puzzles: {seconds:.2f} s, peak memory {peak:.0f} MB")
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for number in (10, 100_000):
            file = Path(folder) / f"{number}.txt"
            with file.open("w") as lines:
                for line in range(number):
                    shift = line % 81  # so that no two neighbours are the same
                    lines.write(LINE[shift:] + LINE[:shift] + "\n")
            subprocess.run([sys.executable, "-c", CODE, str(file)], check=True)


if __name__ == "__main__":
    main()
