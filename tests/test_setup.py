"""Set-up: what it decides, without a network; what it says; and that the demo has it all."""

from __future__ import annotations

import faulthandler
import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from helpers.documents import check_commands, commands
from helpers.processes import PATIENCE, ended
from helpers.serving import served

import machine
import setup
import swipl
from pylogic_sudoku.engines.prolog.swipl import swipl as swipl_here


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


def test_no_usable_swipl(tmp_path, venv, capsys):
    """Too old, another program, one that is not there, and our own."""
    old = fake_swipl(tmp_path / "old", "9.0.4")
    other = program(tmp_path / "other" / "swipl", "no Prolog at all")
    own = fake_swipl(venv / "bin", "9.2.9")
    for each in (old, other, own):
        assert swipl.find(venv, {"PATH": str(each.parent)}) is None
    assert swipl.find(venv, {"SWIPL": "/no/such/swipl", "PATH": ""}) is None
    assert "/no/such/swipl" in capsys.readouterr().out


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


@pytest.mark.parametrize("tools", [True, False], ids=["all", "demo"])
def test_all_steps_and_none_the_second_time(checkout, venv, tools):
    """The demo does without the tools of the tests."""
    root, environ, steps = checkout
    assert not setup.is_done(root, venv, environ, tools)
    setup.set_up(root, venv, environ, tools)
    assert steps == ["venv", "janus", "check", "package", "bytecode"]
    assert setup.is_done(root, venv, environ, tools=False)
    assert setup.is_done(root, venv, environ) == tools
    steps.clear()
    if not tools:
        setup.set_up(root, venv, environ)
        assert steps == ["package", "bytecode"]
        assert setup.is_done(root, venv, environ)


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


def changed_requirements(venv):
    with (venv.parent / "pyproject.toml").open("a") as file:
        file.write("# changed\n")


def upgraded_swipl(venv):
    os.utime(venv / "bin" / "swipl", (1, 1))


@pytest.mark.parametrize(
    ("change", "again"), [(changed_requirements, []), (upgraded_swipl, ["janus", "check"])]
)
def test_what_depends_on_a_change_is_made_again(checkout, venv, change, again):
    root, environ, steps = checkout
    setup.set_up(root, venv, environ)
    steps.clear()
    change(venv)
    assert not setup.is_done(root, venv, environ)
    setup.set_up(root, venv, environ)
    assert steps == [*again, "package", "bytecode"]


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


# === Set-up as a program: what it says, that nothing outlives a stop, and that the demo has it all

SCRIPTS = Path(setup.__file__).parent


