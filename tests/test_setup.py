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
from helpers.documents import check_commands, commands, write_files
from helpers.processes import PATIENCE, ended
from helpers.serving import served

import machine
import setup
import swipl
import wasm
from pylogic_sudoku.running.prolog import swipl as swipl_here


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


TOO_OLD = "is SWI-Prolog 9.1.11: not used"


@pytest.mark.parametrize(
    ("on_path", "named", "found", "said"),
    [
        (["9.1.12"], "", "9.1.12", "Using"),
        (["9.1.11", "10.0.0"], "", "10.0.0", TOO_OLD),
        (["10.1.0"], "9.2.9", "9.2.9", "Using"),
        (["9.1.11"], "", None, TOO_OLD),
        (["no Prolog at all"], "", None, "does not run"),
        (["9.2.9"], "/no/such/swipl", "9.2.9", "/no/such/swipl"),
        (["our own"], "", None, ""),
    ],
)
def test_the_first_swipl_that_is_new_enough(tmp_path, venv, capsys, on_path, named, found, said):
    def installed(version: str) -> Path:
        folder = venv / "bin" if version == "our own" else tmp_path / version
        if version.startswith("no"):
            return program(folder / "swipl", version)
        return fake_swipl(folder, "9.2.9" if version == "our own" else version)

    environ = {"PATH": os.pathsep.join(str(installed(each).parent) for each in on_path)}
    if named:
        environ["SWIPL"] = named if named.startswith("/") else str(installed(named))
    here = swipl.find(venv, environ)
    assert here == (found and tmp_path / found / "swipl")
    assert said in capsys.readouterr().out


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


@pytest.mark.parametrize(
    ("cached", "served", "said"),
    [
        (None, (None, "wrong", "right"), "downloading"),
        ("right", (), ""),
        ("wrong", ("right",), "is damaged"),
        (None, ("wrong",), "SWIPL_SOURCE"),
    ],
)
def test_a_source_is_fetched_until_its_checksum_is_right(
    tmp_path, venv, home, monkeypatch, capsys, cached, served, said
):
    file = swipl.cache_folder(venv, home) / swipl.DEBIAN_TARBALL
    if cached:
        file.write_text(cached)
    asked = serve(monkeypatch, *served)
    if "right" in (cached, *served):
        assert swipl.tarball(venv, home, tmp_path / "log").read_text() == "right"
        assert said in capsys.readouterr().out
    else:
        with pytest.raises(setup.SetupError, match=said):
            swipl.tarball(venv, home, tmp_path / "log")
        assert list(file.parent.iterdir()) == []
        assert "checksum" in (tmp_path / "log").read_text()
    assert len(asked) == len(served)


def test_given_source(tmp_path, venv, home, monkeypatch):
    serve(monkeypatch)
    given = tmp_path / "given.tar.gz"
    environ = home | {"SWIPL_SOURCE": str(given)}
    for text, said in ((None, "no such file"), ("wrong", "checksum")):
        if text:
            given.write_text(text)
        with pytest.raises(setup.SetupError, match=said):
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


def test_a_stop_leaves_nothing_of_a_download_or_a_build(tmp_path, venv, home, monkeypatch):
    def stop(*arguments, **_settings):
        half = arguments[1] if len(arguments) == 3 else venv / ".setup" / "build" / "half-made"
        half.touch()
        raise setup.Stopped(signal.SIGINT)

    log = tmp_path / "log"
    monkeypatch.setattr(swipl, "sources", lambda: [(stop, f"0/{swipl.DEBIAN_TARBALL}")])
    monkeypatch.setattr(swipl, "run", stop)
    with pytest.raises(setup.Stopped):
        swipl.tarball(venv, home, log)
    with pytest.raises(setup.Stopped):
        swipl.build(venv, tmp_path / "source", "Ninja", log)
    for folder in (swipl.cache_folder(venv, home), venv / ".setup"):
        assert list(folder.iterdir()) == []


