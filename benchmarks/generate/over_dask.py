"""Many puzzles over Dask: the rate, and the memory of this process and of the workers.

    python -m benchmarks.generate.over_dask [PUZZLES] [WORKERS] [ADDRESS OF A SCHEDULER]

Without an address, workers are started on this machine. A million puzzles are made by

    python -m benchmarks.generate.over_dask 1000000 8

with Dask (``pip install distributed``) on this machine, and the package on the workers.
"""

from __future__ import annotations

import os
import sys
from time import perf_counter, process_time

import pylogic_sudoku as pls
from benchmarks.many import resident


def main() -> None:
    """Print the rate and the memory ten times on the way."""
    from distributed import Client, LocalCluster

    number = int(sys.argv[1]) if len(sys.argv) > 1 else 5000
    workers = int(sys.argv[2]) if len(sys.argv) > 2 else os.cpu_count() or 1
    cluster = (
        sys.argv[3]
        if len(sys.argv) > 3
        else LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None)  # type: ignore[no-untyped-call]
    )
    with Client(cluster) as client:  # type: ignore[no-untyped-call]
        made = pls.generate(
            number, minimal=True, seed=1, executor=client.get_executor(), jobs=workers
        )
        next(made)
        start, before = perf_counter(), resident()
        busy = sum(client.run(process_time).values())
        for count, _ in enumerate(made, 2):
            if count % max(1, number // 10) == 0:
                rate = (count - 1) / (perf_counter() - start)
                used = sum(client.run(process_time).values()) - busy
                theirs = max(client.run(resident).values())
                print(
                    f"{count:,} puzzles: {rate:.0f} a second, {(count - 1) / used:.0f} in one of a"
                    f" core, {resident():.0f} MB here"
                    f" ({resident() - before:+.1f}), at most {theirs:.0f} MB in a worker; a million"
                    f" would take {1e6 / rate / 3600:.1f} hours",
                    flush=True,
                )


if __name__ == "__main__":
    main()
