"""Trouble between the engines as ``compare`` reports it: printed, shrunk, saved, asked again."""

from __future__ import annotations

import json
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, NoReturn

import click
from click.core import ParameterSource

from .._compare import Comparison
from .._probe import Probe
from .._saving import check_target, save
from .._trouble import QUESTIONS, SHRINKING, Trouble, written
from ..engines.signals import undisturbed
from ..errors import InvalidPuzzle, counted
from ..formats._lists import loaded
from ..grid import Grid
from ..puzzle import Puzzle
from ..rules._rule import everything
from ._options import Whole
from ._output import say

__all__ = ["MUTATE", "REPLAY", "SAVE_TROUBLE", "SEED", "Troubles", "line", "replay"]
__all__ += ["report_disagreement"]

MUTATE = click.option(
    "--mutate",
    type=Whole(0),
    metavar="NUMBER",
    help="Also ask so many variants of each puzzle, and write any trouble to a file.",
)
SEED = click.option(
    "--seed",
    type=Whole(0),
    default=0,
    show_default=True,
    metavar="NUMBER",
    help="With --mutate: which variants; another number chooses others.",
)
SAVE_TROUBLE = click.option(
    "--save-trouble",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    metavar="FOLDER",
    help="With --mutate: where to write trouble-1.json and so on.  [default: the current folder]",
)
REPLAY = click.option(
    "--replay",
    "trouble_file",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Ask again what is in FILE, which --mutate wrote; takes no puzzles.",
)


def line(puzzle: str | dict[str, Any]) -> str:
    """A puzzle of a record as text that can be pasted."""
    return puzzle if isinstance(puzzle, str) else json.dumps(puzzle)


def report_disagreement(where: str, comparison: Comparison) -> None:
    """Report the puzzle in forms that can be pasted, and the grids that some engine rejects."""
    puzzle = comparison.puzzle
    (r, c), facts = puzzle.box, puzzle.format("facts").replace("\n", " ")
    say(f"{where}: {comparison}")
    for name, answer in comparison.answers.items():
        say(f"  {name}: {len(answer.solutions)} solutions")
        for solution in sorted(comparison.only[name], key=str)[:3]:
            against = [other for other, grids in comparison.rejected.items() if solution in grids]
            if len(against) == len(comparison.answers) - 1:
                say(f"    only {name} has {solution}")
            else:
                say(f"    {name} has {solution}, but not {' or '.join(against)}")
    if not isinstance(puzzle, Grid):
        say(f"  pylogic-sudoku solve -n 0 -b all '{line(written(puzzle))}'")
    else:
        say(f"  pylogic-sudoku solve -n 0 -b all --box {r}x{c} '{puzzle}'")
    kinds = sorted({rule.kind for rule in everything(puzzle.layout.rules) if rule.asp is None})
    sections = "".join(f" encodings/rules/{kind}.lp" for kind in kinds)
    say(f"  echo '{facts}' | python -m clingo encodings/sudoku.lp{sections} - 0")
    if isinstance(puzzle, Grid):
        rows = puzzle.format("prolog").replace("\n", "")
        say(f"  swipl prolog/sudoku.pl   ?- Rows = {rows}, sudoku(Rows, {r}-{c}).")


class Troubles:
    """The trouble that a run finds: each is shrunk, and written to a new file in the folder.

    OSError, which names a file there, if none can be written.
    """

    def __init__(self, folder: Path, timeout: float | None) -> None:
        check_target(folder / "trouble.json")
        self._folder = folder
        self._timeout = QUESTIONS * timeout if timeout else SHRINKING
        self._files: dict[Trouble, str] = {}

    def keep(self, probe: Probe, record: dict[str, Any]) -> None:
        """Shrink and save the trouble, if there is any; the record names its file.

        After Ctrl-C, what was the smallest by then is saved.
        """
        record["variants"] = len(probe.variants)
        if smallest := probe.trouble:
            try:
                for smaller in probe.trouble.shrinking(timeout=self._timeout):
                    smallest = smaller
            finally:
                record["trouble"] = undisturbed(partial(self._saved, smallest))

    def _saved(self, trouble: Trouble) -> str:
        file = self._files.get(trouble)
        if file is None:
            file = self._files[trouble] = _write(trouble, self._folder)
        say(f"  shrunk to {_parts(trouble.puzzle)}: pylogic-sudoku compare --replay {file}")
        return file


def _parts(puzzle: Grid | Puzzle) -> str:
    numbers = {"given": len(puzzle.givens)}
    if isinstance(puzzle, Puzzle):
        numbers |= {"mark": len(puzzle.marks), "rule": len(puzzle.rules)}
    parts = [counted(number, name) for name, number in numbers.items() if number]
    return " and ".join(parts) or "an empty grid"


def _write(trouble: Trouble, folder: Path) -> str:
    """Write it to the first file that is not there yet; the name of that file."""
    lines = (f"{json.dumps(key)}: {json.dumps(each)}" for key, each in trouble.to_json().items())
    text = "{" + ",\n ".join(lines) + "}\n"
    paths = (folder / f"trouble-{number}.json" for number in count(1))
    path = next(filter(_made, paths))
    save(path, text)
    return str(path)


def _made(path: Path) -> bool:
    """True if there was no such file; now there is, and no other run takes it."""
    with suppress(FileExistsError):
        path.touch(exist_ok=False)
        return True
    return False


def replay(file: Path, engines: tuple[str, ...], timeout: float | None) -> NoReturn:
    """Ask again what is in the file; exit code 5 if the trouble is still there, otherwise 0.

    Those in the file are asked, unless `engines` were chosen at the command line.
    """
    try:
        trouble = Trouble.from_json(loaded(file.read_text(encoding="utf-8")))
    except InvalidPuzzle as error:
        raise InvalidPuzzle(f"{file}: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InvalidPuzzle(f"{file} cannot be read: {why}") from None
    source = click.get_current_context().get_parameter_source("engines")
    chosen = None if source is ParameterSource.DEFAULT else engines
    if chosen and len(chosen) < 2 and trouble.change is None:
        raise click.UsageError(f"-b {chosen[0]} needs another -b to be compared with")
    now = trouble.replay(chosen, timeout)
    click.echo(str(now or trouble))
    click.echo("The trouble is still there." if now else "That was the trouble; it is gone.")
    raise SystemExit(5 if now else 0)
