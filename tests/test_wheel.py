"""The contents of the wheel and of the source distribution."""

from __future__ import annotations

import shlex
import sys
import tomllib
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers.processes import ended
from helpers.puzzles import PRINTED
from packaging.requirements import Requirement

import bundle
import hatch_build
import wasm
from pylogic_sudoku.engines.prolog import swipl
from pylogic_sudoku.files import install_command
from pylogic_sudoku.running import prolog as start


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
    assert start.inside() is None
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
    assert start.home() == inside


def test_the_janus_inside_comes_first(inside):
    spec = start._spec()
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


def test_for_any_platform_it_adds_webassembly_alone(tmp_path, monkeypatch):
    made = []
    monkeypatch.setattr(wasm, "fill", lambda: made.append(wasm.INTO))
    monkeypatch.setenv("PYLOGIC_SUDOKU_INSIDE", "wasm")
    data = {"force_include": {}, "pure_python": True}
    hatch_build.WithProlog.initialize(SimpleNamespace(root=tmp_path), "standard", data)
    assert data["force_include"] == {str(wasm.INTO): "pylogic_sudoku/_wasm"}
    assert (data["pure_python"], made) == (True, [wasm.INTO])


@pytest.mark.parametrize(("first", "last"), [(0, 2048), (208, 2048), (0, 1123), (700, 705)])
def test_what_is_removed_from_webassembly_is_zeros(first, last):
    chunk = bytes(number * number % 251 for number in range(2048))
    left = chunk[:first] + bytes(last - first) + chunk[last:]
    assert wasm.uncompressed(wasm.blanked(chunk, first, last)) == left


def test_webassembly_is_without_a_folder():
    contents = [b"one" * 700, b"two" * 1100, b"three" * 900]
    names = ["/swipl/a.qlf", "/swipl/gpl/b.qlf", "/swipl/c.qlf"]
    whole, places = b"".join(contents), []
    for content in contents:
        start = places[-1][1] if places else 0
        places.append((start, start + len(content)))
    chunks = [whole[at : at + 2048] for at in range(0, len(whole), 2048)]
    packed = [wasm.sequence(each) for each in chunks]
    offsets = [sum(map(len, packed[:number])) for number in range(len(packed))]
    entries = ",".join(
        f'{{filename:"{name}",start:{start},end:{end}}}'
        for name, (start, end) in zip(names, places, strict=True)
    )
    script = (
        'Module["FS_createPath"]("/swipl","gpl",true,true);'
        f"offsets:{offsets},sizes:{[*map(len, packed)]},successes:{[1] * len(packed)}"
        f"({{files:[{entries}],remote_package_size:1}})"
    ).replace(", ", ",")
    text, data = wasm.without("/swipl/gpl", script, b"".join(packed))
    assert "gpl" not in text
    assert (text.count("filename:"), len(data)) == (2, len(b"".join(packed)))
    sizes = wasm.numbers(text, "sizes")
    pairs = zip(offsets, sizes, strict=True)
    left = b"".join(wasm.uncompressed(data[start : start + size]) for start, size in pairs)
    assert left == contents[0] + bytes(len(contents[1])) + contents[2]
    assert b"two" not in data


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


def test_packages_of_swi_prolog_have_chr_and_those_of_the_wheel_nothing_under_the_gpl():
    def packages(options):
        (found,) = (each for each in options if each.startswith("-DSWIPL_PACKAGE_LIST="))
        return set(found.partition("=")[2].split(";"))

    assert {"chr", "clib", "plunit"} == packages(bundle.OPTIONS)
    assert {"chr", "clpqr"} <= packages(bundle.swipl.CMAKE_OPTIONS)


# === The wheel holds what it needs and nothing else, and the sdist builds the same wheel ==========

ROOT = Path(__file__).resolve().parent.parent
PUZZLE, SOLUTION = next(iter(PRINTED.items()))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = {
    extra: needs for extra, needs in PROJECT["optional-dependencies"].items() if extra != "all"
}
PIP = [sys.executable, "-m", "pip", "install"]


def run(*command: object, cwd: Path) -> str:
    done = ended(sys.executable, *command, cwd=cwd)
    assert done.returncode == 0, done.stderr
    return done.stdout


