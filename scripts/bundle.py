"""The SWI-Prolog that goes into a wheel: its home, its program, and its bridge to Python.

Everything comes from one tarball of SWI-Prolog, unpatched. The home is the same for every Python
and is built once; the bridge is built for each. Nothing in it knows an absolute path: libraries
find each other from where they are, and our package tells Prolog its home.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path

import swipl
from machine import SetupError, advice, alone_in, missing_needs, run, say, this_system

OPTIONS = (
    "-DCMAKE_BUILD_TYPE=Release",
    # The package clpqr is under the GPL.
    "-DSWIPL_PACKAGE_LIST=chr;clib;plunit",
    "-DINSTALL_DOCUMENTATION=OFF",
    "-DBUILD_TESTING=OFF",
    # LibBF, which is part of the source, is under the MIT licence; GMP is under the LGPL.
    "-DUSE_GMP=OFF",
    # These would be one more library, or one that not every system has.
    "-DCMAKE_DISABLE_FIND_PACKAGE_Curses=ON",
    "-DCMAKE_DISABLE_FIND_PACKAGE_OpenSSL=ON",
    "-DCMAKE_DISABLE_FIND_PACKAGE_Python=ON",
    # A wheel has no symbolic links, and its folder has no fixed path; this one does not exist.
    "-DCMAKE_INSTALL_PREFIX=/nowhere",
    "-DSWIPL_SO_VERSIONS=OFF",
    "-DCMAKE_SKIP_INSTALL_RPATH=ON",
)

# What a person at the prompt does not miss. The rest of the library stays: it is small.
UNUSED = (
    *("README.md", "app", "boot", "cmake", "customize", "demo", "doc", "include"),
    *("swipl.home", "bin/*/swipl-ld"),
    *("library/build", "library/lynx", "library/theme", "library/ext/sgml"),
    *("library/check_installation.pl", "library/prolog_pack.pl", "library/qpforeign.pl"),
    *("library/unicode/unicode_data.pl", "library/prolog_colour.qlf", "library/prolog_xref.qlf"),
)
# The parts of the package clib that are kept, by the names of their shared libraries.
FOREIGN = {"files", "memfile", "process", "readutil", "rlimit", "time", "uid", "unix"}

# Parts of the program under terms of their own. SWI-Prolog's own terms are in its file LICENSE.
NOTICES = (
    *("src/libbf/libbf.c", "src/libbf/cutils.c", "src/libbf/mersenne-twister.c"),
    *("src/os/dtoa.c", "src/pl-hash.c", "src/pl-termhash.c", "src/libtai/README"),
)
TERMS = re.compile(r"copyright \(c\)|licen[sc]e", re.IGNORECASE)
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)

MAC = sys.platform == "darwin"
ORIGIN = "@loader_path" if MAC else "$ORIGIN"


def bundle(cache: Path, log: Path) -> Path:
    """Return a folder with all that the package needs as its folder ``_swipl``."""
    cache.mkdir(parents=True, exist_ok=True)
    with alone_in(cache):
        folder = cache / f"for-{sysconfig.get_config_var('SOABI')}"
        state = f"{state_of_home()} {sys.version}"
        if is_made(folder, state):  # another build may be reading it
            return folder
        home = build(cache, log)
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(home, folder / "home")
        shutil.copy(cache / "NOTICES.txt", folder)
        bridge(cache / "janus", folder, cache / "include", log)
        mark(folder).write_text(state, encoding="utf-8")
        return folder


def state_of_home() -> str:
    return hashlib.sha256(Path(__file__).read_bytes() + swipl.BUILT.encode()).hexdigest()


def mark(folder: Path) -> Path:
    return folder.with_name(f"{folder.name}.made")


def is_made(folder: Path, state: str) -> bool:
    return mark(folder).is_file() and mark(folder).read_text(encoding="utf-8") == state


# --- What is the same for every Python ----------------------------------------------------------


def build(cache: Path, log: Path) -> Path:
    """Return the home of a SWI-Prolog; build it unless this very one was built before."""
    home, work = cache / "home", cache / "work"
    if is_made(home, state_of_home()):
        return home
    if lacks := missing_needs(build=True):
        raise SetupError(advice(lacks, this_system()))
    if not shutil.which("cmake"):
        raise SetupError(advice(["cmake"], this_system()))
    for left in cache.iterdir():
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    source = swipl.tarball(cache, os.environ, log)
    say(f"Building SWI-Prolog {swipl.BUILT} for the wheel; this takes 1 to 3 minutes")
    path = os.environ.get("PATH", os.defpath)
    tree = swipl.unpack(source, work, path, log)
    generator = "Ninja" if shutil.which("ninja") else "Unix Makefiles"
    options = ["-G", generator, *OPTIONS]
    if not re.search(r"\s", str(work)):
        # Messages name the source files: without the path of this machine.
        options.append(f"-DCMAKE_C_FLAGS=-ffile-prefix-map={work / 'source'}=.")
    # The place is named only now, so that the library does not hold it.
    place = ["--prefix", str(work / "installed"), "--strip"]
    swipl.install(tree, work / "binary", options, path, log, *place)
    (work / "installed" / "lib" / "swipl").rename(home)
    (home / "include").rename(cache / "include")
    shutil.copytree(tree / "packages" / "swipy" / "janus", cache / "janus")
    program(tree, home, cache / "include", log)
    prune(home, log)
    for file in home.glob("library/ext/chr/chr/*.pl"):  # generated ones name their source
        text = file.read_text(encoding="utf-8")
        file.write_text(text.replace(f"{work / 'source'}{os.sep}", ""), encoding="utf-8")
    # With its largest library compiled, Prolog starts 0.1 s faster.
    swipl.run_goal(executable(home), "qcompile(library(clpfd))", log)
    swipl.check(executable(home), log)
    (cache / "NOTICES.txt").write_text(notices(tree), encoding="utf-8")
    shutil.rmtree(work)
    mark(home).write_text(state_of_home(), encoding="utf-8")
    return home


def executable(home: Path) -> Path:
    (found,) = home.glob("bin/*/swipl")
    return found


def program(tree: Path, home: Path, include: Path, log: Path) -> None:
    """Compile the program swipl again, so that it finds its library beside itself."""
    place = executable(home)
    place.unlink()
    arch = place.parent.name
    code: list[str | Path] = [f"-I{include}", f"-I{tree / 'src'}", tree / "src" / "pl-main.c"]
    run([*compiler(), *code, "-o", place, *linked(home, f"../../lib/{arch}")], log)


def prune(home: Path, log: Path) -> None:
    """Remove what is not needed, and the Prolog of foreign libraries that are not kept."""
    for pattern in UNUSED:
        for found in home.glob(pattern):
            shutil.rmtree(found) if found.is_dir() else found.unlink()
    for library in home.glob("lib/*/*"):
        if library.stem not in FOREIGN | {"libswipl"}:
            library.unlink()
    for file in home.glob("library/ext/clib/*.pl"):
        needs = re.findall(
            r"^:- use_foreign_library\(foreign\((\w+)\)", file.read_text(encoding="utf-8"), re.M
        )
        if not FOREIGN.issuperset(needs):
            file.unlink()
    remake = "forall(member(D, [swi(library), swi('library/ext/clib')]), make_library_index(D))"
    swipl.run_goal(executable(home), remake, log)


def notices(tree: Path) -> str:
    """Return the terms of SWI-Prolog and of its parts, as the source has them."""
    parts = [
        f"This folder holds SWI-Prolog {swipl.BUILT} and janus, its bridge to Python, made from\n"
        "the unchanged source of SWI-Prolog, without libraries that nothing here uses. The terms:",
        (tree / "LICENSE").read_text(encoding="utf-8").strip(),
        (tree / "packages" / "swipy" / "janus" / "janus.c").read_text("utf-8").partition("*/")[0],
    ]
    for name in NOTICES:
        text = (tree / name).read_text(encoding="utf-8", errors="replace")
        if name.endswith(".c"):
            found = [each for each in COMMENT.findall(text) if TERMS.search(each)]
            text = "\n".join(dict.fromkeys(found))
        parts.append(f"{name} of SWI-Prolog's source:\n\n{text.strip()}")
    return f"\n\n{'-' * 80}\n\n".join(parts) + "\n"


# --- What each Python has -----------------------------------------------------------------------


def bridge(source: Path, folder: Path, include: Path, log: Path) -> None:
    """Compile janus for this Python."""
    package = folder / "janus_swi"
    package.mkdir()
    for name in ("__init__.py", "janus.py", "janus.pl"):
        shutil.copy(source / name, package)
    (library,) = (folder / "home").glob("lib/*/libswipl.*")
    place = package / f"_swipl{sysconfig.get_config_var('EXT_SUFFIX')}"
    shared = ["-bundle", "-undefined", "dynamic_lookup"] if MAC else ["-shared", "-fPIC"]
    headers = [f"-I{include}", f"-I{sysconfig.get_path('include')}"]
    options = ["-DPYTHON_PACKAGE=1", f"-ffile-prefix-map={source}=.", *headers]
    linking = linked(folder / "home", f"../home/lib/{library.parent.name}")
    run([*compiler(), *shared, *options, source / "janus.c", "-o", place, *linking], log)


def compiler() -> list[str]:
    for command in (os.environ.get("CC"), sysconfig.get_config_var("CC")):
        words = shlex.split(command or "")
        if words and shutil.which(words[0]):
            return [*words, "-O2"]
    return ["cc", "-O2"]


def linked(home: Path, near: str) -> list[str]:
    """Return options to link with libswipl, which is at `near` from the linked file's folder."""
    (library,) = home.glob("lib/*/libswipl.*")
    options = [f"-L{library.parent}", "-lswipl", f"-Wl,-rpath,{ORIGIN}/{near}"]
    # Strip it; and its own path comes before $LD_LIBRARY_PATH, where another Prolog may be.
    return options if MAC else [*options, "-Wl,-s", "-Wl,--disable-new-dtags"]
