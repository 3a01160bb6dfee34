"""Texts of programs and instances: in UTF-8, with no character that clingo cannot take.

clingo reads bytes, and its module for Python ends the process when a message has half a character
in it. So each text is looked through before clingo gets it.
"""

from __future__ import annotations

import codecs
import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..errors import InvalidProblem

__all__ = ["LARGEST", "check_asp", "check_program", "must_be_text", "plain", "read_text"]
__all__ += ["too_large"]

LARGEST = 2**31 - 1
"""The largest integer of clingo, which silently reads a larger one as another."""

_UTF_16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_OUTSIDE = re.compile(
    r'"(?:\\.|[^"\\\n])*"|%\*.*?\*%|%[^\n]*|#script.*?#end|([^\x00-\x7f])', re.DOTALL
)
_COMMENT = re.compile(r"%\*.*?\*%|%[^\n]*", re.DOTALL)
_INCLUDE = re.compile(r'(#include\s*)"([^"\n]+)"')


def read_text(path: Path) -> str:
    """The text of a file in UTF-8, without a byte order mark.

    InvalidProblem if it cannot be read, or is in another encoding.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InvalidProblem(f"{path}: {error.strerror or error}") from None
    return decoded(data, str(path))


def decoded(data: bytes, where: str) -> str:
    """The text of these bytes; `where` is its name in the error."""
    if data.startswith(_UTF_16):
        raise InvalidProblem(f"{where} is in UTF-16, as some editors on Windows write; {_SAVE}")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise InvalidProblem(
            f"{where}:{line}: the byte 0x{data[error.start]:02x} is not UTF-8, perhaps Latin-1;"
            f" {_SAVE}"
        ) from None


_SAVE = "save the file in UTF-8"


def must_be_text(text: str, where: str) -> None:
    """InvalidProblem if there is half a character, as JSON may have: it cannot be written."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        line = text[: error.start].count("\n") + 1
        raise InvalidProblem(
            f"{where}:{line}: {text[error.start]!r} is half a character, which no text has"
        ) from None


def check_asp(text: str, where: str) -> None:
    """InvalidProblem if a character outside ASCII is neither in a string nor in a comment."""
    if text.isascii():
        return
    for match in _OUTSIDE.finditer(text):
        if character := match[1]:
            before = text[: match.start(1)]
            line = before.count("\n") + 1
            column = len(before) - before.rfind("\n")
            name = "a byte order mark" if character == "\ufeff" else f"the character {character!r}"
            raise InvalidProblem(
                f"{where}:{line}:{column}: {name} is not allowed in a name of ASP; names consist of"
                ' a to z, A to Z, 0 to 9 and _, other characters belong in quotes: "größe"'
            )


def check_program(path: Path) -> None:
    """The same for a program in a file, and for what it includes, where that can be read."""
    _check_program(path, set())


def _check_program(path: Path, seen: set[str]) -> None:
    seen.add(os.path.realpath(path))
    text = read_text(path)
    check_asp(text, str(path))
    for match in _INCLUDE.finditer(_COMMENT.sub(" ", text)):
        for folder in (Path(), path.parent):
            included = folder / match[2]
            if included.is_file():
                if os.path.realpath(included) not in seen:
                    if included.read_bytes().startswith(codecs.BOM_UTF8):
                        raise InvalidProblem(
                            f"{included} begins with a byte order mark, which clingo does not take"
                            " in an included file; save it in UTF-8 without one"
                        )
                    _check_program(included, seen)
                break


@contextmanager
def plain(path: Path) -> Iterator[str]:
    """The file for clingo: it, or for the block a copy without the byte order mark it begins with.

    In the copy, what it includes has the whole path.
    """
    try:
        with path.open("rb") as file:
            marked = file.read(3).startswith(codecs.BOM_UTF8)
    except OSError:  # clingo names the error
        marked = False
    if not marked:
        yield str(path)
        return
    from tempfile import TemporaryDirectory

    def absolute(match: re.Match[str]) -> str:
        included = path.parent.resolve() / match[2]
        return f'{match[1]}"{included}"' if included.is_file() else match[0]

    with TemporaryDirectory(prefix="pylogic-sudoku-") as folder:
        copy = Path(folder) / path.name
        copy.write_text(_INCLUDE.sub(absolute, read_text(path)), encoding="utf-8")
        yield str(copy)


def too_large(text: str) -> str | None:
    """The first number in the text that is too large for clingo."""
    numbers = re.findall(r"(?<!\w)\d{10,}", text, re.ASCII)
    return next((each for each in numbers if len(each) > 10 or int(each) > LARGEST), None)
