#!/usr/bin/env python3
"""Try the README's commands on a fresh Debian, as an ordinary user with only what it names.

    sudo python3 scripts/try_targets.py                          # make demo, then make test
    sudo python3 scripts/try_targets.py --suite trixie demo
    sudo python3 scripts/try_targets.py --before swi-prolog-nox  # beside Debian's own Prolog
    sudo python3 scripts/try_targets.py demo "pytest SELECT=tests/test_grid.py"
    sudo python3 scripts/try_targets.py demo --without-namespaces test
    sudo python3 scripts/try_targets.py --without-compiler       # after make wheel

A machine on which much has been installed hides what is missing. So debootstrap makes the smallest
Debian in a temporary folder, the packages of the README's line for Debian are installed there, and
each target is made in a clone of the last commit, by a user who is not root. The root has its own
/proc, /dev/pts and /dev/shm, which go with this process, as all that runs in it does.

With --without-compiler the root has Python and nothing of the README's line; pip installs the wheel
for any platform from dist/ there, and both engines are asked.

On many machines, and in most containers, a user may make no namespaces, and programs are graded
without a sandbox; --without-namespaces makes a target there.

The exit code is 0 if every target was made.
"""

from __future__ import annotations

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
USER = "student"
CHECKOUT = f"/home/{USER}/pylogic_sudoku"
PUZZLE = "2...9...13.9..7.....1.4..7..6............3.....86..79.6..7..8..123..8....87..43.."
CERTIFICATES = {"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"}
# In namespaces of its own: its mounts and its processes end with it.
ALONE = ["unshare", "--mount", "--pid", "--fork", "--kill-child"]


class Failed(Exception):
    """A command failed."""


def run(*command: str | Path) -> None:
    if subprocess.run(command, stdin=subprocess.DEVNULL, check=False).returncode != 0:
        raise Failed(f"This failed: {shlex.join(map(str, command))}")


def run_quietly(*command: str | Path) -> None:
    """Run it, and show its output only if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Failed(f"{done.stdout}{done.stderr}This failed: {shlex.join(map(str, command))}")


def named_packages() -> list[str]:
    """Return what the README installs on Debian."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (line,) = re.findall(r"^sudo apt install (.*?) +# Debian", readme, re.MULTILINE)
    return str(line).split()


def network_settings(root: Path) -> list[str]:
    """Return this machine's way to its registries as settings of `env`; copy the files it names."""
    settings = []
    for name, value in os.environ.items():
        if name.startswith("PIP_") or name in CERTIFICATES or name.lower().endswith("_proxy"):
            if Path(value).is_file():
                copy = root / value.lstrip("/")
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(value, copy)
            if Path(value).is_file() or not value.startswith("/"):
                settings.append(f"{name}={value}")
    return settings


def make_root(root: Path, suite: str) -> None:
    print(f"Making a root of {suite}", flush=True)
    run_quietly("debootstrap", "--variant=minbase", suite, root)
    shutil.copy("/etc/resolv.conf", root / "etc" / "resolv.conf")


MOUNTS = {"proc": "proc", "dev/pts": "devpts", "dev/shm": "tmpfs"}


@contextmanager
def mounted(root: Path) -> Iterator[None]:
    try:
        for place, kind in MOUNTS.items():
            (root / place).mkdir(parents=True, exist_ok=True)
            run_quietly("mount", "-t", kind, kind, root / place)
        yield
    finally:
        for place in MOUNTS:  # or the folder could not be removed
            subprocess.run(["umount", "--lazy", root / place], check=False, capture_output=True)


def as_root(root: Path, *command: str) -> None:
    run_quietly("chroot", root, "env", "DEBIAN_FRONTEND=noninteractive", *command)


def install(root: Path, packages: list[str]) -> None:
    print(f"Installing {' '.join(packages)}", flush=True)
    as_root(root, "apt-get", "-qq", "update")
    as_root(root, "apt-get", "-qq", "install", "--yes", *packages)


def clone(root: Path) -> None:
    run("git", "clone", "--quiet", ROOT, root / CHECKOUT.lstrip("/"))
    as_root(root, "chown", "--recursive", f"{USER}:{USER}", f"/home/{USER}")


def make(root: Path, target: str, settings: list[str], namespaces: bool = True) -> None:
    """Make the target, words for make, in the checkout, where the user may make namespaces or not.

    The kernel refuses them to a process that was only put there by chroot.
    """
    as_user(root, f"cd {CHECKOUT} && exec make {target}", settings, namespaces)


