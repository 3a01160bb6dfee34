"""lz-string's compression to base64, in which f-puzzles and SudokuPad keep puzzles in links.

The text is a sequence of UTF-16 units. Each code names an entry of a dictionary that grows by one
entry with every code, as in LZ78; its bits are written with the lowest first. Codes 0 and 1 precede
a new unit of 8 or 16 bits, and code 2 is the end.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count, islice, repeat

from ..errors import InvalidPuzzle

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {letter: value for value, letter in enumerate(ALPHABET)}
_VALUES |= {" ": 62, "-": 62, "_": 63}  # what becomes of + and / in the address of a page
LONGEST = 10_000_000
"""Units of a text; a short code can stand for a very long one."""
_NEW8, _NEW16, _END = range(3)


def _units(text: str) -> list[str]:
    """The UTF-16 units: characters beyond the first plane are two."""
    if text.isascii():
        return list(text)
    data = text.encode("utf-16-le", "surrogatepass")
    return [chr(data[at] | data[at + 1] << 8) for at in range(0, len(data), 2)]


def _widths() -> Iterator[int]:
    """The bits of a code, as the dictionary grows: 2 twice, 3 four times, 4 eight times, ..."""
    for width in count(2):
        yield from repeat(width, 1 << width - 1)


def compress(text: str) -> str:
    """The text in base64, as lz-string's ``compressToBase64`` writes it."""
    if not text:
        return "Q==="
    bits: list[int] = []

    def put(value: int, width: int) -> None:
        bits.extend(value >> at & 1 for at in range(width))

    known: dict[str, int] = {}
    fresh: set[str] = set()
    widths = _widths()
    width = next(widths)

    def write(entry: str) -> None:
        nonlocal width
        if entry in fresh:
            code = ord(entry)
            put(_NEW8 if code < 256 else _NEW16, width)
            put(code, 8 if code < 256 else 16)
            fresh.remove(entry)
            width = next(widths)
        else:
            put(known[entry], width)
        width = next(widths)

    entry = ""
    for unit in _units(text):
        if unit not in known:
            known[unit] = len(known) + 3
            fresh.add(unit)
        if entry + unit in known:
            entry += unit
        else:
            write(entry)
            known[entry + unit] = len(known) + 3
            entry = unit
    write(entry)
    put(_END, width)
    bits += [0] * (6 - len(bits) % 6)
    digits = (bits[at : at + 6] for at in range(0, len(bits), 6))
    base = "".join(ALPHABET[int("".join(map(str, each)), 2)] for each in digits)
    return base + "=" * (-len(base) % 4)


def decompress(base: str) -> str:
    """The text of what `compress` wrote; InvalidPuzzle if it is something else.

    A blank or ``-`` counts as ``+``, and ``_`` as ``/``; what follows the end code is ignored.
    """
    data = "".join(_entries(_Bits(base.strip().rstrip("="))))
    if data.isascii():
        return data
    return data.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


class _Bits:
    """The bits of base64, taken as numbers."""

    def __init__(self, base: str) -> None:
        wrong = next((letter for letter in base if letter not in _VALUES), None)
        if wrong is not None:
            raise InvalidPuzzle(f"{wrong!r} is not a character of compressed data (base64)")
        self._bits = iter([_VALUES[letter] >> at & 1 for letter in base for at in range(5, -1, -1)])

    def take(self, width: int) -> int:
        bits = list(islice(self._bits, width))
        if len(bits) < width:
            raise InvalidPuzzle("the compressed data end too early: part of it is missing")
        return sum(bit << at for at, bit in enumerate(bits))


def _entries(bits: _Bits) -> list[str]:
    """The entry of each code up to the end."""
    known: list[str] = ["", "", ""]
    found: list[str] = []
    length, before = 0, ""
    widths = _widths()
    while True:
        code = bits.take(next(widths))
        if code == _END:
            return found
        if code in (_NEW8, _NEW16):
            entry = chr(bits.take(16 if code else 8))
            known.append(entry)
            next(widths)
        elif code < len(known):
            entry = known[code]
        elif code == len(known) and before:
            entry = before + before[0]
        else:
            raise InvalidPuzzle("the compressed data are damaged: they name an unknown entry")
        found.append(entry)
        length += len(entry)
        if length > LONGEST:
            raise InvalidPuzzle(f"the compressed data hold more than {LONGEST:,} characters")
        if before:
            known.append(before + entry[0])
        before = entry
