#!/usr/bin/env python3
"""Put SWI-Prolog as WebAssembly into the package, as pylogic_sudoku/_wasm/, from its npm package.

    make wasm

The version is that of the playground, in playground/package.json. `make wheel` builds a wheel with
it.
"""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import sys
from pathlib import Path

import playground
from machine import SetupError, StepFailed, alone_in, last_output, say

ROOT = Path(__file__).resolve().parent.parent
INTO = ROOT / "pylogic_sudoku" / "_wasm"
OURS = ROOT / "playground" / "answers" / "memory.js"
NOTICE = """\
This folder holds SWI-Prolog as WebAssembly, from swipl-wasm {version} of npm, which is under
{licence}: its terms are the first below, then those of its parts. It is unchanged but for the
libraries clpr and clpq, which are under the GNU General Public License and were removed from
swipl-web.data. The file memory.js is of pylogic-sudoku.
"""
REMOVED = "/swipl/library/ext/clpqr"
CHUNK = 2048
"""Bytes of each part of swipl-web.data, before it is compressed."""


def files() -> list[Path]:
    """Return the files of the npm package that Prolog needs."""
    folder, names = playground.ENGINES["swipl"]
    return [playground.PACKAGES / "node_modules" / folder / name for name in names]


def state() -> str:
    """Return a hash of what the folder is made from."""
    ours = (OURS, Path(__file__))
    texts = [playground.wanted(), *(file.read_text(encoding="utf-8") for file in ours)]
    return hashlib.sha256("".join(texts).encode()).hexdigest()


def is_made() -> bool:
    mark = INTO / "made-from.txt"
    return mark.is_file() and mark.read_text(encoding="utf-8") == state()


def fill() -> None:
    """Make the folder anew, unless it is complete."""
    if is_made():
        return
    playground.LOG.parent.mkdir(exist_ok=True)
    with alone_in(playground.PACKAGES.parent):
        playground.install()
    shutil.rmtree(INTO, ignore_errors=True)
    INTO.mkdir(parents=True)
    for file in (*files(), OURS):
        shutil.copy(file, INTO / file.name)
    script, data = INTO / "swipl-web.js", INTO / "swipl-web.data"
    text, content = without(REMOVED, script.read_text(encoding="utf-8"), data.read_bytes())
    script.write_text(text, encoding="utf-8")
    data.write_bytes(content)
    (INTO / "NOTICES.txt").write_text(notices(), encoding="utf-8")
    (INTO / "made-from.txt").write_text(state(), encoding="utf-8")


# --- Without a folder of the library ------------------------------------------------------------
#
# The files lie one after the other in chunks, each compressed by LZ4. The script has their places.


def without(folder: str, script: str, data: bytes) -> tuple[str, bytes]:
    """Return the script and the data without the files of a folder, which lie together."""
    entry = re.compile(r'\{filename:"([^"]+)",start:([\de]+),end:([\de]+)\},?')
    places = {
        name: (int(float(start)), int(float(end))) for name, start, end in entry.findall(script)
    }
    gone = [place for name, place in places.items() if name.startswith(f"{folder}/")]
    begin, end = min(gone)[0], max(gone)[1]
    if any(a < end and b > begin for a, b in set(places.values()) - {*gone} if a < b):
        raise SetupError(f"The files of {folder} do not lie together.")
    offsets, sizes, compressed = (
        numbers(script, name) for name in ("offsets", "sizes", "successes")
    )
    left = bytearray(data)
    for chunk in range(begin // CHUNK, (end - 1) // CHUNK + 1):
        start, size = offsets[chunk], sizes[chunk]
        first = max(begin - chunk * CHUNK, 0)
        last = min(end - chunk * CHUNK, CHUNK)
        old = bytes(left[start : start + size])
        whole = uncompressed(old) if compressed[chunk] else old
        new = blanked(whole, first, last) if compressed[chunk] else bytes(size)
        if len(new) > size or not compressed[chunk]:
            raise SetupError("The data of swipl-wasm are not as they were.")
        left[start : start + size] = new.ljust(size, b"\0")
        sizes[chunk] = len(new)
    text = entry.sub(lambda each: "" if each[1].startswith(f"{folder}/") else each[0], script)
    text = re.sub(rf'Module\["FS_createPath"\]\("{folder}",[^)]*\);', "", text)
    parent, _, name = folder.rpartition("/")
    text = text.replace(f'Module["FS_createPath"]("{parent}","{name}",true,true);', "")
    text = re.sub(r"sizes:\[[\de,]+\]", f"sizes:[{','.join(map(str, sizes))}]", text)
    return text.replace(",],remote", "],remote"), bytes(left)


def numbers(script: str, name: str) -> list[int]:
    """Return a list of numbers that the script has under this name."""
    (found,) = re.findall(rf"\b{name}:\[([\de,]+)\]", script)
    return [int(float(each)) for each in found.split(",")]


def blanked(chunk: bytes, first: int, last: int) -> bytes:
    """Return the chunk, compressed, with zeros from one place to another."""
    zeros = last - first
    if zeros < 8:
        return sequence(chunk[:first] + bytes(zeros) + chunk[last:])
    after = chunk[last:]
    return sequence(chunk[:first] + b"\0", zeros - 1) + (sequence(after) if after else b"")


def sequence(literals: bytes, repeats: int = 0) -> bytes:
    """Return a sequence of LZ4: bytes as they are, the last of them repeated."""

    def length(number: int) -> bytes:
        more = number - 15
        return b"\xff" * (more // 255) + bytes([more % 255]) if more >= 0 else b""

    match = repeats - 4 if repeats else 0
    token = min(len(literals), 15) << 4 | min(match, 15)
    plain = bytes([token]) + length(len(literals)) + literals
    return plain + b"\x01\x00" + length(match) if repeats else plain


def uncompressed(data: bytes) -> bytes:
    """Return the bytes that a block of LZ4 stands for."""
    out, at = bytearray(), 0

    def length(number: int) -> int:
        nonlocal at
        more = 255 if number == 15 else 0
        while more == 255:
            more = data[at]
            number += more
            at += 1
        return number

    while at < len(data):
        token = data[at]
        at += 1
        literals = length(token >> 4)
        out += data[at : at + literals]
        at += literals
        if at < len(data):
            offset = int.from_bytes(data[at : at + 2], "little")
            at += 2
            for _ in range(length(token & 15) + 4):
                out.append(out[-offset])
    return bytes(out)


# --- The program --------------------------------------------------------------------------------


def notices() -> str:
    """Return the terms of all that the folder holds."""
    package = playground.PACKAGES / "node_modules" / "swipl-wasm"
    about = json.loads((package / "package.json").read_text(encoding="utf-8"))
    (terms,) = list(package.glob("LICEN[CS]E*"))[:1]
    parts = [
        NOTICE.format(version=about["version"], licence=about["license"]),
        terms.read_text(encoding="utf-8"),
        (playground.SOURCE / "notices.txt").read_text(encoding="utf-8"),
    ]
    return f"\n{'-' * 80}\n\n".join(parts)


def main() -> int:
    playground.LOG.unlink(missing_ok=True)
    try:
        fill()
    except SetupError as error:
        if isinstance(error, StepFailed):
            say(f"\n{last_output(playground.LOG)}\n")
        say(str(error))
        return 1
    size = sum(file.stat().st_size for file in INTO.iterdir())
    say(f"{INTO.relative_to(ROOT)}: {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