def as_user(root: Path, inside: str, settings: list[str], namespaces: bool = True) -> None:
    """Run a line of the shell there, as a user who is not root."""
    environ = [f"HOME=/home/{USER}", f"USER={USER}", "LANG=C.UTF-8", *settings]
    user = f"--userspec={USER}:{USER}"
    shell = ["env", "-i", *environ, "PATH=/usr/bin:/bin", "sh", "-c"]
    if namespaces:
        run("unshare", "--mount", "sh", "-c", INTO_ROOT, root, "chroot", user, "/", *shell, inside)
    else:
        run("chroot", user, root, *shell, NO_NAMESPACES + inside)


NO_NAMESPACES = """\
if unshare --user true 2>/dev/null; then echo "Namespaces can be made here."; exit 1; fi
"""

# The folder becomes the root of a tree of mounts of its own.
INTO_ROOT = """
set -e
mount --rbind "$0" "$0"
cd "$0"
mkdir -p mnt/outside
pivot_root . mnt/outside
cd /
umount --lazy /mnt/outside
exec "$@"
"""


def attempt(root: Path, chosen: argparse.Namespace) -> None:
    install(root, [*named_packages(), *chosen.before])
    settings = network_settings(root)  # after the installation, which writes certificates too
    as_root(root, "useradd", "--create-home", USER)
    clone(root)
    targets = [(target, True) for target in chosen.targets]
    targets += [(target, False) for target in chosen.without_namespaces]
    for target, namespaces in targets:
        begin = time.monotonic()
        where = chosen.suite if namespaces else f"{chosen.suite} without namespaces"
        print(f"\n=== {where}: make {target}", flush=True)
        make(root, target, settings, namespaces)
        print(f"=== {where}: made {target} in {time.monotonic() - begin:.0f} s", flush=True)
    if chosen.after:
        install(root, chosen.after)
        make(root, "demo", settings)


def attempt_without_compiler(root: Path, wheel: Path) -> None:
    """Install the wheel for any platform where nothing can be compiled, and ask both engines."""
    install(root, ["python3", "python3-venv", "ca-certificates"])
    settings = network_settings(root)
    as_root(root, "useradd", "--create-home", USER)
    shutil.copy(wheel, root / "home" / USER)
    pip = ".venv/bin/pip install --disable-pip-version-check --no-cache-dir"  # says the sizes
    for line in (
        "! command -v cc gcc clang swipl",
        "python3 -m venv .venv",
        f"{pip} './{wheel.name}[wasm]'",
        f".venv/bin/pylogic-sudoku solve -b all --time {PUZZLE}",
        ".venv/bin/pylogic-sudoku compare -p queens -n 0 6",
    ):
        begin = time.monotonic()
        as_user(root, f"cd && {line}", settings)
        print(f"=== {line}: {time.monotonic() - begin:.1f} s", flush=True)


def built_wheel() -> Path:
    """Return the wheel for any platform."""
    found = sorted(ROOT.glob("dist/*-py3-none-any.whl"))
    if not found:
        raise Failed("There is no wheel for any platform in dist/; run: make wheel")
    return found[-1]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("targets", nargs="*", default=["demo", "test"], help="words for make")
    parser.add_argument("--suite", default="bookworm", help="Debian's release (bookworm)")
    parser.add_argument(
        "--before", action="append", default=[], metavar="PACKAGE", help="install it first, too"
    )
    parser.add_argument(
        "--without-namespaces",
        action="append",
        default=[],
        metavar="TARGET",
        help="make it then where the user may make no namespaces",
    )
    parser.add_argument(
        "--after",
        action="append",
        default=[],
        metavar="PACKAGE",
        help="install it when all targets are made; then make demo again",
    )
    parser.add_argument(
        "--without-compiler",
        action="store_true",
        help="make no target; install the wheel from dist/ where nothing can be compiled",
    )
    parser.add_argument("--base", type=Path, metavar="FOLDER", help="copy this new root")
    return parser.parse_args()


def main() -> int:
    chosen = arguments()
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        print("This needs root, and debootstrap: sudo apt install debootstrap")
        return 1
    if "TRY_TARGETS_ALONE" not in os.environ:
        environ = {**os.environ, "TRY_TARGETS_ALONE": "yes"}
        os.execvpe(ALONE[0], [*ALONE, sys.executable, *sys.argv], environ)
    with tempfile.TemporaryDirectory(prefix="fresh-") as folder:
        root = Path(folder) / "root"
        try:
            if chosen.base:
                run("cp", "--archive", chosen.base, root)
            else:
                make_root(root, chosen.suite)
            root.parent.chmod(0o755)
            with mounted(root):
                if chosen.without_compiler:
                    attempt_without_compiler(root, built_wheel())
                else:
                    attempt(root, chosen)
        except Failed as error:
            print(error)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
