"""clingo as an engine."""

from .engine import ClingoBackend

__all__ = ["ClingoBackend"]