def test_a_missing_compiler_is_reported_first(tmp_path):
    shutil.copytree(SCRIPTS, tmp_path / "scripts")
    shutil.copy(SCRIPTS.parent / "pyproject.toml", tmp_path)
    (tmp_path / "bin").mkdir()
    environ = {"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path)}
    done = ended(sys.executable, tmp_path / "scripts" / "setup.py", env=environ)
    assert done.returncode == 1
    assert "a C compiler" in done.stdout
    assert done.stderr == ""
    assert not (tmp_path / ".venv").exists()


# --- Stopping ---------------------------------------------------------------------------------

RUN = f"""
import os, signal, sys, machine, setup
from pathlib import Path
for number in setup.STOPS:
    signal.signal(number, setup.stop)
end = sys.argv[1]
machine.locks.append(int(end))  # what we run inherits it
def started(*arguments, start=machine.subprocess.Popen, **settings):
    process = start(*arguments, **settings)
    if sys.argv[3] == "starts":
        os.kill(os.getpid(), signal.SIGTERM)
    return process
machine.subprocess.Popen = started
command = f"echo started >&{{end}}; sleep {PATIENCE}; echo outlived >&{{end}}"
setup.run(["bash", "-c", command], Path(sys.argv[2]))
"""


@pytest.mark.parametrize("moment", ["starts", "runs"])
def test_a_stop_while_a_program_starts_or_runs_ends_all_that_it_started(tmp_path, moment):
    """They all hold an end of a pipe open: the other end ends with the last of them."""
    reader, end = os.pipe()
    command = [sys.executable, "-c", RUN, str(end), tmp_path / "log", moment]
    with (
        subprocess.Popen(command, cwd=SCRIPTS, pass_fds=[end], stderr=subprocess.PIPE) as process,
        open(reader) as lines,
    ):
        os.close(end)
        if moment == "runs":
            assert lines.readline() == "started\n"
            process.send_signal(signal.SIGTERM)
        assert "outlived" not in lines.read()
        assert process.stderr
        assert process.stderr.read().endswith(b"setup.Stopped: 15\n")


# --- Progress ---------------------------------------------------------------------------------


class Build:
    """A process that goes one step further each time that we wait for it in vain."""

    def __init__(self, log: Path, *said: str) -> None:
        self._log, self._said = log, list(said)

    def wait(self, timeout: float) -> int:
        if not self._said:
            return 0
        with self._log.open("a") as log:
            log.write(self._said.pop(0))
        raise subprocess.TimeoutExpired("build", timeout)


NINJA = ["\n$ cmake --build\n", *(f"[{n}/40] Building C object {n}\n" for n in range(1, 41))]
MAKE = ["\n$ cmake --build\n", *(f"[{n:3}%] Building C object\n" for n in range(101))]


@pytest.mark.parametrize("said", [NINJA, MAKE], ids=["ninja", "make"])
def test_a_build_says_every_tenth_of_its_way(tmp_path, capsys, said):
    (tmp_path / "log").write_text("\n$ an earlier build\n[9/10] Building\n# 1.0 seconds\n")
    assert machine.wait(Build(tmp_path / "log", *said), tmp_path / "log", 0) == 0
    assert capsys.readouterr().out == "".join(f"  {n} %\n" for n in range(10, 101, 10))


def test_a_program_without_figures_says_nothing_in_a_file(tmp_path, capsys):
    build = Build(tmp_path / "log", "\n$ pip install\n", "Collecting [1/2]\n")
    assert machine.wait(build, tmp_path / "log", 0) == 0
    assert capsys.readouterr().out == ""


def test_a_terminal_shows_progress_in_place_and_clean_afterwards(tmp_path, capsys, monkeypatch):
    build = Build(tmp_path / "log", "\n$ cmake\n", "[1/4] Building\n", "[3/4] Building\n")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert machine.wait(build, tmp_path / "log", 0) == 0
    shown = re.sub(r"\d+ seconds", "0 seconds", capsys.readouterr().out).split("\r")
    assert shown[:-2] == ["", "  0 seconds", "  25 %, 0 seconds", "  75 %, 0 seconds"]
    assert shown[-2].isspace()
    assert shown[-1] == ""


# --- What the demo sets up --------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> Path:
    """The .venv of a checkout after `make demo`, with the SWI-Prolog of these tests."""
    faulthandler.cancel_dump_traceback_later()  # this may take longer than a test
    root = tmp_path_factory.mktemp("demo") / "check out"
    cached = shutil.ignore_patterns("__pycache__")
    for name in ("scripts", "pylogic_sudoku", "prolog", "encodings"):
        shutil.copytree(SCRIPTS.parent / name, root / name, ignore=cached)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(SCRIPTS.parent / name, root)
    done = subprocess.run(
        [sys.executable, root / "scripts" / "setup.py", "demo"],
        env={**os.environ, "SWIPL": str(swipl_here().resolve())},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return root / ".venv"


@pytest.mark.slow
def test_after_the_demo_everything_in_the_readme_runs(demo, tmp_path):
    readme, python = SCRIPTS.parent / "README.md", demo / "bin" / "python"
    (tmp_path / "commands").mkdir()
    check_commands(commands(readme), tmp_path / "commands", demo)
    done = subprocess.run(
        [python, "-m", "doctest", readme], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with served(python=python) as (address, _), urlopen(address) as page:
        assert b"<title>" in page.read()


@pytest.mark.slow
def test_after_the_demo_the_command_in_an_error_adds_what_is_missing(demo, tmp_path):
    command = [demo / "bin" / "pylogic-sudoku", "show", "-o", "picture.png", "4......3...13..."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 3
    fix = done.stderr.partition("Install it: ")[2]
    done = subprocess.run(fix, cwd=tmp_path, shell=True, capture_output=True, text=True)
    assert done.returncode == 0, fix + done.stdout + done.stderr
    subprocess.run(command, cwd=tmp_path, check=True)
    assert (tmp_path / "picture.png").exists()
