"""Notebook cells that run a program on a puzzle: ``%load_ext pylogic_sudoku``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import click

from ..check.cases import VOCABULARIES, Case, Vocabulary
from ..check.programs import Output
from ..check.sudoku import AspProgram, PrologProgram, SudokuProgram, violated_rule
from ..draw import Picture, mistakes
from ..engines.prolog.swipl import quoted
from ..engines.sudoku.ground_once import with_rules
from ..errors import InvalidPuzzle, LogicError, counted
from ..files import resource
from ..formats import as_grid, as_puzzle
from ..notebook import html_part
from ..puzzle import Grid
from ..rules.base import shape_term
from ..running.process import Limits
from ..running.sandbox import TRUSTED
from . import AnyPuzzle, puzzle_in
from . import options as opt
from .check import ALLOW_SCRIPTS, CONSTANTS, MEMORY, PREDICATE, VOCABULARY

MAX_PICTURES = 6


class Answers(tuple[Grid, ...]):
    """Every different grid that the cell's program gave, right or wrong, in the order found.

    A grid is empty where the program gives no digit.
    """

    puzzle: AnyPuzzle
    exhausted: bool
    """True if the program has no other answers."""
    _run: Output[Grid]

    def __new__(cls, puzzle: AnyPuzzle, run: Output[Grid]) -> Answers:
        """The grids of the answers of a run."""
        answers = super().__new__(cls, (answer.value for answer in run.answers))
        answers.puzzle, answers.exhausted, answers._run = puzzle, run.exhausted, run
        return answers

    def __repr__(self) -> str:
        """Return the pictures as text."""
        texts = [picture.to_text() for picture in self._pictures()]
        return "\n\n".join(filter(None, [self._summary(), *texts, self._run.message]))

    def _repr_html_(self) -> str:
        printed = f"<pre>{escape(self._run.message)}</pre>" if self._run.message else ""
        return html_part(self._summary(), *self._pictures()) + printed

    def _summary(self) -> str:
        number = len(self)
        if not number:
            return "No answer."
        text = counted(number, "answer")
        text += ", and there are no others." if self.exhausted else "; -n 0 finds all."
        if self._run.total > number:
            were = "It was" if number == 1 else "They were"
            text += f" {were} found {self._run.total} times: {self._run.again}."
        if number > MAX_PICTURES:
            text += f" Here are {MAX_PICTURES} of them."
        return text

    def _pictures(self) -> Iterator[Picture]:
        for answer in self._run.answers[:MAX_PICTURES]:
            broken = violated_rule(answer, self.puzzle)
            title = f"Not a solution: {broken}." if broken else "A solution."
            marked = mistakes(answer.value, self.puzzle)
            yield Picture(answer.value, self.puzzle, None, marked, title)


# --- the cell magics ``%%clingo`` and ``%%prolog`` ---
#
# A cell runs like a program in the grader: in a process of its own, with limits on time and memory.
# IPython is not imported; only the shell that loads the extension is used.

_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_ALONE = re.compile(r"%%(clingo|prolog)\b.*")
_QUERY = re.compile(r"^\s*\?-", re.MULTILINE)


class CellFailed(LogicError):
    """The cell has no answer to show. A notebook prints the message without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


class _Cell(NamedTuple):
    """A cell that is to become a program."""

    text: str
    puzzle: AnyPuzzle
    folder: Path

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


def _variable(name: str) -> str:
    if not name.isidentifier():
        raise ValueError(f"{name!r} is not a name of a variable")
    return name


_common = opt.with_options(
    click.argument("words", nargs=-1, required=True, metavar="PUZZLE"),
    opt.limit("The most answers; 0 for all.", default=1),
    opt.timeout("Time limit of the program.", default=10.0),
    MEMORY,
    opt.option(
        "--store",
        type=opt.Value("NAME", _variable),
        help="Keep the answers in this variable, a sequence of grids.",
    ),
)


@opt.command(
    epilog="""\b
%%clingo puzzle --add -n 0 --store found
:- sudoku(1,1,A), sudoku(1,2,B), A < B."""
)
@_common
@opt.flag("--add", help="Add the cell to our encoding.")
@VOCABULARY
@CONSTANTS
@ALLOW_SCRIPTS
@click.pass_obj
def clingo(
    cell: _Cell,
    add: bool,
    vocabulary: Vocabulary,
    constants: tuple[str, ...],
    allow_scripts: bool,
) -> SudokuProgram:
    """Run the cell as an ASP program on PUZZLE, and show its answers as grids.

    PUZZLE is a variable, a file, or the puzzle itself; `%%clingo 0 FILE -`, as clingo has it, is
    `%%clingo FILE -n 0`. The program gets the givens as facts
    initial(X,Y,N); the digits of an answer are its atoms sudoku(X,Y,N). If the puzzle has regions
    or marks, there are facts region(R,X,Y) and excluded(X,Y,N), and those of encodings/rules.lp if
    it has rules.
    """
    text = f"% %%clingo\n{cell.text}\n"
    if add:
        text += with_rules("sudoku", cell.puzzle.layout)
    path = cell.write("cell.lp", text)
    return AspProgram(path, vocabulary, constants, allow_scripts)


