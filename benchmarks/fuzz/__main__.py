"""The command ``python -m benchmarks.fuzz``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from pathlib import Path
from time import monotonic

from pylogic_sudoku.errors import LogicError
from pylogic_sudoku.questions.journal import Journal

from . import report, search
from .contestants import KINDS, Contestant, Workers, contestants
from .search import Share

SHARE = 25
"""Cases in a share, which is what an interrupted run loses at most of each process."""


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.fuzz",
        description="Ask engines, options and versions about random programs, and compare their "
        "answers with those of the definition. Exit code 1 if this package's own way is wrong.",
        epilog="Ctrl-C ends it with the figures so far; with --record it goes on later.",
    )
    parser.add_argument("kind", choices=KINDS, help="answer set programs, or constraints of clpfd")
    parser.add_argument("--seconds", type=float, default=60, help="time for all (60)")
    parser.add_argument("--cases", type=int, help="the number of cases, without a limit of time")
    parser.add_argument("--seed", type=int, default=1, help="the same seed, the same cases (1)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (1)")
    parser.add_argument("--limit", type=float, default=2, help="seconds for one answer (2)")
    parser.add_argument(
        "--with",
        dest="commands",
        action="append",
        default=[],
        metavar="COMMAND",
        help="a Python with another clingo, or another swipl; may be repeated",
    )
    parser.add_argument(
        "--option",
        dest="options",
        action="append",
        default=[],
        metavar="OPTIONS",
        help="in place of the usual options of contestants: --option=--eq=0; may be repeated",
    )
    parser.add_argument("--record", type=Path, help="a file of JSON lines, kept and gone on with")
    parser.add_argument("-o", "--output", type=Path, help="a folder for reports of differences")
    return parser.parse_args()


def main() -> int:
    chosen = arguments()
    asked = contestants(chosen.kind, chosen.commands, chosen.options)
    workers = Workers()
    names = [workers.name(each) for each in asked]
    workers.close()
    header = {"kind": chosen.kind, "seed": chosen.seed, "contestants": names}
    try:
        done, journal = _begun(chosen.record, header)
    except (LogicError, OSError) as error:
        print(f"{chosen.record}: {error}", file=sys.stderr)
        return 2
    interrupted = False
    try:
        for share in _searched(chosen, asked, done):
            done.append(share)
            if journal:
                journal.add(share.as_json())
            _progress(done)
    except KeyboardInterrupt:
        interrupted = True
    if journal:
        journal.close()
    print("\n".join(report.lines(chosen.kind, done, names)))
    if chosen.output:
        print(f"{len(report.write_reports(chosen.output, done))} reports in {chosen.output}")
    if interrupted:
        print("INCOMPLETE: interrupted")
        return 130
    ours = {name for name, each in zip(names, asked, strict=True) if each.ours}
    return int(any(ours & share.wrong.keys() for share in done))


def _begun(path: Path | None, header: dict[str, object]) -> tuple[list[Share], Journal | None]:
    """The shares of a record, and the record, which is begun if it is not there."""
    if path is None:
        return [], None
    journal = Journal(path)
    if not journal.lines:
        journal.add(header)
        return [], journal
    if journal.lines[0] != header:
        raise LogicError(f"this record is of another run: {journal.lines[0]}")
    return [Share.from_json(line) for line in journal.lines[1:]], journal


def _searched(
    chosen: argparse.Namespace, asked: Sequence[Contestant], done: Sequence[Share]
) -> Iterator[Share]:
    """Shares as they are done, until the time or the cases are over."""
    end = monotonic() + chosen.seconds
    with ProcessPoolExecutor(chosen.jobs, initializer=search.start) as pool:
        waiting: set[Future[Share]] = set()
        try:
            for numbers in search.shares(done, SHARE):
                over = monotonic() > end if chosen.cases is None else numbers.start >= chosen.cases
                if over:
                    break
                asks = (chosen.kind, chosen.seed, numbers, asked, chosen.limit)
                waiting.add(pool.submit(search.share_of, *asks))
                if len(waiting) > chosen.jobs:
                    ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                    yield from (each.result() for each in ready)
            for each in waiting:
                yield each.result()
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise


def _progress(done: Sequence[Share]) -> None:
    if sys.stderr.isatty():
        cases = sum(share.last - share.first for share in done)
        wrong = sum(sum(each.values()) for share in done for each in share.wrong.values())
        print(f"\r{cases:,} cases, {wrong} replies wrong", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
