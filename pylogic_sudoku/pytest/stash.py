"""Places where the plugin keeps what is known of a session. They import nothing of the package."""

from __future__ import annotations

from pathlib import Path

import pytest

__all__ = ["FOLDER", "FOLDERS", "OUTPUT", "folders", "narrowed", "roots", "told"]

FOLDER = "__logic__"
"""The name of the folders with snapshots."""
OUTPUT = "pylogic_sudoku_snapshots"
"""The key under which a process of xdist passes on what it has to tell about snapshots."""
FOLDERS = "pylogic_sudoku_folders"
"""The key under which it passes on the folders of its tests."""
folders: pytest.StashKey[set[str]] = pytest.StashKey()
"""The folders that the collected tests are about."""
narrowed: pytest.StashKey[bool] = pytest.StashKey()
"""True if some tests were deselected."""
told: pytest.StashKey[dict[str, list[str]]] = pytest.StashKey()
"""Names of the files of snapshots, by their fate: written, removed or unused."""
roots: list[Path] = []
"""The root folder of the session, once there is one; the innermost session's is the last."""
