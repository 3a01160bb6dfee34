"""The SWI-Prolog inside the package, if a wheel has one: which Prolog runs, and what goes in."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

import bundle
import hatch_build
from pylogic_sudoku.engines.prolog import start, swipl


@pytest.fixture
def inside(tmp_path, monkeypatch):
    """The home of a SWI-Prolog inside the package, of which only the program is there."""
    home = tmp_path / "_swipl" / "home"
    program = home / "bin" / "some-system" / "swipl"
    program.parent.mkdir(parents=True)
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    monkeypatch.setattr(start, "INSIDE", home.parent)
    return home


def test_without_one_the_swipl_of_this_machine_is_used():
    assert start.home() is None
    assert swipl.command() == [str(swipl.swipl())]
    assert start._options() == start.OPTIONS
    assert swipl.details()["SWI-Prolog"].endswith("/swipl (on this machine)")


def test_the_one_inside_comes_first(inside, tmp_path, monkeypatch):
    other = tmp_path / "swipl"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("SWIPL", str(other))
    monkeypatch.setenv("SWI_HOME_DIR", str(tmp_path))
    program = inside / "bin" / "some-system" / "swipl"
    assert swipl.swipl() == program
    assert swipl.command() == [str(program), f"--home={inside}"]
    assert swipl.details()["swipl"] == str(program)
    assert swipl.details()["SWI-Prolog"].endswith(" (inside the package)")
    assert start._options() == (*start.OPTIONS, f"--home={inside}")


def test_the_janus_inside_comes_first(inside):
    spec = start._found()
    assert spec.origin == str(inside.parent / "janus_swi" / "__init__.py")
    assert spec.submodule_search_locations == [str(inside.parent / "janus_swi")]


def test_a_broken_one_is_an_error_that_says_what_to_do(inside, monkeypatch):
    monkeypatch.delitem(sys.modules, "janus_swi", raising=False)
    with pytest.raises(start.BackendUnavailable, match="SWI-Prolog does not start"):
        start.import_janus()
    assert "janus_swi" not in sys.modules


def test_the_hook_adds_the_folder(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "bundle", lambda cache, log: cache / "folder")
    data = {"force_include": {}, "pure_python": True, "infer_tag": False}
    hatch_build.WithProlog.initialize(SimpleNamespace(root=tmp_path), "standard", data)
    folder = tmp_path / "build" / "wheel" / "folder"
    assert data["force_include"] == {str(folder): "pylogic_sudoku/_swipl"}
    assert (data["pure_python"], data["infer_tag"]) == (False, True)


def test_an_editable_installation_has_none(tmp_path):
    data = {}
    hatch_build.WithProlog.initialize(SimpleNamespace(root=tmp_path), "editable", data)
    assert data == {}


def test_what_is_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle.swipl, "run_goal", lambda *_: None)
    arch = tmp_path / "lib" / "some-system"
    clib = tmp_path / "library" / "ext" / "clib"
    for folder in (arch, clib, tmp_path / "bin" / "some-system", tmp_path / "doc" / "manual"):
        folder.mkdir(parents=True)
    for name in ("libswipl.so", "time.so", "socket.so"):
        (arch / name).touch()
    (tmp_path / "bin" / "some-system" / "swipl").touch()
    (clib / "time.pl").write_text(":- use_foreign_library(foreign(time)).\n")
    (clib / "socket.pl").write_text("\n:- use_foreign_library(foreign(socket)).\n")
    (clib / "plain.pl").touch()
    bundle.prune(tmp_path, tmp_path / "log")
    left = {str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file()}
    assert left == {
        *("bin/some-system/swipl", "lib/some-system/libswipl.so", "lib/some-system/time.so"),
        *("library/ext/clib/time.pl", "library/ext/clib/plain.pl"),
    }
