"""The characters that stand for digits and for empty cells."""

from __future__ import annotations

from functools import cache

__all__ = ["EMPTY", "bad_symbol", "expected", "is_number", "symbols", "values_for"]

EMPTY = ".0_*xX- "


@cache
def symbols(size: int, digits: bool = False) -> str:
    """The characters of the digits 1..n in a line: 1-9, then A-Z, then @; for n = 25, A-Y.

    25x25 collections write A-Y; with `digits` the answer for 25 is 1-9A-P as for other sizes.
    """
    if size == 25 and not digits:
        return "ABCDEFGHIJKLMNOPQRSTUVWXY"
    return "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ@"[:size]


@cache
def _values(size: int, digits: bool) -> dict[str, int]:
    """What each character means in a grid of this size."""
    known = symbols(size, digits)
    values = dict.fromkeys(EMPTY, 0)
    values |= {symbol.lower(): digit for digit, symbol in enumerate(known, 1) if symbol != "X"}
    values |= {symbol: digit for digit, symbol in enumerate(known, 1)}
    return values


def values_for(text: str, size: int) -> dict[str, int]:
    """The meaning of characters, where 25x25 grids may use either of two alphabets."""
    return _values(size, size == 25 and any("1" <= character <= "9" for character in text))


def bad_symbol(symbol: str, size: int) -> str:
    """What is wrong with a symbol that is no digit of this size."""
    over = is_number(symbol)
    return f"{symbol} is over {size}" if over else f"unknown character {symbol!r}"


def is_number(word: str) -> bool:
    """True for ASCII digits, few enough that int() takes them."""
    return word.isdecimal() and word.isascii() and len(word) < 5


def expected(size: int) -> str:
    """The symbols that a grid of this size may have, in words."""
    known = symbols(size)
    return f"{known[0]} to {known[-1]}, or one of {EMPTY.strip()} for an empty cell"