# --- What is missing --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("platform", "os_release", "command"),
    [
        ("linux", "ID=debian\n", "sudo apt install build-essential python3-venv zlib1g-dev"),
        ("linux", 'NAME=x\nID=mint\nID_LIKE="ubuntu debian"', "sudo apt install build-essential "),
        ("linux", "ID=fedora", "sudo dnf install gcc gcc-c++ python3 zlib-devel"),
        ("darwin", "", "brew install gcc python zlib"),
        ("linux", "ID=plan9", ""),
    ],
)
def test_advice_for_this_system_or_for_all(platform, os_release, command):
    lacks = ["venv", "compiler", "c++", "zlib"]
    text = machine.advice(lacks, machine.system_name(platform, os_release))
    assert "Python's venv module, a C compiler, a C++ compiler, the headers of zlib" in text
    assert command in text
    assert (text.count(" install ") == 1) == bool(command)
    for system in ("Debian, Ubuntu", "Fedora", "Arch", "macOS", "Windows"):
        assert command or f"  {system}: " in text


def test_the_readme_names_all_that_set_up_may_miss():
    """Line for line, with make, which set-up itself cannot miss."""
    readme = (SCRIPTS.parent / "README.md").read_text(encoding="utf-8")
    for system, (command, packages) in machine.REMEDIES.items():
        (line,) = re.findall(rf"^{command} (.*?) +# {system}", readme, re.MULTILINE)
        assert {*line.split()} - {"make"} == {*packages.values()}


COMPILERS = ("cc", "gcc", "clang", "c++", "g++", "clang++")


@pytest.mark.parametrize(
    ("here", "lacks"),
    [
        (COMPILERS, []),
        (["gcc"], ["c++"]),
        (["g++"], ["compiler", "zlib"]),
        ([], ["compiler", "c++", "zlib"]),
    ],
)
@pytest.mark.parametrize("build", [True, False])
def test_a_compiler_of_each_language_is_needed(tmp_path, monkeypatch, here, lacks, build):
    for name in here:
        program(tmp_path / name, "")
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in ("CC", "CXX"):
        monkeypatch.delenv(name, raising=False)
    assert machine.missing_needs(build) == [each for each in lacks if build or each == "compiler"]


