"""The processes that fork a child for each question to a program that is not ours."""

from __future__ import annotations

from ..running.foreign import ForkServer

SERVERS = {
    "clingo": ForkServer("clingo", f"{__package__}.clingo.instances:prepare", reuses=True),
    "prolog": ForkServer("prolog", f"{__package__}.prolog.instances:prepare"),
}
"""By engine; each starts with the first question, or by `ForkServer.start`. It loads the module
that questions name: otherwise each child would."""
