"""The rights of a foreign program: the one place that decides what it may see, write and reach.

`Sandbox` has four levels. On Linux, ``bwrap`` (bubblewrap) or ``namespaces`` (by calls of the
kernel alone) run it where it sees its own folder, the engines and nothing else. On other systems,
and where the kernel refuses, the level is ``plain``: limits alone. At the level ``wasm``, Prolog is
WebAssembly, which sees no system at all; all else is as at ``plain``. docs/grading.md has the
table.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal, NamedTuple

from ..errors import BackendUnavailable
from ..files import resource
from . import wasm
from .process import Ended, Feed, Limits, run

Choice = Literal["auto", "require", "off", "wasm"]
NATIVE: tuple[Choice, ...] = ("auto", "require", "off")
"""The choices for programs of clingo and of the native Prolog."""
CHOICES: tuple[Choice, ...] = (*NATIVE, "wasm")
Level = Literal["plain", "namespaces", "bwrap", "wasm"]
LIMITED: tuple[Level, ...] = ("plain", "wasm")
"""Levels at which this system itself hides nothing from a process."""
PROCESSES = 64
"""Processes and threads that a program may have at a time, in addition to one per processor."""
_PACKAGE = Path(__file__).resolve().parents[1]
_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/nix/store", "/gnu/store")
_SYSTEM_FILES = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime")
_ENVIRONMENT = re.compile(
    r"PATH|HOME|LANG|LANGUAGE|TZ|VIRTUAL_ENV|SYSTEMROOT|(LC_|LD_|DYLD_|PYTHON|SWI|PYLOGIC_SUDOKU).*"
)
"""Variables that a program gets: others may hold secrets."""
_PROBE_SECONDS = 30
_BECOMING = Path(__file__).with_name("_namespaces.py")
_runs = count()
_INSTALLING = """\
On Linux, install bubblewrap (apt install bubblewrap), or let users make namespaces. Containers
often forbid both; there, root can use --user."""


class Room(NamedTuple):
    """The places of one run."""

    folder: Path
    """The program's own folder, in which it runs."""
    scratch: Path
    """The only folder that it may write to."""
    files: tuple[Path, ...] = ()
    """Files and folders of ours that it needs."""


class Mount(NamedTuple):
    """A file or folder that the program sees under the name `target`."""

    target: str
    source: str
    """Empty for an empty folder."""
    writable: bool = False


