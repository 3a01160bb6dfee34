"""The command ``python -m benchmarks.certificates``."""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, nullcontext
from functools import partial
from pathlib import Path
from typing import TypeVar

from pylogic_sudoku import LogicError, read_puzzles
from pylogic_sudoku.cli.output import progress
from pylogic_sudoku.questions.many import map_in_order

from .checkers import CHECKERS, require
from .records import Item, Record, record

T = TypeVar("T")
R = TypeVar("R")

DESCRIPTION = """\
Certify the puzzles of files by clingo, and have the certificates checked by others.

  python -m benchmarks.certificates --check prolog --jobs 2 --json 17.jsonl 17-clue.txt
  python -m benchmarks.certificates --check dratify --puzzles 1000 random-10k.txt"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures; the exit code is 1 if a certificate is refused or cannot be made."""
    parser = _parser()
    options = parser.parse_args(arguments)
    options.check = list(dict.fromkeys(options.check or ["python"]))
    try:
        for checker in options.check:
            require(checker)
        return _run(_sample(options), options)
    except OSError as error:
        parser.error(f"{error.filename}: {error.strerror}")
    except (LogicError, ValueError) as error:
        parser.error(str(error))


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
    add("--puzzles", type=_whole, metavar="N", help="only a random sample of this size")
    add("--seed", type=_whole, default=1, metavar="N", help="for all that is random (default: 1)")
    add("-t", "--timeout", type=float, default=60, metavar="SECONDS", help="for each step")
    add("--json", type=Path, metavar="FILE", help="write a record for each puzzle to this file")
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


def _outcomes(
    function: Callable[[T], R], items: Sequence[T], jobs: int
) -> Iterator[tuple[T, R | LogicError]]:
    """Each item with what the function returns or raises; a terminal shows how far it is."""
    answers = map_in_order(function, items, jobs)
    with progress(lambda: len(items)) as advance, closing(answers):
        for item, (_, outcome) in zip(items, answers, strict=True):
            yield item, outcome
            advance()


# --- certificates -----------------------------------------------------------------------------


def _run(items: list[Item], options: argparse.Namespace) -> int:
    """Write the records, and print the summary; after Ctrl-C, that of the records so far."""
    ask = partial(record, checkers=options.check, timeout=options.timeout)
    records: list[Record] = []
    code = 0
    with options.json.open("w", encoding="utf-8") if options.json else nullcontext() as file:
        try:
            for item, answer in _outcomes(ask, items, options.jobs):
                if isinstance(answer, LogicError):
                    answer = {"puzzle": item.where, "error": str(answer)}
                records.append(answer)
                if file:
                    print(json.dumps(answer), file=file, flush=True)
        except KeyboardInterrupt:
            code = 130
            print("Interrupted.", file=sys.stderr)
    print(*_summary(records), sep="\n")
    bad = [each for each in records if each.get("refused") or "error" in each]
    for each in bad[:20]:
        print(f"{each['puzzle']}: {each.get('refused') or each['error']}")
    return code or int(bool(bad))


def _summary(records: Sequence[Record]) -> Iterator[str]:
    """The lines of the summary."""
    failed = [each for each in records if "error" in each]
    made = [each for each in records if "error" not in each]
    claims = Counter(each["claim"] for each in made)
    refused = Counter(name for each in made for name in each["refused"])
    yield f"{len(made):,} certificates: " + (_listed(claims) or "none")
    yield f"refused: {_listed(refused) or 'none'}; without a certificate: {len(failed):,}"
    if not made:
        return
    yield f"{'':24}{'median':>10}{'95 %':>10}{'most':>10}"
    for what in ("lemmas", "bytes"):
        yield _row(what, [each[what] for each in made])
    for what in made[0]["seconds"]:
        yield _row(f"ms {what}", [1000 * each["seconds"][what] for each in made])


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{number:,} {what}" for what, number in counts.most_common())


def _row(what: str, numbers: Sequence[float]) -> str:
    ordered = sorted(numbers)
    places = (math.ceil(part * len(ordered)) - 1 for part in (0.5, 0.95, 1))
    form = "10,.1f" if what.startswith("ms") else "10,"
    return f"{what:24}" + "".join(format(ordered[place], form) for place in places)


if __name__ == "__main__":
    sys.exit(main())
