"""SWI-Prolog for .venv: the installed one if it is new enough, else built from source."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from machine import SetupError, StepFailed, output_of, run, say

OLDEST = (9, 1, 12)  # what janus-swi needs
BUILT = "9.2.9"
# The same release, packed by Debian and by the SWI-Prolog project.
DEBIAN_TARBALL = f"swi-prolog_{BUILT}+dfsg.orig.tar.gz"
UPSTREAM_TARBALL = f"swipl-{BUILT}.tar.gz"
UPSTREAM = "https://www.swi-prolog.org/download/stable/src"
SHA256 = {
    DEBIAN_TARBALL: "6d6f2dd6e4558bccb7c87cc7a5cbcf582503384a5fa890efba0ae91a0aaf2258",
    UPSTREAM_TARBALL: "53f428e2d9bbdf30e53b06c9c42def9a13ff82fc36a111d410fc8b0bc889ee2d",
}
APT_HELPER = "/usr/lib/apt/apt-helper"

CMAKE_OPTIONS = (
    "-DCMAKE_BUILD_TYPE=Release",
    # pack_install/2 loads http, which does without OpenSSL.
    "-DSWIPL_PACKAGE_LIST=chr;clib;clpqr;http;plunit;readline;swipy",
    "-DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON",
    "-DINSTALL_DOCUMENTATION=OFF",
    "-DBUILD_TESTING=OFF",
)


# --- An installed one -------------------------------------------------------------------------


def dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))


def parse_version(text: str) -> tuple[int, ...] | None:
    found = re.search(r"SWI-Prolog version (\d+)\.(\d+)\.(\d+)", text)
    return tuple(map(int, found.groups())) if found else None


def find(venv: Path, environ: Mapping[str, str]) -> Path | None:
    """Return the first swipl that is new enough: $SWIPL, then those on PATH, never .venv's own."""
    candidates = []
    path = environ.get("PATH", os.defpath)
    asked = environ.get("SWIPL")
    if asked:
        candidates.append(shutil.which(asked, path=path))
        if candidates == [None]:
            say(f"$SWIPL is {asked}, which is not a program: looking for swipl on PATH.")
    for folder in path.split(os.pathsep):
        candidates.append(shutil.which("swipl", path=folder or os.curdir))
    for swipl in dict.fromkeys(Path(found).absolute() for found in candidates if found):
        if venv in swipl.parents:
            continue
        version = parse_version(output_of([swipl, "--version"]))
        if version is None:
            say(f"{swipl} does not run: not used.")
        elif version < OLDEST:
            say(
                f"{swipl} is SWI-Prolog {dotted(version)}: not used, "
                f"because the bridge to Python needs {dotted(OLDEST)} or newer."
            )
        else:
            say(f"Using {swipl}, SWI-Prolog {dotted(version)}")
            return swipl
    return None


def link(venv: Path, swipl: Path, log: Path) -> None:
    """Link .venv/bin/swipl to this swipl, and check that it works there."""
    place = venv / "bin" / "swipl"
    place.unlink(missing_ok=True)
    place.symlink_to(swipl)
    check(place, log)


def check(swipl: Path, log: Path) -> None:
    goal = "use_module(library(clpfd)), use_module(library(plunit)), use_module(library(time))"
    run_goal(swipl, goal, log)


def run_goal(swipl: Path, goal: str, log: Path) -> None:
    # Without an environment it must find its home by itself, as within Python. It does not start
    # in a locale that cannot represent its own path.
    run(["env", "-i", "LC_ALL=C.UTF-8", swipl, "-f", "none", "-g", goal, "-t", "halt"], log)


# --- Its source -------------------------------------------------------------------------------


def has_sum(file: Path, wanted: str) -> bool:
    return hashlib.sha256(file.read_bytes()).hexdigest() == wanted


def cache_folder(venv: Path, environ: Mapping[str, str]) -> Path:
    """Return a writable folder: in the user's cache, else in .venv."""
    with contextlib.suppress(OSError, RuntimeError):
        base = Path(environ.get("XDG_CACHE_HOME", ""))
        if not base.is_absolute():
            base = Path(environ.get("HOME") or Path.home()) / ".cache"
        folder = base / "pylogic_sudoku"
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
    folder = venv / ".setup" / "cache"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def tarball(venv: Path, environ: Mapping[str, str], log: Path) -> Path:
    """Return a tarball with the right checksum: given, cached, or downloaded."""
    given = environ.get("SWIPL_SOURCE")
    if given:
        file = Path(given).expanduser()
        if not file.is_file():
            raise SetupError(f"SWIPL_SOURCE is {given}: no such file.")
        if not any(has_sum(file, wanted) for wanted in SHA256.values()):
            raise SetupError(
                f"SWIPL_SOURCE is {given}: not the source of SWI-Prolog {BUILT} (wrong checksum)."
            )
        return file

    folder = cache_folder(venv, environ)
    for name, wanted in SHA256.items():
        file = folder / name
        if file.is_file():
            if has_sum(file, wanted):
                return file
            say(f"  {file} is damaged: downloading it again")
            file.unlink()
    return download(folder, log)


