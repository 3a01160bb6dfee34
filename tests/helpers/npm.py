"""Files of packages in the npm registry."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from .playground import UNREACHABLE
from .processes import PATIENCE


def file(place: Path, package: str, name: str) -> str:
    """The text of the file of this name in a package; without npm or its registry, skip."""
    if not shutil.which("npm"):
        pytest.skip("npm is missing: install Node.js")
    try:
        done = subprocess.run(
            ["npm", "pack", "--silent", package],
            cwd=place,
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        pytest.skip(f"the npm registry did not answer in {PATIENCE} seconds")
    if done.returncode and UNREACHABLE.search(done.stdout + done.stderr):
        pytest.skip("the npm registry cannot be reached")
    assert done.returncode == 0, done.stdout + done.stderr
    (archive,) = place.glob("*.tgz")
    with tarfile.open(archive) as packed:
        (member,) = (each for each in packed if Path(each.name).name == name)
        content = packed.extractfile(member)
        assert content is not None
        return content.read().decode()
