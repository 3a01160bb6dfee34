"""Constants for clingo, checked before a program runs.

clingo prints bytes of its memory in its error messages about such text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..formats._answers import LARGEST, too_large

__all__ = ["checked_constants"]

_NAME = re.compile(r"_*[a-z]\w*", re.ASCII)
LONGEST = 1_000
"""Characters of a value: clingo's parser overflows its stack on deeply nested terms."""


def checked_constants(constants: Iterable[str]) -> tuple[str, ...]:
    """The constants, each ``name=value``; ValueError if clingo could not read one."""
    checked: dict[str, str] = {}
    for text in constants:
        name, equals, value = map(str.strip, text.partition("="))
        if not equals:
            raise ValueError(f"{text!r} is not a constant; expected NAME=VALUE, such as dim=3")
        if not _NAME.fullmatch(name) or name == "not":
            raise ValueError(f"{name!r} is not a name of a constant; expected one such as dim")
        if name in checked:
            raise ValueError(f"the constant {name} has two values; expected one")
        if too_large(value):
            raise ValueError(f"{text}: the value is over {LARGEST}, the largest number of clingo")
        if not _is_term(value):
            raise ValueError(
                f"{text}: {value!r} is not a value that clingo can read; expected a number, a name"
                " in small letters, or another term without variables"
            )
        checked[name] = f"{name}={value}"
    return tuple(checked.values())


def _is_term(text: str) -> bool:
    import clingo

    if not text.isprintable() or len(text) > LONGEST:
        return False
    try:
        clingo.parse_term(text, logger=lambda _code, _message: None)
    except (RuntimeError, UnicodeError):  # clingo may cut a character in two in its complaint
        return False
    return True
