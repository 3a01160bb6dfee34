"""The guards of the tests themselves: one that hangs ends, and none rests on the clock."""

import re
import sys
from pathlib import Path

import pytest
from helpers.processes import ended

CLOCK = re.compile(
    r"\bsleep\((?!0\))|wait_for_timeout\(|\bTimer\(|\bwait\(\d*\.\d+\)"
    r"|\b(?:perf_counter|monotonic|time\.time)\(\)"
)
ALLOWED = {
    "processes.py",  # `soon`, which waits for what must happen
    "browsing.py",  # `until`, the same while a page goes on
    "test_output.py",  # work that is printed line by line, however long it takes
    "test_page_lanes.py",  # a question of a given length, for lanes whose limits are given too
}
SETTINGS = Path(__file__).parent.parent / "pyproject.toml"
TESTS = """\
import threading
def test_before(): pass
def test_hangs(): threading.Event().wait()
def test_after(): pass
"""


@pytest.mark.slow
def test_a_test_that_hangs_fails_by_name_and_the_others_run(tmp_path):
    (tmp_path / "test_three.py").write_text(TESTS)
    command = [sys.executable, "-m", "pytest", "-c", SETTINGS, "--rootdir", tmp_path]
    options = ["-n", "1", "--dist=worksteal", "-o", "faulthandler_timeout=5"]
    done = ended(*command, "-p", "no:cacheprovider", *options, tmp_path)
    assert "crashed while running 'test_three.py::test_hangs'" in done.stdout, done.stdout
    assert "1 failed, 2 passed" in done.stdout
    assert 'test_three.py", line 3 in test_hangs' in done.stderr


def test_no_test_waits_for_a_time_or_measures_one():
    """A machine may be busy, and then all that rests on the clock is early or late."""
    folder = Path(__file__).parent
    files = [*folder.glob("*.py"), *folder.glob("helpers/*.py")]
    found = {file.name for file in files if CLOCK.search(file.read_text(encoding="utf-8"))}
    assert found == ALLOWED
