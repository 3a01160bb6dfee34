"""The command ``python -m benchmarks.certificates``."""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TypeVar

from pylogic_sudoku import SudokuError, read_puzzles
from pylogic_sudoku._batch import map_in_order
from pylogic_sudoku.engines.signals import undisturbed
from pylogic_sudoku.proofs import certify

from .checkers import CHECKERS, require
from .run import Item, Record, earlier, record, summary
from .tampering import judged, table, tampered

T = TypeVar("T")
R = TypeVar("R")

DESCRIPTION = """\
Certify the puzzles of files by clingo, and have the certificates checked by others.

With --json a run that was interrupted goes on where it stopped: give the same command again.
With --tamper the certificates are changed before they are checked.

  python -m benchmarks.certificates --check prolog --jobs 2 --json 17.jsonl 17-clue.txt
  python -m benchmarks.certificates --check dratify --puzzles 1000 random-10k.txt
  python -m benchmarks.certificates --tamper 1000 --check python --check dratify hard-375.txt"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; the exit code is 1 if a certificate is refused or cannot be made.

    With --tamper, it is 1 if two checkers differ, or one accepts what is untrue.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    options.check = list(dict.fromkeys(options.check or ["python"]))
    run = _tamper if options.tamper else _run
    try:
        for checker in options.check:
            require(checker)
        return run(_sample(options), options)
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}")
    except (SudokuError, ValueError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("Interrupted.", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.certificates",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+", type=Path, help="puzzles, one or many")
    add("--check", action="append", choices=CHECKERS, help="a checker (default: python)")
    add("--jobs", type=_whole, default=1, metavar="N", help="processes that share the work")
    add("--puzzles", type=_whole, metavar="N", help="only a random sample of so many")
    add("--seed", type=_whole, default=1, metavar="N", help="for all that is random (default: 1)")
    add("-t", "--timeout", type=float, default=60, metavar="SECONDS", help="for each step")
    add("--json", type=Path, metavar="FILE", help="append a record for each puzzle to this file")
    add("--tamper", type=_whole, metavar="N", help="check so many changed certificates")
    return parser


def _whole(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number over 0")
    return int(text)


def _sample(options: argparse.Namespace) -> list[Item]:
    items = []
    for path in options.files:
        with path.open(encoding="utf-8") as lines:
            for number, puzzle in enumerate(read_puzzles(lines), 1):
                items.append(Item(f"{path.name} {number}", puzzle))
    if options.puzzles is None or options.puzzles >= len(items):
        return items
    chosen = random.Random(options.seed).sample(range(len(items)), options.puzzles)
    return [items[place] for place in sorted(chosen)]


def _run(items: list[Item], options: argparse.Namespace) -> int:
    """Add the records that are missing, and print the summary."""
    records = _earlier(options, len(items))
    ask = partial(record, checkers=options.check, timeout=options.timeout)
    waiting = items[len(records) :]
    answers = map_in_order(ask, waiting, options.jobs)
    code = 0
    try:
        with _appended(options.json) as write, closing(answers):
            outcomes = _with_progress(answers, len(records), len(items))
            for item, (_, answer) in zip(waiting, outcomes, strict=True):
                if isinstance(answer, SudokuError):
                    answer = {"puzzle": item.where, "error": str(answer)}
                # Otherwise Ctrl-C between the two could lose a record, or write it twice.
                undisturbed(partial(_keep, answer, records, write))
    except KeyboardInterrupt:
        code = 130
        print(f"Interrupted. {_way_to_continue(options.json)}", file=sys.stderr)
    print(*summary(records), sep="\n")
    bad = [each for each in records if each.get("refused") or "error" in each]
    for each in bad[:20]:
        print(f"{each['puzzle']}: {each.get('refused') or each['error']}")
    return code or int(bool(bad))


def _earlier(options: argparse.Namespace, number: int) -> list[Record]:
    if options.json is None:
        return []
    names = [path.name for path in options.files]
    settings = {"files": names, "puzzles": number, "seed": options.seed}
    return earlier(options.json, settings | {"check": options.check})


@contextmanager
def _appended(path: Path | None) -> Iterator[Callable[[bytes], object]]:
    """Writes to the end of the file at once; nowhere without a file."""
    if path is None:
        yield lambda _data: None
        return
    with path.open("ab", buffering=0) as file:
        yield file.write


def _keep(record: Record, records: list[Record], write: Callable[[bytes], object]) -> None:
    write(json.dumps(record).encode() + b"\n")
    records.append(record)


def _way_to_continue(path: Path | None) -> str:
    if path is None:
        return "With --json FILE the run could be continued."
    return "The same command goes on from here."


def _tamper(items: list[Item], options: argparse.Namespace) -> int:
    """Tamper with certificates of the puzzles, and print how the checkers judge them."""
    certified = partial(certify, timeout=options.timeout)
    made = _all(certified, [item.puzzle for item in items], options.jobs)
    made = [each for each in made if len(each.lemmas) > 1 and all(each.lemmas)]
    if len({each.solutions for each in made}) < 2:
        raise ValueError("expected different puzzles whose proofs have two lemmas or more")
    changed = list(tampered(made, options.tamper, options.seed))
    found = _all(partial(judged, checkers=options.check), changed, options.jobs)
    print(f"{len(found):,} changed certificates, made from {len(made):,}")
    print(*table(found), sep="\n")
    return int(any(each.untrue or not each.agreed for each in found))


def _all(function: Callable[[T], R], items: Sequence[T], jobs: int) -> list[R]:
    """What the function returns for each; the first error is raised."""
    results = []
    answers = map_in_order(function, items, jobs)
    for _, answer in _with_progress(answers, 0, len(items)):
        if isinstance(answer, SudokuError):
            raise answer
        results.append(answer)
    return results


def _with_progress(answers: Iterator[T], done: int, total: int) -> Iterator[T]:
    """Say on standard error how far it is: a line a minute, or one that changes on a terminal."""
    terminal = sys.stderr.isatty()
    period, end = (0.5, "\033[K\r") if terminal else (60, "\n")
    start = last = perf_counter()
    for number, answer in enumerate(answers, 1):
        yield answer
        now = perf_counter()
        if now - last >= period:
            last = now
            minutes = (now - start) / number * (total - done - number) / 60
            text = f"{done + number:,} of {total:,}, {minutes:.1f} minutes left"
            print(text, end=end, file=sys.stderr, flush=True)
    if terminal:
        print(end=end, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
