"""Files of strangers: those of a folder or an archive, and of the archives in it, within bounds.

Nothing is unpacked to a path that an archive names: a `File` has its content in memory once it is
read, and we choose where it is written. Archives in archives are opened down to `DEPTH`. Their
size unpacked is bounded before anything is unpacked, so that a small file cannot fill a disk.
"""

from __future__ import annotations

import bz2
import lzma
import os
import re
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import IO, NamedTuple

from ..errors import InvalidPuzzle
from ..files import read_regular
from .diagnosis import printable

__all__ = ["MEGABYTES", "File", "Opened", "files_in", "is_ours", "opened", "reason_of"]

MEGABYTES = 64
"""Megabytes that the files of one student may have, unpacked."""
MEMBERS = 2_000
"""The most files in the archives of one student."""
DEPTH = 3
"""Archives in archives that are opened."""
_LISTING = MEMBERS * 300
"""The most bytes of the listing of a ZIP, which is read as a whole: long names fit."""
_END = re.compile(rb"PK\x05\x06.{8}(.{4})", re.DOTALL)
"""The end of a ZIP, with the bytes of its listing."""
_ARCHIVES = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".gz", ".bz2", ".xz")
_CLOSED = (".rar", ".7z")
"""Archives that are not opened."""
_JUNK = ("__MACOSX", "Thumbs.db", "desktop.ini")


class File(NamedTuple):
    """A file, or an empty folder."""

    parts: tuple[str, ...]
    """The folders in which it is, and its name."""
    size: int
    """Its bytes, unpacked."""
    time: float
    """The seconds of its last change."""
    read: Callable[[], bytes]
    """Returns the content; any error if that cannot be read."""
    kind: str = ""
    """``folder`` or ``link``; empty for an ordinary file."""

    @property
    def name(self) -> str:
        """The name without the folders."""
        return self.parts[-1] if self.parts else ""

    @property
    def shown(self) -> str:
        """The whole name, for people."""
        return printable("/".join(self.parts))

    def inside(self, number: int) -> File:
        """Return it without the first folders."""
        return self._replace(parts=self.parts[number:])


class Opened(NamedTuple):
    """The files of one student."""

    files: list[File]
    """The ordinary files, those of archives included, without the archives."""
    archives: dict[str, bool]
    """The archives that were opened, and whether each holds a program."""
    refused: list[str]
    """A sentence on each file that is not taken, with the reason."""


def is_ours(parts: Iterable[str]) -> bool:
    """True unless systems have put the file there: ``__MACOSX``, ``.DS_Store``, ``._x.pl``."""
    return not any(each in _JUNK or (each[:1] == "." and each != "..") for each in parts)


def files_in(source: Path) -> list[File]:
    """Return the files of a folder or a ZIP, and its empty folders.

    InvalidPuzzle if it is neither, or cannot be read.
    """
    try:
        if source.is_dir():
            return list(_in_folder(source))
        return list(_in_zip(zipfile.ZipFile(source)))
    except (OSError, zipfile.BadZipFile, ValueError, struct.error, NotImplementedError) as error:
        why = "it is neither a folder nor a ZIP" if not zipfile.is_zipfile(source) else str(error)
        raise InvalidPuzzle(f"{source}: cannot be read: {why}") from None


def _in_folder(folder: Path) -> Iterator[File]:
    for place, folders, names in os.walk(folder):
        folders.sort()
        parts = Path(place).relative_to(folder).parts
        if not folders and not names and parts:
            yield File(parts, 0, 0, bytes, "folder")
        linked = [each for each in folders if os.path.islink(os.path.join(place, each))]
        for name in sorted([*names, *linked]):
            path = Path(place, name)
            status = path.lstat()
            is_link = not stat.S_ISREG(status.st_mode)
            read = partial(read_regular, path, MEGABYTES << 20)
            kind = "link" if is_link else ""
            yield File((*parts, name), status.st_size, status.st_mtime, read, kind)


# --- archives ---


def opened(files: Iterable[File], is_program: Callable[[str], bool]) -> Opened:
    """Return the files of one student, with those of the archives among them.

    Args:
        files: The files as they were sent.
        is_program: Tells from its name whether a file is a program.
    """
    found = Opened([], {}, [])
    budget = _Budget()
    for each in files:
        _take(each, found, budget, is_program, 0)
    return found


class _Budget:
    """The bytes and files that a student's archives may still have."""

    def __init__(self) -> None:
        self.bytes = MEGABYTES << 20
        self.members = MEMBERS

    def spent(self, files: Iterable[File]) -> list[File]:
        """Return the files of an archive; `_Refused` if these are too many or too large."""
        found = []
        for each in files:
            self.bytes -= each.size
            self.members -= 1
            if self.bytes < 0:
                raise _Refused(f"unpacked, it has over {MEGABYTES} MB")
            if self.members < 0:
                raise _Refused(f"it has over {MEMBERS} files")
            found.append(each)
        return found


class _Refused(Exception):
    """The reason why an archive is not opened."""


