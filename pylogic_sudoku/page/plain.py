"""Messages for readers of the page, who see neither our modules nor the files around a program.

Engines and the other packages word their messages for people at a terminal. Every message passes
through here on its way to the page.
"""

from __future__ import annotations

import re

from ..errors import Message

MAIN = {"clingo": "main.lp", "prolog": "main.pl"}
"""The files, by engine, that load a program; a reader does not see them."""
_OURS = r"(?:sudoku_grad\w+|pls_\w+|pylogic_sudoku)"
"""Names of our own modules of Prolog."""
_PLAIN = [
    (
        r"Local definition of (?:\w+:)?(\S+) overrides weak import (?:from|of) \S+",
        r"\1 replaces a predicate of this name that is loaded; another name avoids that",
    ),
    (
        r"`pylogic-sudoku rules` and pylogic_sudoku\.rules\.KINDS list all rules",
        "the search under Add a rule lists all rules",
    ),
    (r"expected one of pylogic_sudoku\.rules, or its JSON, such as", "expected JSON such as"),
    (rf"\b{_OURS}:(?=[\w'])", ""),
    (r"(?m)^((?:Warning|ERROR|error): )?main\.(?:lp|pl)(?::\d+)*: ?", r"\1"),
    (r"\bpylogic_sudoku(?:\.\w+)+", "the package"),
]


def plain(text: str) -> str:
    """The text without names that mean nothing on the page.

    >>> plain("main.pl:3:1: Local definition of user:size/1 overrides weak import from pls_host")
    'size/1 replaces a predicate of this name that is loaded; another name avoids that'
    """
    for pattern, words in _PLAIN:
        text = re.sub(pattern, words, text)
    return text


def plain_message(message: Message) -> Message:
    """The message in plain words; one about a file that a reader does not see has no place."""
    shown = message._replace(text=plain(message.text), cure=plain(message.cure))
    if message.file in MAIN.values():
        return shown._replace(file="", line=None, column=None)
    return shown
