"""Tests of logic programs with pytest: the mark ``logic``, `agree`, `holds`, and `instances`.

The plugin is ``plugin``, which pytest loads by itself. It imports nothing else until a test has the
mark, or ``--logic`` is given. `instances` needs Hypothesis.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .agreement import Agreement, Property, agree, holds
    from .strategies import instances

__all__ = ["Agreement", "Property", "agree", "holds", "instances"]

if not TYPE_CHECKING:

    def __getattr__(name):
        if name == "instances":
            from .strategies import instances

            return instances
        if name in __all__:
            from . import agreement

            return getattr(agreement, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