def test_a_compiler_without_the_headers_of_c_is_none(tmp_path, monkeypatch):
    compiler = tmp_path / "cc"
    compiler.write_text("#!/bin/sh\nexit 1\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    assert machine.missing_needs(build=False) == ["compiler"]


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

    names = {"-m venv": "venv", "janus-swi": "janus", "import_janus": "check", " -e ": "package"}
    names |= {"install pip>=": "pip", "-m compileall": "bytecode"}

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


@pytest.mark.parametrize("npm", [True, False])
def test_without_a_compiler_the_demo_has_webassembly_if_npm_is_there(
    checkout, venv, monkeypatch, capsys, npm
):
    root, environ, steps = checkout
    monkeypatch.setattr(setup, "missing_needs", lambda build: ["compiler"])
    monkeypatch.setattr(setup, "can_fetch", lambda: npm)
    monkeypatch.setattr(wasm, "fill", lambda: steps.append("wasm"))
    monkeypatch.setattr(setup, "pip", lambda venv, log, *what: steps.append(what[-1]))
    if not npm:
        with pytest.raises(setup.SetupError, match="Missing on this machine"):
            setup.set_up(root, venv, environ, tools=False)
        return
    setup.set_up(root, venv, environ, tools=False)
    assert steps == ["venv", "wasm", ".[wasm,serve]"]
    assert "so Prolog is WebAssembly" in capsys.readouterr().out
    assert not setup.is_done(root, venv, environ, tools=False)


@pytest.mark.parametrize("tools", [True, False], ids=["all", "demo"])
def test_all_steps_and_none_the_second_time(checkout, venv, tools):
    """The demo does without the tools of the tests."""
    root, environ, steps = checkout
    assert not setup.is_done(root, venv, environ, tools)
    setup.set_up(root, venv, environ, tools)
    installs = ["pip"] * tools + ["package", "bytecode"]
    assert steps == ["venv", "janus", "check", *installs]
    assert setup.is_done(root, venv, environ, tools=False)
    assert setup.is_done(root, venv, environ) == tools
    steps.clear()
    if not tools:
        setup.set_up(root, venv, environ)
        assert steps == ["pip", "package", "bytecode"]
        assert setup.is_done(root, venv, environ)
    moved = root.rename(root.parent / "moved")
    assert not setup.is_done(moved, moved / ".venv", environ)


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
    assert steps == ["janus", "check", "pip", "package", "bytecode"]


@pytest.mark.parametrize(
    ("change", "named", "again"),
    [
        (lambda venv: (venv.parent / "pyproject.toml").open("a").write("# changed\n"), False, []),
        (lambda venv: os.utime(venv / "bin" / "swipl", (1, 1)), False, ["janus", "check"]),
        (lambda _: None, True, ["janus", "check"]),
    ],
    ids=["requirements", "swipl", "another swipl is named"],
)
def test_what_depends_on_a_change_is_made_again(checkout, venv, tmp_path, change, named, again):
    """A swipl that was named once stays."""
    root, environ, steps = checkout
    setup.set_up(root, venv, environ)
    steps.clear()
    change(venv)
    other = fake_swipl(tmp_path / "other", "9.3.0")
    now = environ | ({"SWIPL": str(other)} if named else {})
    assert not setup.is_done(root, venv, now)
    setup.set_up(root, venv, now)
    assert steps == [*again, "pip", "package", "bytecode"]
    assert ((venv / "bin" / "swipl").resolve() == other) == named
    assert setup.is_done(root, venv, environ)


def test_our_own_swipl_is_built_again_with_other_options(checkout, venv, monkeypatch):
    root, environ, built = checkout[0], {"PATH": ""}, []
    monkeypatch.setattr(
        setup, "build_swipl", lambda *_: built.append(fake_swipl(venv / "bin", "9.2.9"))
    )
    for _ in range(2):
        setup.set_up(root, venv, environ)
        assert len(built) == 1
    monkeypatch.setattr(swipl, "CMAKE_OPTIONS", ("-DOTHER=ON",))
    assert not setup.is_done(root, venv, environ)
    setup.set_up(root, venv, environ)
    assert len(built) == 2


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
    assert "a C compiler, a C++ compiler" in done.stdout
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


PIP = ["\n$ pip install\n", "Collecting [1/2]\n"]


@pytest.mark.parametrize(("said", "tenths"), [(NINJA, 10), (MAKE, 10), (PIP, 0)])
def test_a_build_says_every_tenth_of_its_way(tmp_path, capsys, said, tenths):
    """A program without figures says nothing."""
    (tmp_path / "log").write_text("\n$ an earlier build\n[9/10] Building\n# 1.0 seconds\n")
    assert machine.wait(Build(tmp_path / "log", *said), tmp_path / "log", 0) == 0
    assert capsys.readouterr().out == "".join(f"  {n + 1}0 %\n" for n in range(tenths))


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
    for name in ("scripts", "pylogic_sudoku", "prolog", "encodings", "problems"):
        shutil.copytree(SCRIPTS.parent / name, root / name, ignore=cached)
    for name in ("pyproject.toml", "README.md", "LICENSE", "pack.pl"):
        shutil.copy(SCRIPTS.parent / name, root)
    environ = {**os.environ, "SWIPL": str(swipl_here().resolve())}
    program = root / "scripts" / "setup.py"
    done = ended(sys.executable, program, "demo", env=environ, timeout=None)
    assert done.returncode == 0, done.stdout + done.stderr
    return root / ".venv"


@pytest.mark.slow
def test_after_the_demo_everything_in_the_readme_runs(demo, tmp_path):
    readme, python = SCRIPTS.parent / "README.md", demo / "bin" / "python"
    (tmp_path / "commands").mkdir()
    write_files(readme, tmp_path / "commands")
    # The README says what installs pytest; test_docs.py runs these.
    pairs = [pair for pair in commands(readme) if not pair[0].startswith("pytest")]
    check_commands(pairs, tmp_path / "commands", demo)
    done = ended(python, "-m", "doctest", readme, cwd=tmp_path / "commands")
    assert done.returncode == 0, done.stdout + done.stderr
    with served(python=python) as (address, _), urlopen(address) as page:
        assert b"<title>" in page.read()


@pytest.mark.slow
def test_after_the_demo_the_command_in_an_error_adds_what_is_missing(demo, tmp_path):
    command = [demo / "bin" / "pylogic-sudoku", "show", "-o", "picture.png", "4......3...13..."]
    done = ended(*command, cwd=tmp_path)
    assert done.returncode == 3
    fix = done.stderr.partition("Install it: ")[2]
    done = ended("sh", "-c", fix, cwd=tmp_path, timeout=None)
    assert done.returncode == 0, fix + done.stdout + done.stderr
    assert ended(*command, cwd=tmp_path).returncode == 0
    assert (tmp_path / "picture.png").exists()