@dataclass(frozen=True, slots=True)
class Sandbox:
    """The rights of programs.

    A file is visible if the deepest of the folders below that holds it makes it so; the program's
    own folder is one of the readable ones.
    """

    level: Level = "plain"
    readable: tuple[str, ...] = ()
    """Folders and files that programs may read."""
    hidden: tuple[str, ...] = ()
    """Folders and files that they may not."""
    user: str = ""
    """The user as whom they run; only root can choose one. Otherwise, root's programs run as a user
    whom nobody else is, who may read what is visible."""
    missing: str = ""
    """Why the level is not a better one."""
    trusted: bool = False
    """True for a program of the user who runs it."""

    def hiding(self, paths: Iterable[str]) -> Sandbox:
        """Return a sandbox that hides these as well."""
        return replace(self, hidden=tuple(sorted({*self.hidden, *paths})))

    def visible(self, folder: Path) -> dict[str, bool]:
        """Return what a program in this folder may read, and what it may not."""
        if self.trusted:
            return {"/": True}
        own = os.path.realpath(folder)
        ours = [os.path.realpath(resource(name)) for name in ("encodings", "prolog")]
        # A program of ours needs its neighbours.
        is_ours = any(_holds(each, own) for each in ours)
        decided = {str(_PACKAGE): False}
        decided |= dict.fromkeys(ours, is_ours)
        decided |= dict.fromkeys(self.hidden, False)
        decided |= dict.fromkeys(self.readable, True)
        return decided | {own: True}

    def run(
        self,
        command: Sequence[str],
        room: Room,
        limits: Limits,
        errors: Path,
        decided: Callable[[], bool] = lambda: False,
        feed: Feed | None = None,
    ) -> Ended:
        """Run the command with these rights, as `process.run` does."""
        mounts = [] if self.level in LIMITED else self._mounts(room)
        most = PROCESSES + (os.cpu_count() or 1)
        fresh = "" if self.user or self.trusted else _fresh_user()
        rights: dict[str, Any] = {
            "processes": most,
            "user": self.user or fresh,
            "env": self.environment(room),
            "feed": feed,
        }
        if self.level == "bwrap":
            if fresh:
                mounts.append(Mount(str(_BECOMING), str(_BECOMING)))
                command = [sys.executable, "-I", "-S", str(_BECOMING), fresh, str(most), *command]
                rights["user"] = ""
            command = [*_bwrap(mounts, room, bool(fresh)), *command]
        if self.level == "namespaces":
            rights["plan"] = _plan(mounts, room)
        if user := self.user or fresh:  # the scratch folder, and what it holds, is for that user
            for path in (room.scratch, *room.scratch.rglob("*")):
                shutil.chown(path, int(user) if user.isdigit() else user)
            room.scratch.parent.chmod(room.scratch.parent.stat().st_mode | 0o011)
        ended = run([*command], limits, room.folder, errors, decided, **rights)
        if self.level not in LIMITED and ended.code and ended.code > 128:
            return ended._replace(code=128 - ended.code)  # as sandboxes report a signal
        return ended

    def environment(self, room: Room) -> dict[str, str]:
        """Return the variables that a program gets."""
        variables = {
            name: value
            for name, value in os.environ.items()
            if self.trusted or _ENVIRONMENT.fullmatch(name)
        }
        return {**variables, "TMPDIR": str(room.scratch)}

    def _mounts(self, room: Room) -> list[Mount]:
        """Return what is visible, in an order in which the deepest decides."""
        empty = room.scratch / "empty"
        empty.touch()
        mounts = {path: Mount(path, path) for path in (*_system(), *_runtimes())}
        for path, is_visible in self.visible(room.folder).items():
            if os.path.exists(path):
                mask = "" if os.path.isdir(path) else str(empty)
                mounts[path] = Mount(path, path if is_visible else mask)
        mounts |= {path: Mount(path, path) for path in map(os.path.realpath, room.files)}
        mounts |= {path: Mount(path, path) for path in _inside()}
        scratch = os.path.realpath(room.scratch)
        mounts[scratch] = Mount(scratch, scratch, True)
        visible_paths = [each.target for each in mounts.values() if each.source == each.target]

        def is_needed(each: Mount) -> bool:
            inside = any(
                _holds(path, each.target) and path != each.target for path in visible_paths
            )
            if each.source != each.target:  # where nothing is visible, nothing has to be hidden
                return inside
            # A link in a visible folder is visible.
            return not inside or each.target == os.path.realpath(each.target)

        return sorted(
            filter(is_needed, mounts.values()),
            key=lambda each: (each.target != "/", each.target.count("/")),
        )


PLAIN = Sandbox()
TRUSTED = Sandbox(trusted=True)


