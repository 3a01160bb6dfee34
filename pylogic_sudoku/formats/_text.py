"""The lines of a text: what editors and forums put around them, and how much of it is read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from io import TextIOBase
from typing import NamedTuple

from .._layout import checked_box
from ..errors import InvalidPuzzle, shown
from ..grid import Box

__all__ = ["BOXES", "CODE", "KILLER", "LONGEST_LINE", "Head", "Lines", "Stated", "bare"]
__all__ += ["is_content", "refuse_long", "stated"]

LONGEST_LINE = 1_000_000
"""Characters of a line; a longer one is refused."""
LONGEST_JSON = 10_000_000
"""Characters of a line that begins like JSON or XML, which may have many puzzles on one."""
LONGEST_PUZZLE = 100_000_000
"""Characters that are read for one puzzle, so that an endless input does not fill the memory."""

# In the readers patterns are texts: `re` compiles one when it is first used, and few ever are.
_QUOTE = r"[ \t]*(?:>[ \t]?)+"
_FENCE = r"(?im)^(?:`{3,}[ \t]*\w*|\[/?(?:code|pre|tt|quote)\])[ \t]*$"
"""A line that begins or ends a block of code in Markdown or in a forum."""
_FENCES = ("`", "[")

KILLER = r"(?=\S*[<>^])[<>^v0-9A-Za-j`',.]{81}(?:\s|\Z)"
"""A killer whose cells point to each other; its first character may look like a quotation mark."""

CODE = r'(?s)"(?:\\.|[^"\\\n])*"?|%\*.*?(?:\*%|\Z)|%[^\n]*'
"""A string or a comment of clingo; one left open ends with its line or with the text.

(It has to match: a search that fails at every quote takes time quadratic in the length.)
"""
_DIRECTIVE = r"#(?:const|show|program|defined|include|external|script)\b|%\*"

BOXES = r"(?m)^#C\s*(\d{1,2})x(\d{1,2}) boxes"
"""A comment with the box shape of the puzzles below it."""
_FORM = r"[#%]\s*format:\s*(hex|pencil)\s*"
"""Only these two have to be named."""
_NOT_GIVEN = r"[#%]\s*not given:((?:[\s,]*r\d{1,2}c\d{1,2})+)[\s,]*"
_LONGEST_COMMENT = 10_000
"""Characters of a comment that is read; the names of all cells of 36x36 have fewer."""


class Stated(NamedTuple):
    """What comments above a puzzle say of it, and these comments."""

    box: Box | None = None
    form: str | None = None
    """Its format, of those that are not detected."""
    open: tuple[str, ...] = ()
    """The names of cells with one pencil mark that is not a given."""
    general: str = ""
    """The comments that count for all puzzles below, each with its line break."""
    special: str = ""
    """The comment that counts for the first puzzle."""


def stated(lines: Iterable[str]) -> Stated:
    """What the comments at the top of a text say; of several of one kind, the last counts."""
    said = Stated()
    boxes = form = ""
    for line in lines:
        if line.strip()[:1] not in ("", "#", "%"):
            break
        if len(line) > _LONGEST_COMMENT:
            continue
        if shape := re.match(BOXES, line):
            said, boxes = said._replace(box=checked_box(map(int, shape.groups()))), f"{line}\n"
        elif named := re.fullmatch(_FORM, line):
            said, form = said._replace(form=named[1]), f"{line}\n"
        elif listed := re.fullmatch(_NOT_GIVEN, line):
            names = tuple(re.findall(r"r\d+c\d+", listed[1]))
            said = said._replace(open=names, special=f"{line}\n")
    return said._replace(general=boxes + form)


class Head:
    """A text, or the first lines of a longer one, for the formats to recognize."""

    def __init__(self, text: str, box: Box | None, whole: bool) -> None:
        self.text = text
        self.box = box
        self.whole = whole
        """False for the first lines of a longer text."""
        self.bare = text.strip()
        self.lines = [line for line in text.splitlines() if is_content(line)]

    @cached_property
    def code(self) -> str:
        """The text without clingo's strings and comments."""
        return re.sub(CODE, " ", self.text)


def is_content(line: str) -> bool:
    """True unless the line is blank or a comment."""
    start = line.strip()
    return start[:1] not in ("", "%", "#") or re.match(_DIRECTIVE, start) is not None


def bare(text: str) -> str:
    """The text without a byte order mark, quotation marks of mail, and code fences."""
    text = text.removeprefix("\ufeff")
    if _is_quoted(text):
        text = "\n".join(map(_unquoted, text.splitlines()))
    return re.sub(_FENCE, "", text) if "[" in text or "`" in text else text


def _is_quoted(text: str) -> bool:
    """True for a text whose first line is quoted."""
    start = text.lstrip()
    return start[:1] == ">" and not re.match(KILLER, start)


def _unquoted(line: str) -> str:
    mark = re.match(_QUOTE, line)
    return line[mark.end() :] if mark else line


def refuse_long(text: str) -> None:
    """InvalidPuzzle if the text, or a line of it, is too long."""
    if len(text) > LONGEST_PUZZLE:
        raise InvalidPuzzle(f"the text has more than {LONGEST_PUZZLE:,} characters")
    if len(text) > LONGEST_LINE:
        for number, line in enumerate(text.splitlines(), 1):
            _refuse_long_line(line, number)


def _refuse_long_line(line: str, number: int) -> None:
    longest = LONGEST_JSON if line[:1] in ("[", "{", "<") else LONGEST_LINE
    if len(line) > longest:
        raise InvalidPuzzle(f"line {number} has more than {longest:,} characters")


class Lines:
    """The lines of a text without their ends and without the parts that `bare` removes.

    Raises InvalidPuzzle if a line, or what is read for one puzzle, is too long, or if the
    text is not UTF-8; TypeError for lines that are not text.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines
        self.read = 0
        """The amount read since this was last set to 0; each line counts a little extra."""

    def __iter__(self) -> Iterator[str]:
        quoted: bool | None = None
        for number, line in enumerate(self._raw(), 1):
            if not isinstance(line, str):
                raise TypeError(f"line {number} is {shown(line)}; expected text (str)")
            length = len(line)
            self.read += length + 20
            if length > LONGEST_LINE:
                _refuse_long_line(line, number)
            if self.read > LONGEST_PUZZLE:
                raise InvalidPuzzle(
                    f"line {number}: no puzzle ends within {LONGEST_PUZZLE:,} characters"
                )
            line = line.rstrip("\r\n")
            if quoted is None:
                line = line.removeprefix("\ufeff") if number == 1 else line
                if "\0" in line:
                    raise InvalidPuzzle(
                        f"line {number} holds NUL characters, as text in UTF-16 does: save it as"
                        " UTF-8"
                    )
                quoted = _is_quoted(line) if line.strip() else None
            if quoted:
                line = _unquoted(line)
            yield "" if line.startswith(_FENCES) and re.fullmatch(_FENCE, line) else line

    def _raw(self) -> Iterator[str]:
        lines = self._lines
        try:
            if isinstance(lines, TextIOBase):
                # Iterating over a file would read a line to its end, which may never come.
                yield from iter(partial(lines.readline, LONGEST_JSON + 1), "")
            else:
                yield from lines
        except UnicodeDecodeError as error:
            mark = bytes(error.object[:2]) in (b"\xff\xfe", b"\xfe\xff")
            found = "UTF-16" if mark else f"byte 0x{error.object[error.start]:02x} is not UTF-8"
            raise InvalidPuzzle(f"this is not text in UTF-8 ({found}): save it as UTF-8") from None