def download(folder: Path, log: Path) -> Path:
    """Fetch the source from the archives that apt uses, else from the SWI-Prolog project."""
    say(f"  downloading its source (12 MB) to {folder}")
    # A unique name until its checksum is known: two set-ups may share the folder.
    part = folder / f"download-{os.getpid()}.part"
    try:
        for fetch, url in sources():
            name = url.rsplit("/", 1)[1]
            try:
                fetch(url, part, log)
                if has_sum(part, SHA256[name]):
                    return part.replace(folder / name)
                problem = "its checksum is wrong"
            except (OSError, StepFailed) as error:
                problem = str(error)
            with log.open("a", encoding="utf-8") as out:
                out.write(f"{url}: {problem}\n")
    finally:
        part.unlink(missing_ok=True)
    raise SetupError(
        f"The source of SWI-Prolog {BUILT} could not be downloaded. Without a network, either\n"
        f"  - copy {UPSTREAM}/{UPSTREAM_TARBALL} to this machine\n"
        "    and set SWIPL_SOURCE to its path, or\n"
        f"  - install SWI-Prolog {dotted(OLDEST)} or newer and set SWIPL to its program."
    )


def sources() -> Iterator[tuple[Callable[[str, Path, Path], None], str]]:
    """Yield pairs of a download function and an address, the nearest first."""
    for base in apt_archives():
        for component in ("main", "universe"):  # Debian, Ubuntu
            yield fetch_by_apt, f"{base}/pool/{component}/s/swi-prolog/{DEBIAN_TARBALL}"
    yield fetch_by_python, f"{UPSTREAM}/{UPSTREAM_TARBALL}"


def apt_archives() -> list[str]:
    """Return the base addresses of the archives that apt uses on this machine."""
    if not os.path.exists(APT_HELPER):
        return []
    uris = output_of(["apt-get", "--print-uris", "update"])
    return list(dict.fromkeys(re.findall(r"^'([^']+?)/dists/", uris, re.MULTILINE)))


def fetch_by_apt(url: str, file: Path, log: Path) -> None:
    # With apt's own tool, which knows its proxies and passwords.
    options = ["-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=15"]
    run([APT_HELPER, *options, "download-file", url, file], log)


def fetch_by_python(url: str, file: Path, log: Path) -> None:
    with urllib.request.urlopen(url, timeout=15) as answer, file.open("wb") as out:
        shutil.copyfileobj(answer, out)


# --- Building it ------------------------------------------------------------------------------


def build(venv: Path, source: Path, generator: str, log: Path) -> None:
    """Build SWI-Prolog and install it into .venv; cmake may be in .venv."""
    (venv / "bin" / "swipl").unlink(missing_ok=True)
    work = venv / ".setup" / "build"
    if re.search(r"[^\w /.,+-]", str(work)):
        work = Path(tempfile.mkdtemp())  # its makefiles cannot handle a quote, for example
    shutil.rmtree(work, ignore_errors=True)  # left by a killed build
    path = os.pathsep.join([os.environ.get("PATH", os.defpath), str(venv / "bin")])
    try:
        tree = unpack(source, work, path, log)
        # With Python's headers it includes library(janus), which calls Python.
        python = f"-DPython_EXECUTABLE={venv / 'bin' / 'python'}"
        options = [*CMAKE_OPTIONS, python, f"-DCMAKE_INSTALL_PREFIX={venv}"]
        install(tree, work / "binary", ["-G", generator, *options], path, log)
        # With its largest library compiled, the prolog engine starts 0.1 s faster.
        swipl = venv / "bin" / "swipl"
        run_goal(swipl, "qcompile(library(clpfd))", log)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    check(swipl, log)


def unpack(source: Path, work: Path, path: str, log: Path) -> Path:
    """Unpack the tarball below this folder; return the top of its source."""
    unpacked = work / "source"
    unpacked.mkdir(parents=True)
    cmake = shutil.which("cmake", path=path) or "cmake"
    run([cmake, "-E", "chdir", unpacked, cmake, "-E", "tar", "xf", source.absolute()], log)
    (tree,) = unpacked.iterdir()
    return tree


def install(tree: Path, binary: Path, options: list[str], path: str, log: Path, *how: str) -> None:
    """Compile the source and install the result; `path` is where cmake and ninja are."""
    cmake = shutil.which("cmake", path=path) or "cmake"
    jobs = min(os.cpu_count() or 1, 8)
    run([cmake, "-S", tree, "-B", binary, *options], log, PATH=path)
    run([cmake, "--build", binary, "--parallel", str(jobs)], log, PATH=path)
    run([cmake, "--install", binary, *how], log, PATH=path)
