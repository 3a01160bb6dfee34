"""The processes that fork a child for each question to a program that is not ours."""

from __future__ import annotations

from ..running.foreign import ForkServer

SERVERS = {
    "clingo": ForkServer(
        "clingo", f"{__package__}.clingo.ground_per_question:prepare", reuses=True
    ),
    "prolog": ForkServer("prolog", f"{__package__}.prolog.search:prepare"),
}
"""By engine; each starts with the first question, or by `ForkServer.start`."""
