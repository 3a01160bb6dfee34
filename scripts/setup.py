#!/usr/bin/env python3
"""Make .venv: the package, SWI-Prolog, and the tools of the tests; do nothing if it is complete.

The Makefile runs it; `setup.py demo` leaves out the tools of the tests. Where nothing can be
compiled, the demo has SWI-Prolog as WebAssembly instead, if npm is there to fetch it. An installed
SWI-Prolog is used if it is new enough; otherwise it is built from source into .venv. Nothing
outside .venv is touched, except that the download is kept in the user's cache folder, and that the
package gets its bytecode; WebAssembly goes into build/ and into the package.

A completed step leaves a mark in .venv/.setup and is skipped while the mark is valid, so an
interrupted run can be continued.

Environment:
    SWIPL         the swipl to use instead of the one on PATH
    SWIPL_SOURCE  a tarball of SWI-Prolog's source, for machines without a network
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import swipl
import wasm
from machine import (
    STOPS,
    WINDOWS_REMEDY,
    SetupError,
    StepFailed,
    advice,
    alone_in,
    last_output,
    missing_needs,
    output_of,
    run,
    say,
    this_system,
)

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
OLDEST_PYTHON = (3, 11)
GROUPS = "pip>=25.1"  # which knows the dependency groups of pyproject.toml


# --- What is already done ---------------------------------------------------------------------


def mark(venv: Path, step: str) -> Path:
    return venv / ".setup" / step


def read_mark(venv: Path, step: str) -> str | None:
    try:
        return mark(venv, step).read_text(encoding="utf-8")
    except OSError:
        return None


def write_mark(venv: Path, step: str, text: str) -> None:
    mark(venv, step).parent.mkdir(parents=True, exist_ok=True)
    mark(venv, step).write_text(text, encoding="utf-8")


def venv_state(venv: Path) -> str:
    # Programs in .venv contain its full path: a copied or moved checkout needs a new one.
    return json.dumps([str(venv), os.path.realpath(venv / "bin" / "python")])


def swipl_state(venv: Path, environ: Mapping[str, str]) -> str:
    # Without $SWIPL, keep the one that .venv was made with.
    asked = environ.get("SWIPL") or json.loads(read_mark(venv, "swipl") or '[""]')[0]
    program = os.path.realpath(venv / "bin" / "swipl")
    # The time stamp shows an upgrade of the system's swipl: janus-swi must be built again.
    made = os.stat(program).st_mtime_ns if os.path.exists(program) else None
    built = swipl.CMAKE_OPTIONS if venv in Path(program).parents else None
    return json.dumps([asked, program, made, built])


def package_state(root: Path) -> str:
    files = [root / "pyproject.toml", *sorted(Path(__file__).parent.glob("*.py"))]
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


def steps_of_package(tools: bool) -> list[str]:
    return ["package", "tools"] if tools else ["package"]


def is_done(root: Path, venv: Path, environ: Mapping[str, str], tools: bool = True) -> bool:
    return (
        all(read_mark(venv, step) == package_state(root) for step in steps_of_package(tools))
        and read_mark(venv, "venv") == venv_state(venv)
        and read_mark(venv, "swipl") == swipl_state(venv, environ)
        and read_mark(venv, "janus") == read_mark(venv, "swipl")
    )


# --- The steps --------------------------------------------------------------------------------


def set_up(root: Path, venv: Path, environ: Mapping[str, str], tools: bool = True) -> None:
    """Run the steps that are not done yet."""
    begin = time.monotonic()
    log = mark(venv, "log.txt")
    new = read_mark(venv, "venv") != venv_state(venv)
    wanted = new or read_mark(venv, "swipl") != swipl_state(venv, environ)
    found = swipl.find(venv, environ) if wanted else None
    build = wanted and found is None
    if not tools and (lacks := missing_needs(build)) and "venv" not in lacks and can_fetch():
        set_up_without_compiler(venv, new, lacks, log)
        say(f"{venv.name} is ready, after {time.monotonic() - begin:.0f} seconds.\n")
        return
    require(build)

    log.unlink(missing_ok=True)
    if new:
        make_venv(venv, log)
    if wanted:
        get_swipl(venv, found, environ, log)
    if read_mark(venv, "janus") != read_mark(venv, "swipl"):
        get_janus(root, venv, environ, log)
    if tools:
        say_step(4, "installing the package, clingo and the tools of the tests")
        pip(venv, log, GROUPS)
        pip(venv, log, "-e", ".[prolog]", "--group", "dev")
    else:
        say_step(4, "installing the package, clingo and what the page needs")
        pip(venv, log, "-e", ".[prolog,serve]")
    # As pip does unless a package is editable. Where Python may not write bytecode, as in many
    # containers, each start would otherwise compile the package again.
    run([venv / "bin" / "python", "-m", "compileall", "-q", root / "pylogic_sudoku"], log)
    for step in steps_of_package(tools):
        write_mark(venv, step, package_state(root))
    say(f"{venv.name} is ready, after {time.monotonic() - begin:.0f} seconds.\n")


def can_fetch() -> bool:
    """Return whether SWI-Prolog as WebAssembly is here, or npm, which fetches it."""
    return wasm.is_made() or shutil.which("npm") is not None


def set_up_without_compiler(venv: Path, new: bool, lacks: list[str], log: Path) -> None:
    """Make .venv with SWI-Prolog as WebAssembly. It leaves no mark: with a compiler, the next run
    makes the rest."""
    say(
        "Nothing can be compiled here, so Prolog is WebAssembly: two to four times as slow, and"
        f" without the grader. For the native one: {advice(lacks, this_system())}"
    )
    log.unlink(missing_ok=True)
    if new:
        make_venv(venv, log)
    say_step(2, "fetching SWI-Prolog as WebAssembly")
    wasm.fill()
    say_step(3, "installing the package, clingo, V8 and what the page needs")
    pip(venv, log, "-e", ".[wasm,serve]")


def say_step(number: int, text: str) -> None:
    say(f"Step {number} of 4: {text}")


def require(build: bool) -> None:
    lacks = missing_needs(build)
    if lacks:
        raise SetupError(advice(lacks, this_system()))


def make_venv(venv: Path, log: Path) -> None:
    if is_theirs(venv):
        say_step(1, f"using the existing virtual environment {venv.name}")
    else:
        if venv.exists():
            say(f"{venv.name} is incomplete or was made elsewhere: replacing it")
            shutil.rmtree(venv)
        version = sys.version.split()[0]
        say_step(1, f"making the virtual environment {venv.name} with Python {version}")
        run([sys.executable, "-m", "venv", venv], log)
    write_mark(venv, "venv", venv_state(venv))


def is_theirs(venv: Path) -> bool:
    """Return whether the user made this virtual environment and it can be used."""
    if (venv / ".setup").exists():  # exists as soon as we begin one
        return False
    test = f"import pip, sys; print(sys.version_info >= {OLDEST_PYTHON})"
    return output_of([venv / "bin" / "python", "-c", test]).strip() == "True"


def get_swipl(venv: Path, found: Path | None, environ: Mapping[str, str], log: Path) -> None:
    if found:
        say_step(2, f"linking {found} into {venv.name}")
        try:
            swipl.link(venv, found, log)
        except StepFailed:
            say(f"{found} lacks some of the libraries needed: not used.")
            found = None
    if not found:
        build_swipl(venv, environ, log)
    write_mark(venv, "swipl", swipl_state(venv, environ))


def build_swipl(venv: Path, environ: Mapping[str, str], log: Path) -> None:
    require(build=True)
    if set(str(venv)) & set("$*?[{"):
        raise SetupError(
            "SWI-Prolog does not find its library if its path contains $ * ? [ or {:\n"
            f"move {venv.parent} elsewhere, or install SWI-Prolog yourself."
        )
    say_step(2, f"building SWI-Prolog {swipl.BUILT} into {venv.name}; this takes 1 to 3 minutes")
    source = swipl.tarball(venv, environ, log)
    generator = build_tools(venv, log)
    swipl.build(venv, source, generator, log)


def build_tools(venv: Path, log: Path) -> str:
    """Get cmake and ninja if they are missing; return the kind of build files to write."""
    lacks = [tool for tool in ("cmake", "ninja") if not shutil.which(tool)]
    if not lacks:
        return "Ninja"
    say(f"  installing {' and '.join(lacks)} for the build")
    try:
        pip(venv, log, *lacks)
    except StepFailed:
        if "cmake" in lacks:
            raise SetupError(advice(["cmake"], this_system())) from None
        return "Unix Makefiles"  # a little slower than ninja
    return "Ninja"


def get_janus(root: Path, venv: Path, environ: Mapping[str, str], log: Path) -> None:
    say_step(3, "building janus-swi, the bridge between Python and SWI-Prolog")
    try:
        build_janus(root, venv, log)
    except StepFailed:
        program = (venv / "bin" / "swipl").resolve()
        if venv in program.parents:
            raise
        say(f"janus-swi cannot be built with {program}; perhaps its headers are missing.")
        build_swipl(venv, environ, log)
        write_mark(venv, "swipl", swipl_state(venv, environ))
        build_janus(root, venv, log)
    write_mark(venv, "janus", read_mark(venv, "swipl") or "")


def build_janus(root: Path, venv: Path, log: Path) -> None:
    import tomllib  # new in Python 3.11

    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    requirements = project["optional-dependencies"]["prolog"]
    # A wheel contains the path of the swipl that built it, so do not use a cached one.
    options = ["--no-cache-dir", "--force-reinstall", "--no-deps"]
    pip(venv, log, *options, *requirements, SWIPL=str(venv / "bin" / "swipl"))
    # As the engine does it: find out here, not in the demo, that Prolog does not start.
    start = "from pylogic_sudoku.running.prolog import import_janus; import_janus()"
    environ: list[str | Path] = ["env", "-i", f"PYTHONPATH={root}", "PYTHONDONTWRITEBYTECODE=1"]
    run([*environ, venv / "bin" / "python", "-c", start], log)


def pip(venv: Path, log: Path, *arguments: str, **settings: str) -> None:
    command = ["-m", "pip", "--disable-pip-version-check", "--no-input", "install"]
    try:
        run([venv / "bin" / "python", *command, *arguments], log, **settings)
    except StepFailed:
        what = " ".join(word for word in arguments if not word.startswith("-"))
        raise StepFailed(f"pip could not install {what}; see the output above.") from None


# --- The program ------------------------------------------------------------------------------


class Stopped(BaseException):
    """A signal asked set-up to end."""


def stop(number: int, frame: object) -> None:
    for each in STOPS:  # cleaning up takes seconds; another signal must not interrupt it
        signal.signal(each, signal.SIG_IGN)
    raise Stopped(number)


def check_python() -> None:
    """Continue with a newer Python if this one is too old."""
    if sys.version_info >= OLDEST_PYTHON:
        return
    for minor in (14, 13, 12, 11):
        other = shutil.which(f"python3.{minor}")
        if other and os.system(f"'{other}' -c '' >/dev/null 2>&1") == 0:
            os.execv(other, [other, *sys.argv])
    raise SetupError(
        f"Python 3.11 or newer is needed; this is {sys.version.split()[0]}.\n"
        "If a newer one is installed, name it: make demo PYTHON=path/to/python3"
    )


def main() -> int:
    for number in STOPS:
        signal.signal(number, stop)
    try:
        if os.name == "nt":
            raise SetupError(WINDOWS_REMEDY)
        check_python()
        os.chdir(ROOT)
        tools = sys.argv[1:] != ["demo"]
        if not is_done(ROOT, VENV, os.environ, tools):
            with alone_in(ROOT):
                if not is_done(ROOT, VENV, os.environ, tools):  # another run may have done it
                    set_up(ROOT, VENV, os.environ, tools)
    except Stopped as stopped:
        say("\nStopped. Run the same command again to continue.")
        return 128 + int(stopped.args[0])
    except OSError as error:  # disk full, no permission, ...
        say(f"Set-up cannot continue: {error}")
        return 1
    except SetupError as error:
        log = mark(VENV, "log.txt")
        if isinstance(error, StepFailed):
            say(f"\n{last_output(log)}\n")
        say(str(error))
        if log.exists():
            say(f"The full output is in {log.relative_to(ROOT)}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
