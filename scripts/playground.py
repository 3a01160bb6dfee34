#!/usr/bin/env python3
"""Build the playground, the page with both engines in the browser, as a folder of static files.

    make playground
    python scripts/playground.py [FOLDER [DOCUMENTATION]]

DOCUMENTATION is an address to which the page links, such as ../index.html.
The page is that of `pylogic-sudoku serve`, but its questions are answered in the browser. The
engines are npm packages, and the programs are the files of encodings/ and prolog/ as they are.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import posixpath
import re
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from machine import SetupError, StepFailed, alone_in, last_output, run, say

if TYPE_CHECKING:
    from pylogic_sudoku.engines import Program

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # this package, even if another one is installed
SOURCE = ROOT / "playground"
STATIC = ROOT / "pylogic_sudoku" / "page" / "static"
PACKAGES = ROOT / "build" / "playground"
LOG = ROOT / "build" / "playground.log"
OF_THE_BUILD = ("*.txt", "package.json")
"""Files of playground/ that the page does not ask for."""
IMPORT = re.compile(r"""^(?:import|export)\b[^"'()]*["'](\.[^"']+\.js)["']""", re.MULTILINE)
ENGINES = {
    "clingo": (
        "clingo-wasm/dist",
        ["run.js", "witnesses.js", "threads.js", "clingo.js", "clingo.wasm"],
    ),
    "swipl": ("swipl-wasm/dist/swipl", ["swipl-web.js", "swipl-web.wasm", "swipl-web.data"]),
}
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';"
    " img-src 'self' data:; connect-src 'self'; worker-src 'self'; base-uri 'none';"
    " form-action 'none'"
)


def wanted() -> str:
    """The text that names the npm packages and their versions."""
    return (SOURCE / "package.json").read_text(encoding="utf-8")


def install() -> None:
    """Put the npm packages into build/playground, if they are not there."""
    copy = PACKAGES / "package.json"
    done = PACKAGES / "node_modules" / ".package-lock.json"
    if done.exists() and copy.exists() and copy.read_text(encoding="utf-8") == wanted():
        return
    if not shutil.which("npm"):
        raise SetupError("The engines are fetched with npm, which is not here: install Node.js.")
    shutil.rmtree(PACKAGES, ignore_errors=True)
    PACKAGES.mkdir(parents=True)
    copy.write_text(wanted(), encoding="utf-8")
    command: list[str | Path] = ["npm", "install", "--prefix", PACKAGES]
    run([*command, "--no-package-lock", "--no-audit", "--no-fund", "--fetch-retries=1"], LOG)


def build(out: Path, documentation: str = "") -> None:
    """Make the folder anew."""
    with alone_in(PACKAGES.parent):
        install()
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(STATIC, out)
    ours = shutil.ignore_patterns(*OF_THE_BUILD)
    shutil.copytree(SOURCE, out, dirs_exist_ok=True, ignore=ours)
    for name, (folder, files) in ENGINES.items():
        (out / name).mkdir()
        for file in files:
            shutil.copy(PACKAGES / "node_modules" / folder / file, out / name / file)
    (out / "programs.json").write_text(json.dumps(programs()), encoding="utf-8")
    page = (out / "index.html").read_text(encoding="utf-8")
    (out / "index.html").write_text(
        indexed(page, modules(out, "main.js"), documentation), encoding="utf-8"
    )
    (out / "licences.html").write_text(licences(), encoding="utf-8")
    keep_offline(out)


def programs() -> dict[str, object]:
    """The texts of the programs by name, and what the page must know of each program."""
    from pylogic_sudoku import Grid, Puzzle, engines
    from pylogic_sudoku.page.problems import problems
    from pylogic_sudoku.page.questions import programs as offered

    listed = offered(Puzzle(Grid((0,) * 81, (3, 3))), 0)["programs"]
    files = {
        each["name"]: {file["name"]: file["text"] for file in each["files"]} for each in listed
    }
    folder = ROOT / "prolog"
    return {
        "encodings": {
            name: text
            for each in files.values()
            for name, text in each.items()
            if name.endswith(".lp")
        },
        "prolog": {
            path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
            for path in sorted(folder.rglob("*.pl"))
        },
        "problems": problems(0)["problems"],
        "programs": [about(engines.program_named(name), texts) for name, texts in files.items()],
        "versions": json.loads((SOURCE / "package.json").read_text("utf-8"))["dependencies"],
    }


def about(program: Program, files: dict[str, str]) -> dict[str, object]:
    """The facts about a program that the page needs to offer it and to run it."""
    from pylogic_sudoku.engines.sudoku.puzzles import vocabulary

    known: dict[str, object] = {
        "name": program.name,
        "engine": program.engine,
        "title": program.title,
        "teaches": program.teaches,
        "shapes": program.shapes,
        "knows": sorted(program.knows),
        "files": list(files),
    }
    if program.engine == "prolog":
        return known
    given, answer = vocabulary(program)
    return known | {"given": given, "answer": answer}