def _holds(folder: str, path: str) -> bool:
    """True if the path is the folder or in it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


# --- the level: the best that works here ---


def sandbox(
    choice: Choice = "auto", readable: Iterable[str | Path] = (), user: str = ""
) -> Sandbox:
    """Return the best sandbox of this system; `BackendUnavailable` if one is required in vain.

    ValueError for a choice or a user that does not exist.
    """
    if choice not in CHOICES:
        raise ValueError(f"sandbox must be one of {', '.join(CHOICES)}, not {choice!r}")
    if user:
        _check_user(user)
    level, missing = _chosen(choice, user)
    if choice == "require" and level == "plain":
        raise BackendUnavailable(f"there is no sandbox here: {missing}", _INSTALLING)
    if level in LIMITED and (user or _free_users()) and (failure := _failure("plain", user)):
        raise BackendUnavailable(
            f"programs cannot run as {user or 'an ordinary user'}: {failure}",
            "That user must be able to read Python and the engines; --user chooses another one.",
        )
    # Programs may name a link or what it leads to.
    paths = [name for each in readable for name in (os.path.abspath(each), os.path.realpath(each))]
    return Sandbox(level, tuple(dict.fromkeys(paths)), (), user, missing)


def _check_user(user: str) -> None:
    import pwd

    try:
        pwd.getpwnam(user)
    except KeyError:
        raise ValueError(f"there is no user {user!r}") from None
    if os.geteuid() != 0:
        raise ValueError("only root can run programs as another user")


def _chosen(choice: Choice, user: str) -> tuple[Level, str]:
    """Return the level, and why it is not a better one."""
    if choice == "wasm":
        if not wasm.is_installed():
            what = "SWI-Prolog as WebAssembly is not installed"
            raise BackendUnavailable(what, wasm.installing())
        return "wasm", ""
    return _best(user) if choice != "off" else ("plain", "")


@cache
def _best(user: str) -> tuple[Level, str]:
    """Return the best level that works, and why no better one does."""
    if not sys.platform.startswith("linux"):
        return "plain", "it needs Linux"
    reasons = []
    for level in ("bwrap", "namespaces"):
        if level == "bwrap" and not shutil.which("bwrap"):
            reasons.append("bwrap (the package bubblewrap) is not installed")
            continue
        failure = _failure(level, user)
        if not failure:
            return level, "; ".join(reasons)
        reasons.append(f"{level} does not work ({failure})")
    return "plain", "; ".join(reasons)


def _failure(level: Level, user: str) -> str:
    """Return why an engine does not start at this level; empty if each does."""
    trials = [[sys.executable, "-P", "-c", "import clingo"]]
    if swipl := _swipl():
        trials.append([*swipl, "-f", "none", "-g", "halt"])
    for trial in trials:
        with TemporaryDirectory(prefix="pylogic-sudoku-") as name:
            room = Room(Path(name, "own"), Path(name, "scratch"))
            room.folder.mkdir()
            room.scratch.mkdir()
            room.folder.parent.chmod(0o755)
            limits = Limits(_PROBE_SECONDS, 0)
            ended = Sandbox(level, user=user).run(trial, room, limits, Path(name, "errors"))
            if ended.code != 0:
                lines = ended.errors.strip().splitlines()
                return lines[-1] if lines else f"it ends with {ended.code}"
    return ""


@cache
def _free_users() -> range:
    """Return numbers that no user has; none unless this is root, who can become any of them."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return range(0)
    tops = []
    for name in ("uid_map", "gid_map"):
        lines = Path("/proc/self", name).read_text(encoding="ascii").splitlines()
        tops.append(max(int(first) + int(number) for first, _, number in map(str.split, lines)))
    top = min(*tops, 1 << 31)
    # The last two of 16 or 32 bits mean nobody.
    return range(top - 5000, top - 2) if top > 60_000 else range(0)


def _fresh_user() -> str:
    """Return the number of a user for one program; empty unless this is root."""
    users = _free_users()
    return str(users[(61 * os.getpid() + next(_runs)) % len(users)]) if users else ""


def _swipl() -> list[str]:
    from .prolog import command, swipl

    return command() if swipl() else []


# --- what engines need to run ---


@cache
def _system() -> tuple[str, ...]:
    """Return the system's folders of programs and libraries, and what its loader reads."""
    paths = (*_SYSTEM, *(f"/etc/{name}" for name in _SYSTEM_FILES))
    return tuple(path for path in paths if os.path.exists(path))


@cache
def _runtimes() -> tuple[str, ...]:
    """Return the folders of Python, clingo and SWI-Prolog that are not the system's."""
    folders: dict[str, None] = {}
    for path in (*_python(), *_prolog()):
        for each in (os.path.abspath(path), os.path.realpath(path)):
            if each != "/" and os.path.isdir(each):
                folders[each] = None
    return tuple(path for path in folders if not any(_holds(each, path) for each in _system()))


