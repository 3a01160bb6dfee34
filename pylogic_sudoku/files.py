"""The paths of our own files, and safe writing of the user's files.

`resource` and `encoding` find the programs, which are next to the package in a checkout and inside
it in a wheel; `install_command` is the command for a missing part, which
differs as well. `save` writes a
file completely or leaves it as it was.
"""

from __future__ import annotations

import errno
import io
import os
import re
import stat
import sys
from functools import cache
from itertools import islice
from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from _typeshed import ReadableBuffer


def resource(name: str) -> Path:
    """The path of ``prolog/...`` or ``encodings/...``: inside the package in a wheel, next to it in
    a checkout (an editable install)."""
    from pathlib import Path

    return Path(located(name))


def located(name: str) -> str:
    """The same path as text: a short run of the command line does without pathlib."""
    package = os.path.dirname(os.path.realpath(__file__))
    inside = os.path.join(package, name)
    return inside if os.path.exists(inside) else os.path.join(os.path.dirname(package), name)


def part_of(program: str, name: str) -> str:
    """The file of this name beside a program, or else the only one below; empty if there is none.

    Messages name a file that a program includes without its folder.
    """
    folder = os.path.dirname(program)
    if os.path.isfile(beside := os.path.join(folder, name)):
        return beside
    folders = islice(os.walk(folder or os.curdir), _FOLDERS)
    found = [os.path.join(place, name) for place, _, files in folders if name in files]
    return os.path.normpath(found[0]) if len(found) == 1 else ""


_FOLDERS = 1000
"""The most folders that are searched for a file."""


INCLUDE = re.compile(r'^#include "([^"]+)"\.', re.MULTILINE)


@cache
def encoding(
    *names: str,
    modules: tuple[str, ...] = (),
    own: frozenset[str] = frozenset(),
) -> str:
    """The texts of some of ``encodings/``, and of what they include, each once.

    `modules` are texts from ``encodings/rules/``; `own` are those of somebody else.
    """
    included_paths: set[str] = set()

    def text_of(path: str) -> str:
        if path in included_paths:
            return ""
        included_paths.add(path)
        with open(path, encoding="utf-8") as file:
            return expanded(file.read(), os.path.dirname(path))

    def expanded(text: str, folder: str) -> str:
        expansion = INCLUDE.sub(lambda each: text_of(included(folder, each[1])), text)
        return f"{expansion}\n"

    def included(folder: str, name: str) -> str:
        """A module of somebody else finds ours without their folder."""
        path = os.path.join(folder, name)
        return os.path.realpath(path if os.path.exists(path) else os.path.join(ours, name))

    ours = os.path.realpath(located("encodings"))
    texts = [text_of(os.path.join(ours, f"{name}.lp")) for name in names]
    texts += (expanded(text, os.path.join(ours, "rules")) for text in modules)
    texts += (expanded(text, ours) for text in sorted(own))
    return "\n".join(texts)


def checkout() -> str | None:
    """The folder of the checkout that this package runs from; None if it is installed."""
    above = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    return above if located("encodings") == os.path.join(above, "encodings") else None


def install_command(extra: str) -> str:
    """The command that installs what this extra needs, for the shell, in any folder.

    The package need not be on an index: in a checkout the command names the folder, elsewhere the
    packages of the extra.
    """
    if folder := checkout():
        return pip_install("-e", f"{folder}[{extra}]")
    from importlib.metadata import requires

    marked = re.compile(rf"(.*?) *; *extra == ['\"]{extra}['\"]")
    matches = map(marked.fullmatch, requires("pylogic-sudoku") or ())
    return pip_install(*(each[1] for each in matches if each))


def pip_install(*arguments: str) -> str:
    """The command for the shell by which pip installs this for the Python that runs."""
    import shlex

    return shlex.join([sys.executable, "-m", "pip", "install", *arguments])


# --- files that are written completely, or left as they were ---

_STREAMS = {"/dev/stdout": 1, "/dev/stderr": 2}
_NO_ROOM_BESIDE = {errno.EACCES, errno.EPERM, errno.EBUSY, errno.EROFS}


def save(path: str | PathLike[str], content: str | bytes) -> None:
    """Write the content to the file, completely; after an OSError the file is as it was before.

    The error names the path. The new file is written next to the old one and renamed. A device, a
    pipe, or a file in a folder where we may create no other is written directly.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if is_regular(path) or not os.path.exists(path):
            from pathlib import Path

            _replace(Path(os.path.realpath(path)), data)
        else:
            with append_to(path) as file:
                file.write(data)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def check_target(path: str | PathLike[str]) -> None:
    """OSError, which names the path, if no file can be written there.

    It tries to write, since only that shows what a file system accepts. A file that exists stays
    as it is, and no new one is left behind.
    """
    target = os.path.realpath(path)
    new = not os.path.exists(target)
    try:
        with open(target, "xb" if new else "ab"):
            pass
        if new:
            os.unlink(target)
    except OSError as error:
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def is_regular(path: str | PathLike[str]) -> bool:
    """True if it is an ordinary file, and not named as one of our standard streams."""
    return os.path.isfile(path) and os.fspath(path) not in _STREAMS


def read_regular(path: str | PathLike[str], most: int) -> bytes:
    """Return the content of an ordinary file that somebody else may have put there.

    OSError for anything else, such as a pipe or a device, which might never end, and for a file of
    more than `most` bytes.
    """
    with open_regular(path) as file:
        if os.fstat(file.fileno()).st_size > most:
            raise OSError(errno.EFBIG, f"over {most >> 20} MB", os.fspath(path))
        return file.read(most)


def open_regular(path: str | PathLike[str], follow: bool = True) -> io.BufferedReader:
    """Open an ordinary file; OSError for anything else, and for a link unless we `follow` it."""
    flags = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    descriptor = os.open(path, flags)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
    return open(descriptor, "rb")


def append_to(path: str | PathLike[str], mode: str = "ab") -> io.FileIO:
    """Open the file to append to it, without a buffer; each write is complete, or names the file.

    ``/dev/stdout`` shares its position with standard output; if that is a file, each would
    otherwise overwrite what the other has written.
    """
    name = os.fspath(path)
    if name not in _STREAMS:
        return _Appended(name, mode)
    file = _Appended(os.dup(_STREAMS[name]), "wb")
    file.name = name
    return file


class _Appended(io.FileIO):
    def write(self, data: ReadableBuffer) -> int:
        """Write all of the data, in pieces if the file accepts only a part at a time."""
        rest = whole = memoryview(data)
        try:
            while rest:
                rest = rest[super().write(rest) :]
        except OSError as error:
            raise OSError(error.errno, error.strerror, self.name) from None
        return whole.nbytes


def _replace(target: Path, data: bytes) -> None:
    exists = target.exists()
    if exists and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    beside = target.with_name(f".{os.urandom(8).hex()}.part")
    try:
        with open(beside, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if exists:
            beside.chmod(stat.S_IMODE(target.stat().st_mode))
        os.replace(beside, target)
    except OSError as error:
        beside.unlink(missing_ok=True)
        # We may write this file but create no other in its folder, or it is a mount of its own.
        if not exists or error.errno not in _NO_ROOM_BESIDE:
            raise
        target.write_bytes(data)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