def _take(
    file: File, found: Opened, budget: _Budget, is_program: Callable[[str], bool], depth: int
) -> None:
    """Add a file, or what is in it."""
    if file.kind == "folder" or not is_ours(file.parts):
        return
    flaw = "it is a link" if file.kind == "link" else _leads_out(file.parts)
    if flaw:
        found.refused.append(f"{file.shown} is refused: {flaw}")
        return
    ending = os.path.splitext(file.name)[1].lower()
    if ending in _CLOSED:
        found.refused.append(f"{file.shown} cannot be opened; expected a ZIP or no archive")
        return
    if ending not in _ARCHIVES:
        found.files.append(file)
        return
    before = len(found.files), len(found.refused)
    try:
        if depth == DEPTH:
            raise _Refused("it is an archive in too many others")
        inner = _unpacked(file, budget)
    except _Refused as error:
        found.refused.append(f"{file.shown} is refused: {error}")
        return
    except Exception as error:  # zipfile, tarfile and the decompressors raise whatever they like
        found.refused.append(f"{file.shown} cannot be opened: {reason_of(error)}")
        return
    if inner is None:  # a compressed file, but not an archive
        found.files.append(file)
        return
    for each in inner:
        _take(each._replace(parts=(*file.parts, *each.parts)), found, budget, is_program, depth + 1)
    new = found.files[before[0] :]
    if len(found.refused) == before[1]:
        found.archives[file.shown] = any(is_program(each.name) for each in new)


def _leads_out(parts: tuple[str, ...]) -> str:
    """Return why the path is none in a folder; empty if it is one."""
    backwards = [piece for part in parts for piece in part.split("\\")]
    if ".." in backwards:
        return "its path leads out of the folder"
    absolute = not parts or "" in parts or backwards[0] == "" or backwards[0][1:] == ":"
    return "its path is absolute" if absolute else ""


def reason_of(error: Exception) -> str:
    """Return why a file of a stranger cannot be read, on one line."""
    words = printable(str(error)) or type(error).__name__
    return "it needs a password" if "password" in words else words[:100]


def _unpacked(file: File, budget: _Budget) -> list[File] | None:
    """Return what is in an archive; None if it is none."""
    if file.size > MEGABYTES << 20:
        raise _Refused(f"it has over {MEGABYTES} MB")
    data = file.read()
    if data[:2] == b"PK":
        listings = (struct.unpack("<I", each[1])[0] for each in _END.finditer(data[-(1 << 17) :]))
        if max(listings, default=0) > _LISTING:
            raise _Refused(f"it has over {MEMBERS} files")
        return budget.spent(_in_zip(zipfile.ZipFile(BytesIO(data))))
    plain = _decompressed(data)
    with suppress(tarfile.ReadError):
        return budget.spent(_in_tar(plain))
    if file.name.lower().endswith((".zip", ".tar", ".tgz", ".tbz2", ".txz")):
        raise ValueError("it is not an archive")
    return None


def _decompressed(data: bytes) -> bytes:
    """Return the content of a compressed file; the data if it is none."""
    most = (MEGABYTES << 20) + 1
    if data[:2] == b"\x1f\x8b":
        plain = zlib.decompressobj(31).decompress(data, most)
    elif data[:3] == b"BZh":
        plain = bz2.BZ2Decompressor().decompress(data, most)
    elif data[:6] == b"\xfd7zXZ\0":
        limited = lzma.LZMADecompressor(memlimit=256 << 20)
        plain = limited.decompress(data, most)
    else:
        plain = data
    if len(plain) == most:
        raise _Refused(f"unpacked, it has over {MEGABYTES} MB")
    return plain


def _in_zip(archive: zipfile.ZipFile) -> Iterator[File]:
    """Yield the files of a ZIP, and its empty folders."""
    infos = archive.infolist()
    filled = {parts[:-1] for each in infos if (parts := _parts(each))[-1:] != ("",)}
    filled |= {each[:number] for each in filled for number in range(len(each))}
    for each in infos:
        parts = _parts(each)
        when = _time(each.date_time)
        if parts[-1:] == ("",):
            if parts[:-1] not in filled:
                yield File(parts[:-1], 0, when, bytes, "folder")
            continue
        kind = "link" if stat.S_ISLNK(each.external_attr >> 16) else ""
        yield File(parts, each.file_size, when, partial(_read, archive, each), kind)


def _parts(info: zipfile.ZipInfo) -> tuple[str, ...]:
    """The path of a file in a ZIP; that of a folder has an empty part at its end.

    Python reads names without a mark as those of DOS, though most are UTF-8.
    """
    name = info.filename
    if not info.flag_bits & 0x800:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    return tuple(each for each in name.split("/") if each != ".")


def _time(moment: tuple[int, int, int, int, int, int]) -> float:
    try:
        return datetime(*moment, tzinfo=UTC).timestamp()
    except ValueError:  # such as a month 0
        return 0.0


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    with archive.open(info) as file:
        return _bounded(file)


def _bounded(file: IO[bytes]) -> bytes:
    data = file.read((MEGABYTES << 20) + 1)
    if len(data) > MEGABYTES << 20:
        raise ValueError(f"it has over {MEGABYTES} MB")
    return data


def _in_tar(data: bytes) -> Iterator[File]:
    archive = tarfile.open(fileobj=BytesIO(data), mode="r:")  # noqa: SIM115  (it is read later)
    for each in archive:
        parts = tuple(part for part in each.name.split("/") if part != ".")
        if each.isfile():
            yield File(parts, each.size, float(each.mtime), partial(_member, archive, each))
        elif not each.isdir():
            yield File(parts, 0, 0, bytes, "link")


def _member(archive: tarfile.TarFile, info: tarfile.TarInfo) -> bytes:
    file = archive.extractfile(info)
    if file is None:
        raise ValueError("it is not a regular file")
    with file:
        return _bounded(file)
