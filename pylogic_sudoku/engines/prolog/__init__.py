"""SWI-Prolog as an engine."""

from .engine import PrologBackend

__all__ = ["PrologBackend"]
