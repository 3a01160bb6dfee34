"""The guard of the tests themselves, in pyproject.toml."""

import subprocess
import sys
from pathlib import Path

import pytest

SETTINGS = Path(__file__).parent.parent / "pyproject.toml"
TESTS = """\
import time
def test_before(): pass
def test_hangs(): time.sleep(50)
def test_after(): pass
"""


@pytest.mark.slow
def test_a_test_that_hangs_fails_by_name_and_the_others_run(tmp_path):
    (tmp_path / "test_three.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-c", SETTINGS, "--rootdir", tmp_path, "-n", "1"]
    ended = subprocess.run(
        [*command, "-p", "no:cacheprovider", "-o", "faulthandler_timeout=0.5", tmp_path],
        capture_output=True,
        text=True,
        timeout=50,
    )
    assert "crashed while running 'test_three.py::test_hangs'" in ended.stdout, ended.stdout
    assert "1 failed, 2 passed" in ended.stdout
    assert 'test_three.py", line 3 in test_hangs' in ended.stderr
