"""Sudoku's engines: a module for each, and its programs; `choice` finds one by name."""

from .base import Proof, SudokuEngine
from .choice import BackendInfo, backends, get, names

__all__ = ["BackendInfo", "Proof", "SudokuEngine", "backends", "get", "names"]
