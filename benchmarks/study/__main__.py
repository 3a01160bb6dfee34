"""The command ``python -m benchmarks.study``."""

from __future__ import annotations

import argparse
import os
import sys
from fnmatch import fnmatchcase
from pathlib import Path

from rich.console import Console

from pylogic_sudoku import BackendUnavailable, Disagreement
from pylogic_sudoku.questions.shares import InvalidRecords, Share, head_of

from . import charts, report
from .contestants import contestants
from .families import Group, groups
from .ours import Contestant
from .run import Plan, Study, merge, read

ROOT = Path(__file__).resolve().parents[2]

PAGES = [Path(__file__).with_name(name) for name in ("tables.md", "ratios.md", "learning.md")]
"""The pages of times, of ratios, and of the experiment."""
SHORT = 0.3
"""Seconds of the limit for each minute of a run, so that a short one still comes to every group."""


def main(arguments: list[str] | None = None) -> int:
    """Run the study and write its report; the exit code is 1 if two contestants disagree."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.study", description=__doc__)
    add = parser.add_argument
    add("file", type=Path, help="the records, one a line")
    add("--minutes", type=float, default=20, help="default: 20; 0 only reports")
    add("--family", action="append", default=[], help="only families that match; repeatable")
    add("--program", action="append", default=[], help="only contestants that match; repeatable")
    add("--resume", action="store_true", help="go on with the file, if it is there")
    add("--shard", metavar="K/N", help="ask about the K-th of N shares of the groups")
    add("--merge", type=Path, nargs="+", metavar="FILE", help="merge the files of all shares")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="default: the number of cores")
    add("--limit", type=float, help="seconds for a question (default: 5, less in a short run)")
    add("--instances", type=int, default=60, help="the most for a group (default: 60)")
    add("--seed", default="study", help="other instances with another seed (default: study)")
    add("--corpora", type=Path, default=ROOT.parent / "shared" / "corpora", metavar="FOLDER")
    add("--repeat", type=Path, help="the records of another run, with another seed")
    add("--docs", type=Path, metavar="FOLDER", help="write the tables here, the charts there")
    options = parser.parse_args(arguments)
    console = Console(stderr=True)
    if options.docs and not (options.docs / "images").is_dir():
        parser.error(f"there is no folder {options.docs / 'images'}")
    share = None
    try:
        share = Share.parse(options.shard) if options.shard else None
        if options.merge:
            if options.file.exists():
                parser.error(f"{options.file} exists: give another name, or remove it")
            merge(options.file, options.merge)
            options.minutes = 0
    except (InvalidRecords, OSError) as error:
        parser.error(str(error))
    except ValueError as error:
        parser.error(f"--shard: {error}")
    if options.minutes:
        if options.file.exists() and not options.resume:
            parser.error(f"{options.file} exists: add --resume to go on with it, or remove it")
        limit = options.limit or min(5.0, SHORT * options.minutes)
        if options.file.exists():
            head, _ = _read(parser, options.file)
            limit = options.limit or head["seconds"]
            for name, value in (
                ("seed", options.seed),
                ("seconds", limit),
                ("shard", options.shard),
            ):
                if head.get(name) != value:
                    parser.error(f"{options.file} has {name} {head.get(name)}, not {value}")
        asked = [each for each in groups(options.seed) if _matches(each.family, options.family)]
        limits = {"seed": options.seed, "seconds": limit, "instances": options.instances}
        everyone = [each for each in contestants() if _matches(each.name, options.program)]
        everyone = [each for each in everyone if _installed(each, console)]
        shard = {}
        if share:
            names = [f"{each.family} {each.name}" for each in asked]
            whom = {each.name: each.version() for each in everyone}
            question = {**limits, "contestants": whom}
            shard = head_of(share, "study", question, [(each, each) for each in names])
            asked = [asked[at] for at in share.positions(names)]
        missing = [each for each in asked if not _is_there(each, options.corpora)]
        for each in missing:
            console.print(f"left out: {each.family} {each.name}, {options.corpora} lacks it")
        plan = Plan(
            [each for each in asked if each not in missing],
            everyone,
            options.corpora,
            limit,
            options.minutes,
            options.instances,
            options.jobs,
            options.seed,
            shard,
        )
        if not plan.groups or not plan.contestants:
            parser.error("nothing is left to be asked, or nobody to ask")
        try:
            with console.status("") as status:
                Study(plan, options.file, status.update).run()
        except Disagreement as error:
            print(error, file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            print("Stopped; --resume goes on.", file=sys.stderr)
    run, *others = (
        _read(parser, file) for file in (options.file, options.repeat) if file is not None
    )
    repeat = others[0] if others else None
    print(report.tables(run, repeat))
    if options.docs:
        made = report.times(run), report.ratios(run, repeat), report.learning(run, repeat)
        for page, text in zip(PAGES, made, strict=True):
            report.write_page(page, text)
        charts.draw(options.docs / "images", *run)
    return 0


def _read(parser: argparse.ArgumentParser, file: Path) -> report.Run:
    try:
        return read(file)
    except (OSError, ValueError, IndexError, EOFError) as error:
        parser.error(f"{file} is not a file of records: {error}")


def _matches(name: str, patterns: list[str]) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns)


def _is_there(group: Group, corpora: Path) -> bool:
    try:
        next(group.instances(corpora))
    except OSError:
        return False
    return True


def _installed(contestant: Contestant, console: Console) -> bool:
    try:
        contestant.version()
    except (ImportError, BackendUnavailable) as error:
        console.print(f"left out: {contestant.name} is not installed ({error})")
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