def modules(out: Path, first: str) -> list[str]:
    """The modules that this one needs, itself included, the first to be fetched first."""
    found = [first]
    for name in found:
        text = (out / name).read_text(encoding="utf-8")
        for target in IMPORT.findall(text):
            path = posixpath.normpath(posixpath.join(posixpath.dirname(name), target))
            if path not in found:
                found.append(path)
    return found


def indexed(page: str, scripts: list[str], documentation: str) -> str:
    """The page of the server, for a folder.

    It has no links to the server, one to the documentation if that has an address, and a policy
    that a static server cannot send. The engines load before all else, and every script is fetched
    at once.
    """
    policy = f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    main = '<script type="module" src="main.js"></script>'
    engines = '<script type="module" src="answers/engines.js"></script>'
    fetched = [f'<link rel="modulepreload" href="{each}">' for each in scripts]
    links = {"Licences": "licences.html", "Documentation": documentation}
    footer = " · ".join(f'<a href="{at}">{name}</a>' for name, at in links.items() if at)
    for old, new in (
        ('<meta charset="utf-8">', f'<meta charset="utf-8">\n  {policy}'),
        (main, "\n  ".join([engines, *fetched, main])),
        (
            '<a href="openapi.json">JSON API</a> <a id="documentation" hidden>Documentation</a>',
            footer,
        ),
    ):
        if page.count(old) != 1:
            raise SetupError(f"index.html should have once: {old}")
        page = page.replace(old, new)
    return page


def keep_offline(out: Path) -> None:
    """Write into offline.js the names of all files, and a version that changes with any of them."""
    worker = out / "offline.js"
    text = worker.read_text(encoding="utf-8")
    version = hashlib.sha256(text.encode())
    files = sorted(path for path in out.rglob("*") if path.is_file() and path != worker)
    for path in files:
        version.update(f"{path.relative_to(out)} {path.stat().st_size} ".encode())
        version.update(path.read_bytes())
    # Some servers know the page only by the name of its folder, so it is kept under that name.
    names = [
        "./",
        *(path.relative_to(out).as_posix() for path in files if path.name != "index.html"),
    ]
    for old, new in (
        ('VERSION = ""', f"VERSION = {json.dumps(version.hexdigest()[:16])}"),
        ("FILES = []", f"FILES = {json.dumps(names)}"),
    ):
        if text.count(old) != 1:
            raise SetupError(f"offline.js should have once: {old}")
        text = text.replace(old, new)
    worker.write_text(text, encoding="utf-8")


def licences() -> str:
    """A page with the licence of everything that the folder holds."""
    parts = [("pylogic_sudoku", "MIT", (ROOT / "LICENSE").read_text(encoding="utf-8"))]
    for folder in packages():
        about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
        (text,) = list(folder.glob("LICEN[CS]E*"))[:1]
        parts.append(
            (f"{about['name']} {about['version']}", about["license"], text.read_text("utf-8"))
        )
    inside = (SOURCE / "notices.txt").read_text(encoding="utf-8")
    parts.append(("Inside clingo-wasm and swipl-wasm", "their parts", inside))
    sections = "".join(
        f"<h2>{html.escape(name)}: {html.escape(kind)}</h2>\n"
        f'<pre tabindex="0">{html.escape(text)}</pre>\n'
        for name, kind, text in parts
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<title>Licences</title><link rel="icon" href="icon.svg" type="image/svg+xml">'
        '<link rel="stylesheet" href="style.css"></head>\n'
        f'<body><main class="licences"><h1>Licences</h1>\n{sections}</main></body></html>\n'
    )


def packages() -> list[Path]:
    """The folders of the npm packages that the playground holds, with those that they need."""
    modules = PACKAGES / "node_modules"
    found = [*modules.glob("[!@.]*/package.json"), *modules.glob("@*/*/package.json")]
    return sorted(path.parent for path in found)


def compressed(folder: Path) -> int:
    """The size of all files in bytes, each compressed by gzip."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return sum(len(gzip.compress(path.read_bytes())) for path in files)


def main(arguments: list[str]) -> int:
    folder, documentation, *_ = [*arguments, "", ""]
    out = Path(folder) if folder else ROOT / "site" / "playground"
    LOG.parent.mkdir(exist_ok=True)
    LOG.unlink(missing_ok=True)
    try:
        build(out, documentation)
    except SetupError as error:
        if isinstance(error, StepFailed):
            say(f"\n{last_output(LOG)}\n")
        say(str(error))
        return 1
    say(f"{out}: {compressed(out) / 1e6:.2f} MB compressed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