def _python() -> Iterator[str]:
    yield from (sys.prefix, sys.base_prefix)
    yield os.path.dirname(os.path.realpath(sys.executable))
    clingo = importlib.util.find_spec("clingo")
    if clingo and clingo.origin:
        yield os.path.dirname(os.path.dirname(clingo.origin))


def _prolog() -> Iterator[str]:
    """Yield the folders of the program, of each link to it, of its home and its library."""
    command = _swipl()
    if not command:
        return
    link = command[0]
    while os.path.islink(link):
        yield os.path.dirname(link)
        link = os.path.normpath(os.path.join(os.path.dirname(link), os.readlink(link)))
    yield os.path.dirname(link)
    output = subprocess.run(
        [*command, "--dump-runtime-variables"], capture_output=True, check=False, text=True
    ).stdout
    values = dict(re.findall(r'^(\w+)="(.*)";$', output, re.MULTILINE))
    yield from (values[name] for name in ("PLBASE", "PLLIBDIR") if values.get(name))
    above = os.path.dirname(values.get("PLBASE", ""))
    if os.path.basename(above).startswith("lib"):  # where the libraries that it needs are
        yield above


@cache
def _inside() -> tuple[str, ...]:
    """Return the folder of a SWI-Prolog inside the package, most of which is hidden."""
    from .prolog import INSIDE

    return (str(INSIDE),) if INSIDE.is_dir() else ()


# --- the visible files, as `_namespaces.enter` and bubblewrap expect them ---


def _plan(mounts: Sequence[Mount], room: Room) -> str:
    """Write a plan, and return its file."""
    root, plan = room.scratch / "root", room.scratch / "plan"
    root.mkdir(exist_ok=True)
    parts = [str(root), os.path.realpath(room.folder)]
    for each in mounts:
        parts += [each.target, each.source, "w" if each.writable else ""]
    plan.write_bytes(b"".join(os.fsencode(part) + b"\0" for part in parts))
    return str(plan)


def _bwrap(mounts: Sequence[Mount], room: Room, as_root: bool) -> list[str]:
    """Return the command bwrap with what is to be seen."""
    command = [shutil.which("bwrap") or "bwrap", "--die-with-parent"]
    if as_root:  # whoever root becomes reads the files of other users as before
        for kind in ("pid", "net", "ipc", "uts", "cgroup-try"):
            command.append(f"--unshare-{kind}")
        for right in ("DAC_OVERRIDE", "SETUID", "SETGID", "SETPCAP"):
            command += ["--cap-add", f"CAP_{right}"]
    else:
        command.append("--unshare-all")
    for each in mounts:
        if each.source:
            command += ["--bind" if each.writable else "--ro-bind", each.source, each.target]
        else:
            command += ["--tmpfs", each.target]
    command += ["--proc", "/proc", "--dev", "/dev"]
    hidden = [each.target for each in mounts if not each.source]
    for place in ("/proc", "/dev", "/", *hidden):
        command += ["--remount-ro", place]
    return [*command, "--chdir", os.path.realpath(room.folder), "--"]


def is_sealed(sandbox: Sandbox) -> bool:
    """True if Prolog programs run as WebAssembly: this is chosen, or no other Prolog is here."""
    return sandbox.level == "wasm" or (not _swipl() and wasm.is_installed())


def describe(sandbox: Sandbox) -> str:
    """Return a warning of the rights that programs have; empty if there is nothing to warn of."""
    if not (sandbox.missing and sandbox.level == "plain"):
        return ""
    rights = f"have all rights of {f'the user {sandbox.user}' if sandbox.user else 'their user'}"
    if is_sealed(sandbox):
        held = f"Scripts {rights}; Prolog programs run as WebAssembly and have none"
    else:
        held = f"Prolog programs and scripts {rights}"
    return f"No sandbox: {sandbox.missing}. {held}."