def run_installed(installed: Path, code: str, *arguments: object, cwd: Path) -> str:
    """Run Python code that finds the installed package before the checkout."""
    first = f"import sys; sys.path.insert(0, {str(installed)!r})\n"
    return run("-c", first + code, *arguments, cwd=cwd).strip()


def build(kind: str, source: Path, folder: Path) -> Path:
    """Build a wheel or an sdist of this source tree, without a network."""
    run("-m", "hatchling", "build", "-t", kind, "-d", folder, cwd=source)
    (built,) = folder.iterdir()
    return built


def contents(wheel: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(wheel) as file:
        return {name: file.read(name) for name in file.namelist()}


def programs() -> dict[str, bytes]:
    """Return the files of the package by their names in a wheel."""
    files = [*ROOT.glob("pylogic_sudoku/**/*.py"), ROOT / "pylogic_sudoku" / "py.typed"]
    files += ROOT.glob("pylogic_sudoku/running/*.js")
    for folder in ("page/static", "page/static/lessons", "page/static/own", "check/templates/**"):
        files += [file for file in ROOT.glob(f"pylogic_sudoku/{folder}/*") if file.is_file()]
    found = {str(file.relative_to(ROOT)): file.read_bytes() for file in files}
    problems = [*ROOT.glob("problems/**/*.[lp][pl]"), *ROOT.glob("problems/*/problem.toml")]
    for file in [*ROOT.glob("prolog/**/*.pl"), *ROOT.glob("encodings/**/*.lp"), *problems]:
        found[f"pylogic_sudoku/{file.relative_to(ROOT)}"] = file.read_bytes()
    return found


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    return build("wheel", ROOT, tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """Return a folder with the wheel in it, far from the checkout."""
    target = tmp_path_factory.mktemp("installed")
    options = ["--no-deps", "--no-index", "--no-compile", "--disable-pip-version-check"]
    run("-m", "pip", "install", *options, "--target", target, wheel, cwd=target)
    return target


def test_wheel_holds_the_programs_and_nothing_else(wheel):
    found = contents(wheel)
    about = {name for name in found if ".dist-info/" in name}
    assert {name: text for name, text in found.items() if name not in about} == programs()
    assert any(name.endswith("/licenses/LICENSE") for name in about)


def test_clingo_6_is_kept_out():
    """The same program has other answers there: tests/host/defects.py."""
    needed = {each.name: each for each in map(Requirement, PROJECT["dependencies"])}
    known = needed["clingo"].specifier.filter(["5.6.2", "5.7.0", "5.8.3", "6.0.0"])
    assert [*known] == ["5.7.0", "5.8.3"]


@pytest.mark.slow
def test_sdist_builds_the_same_wheel(wheel, tmp_path):
    sdist = build("sdist", ROOT, tmp_path / "sdist")
    run("-m", "tarfile", "-e", sdist, tmp_path / "source", cwd=tmp_path)
    (source,) = (tmp_path / "source").iterdir()
    assert contents(build("wheel", source, tmp_path / "wheel")) == contents(wheel)


@pytest.mark.slow
def test_installed_wheel_solves(installed, tmp_path, backend):
    code = "import pylogic_sudoku as pls; print(pls.__file__, pls.solve(*sys.argv[1:]))"
    file, found = run_installed(installed, code, PUZZLE, backend, cwd=tmp_path).split()
    assert Path(file).is_relative_to(installed)
    assert found == SOLUTION


def test_the_installed_wheel_knows_its_programs_and_what_adds_an_extra(installed, tmp_path):
    """Its extras are asked of an index by their requirements, never by the name of this package."""
    code = "from pylogic_sudoku.files import *; programs = sys.argv[1:3]; extras = sys.argv[3:]\n"
    code += "print(*map(resource, programs), *map(install_command, extras), sep='\\n')"
    programs = ("prolog/sudoku.pl", "encodings/sudoku.lp")
    said = run_installed(installed, code, *programs, *EXTRAS, cwd=tmp_path).splitlines()
    for file in map(Path, said[:2]):
        assert file.is_file()
        assert file.is_relative_to(installed)
    for (extra, requirements), line in zip(EXTRAS.items(), said[2:], strict=True):
        assert shlex.split(install_command(extra)) == [*PIP, "-e", f"{ROOT}[{extra}]"]
        command = shlex.split(line)
        assert command[: len(PIP)] == PIP
        assert {*map(Requirement, command[len(PIP) :])} == {*map(Requirement, requirements)}
