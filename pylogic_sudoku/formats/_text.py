"""The lines of a text: comments, and what editors and forums put around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from io import StringIO, TextIOBase
from itertools import islice

from .._layout import checked_box
from ..errors import InvalidPuzzle, shown
from ..grid import Box

HEAD = 64
"""Lines, comments aside, from which the format of a longer text is detected."""
_CHUNK = 1 << 20
"""Characters of a line that are read at a time."""

# In the readers patterns are texts: `re` compiles one when it is first used, and few ever are.
_FENCE = r"(?im)^(?:`{3,}[ \t]*\w*|\[/?(?:code|pre|tt|quote)\])[ \t]*$"
"""A line that begins or ends a block of code in Markdown or in a forum."""
_FENCES = ("`", "[")

CODE = r'(?s)"(?:\\.|[^"\\\n])*"?|%\*.*?(?:\*%|\Z)|%[^\n]*'
"""A string or a comment of clingo; one left open ends with its line or with the text.

(It has to match: a search that fails at every quote takes time quadratic in the length.)
"""
_DIRECTIVE = r"#(?:const|show|program|defined|include|external|script)\b"
_STRING = r'(?ms)(?P<string>"(?:\\.|[^"\\\n])*"?)'
_BLOCK = r"(?P<block>%\*.*?(?:\*%|\Z)|/\*.*?(?:\*/|\Z))"
_HASH = rf"#(?!{_DIRECTIVE[1:]})"
_COMMENT = rf"{_STRING}|{_BLOCK}|(?P<line>^[ \t]*(?:%(?!\*)|{_HASH})[^\n]*)|%[^\n]*"
"""A block comment of clingo, Prolog or MiniZinc, or a line that is a comment in any format. What
only looks like one, in a string or behind a %, matches as well, so that it is passed over."""

BOXES = r"(?m)^#C\s*(\d{1,2})x(\d{1,2}) boxes"
"""A comment with the box shape of the puzzles below it."""


def stated_boxes(lines: Iterable[str]) -> tuple[Box | None, str]:
    """The box shape that comments at the top of a text state, and the last such comment."""
    found: tuple[Box | None, str] = None, ""
    for line in lines:
        if line.lstrip()[:1] not in ("", "#", "%"):
            break
        if shape := re.match(BOXES, line):
            found = checked_box(map(int, shape.groups())), f"{line}\n"
    return found


class Head:
    """A text, or the first lines of a longer one, for the formats to recognize."""

    def __init__(self, text: str, box: Box | None, whole: bool) -> None:
        self.text = text
        self.box = box
        self.whole = whole
        """False for the first lines of a longer text."""
        self.bare = text.strip()
        self.content = without_comments(text).strip()
        """The text without lines and blocks that are comments."""

    @cached_property
    def lines(self) -> list[str]:
        """The first lines of the content, without the blank ones."""
        lines = (line for line in StringIO(self.content, newline=None) if line.strip())
        return [line.rstrip("\n") for line in islice(lines, HEAD)]

    @cached_property
    def code(self) -> str:
        """The text without clingo's strings and comments."""
        return re.sub(CODE, " ", self.text)


def without_comments(text: str) -> str:
    """The text without lines and blocks that are comments; its line numbers stay the same."""
    return re.sub(_COMMENT, _kept, text) if _has_mark(text) else text


def strip_comments(text: str, comments: str) -> str:
    """The text without the parts that match, unless they are quoted; its line numbers stay."""
    return re.sub(comments, lambda part: part[0] if part[0][0] in "'\"" else _ends(part[0]), text)


def _ends(text: str) -> str:
    """The ends of its lines."""
    return "\n" * text.count("\n")


def _has_mark(text: str) -> bool:
    return "%" in text or "#" in text or "/*" in text


def _kept(part: re.Match[str]) -> str:
    if part.lastgroup == "block" and not _is_closed(part[0]):
        # %***** without an end is a line of Prolog, and so is any further one.
        lines = rf"{_STRING}|(?P<line>^[ \t]*(?:%|{_HASH})[^\n]*)|%[^\n]*"
        return re.sub(lines, _kept, part[0]) if part[0][0] == "%" else part[0]
    return _ends(part[0]) if part.lastgroup in ("block", "line") else part[0]


def _is_closed(block: str) -> bool:
    return len(block) > 3 and block.endswith(("*%", "*/"))


class Content:
    """Whether lines that come one after another are content: not blank, and not comments."""

    def __init__(self) -> None:
        self._block = ""
        """How the block comment began in which the next line stands."""

    def __call__(self, line: str) -> bool:
        if not self._block and not _has_mark(line):
            return bool(line.strip())
        text = self._block + line
        if self._block and self._block[::-1] not in line:
            return False
        *_, last = None, *re.finditer(_COMMENT, text)
        self._block = ""
        if last and last.lastgroup == "block" and not _is_closed(last[0]):
            self._block = last[0][:2]
            text = text[: last.start()]
        return bool(without_comments(text).strip())


def is_content(line: str) -> bool:
    """True unless the line is blank or a comment of its own."""
    start = line.strip()
    return start[:1] not in ("", "%", "#") or re.match(_DIRECTIVE, start) is not None


def bare(text: str) -> str:
    """The text without a byte order mark and code fences."""
    text = text.removeprefix("\ufeff")
    return re.sub(_FENCE, "", text) if "[" in text or "`" in text else text


class Lines:
    """The lines of a text without their ends and without the parts that `bare` removes.

    Raises InvalidPuzzle if a line holds NUL characters or the text is not UTF-8; TypeError for
    lines that are not text.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines

    def __iter__(self) -> Iterator[str]:
        blank = True
        for number, line in enumerate(self._raw(), 1):
            if not isinstance(line, str):
                raise TypeError(f"line {number} is {shown(line)}; expected text (str)")
            line = line.rstrip("\r\n")
            if blank:  # text in another encoding has them from its first line on
                line = line.removeprefix("\ufeff") if number == 1 else line
                _refuse_nul(line, number)
                blank = not line.strip()
            yield "" if line.startswith(_FENCES) and re.fullmatch(_FENCE, line) else line

    def _raw(self) -> Iterator[str]:
        lines = self._lines
        try:
            if isinstance(lines, TextIOBase):
                yield from _long_lines(lines)
            else:
                yield from lines
        except UnicodeDecodeError as error:
            mark = bytes(error.object[:2]) in (b"\xff\xfe", b"\xfe\xff")
            found = "UTF-16" if mark else f"byte 0x{error.object[error.start]:02x} is not UTF-8"
            raise InvalidPuzzle(f"this is not text in UTF-8 ({found}): save it as UTF-8") from None


def _long_lines(file: TextIOBase) -> Iterator[str]:
    """The lines of a file. A device such as /dev/zero, whose line never ends, is noticed."""
    for number, line in enumerate(iter(partial(file.readline, _CHUNK), ""), 1):
        if len(line) < _CHUNK or line[-1] == "\n":
            yield line
            continue
        chunks = [line]
        while chunks[-1][-1:] not in ("\n", ""):
            _refuse_nul(chunks[-1], number)
            chunks.append(file.readline(_CHUNK))
        yield "".join(chunks)


def _refuse_nul(line: str, number: int) -> None:
    if "\0" in line:
        raise InvalidPuzzle(
            f"line {number} holds NUL characters, as text in UTF-16 does: save it as UTF-8"
        )
