"""A shell for the cell magics."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pylogic_sudoku as pls


class Shell:
    """As much of IPython's shell as the magics know; `variables` are those of its user."""

    def __init__(self, **variables: object) -> None:
        self.user_ns = variables
        self.magics: dict[str, Callable[[str, str], Any]] = {}
        self.input_transformers_cleanup: list[Callable[[list[str]], list[str]]] = []
        pls.load_ipython_extension(self)

    def register_magic_function(
        self, function: Callable[[str, str], Any], kind: str, name: str
    ) -> None:
        assert kind == "cell"
        self.magics[name] = function

    def push(self, variables: dict[str, object]) -> None:
        self.user_ns.update(variables)