@opt.command(
    epilog="""\b
%%prolog puzzle -n 0 --store found
?- sudoku_rules(Rows), Rows = [[A,B|_]|_], A #> B, maplist(label, Rows)."""
)
@_common
@PREDICATE
@click.pass_obj
def prolog(cell: _Cell, predicate: str) -> SudokuProgram:
    """Run the cell as a Prolog program or query on PUZZLE, and show its answers as grids.

    PUZZLE is a variable, a file, or the puzzle itself, without marks and rules. A program defines
    sudoku(Rows); Rows are lists of digits, with variables for empty cells. A query begins with ?-
    and has the variables Rows, and Shape for the boxes or regions. It may use the predicates that
    prolog/sudoku_prompt.pl exports and those that the cell defines before.
    """
    begin, plain = ":- set_output(user_error).", cell.puzzle
    if _QUERY.search(_COMMENT.sub("", cell.text)):
        predicate = "cell_query"
        plain = replace(cell.puzzle.to_puzzle(), regions=None)
        ours = quoted(str(resource("prolog/sudoku/notebook.pl")))
        # On one line, so that those of the cell keep their numbers.
        shape = "".join(shape_term(cell.puzzle.layout).split())
        begin += f" :- use_module({ours}), assertz(sudoku_notebook:shape({shape}))."
    as_grid(plain)  # refuses marks and rules, and regions if there is no shape
    path = cell.write("cell.pl", f"{begin}\n{cell.text}")
    return PrologProgram(path, VOCABULARIES["initial"], predicate)


def load(shell: Any) -> None:
    """Register the magics in a shell of IPython."""
    for command in (clingo, prolog):
        shell.register_magic_function(_magic(shell, command), "cell", command.name)
    if _with_body not in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.append(_with_body)


def _with_body(lines: list[str]) -> list[str]:
    """Add a line to a cell of one line, such as ``%%clingo --help``, which IPython refuses."""
    alone = "".join(lines).strip()
    return [f"{alone}\n", "\n"] if _ALONE.fullmatch(alone) else lines


def _magic(shell: Any, command: click.Command) -> Callable[[str, str], Answers | None]:
    def magic(line: str, text: str) -> Answers | None:
        try:
            return _run(shell, command, line, text)
        except click.exceptions.Exit:  # --help is printed
            return None
        except click.ClickException as error:
            message = error.format_message()
        except KeyboardInterrupt:
            message = "interrupted; the program is stopped"
        except LogicError as error:
            message = str(error)
        raise CellFailed(message)

    magic.__doc__ = command.help
    return magic


def _run(shell: Any, command: click.Command, line: str, text: str) -> Answers:
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise click.UsageError(f"{error}: {line}") from None
    context = command.make_context(f"%%{command.name}", words)
    names = ("words", "limit", "store", "timeout", "memory")
    word_list, most, store, *bounds = map(context.params.pop, names)
    word, most = _as_clingo_has_it(word_list, most)
    puzzle, limits = _puzzle(word, shell.user_ns), Limits(*bounds)
    with TemporaryDirectory(prefix="pylogic-sudoku-") as folder:
        cell = context.obj = _Cell(text, puzzle, Path(folder))
        program: SudokuProgram = replace(command.invoke(context), sandbox=TRUSTED)
        program.check()
        facts = puzzle.format("facts")
        instance = Case("puzzle", cell.write("puzzle.lp", facts), facts, puzzle)
        run = program.run(instance, puzzle, most, limits)
    lines = [run.ending, run.repeats if run.stopped else "", run.message]
    # Remove the names of our files, which the reader has never seen.
    message = "\n".join(filter(None, lines)).replace(f"{folder}/", "")
    if run.stopped == "timeout":
        message = f"no end within {limits.seconds:g} s (-t SECONDS allows more): {message}"
    if run.stopped:
        raise CellFailed(message)
    answers = Answers(puzzle, replace(run, message=message))
    if store:
        shell.push({store: answers})
    return answers


def _as_clingo_has_it(words: tuple[str, ...], most: int) -> tuple[str, int]:
    """Return the puzzle and the number of answers; words such as ``0 FILE -`` are clingo's.

    There a number is how many answers there may be, and - is the cell.
    """
    others = [word for word in words if word != "-"]
    numbers = [word for word in others if re.fullmatch(r"\d{1,9}", word, re.ASCII)]
    if len(others) == 2 and len(numbers) == 1:
        others.remove(numbers[0])
        most = int(numbers[0])
    if len(others) != 1:
        raise click.UsageError(f"expected one puzzle, not {' '.join(words)}")
    return others[0], most


def _puzzle(word: str, variables: Mapping[str, Any]) -> AnyPuzzle:
    """The puzzle in a variable, in a file, or in the word itself."""
    if word in variables:
        return as_puzzle(variables[word])
    try:
        return puzzle_in("PUZZLE", word, None)
    except InvalidPuzzle:
        if word.isidentifier():
            raise InvalidPuzzle(f"there is no variable {word!r}") from None
        raise
