"""The reproductions of defects, which `make host` runs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from host import defects

ROOT = Path(__file__).resolve().parent.parent
FILES = defects.reproductions()


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_reproduction_says_where_the_workaround_is(file):
    wrong, where = defects.about(file)
    assert wrong.endswith(".")
    name, what = where.split(" ", 1)
    assert (ROOT / name).is_file()
    assert what.endswith(".")


def test_pytest_imports_no_reproduction(tmp_path):
    """They would run in its process; one forks it while Prolog runs, and the fork may hang."""
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "host").mkdir()
    (tmp_path / "host" / "janus_test.py").write_text("raise SystemExit('imported')\n")
    options = ["-p", "no:cacheprovider", "--doctest-modules", "--collect-only", "-q"]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *options, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "tests"), str(ROOT)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == pytest.ExitCode.NO_TESTS_COLLECTED, ended.stdout + ended.stderr


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("print('present')", "present"),
        ("print('noise'); print('gone')", "gone"),
        ("print('maybe')", "unclear: exit code 0\nmaybe"),
        ("print('gone'); raise SystemExit(3)", "unclear: exit code 3\ngone"),
        ("", "unclear: exit code 0"),
    ],
)
def test_what_a_reproduction_says(tmp_path, text, said):
    file = tmp_path / "janus_test.py"
    file.write_text(text)
    assert defects.result(file) == said


def test_a_defect_that_is_gone_is_reported(monkeypatch, capsys):
    file = next(file for file in FILES if file.stem == "janus_locale")
    monkeypatch.setattr(defects, "reproductions", lambda: [file])
    monkeypatch.setattr(defects, "result", lambda file: "gone")
    assert defects.main() == 0
    assert "gone     janus_locale: Importing janus" in (said := capsys.readouterr().out)
    assert "The workaround may go: pylogic_sudoku/engines/prolog/start.py" in said
    monkeypatch.setattr(defects, "result", lambda file: "unclear: it took over 120 seconds")
    assert defects.main() == 1


@pytest.mark.slow
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_reproduction_is_clear(file):
    assert defects.result(file) in defects.WORDS
