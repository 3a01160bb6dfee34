"""Set-up decides rightly, without a network and without building anything."""

from __future__ import annotations

import hashlib
import os
import signal
from pathlib import Path

import pytest

import machine
import setup
import swipl


def program(path: Path, text: str) -> Path:
    """Write a shell script that prints this text."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho '{text}'\n")
    path.chmod(0o755)
    return path


def fake_swipl(folder: Path, version: str) -> Path:
    return program(folder / "swipl", f"SWI-Prolog version {version} for x86_64-linux")


@pytest.fixture
def venv(tmp_path: Path) -> Path:
    return tmp_path / "check out" / ".venv"


# --- Which swipl ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("SWI-Prolog version 9.0.4 for x86_64-linux", (9, 0, 4)),
        ("SWI-Prolog version 10.1.12 for arm64-darwin\n", (10, 1, 12)),
        ("GNU Prolog 1.4.5", None),
        ("", None),
    ],
)
def test_parse_version(text, version):
    assert swipl.parse_version(text) == version


def test_named_swipl_comes_before_path(tmp_path, venv):
    named = fake_swipl(tmp_path / "named", "9.1.12")
    fake_swipl(tmp_path / "bin", "9.3.1")
    environ = {"SWIPL": str(named), "PATH": str(tmp_path / "bin")}
    assert swipl.find(venv, environ) == named


def test_old_swipl_is_named_and_passed_over(tmp_path, venv, capsys):
    old = fake_swipl(tmp_path / "old", "9.1.11")
    new = fake_swipl(tmp_path / "new", "10.0.0")
    environ = {"PATH": f"{old.parent}{os.pathsep}{new.parent}"}
    assert swipl.find(venv, environ) == new
    assert f"{old} is SWI-Prolog 9.1.11: not used" in capsys.readouterr().out


@pytest.mark.parametrize("text", ["no Prolog at all", "SWI-Prolog version 9.0.4 for x86_64-linux"])
def test_no_usable_swipl(tmp_path, venv, text):
    program(tmp_path / "swipl", text)
    assert swipl.find(venv, {"PATH": str(tmp_path)}) is None


def test_named_swipl_that_is_not_there(venv, capsys):
    assert swipl.find(venv, {"SWIPL": "/no/such/swipl", "PATH": ""}) is None
    assert "/no/such/swipl" in capsys.readouterr().out


def test_own_swipl_is_not_found(venv):
    own = fake_swipl(venv / "bin", "9.2.9")
    assert swipl.find(venv, {"PATH": str(own.parent)}) is None


# --- The source -------------------------------------------------------------------------------


@pytest.fixture
def home(tmp_path, monkeypatch) -> dict[str, str]:
    """Return an environment with a home, for a source whose right text is "right"."""
    digest = hashlib.sha256(b"right").hexdigest()
    monkeypatch.setattr(swipl, "SHA256", dict.fromkeys(swipl.SHA256, digest))
    return {"HOME": str(tmp_path / "home")}


def serve(monkeypatch, *texts: str | None) -> list[str]:
    """Let one address after the other give a text, or fail; return those that were asked."""
    asked = []

    def fetch(url, file, log):
        asked.append(url)
        text = texts[len(asked) - 1]
        if text is None:
            raise OSError("no network")
        file.write_text(text)

    addresses = [(fetch, f"{n}/{swipl.DEBIAN_TARBALL}") for n in range(len(texts))]
    monkeypatch.setattr(swipl, "sources", lambda: addresses)
    return asked


def test_source_is_fetched_once(tmp_path, venv, home, monkeypatch):
    asked = serve(monkeypatch, None, "wrong", "right")
    file = swipl.tarball(venv, home, tmp_path / "log")
    assert file.read_text() == "right"
    assert len(asked) == 3
    assert swipl.tarball(venv, home, tmp_path / "log") == file
    assert len(asked) == 3


def test_damaged_source_is_fetched_again(tmp_path, venv, home, monkeypatch, capsys):
    damaged = swipl.cache_folder(venv, home) / swipl.DEBIAN_TARBALL
    damaged.write_text("wrong")
    serve(monkeypatch, "right")
    assert swipl.tarball(venv, home, tmp_path / "log").read_text() == "right"
    assert f"{damaged} is damaged" in capsys.readouterr().out


def test_wrong_checksum_is_refused_and_removed(tmp_path, venv, home, monkeypatch):
    serve(monkeypatch, "wrong")
    with pytest.raises(setup.SetupError, match="SWIPL_SOURCE"):
        swipl.tarball(venv, home, tmp_path / "log")
    assert list(swipl.cache_folder(venv, home).iterdir()) == []
    assert "checksum" in (tmp_path / "log").read_text()


def test_stopped_download_leaves_nothing(tmp_path, venv, home, monkeypatch):
    def fetch(url, file, log):
        file.write_text("half")
        raise setup.Stopped(signal.SIGINT)

    monkeypatch.setattr(swipl, "sources", lambda: [(fetch, f"0/{swipl.DEBIAN_TARBALL}")])
    with pytest.raises(setup.Stopped):
        swipl.tarball(venv, home, tmp_path / "log")
    assert list(swipl.cache_folder(venv, home).iterdir()) == []


def test_given_source(tmp_path, venv, home, monkeypatch):
    serve(monkeypatch)
    given = tmp_path / "given.tar.gz"
    environ = home | {"SWIPL_SOURCE": str(given)}
    with pytest.raises(setup.SetupError, match="no such file"):
        swipl.tarball(venv, environ, tmp_path / "log")
    given.write_text("wrong")
    with pytest.raises(setup.SetupError, match="checksum"):
        swipl.tarball(venv, environ, tmp_path / "log")
    given.write_text("right")
    assert swipl.tarball(venv, environ, tmp_path / "log") == given


def test_cache_folder(tmp_path, venv):
    home = {"HOME": str(tmp_path)}
    assert swipl.cache_folder(venv, home) == tmp_path / ".cache" / "pylogic_sudoku"
    cache = home | {"XDG_CACHE_HOME": str(tmp_path / "x")}
    assert swipl.cache_folder(venv, cache) == tmp_path / "x" / "pylogic_sudoku"
    assert swipl.cache_folder(venv, home | {"XDG_CACHE_HOME": "relative"}).is_relative_to(tmp_path)
    assert swipl.cache_folder(venv, {"HOME": "/dev/null"}).is_relative_to(venv)


def test_archives_of_apt(monkeypatch):
    uris = (
        "'http://mirror.example/debian/dists/stable/InRelease' a 0\n"
        "'http://mirror.example/debian/dists/stable/main/Packages.xz' b 0\n"
        "'file:/srv/archive/dists/x/InRelease' c 0\n"
        "'http://flat.example/Packages' d 0\n"
    )
    monkeypatch.setattr(swipl, "APT_HELPER", os.devnull)
    monkeypatch.setattr(swipl, "output_of", lambda command: uris)
    assert swipl.apt_archives() == ["http://mirror.example/debian", "file:/srv/archive"]
    monkeypatch.setattr(swipl, "APT_HELPER", "/no/such/program")
    assert swipl.apt_archives() == []


def test_stopped_build_leaves_nothing(tmp_path, venv, monkeypatch):
    def stop(command, log, **settings):
        (venv / ".setup" / "build" / "half-made").touch()
        raise setup.Stopped(signal.SIGINT)

    monkeypatch.setattr(swipl, "run", stop)
    with pytest.raises(setup.Stopped):
        swipl.build(venv, tmp_path / "source", "Ninja", tmp_path / "log")
    assert list((venv / ".setup").iterdir()) == []


# --- What is missing --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "os_release", "command"),
    [
        ("linux", "ID=debian\n", "sudo apt install python3-venv gcc zlib1g-dev"),
        ("linux", 'NAME=x\nID=mint\nID_LIKE="ubuntu debian"', "sudo apt install python3-venv gcc"),
        ("linux", "ID=fedora", "sudo dnf install python3 gcc zlib-devel"),
        ("linux", "ID=arch", "sudo pacman -S python gcc zlib"),
        ("darwin", "", "brew install python gcc zlib"),
    ],
)
def test_advice_for_this_system(platform, os_release, command):
    text = machine.advice(["venv", "compiler", "zlib"], machine.system_name(platform, os_release))
    assert "Python's venv module, a C compiler, the headers of zlib" in text
    assert command in text
    assert text.count(" install ") + text.count("-S") == 1


def test_advice_for_any_other_system():
    text = machine.advice(["compiler"], machine.system_name("linux", "ID=plan9"))
    for word in ("Debian, Ubuntu", "Fedora", "Arch", "macOS", "Windows"):
        assert f"  {word}: " in text


# --- The steps --------------------------------------------------------------------------------


@pytest.fixture
def checkout(venv, monkeypatch):
    """Return a checkout whose set-up runs no program; `steps` lists what it would have run."""
    root = venv.parent
    root.mkdir()
    (root / "pyproject.toml").write_text(
        '[project]\noptional-dependencies.prolog = ["janus-swi>=1.5"]\n'
    )
    found = fake_swipl(root.parent / "bin", "9.2.9")
    steps = []

    names = {"-m venv": "venv", "janus-swi": "janus", "import janus": "check", " -e ": "package"}
    names["-m compileall"] = "bytecode"

    def run(command, log, **settings):
        line = " ".join(map(str, command))
        steps.append(next(name for words, name in names.items() if words in line))
        if steps[-1] == "venv":
            program(venv / "bin" / "python", "python")

    monkeypatch.setattr(setup, "run", run)
    monkeypatch.setattr(swipl, "check", lambda program, log: None)
    monkeypatch.setattr(setup, "missing_needs", lambda build: [])
    environ = {"PATH": str(found.parent)}
    return root, environ, steps


def test_all_steps_and_none_the_second_time(checkout, venv):
    root, environ, steps = checkout
    assert not setup.is_done(root, venv, environ)
    setup.set_up(root, venv, environ)
    assert steps == ["venv", "janus", "check", "package", "bytecode"]
    assert setup.is_done(root, venv, environ)


def test_the_demo_does_without_the_tools_of_the_tests(checkout, venv):
    root, environ, steps = checkout
    setup.set_up(root, venv, environ, tools=False)
    assert steps == ["venv", "janus", "check", "package", "bytecode"]
    assert setup.is_done(root, venv, environ, tools=False)
    assert not setup.is_done(root, venv, environ)
    steps.clear()
    setup.set_up(root, venv, environ)
    assert steps == ["package", "bytecode"]
    assert setup.is_done(root, venv, environ)
    assert setup.is_done(root, venv, environ, tools=False)


def test_failed_step_is_taken_up_again(checkout, venv, monkeypatch):
    root, environ, steps = checkout

    def fail(*_):
        raise setup.StepFailed("no network")

    with monkeypatch.context() as context:
        context.setattr(setup, "get_janus", fail)
        with pytest.raises(setup.StepFailed):
            setup.set_up(root, venv, environ)
    assert not setup.is_done(root, venv, environ)
    steps.clear()
    setup.set_up(root, venv, environ)
    assert steps == ["janus", "check", "package", "bytecode"]


def test_changed_requirements_install_the_package_again(checkout, venv):
    root, environ, steps = checkout
    setup.set_up(root, venv, environ)
    steps.clear()
    with (root / "pyproject.toml").open("a") as file:
        file.write("# changed\n")
    assert not setup.is_done(root, venv, environ)
    setup.set_up(root, venv, environ)
    assert steps == ["package", "bytecode"]


def test_upgraded_swipl_needs_its_bridge_again(checkout, venv):
    root, environ, steps = checkout
    setup.set_up(root, venv, environ)
    steps.clear()
    os.utime(venv / "bin" / "swipl", (1, 1))
    assert not setup.is_done(root, venv, environ)
    setup.set_up(root, venv, environ)
    assert steps == ["janus", "check", "package", "bytecode"]


def test_our_own_swipl_is_built_again_with_other_options(checkout, venv, monkeypatch):
    root = checkout[0]
    built = []

    def build_swipl(venv, environ, log):
        built.append(fake_swipl(venv / "bin", "9.2.9"))

    monkeypatch.setattr(setup, "build_swipl", build_swipl)
    for _ in range(2):
        setup.set_up(root, venv, {"PATH": ""})
        assert len(built) == 1
    monkeypatch.setattr(swipl, "CMAKE_OPTIONS", ("-DOTHER=ON",))
    assert not setup.is_done(root, venv, {"PATH": ""})
    setup.set_up(root, venv, {"PATH": ""})
    assert len(built) == 2


def test_named_swipl_replaces_the_one_in_use_and_stays(checkout, venv, tmp_path):
    root, environ, _ = checkout
    setup.set_up(root, venv, environ)
    other = fake_swipl(tmp_path / "other", "9.3.0")
    assert not setup.is_done(root, venv, environ | {"SWIPL": str(other)})
    setup.set_up(root, venv, environ | {"SWIPL": str(other)})
    assert (venv / "bin" / "swipl").resolve() == other
    assert setup.is_done(root, venv, environ)


def test_moved_checkout_is_set_up_anew(checkout, venv):
    root, environ, _ = checkout
    setup.set_up(root, venv, environ)
    moved = root.rename(root.parent / "moved")
    assert not setup.is_done(moved, moved / ".venv", environ)


def test_half_made_venv_is_made_anew(checkout, venv, capsys):
    root, environ, steps = checkout
    (venv / ".setup").mkdir(parents=True)
    (venv / "half-made").touch()
    setup.set_up(root, venv, environ)
    assert steps[0] == "venv"
    assert not (venv / "half-made").exists()
    assert "replacing it" in capsys.readouterr().out


def test_swipl_without_headers_gives_way_to_our_own(checkout, venv, monkeypatch, capsys):
    root, environ, _ = checkout
    built = []

    def build_janus(root, venv, log):
        if not built:
            raise setup.StepFailed("no headers")

    def build_swipl(venv, environ, log):
        (venv / "bin" / "swipl").unlink()
        built.append(fake_swipl(venv / "bin", "9.2.9"))

    monkeypatch.setattr(setup, "build_janus", build_janus)
    monkeypatch.setattr(setup, "build_swipl", build_swipl)
    setup.set_up(root, venv, environ)
    assert len(built) == 1
    assert "its headers are missing" in capsys.readouterr().out
    assert setup.is_done(root, venv, environ)


def test_path_that_prolog_cannot_read(tmp_path, monkeypatch):
    monkeypatch.setattr(setup, "missing_needs", lambda build: [])
    with pytest.raises(setup.SetupError, match="move"):
        setup.build_swipl(tmp_path / "a [b]" / ".venv", {}, tmp_path / "log")
