"""The Prolog that answers: the native one, or SWI-Prolog as WebAssembly.

The engine ``prolog-wasm`` is always the latter. ``prolog`` is the native one, unless none is
installed and the other is: then it is that, and tells the user so once.
"""

from __future__ import annotations

import sys
from functools import cache

from ...running.prolog import is_installed
from . import search
from .search import Search

WASM = "prolog-wasm"
"""The name of the engine that is always WebAssembly."""


def search_class(engine: str) -> type[Search]:
    """The class of the searches of the engine with this name."""
    if not is_wasm(engine):
        return Search
    if engine.partition(":")[0] != WASM:
        _tell()
    from .wasm import WasmSearch  # which a native Prolog does without

    return WasmSearch


def is_wasm(engine: str) -> bool:
    """True if the engine with this name runs as WebAssembly."""
    if engine.partition(":")[0] == WASM:
        return True
    if "janus_swi" in sys.modules or is_installed():
        return False
    from ...running.wasm import stands_in  # which a native Prolog does without

    return stands_in()


@cache
def _tell() -> None:
    from ...errors import Message
    from ...running.notices import report

    text = "no native SWI-Prolog is installed, so prolog is SWI-Prolog as WebAssembly"
    cure = "it takes two to four times as long; docs/install.md has the way to a native one"
    report([Message(text, "no-native-prolog", cure=cure)])


def version(engine: str, is_foreign: bool, *parts: str) -> str:
    """The version of the Prolog of this engine; BackendUnavailable if it does not run."""
    if is_wasm(engine):
        from .wasm import version  # which a native Prolog does without

        return version()
    return search.foreign_version(*parts) if is_foreign else search.version(*parts)
