"""Take the pictures of the page for the documentation: python docs/screenshots.py.

Needs the extras serve and dev, Chromium, and Pillow.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from itertools import product
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory
from typing import Literal

from PIL import Image
from playwright.sync_api import Locator, Page, ViewportSize, sync_playwright

from pylogic_sudoku import Grid
from pylogic_sudoku.check import Report, grade
from pylogic_sudoku.check.reports import write
from pylogic_sudoku.check.results import mark

IMAGES = Path(__file__).parent / "images"
EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SCALE = 1.25
FAULTY = """\
:- use_module(library(clpfd)).

sudoku(Rows) :-
    append(Rows, Cells),
    Cells ins 1..9,
    maplist(all_distinct, Rows),
    transpose(Rows, Columns),
    maplist(all_distinct, Columns),
    Rows = [A,B,C,D,_,F,G,H,I],
    blocks(A, B, C),
    blocks(D, D, F),
    blocks(G, H, I),
    label(Cells).

blocks([], [], []).
blocks([A,B,C|Top], [D,E,F|Middle], [G,H,I|Bottom]) :-
    all_distinct([A,B,C,D,E,F,G,H,I]),
    blocks(Top, Middle, Bottom).
"""
PASTE = """text => {
  const data = new DataTransfer();
  data.setData("text", text);
  document.body.dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true }));
}"""


def answers(page: Page, address: str) -> Page:
    """The answers of both programs to the first puzzle, beside their texts."""
    page.goto(address)
    page.wait_for_selector("main:not([aria-busy])")
    page.get_by_role("button", name="Solve with both").click()
    page.locator(".verdict", has_text="Before a guess ASP").wait_for()
    return page


def programs(page: Page, address: str) -> Page:
    """The wrong answer of a program that is changed."""
    page.goto(f"{address}#3x3,{EXAMPLE}")
    page.wait_for_selector("main:not([aria-busy])")
    program = page.get_by_role("textbox", name="classic.pl")
    program.fill(program.input_value().replace("[Rows, Columns, Boxes]", "[Rows, Columns]"))
    page.get_by_role("button", name="Solve with both").click()
    page.get_by_role("button", name="Show the wrong answer").click()
    page.get_by_text("Looking for the line").wait_for(state="hidden")
    return page


def rules(page: Page, address: str) -> Page:
    """A puzzle with rules, and a whisper that is being added."""
    page.goto(address)
    page.wait_for_selector("main:not([aria-busy])")
    page.evaluate(PASTE, (IMAGES / "rules.json").read_text(encoding="utf-8"))
    page.locator("#rule-list li").first.wait_for()
    page.get_by_role("button", name="Puzzles").click()
    page.get_by_role("button", name="Change this puzzle").click()
    page.get_by_role("button", name="Whispers").click()
    page.get_by_label("cells", exact=True).fill("r7c1 r8c2 r8c3 r7c4")
    page.get_by_label("difference (optional)").fill("5")
    page.get_by_label("difference (optional)").select_text()
    return page


def report(page: Page, _address: str) -> Locator:
    """The report on a program that loses a solution: the line of the goal that fails."""
    with TemporaryDirectory() as folder:
        program = Path(folder) / "main.pl"
        program.write_text(FAULTY, encoding="utf-8")
        verdicts = grade(program, Grid.parse(EXAMPLE))
        results = (mark(program.name, each, times=False) for each in verdicts)
        written = write(Report(tuple(results), "Week 3"), "html")
    page.set_content(written)
    return page.locator("details")


SHOWN: dict[str, tuple[int, int, Callable[[Page, str], Page | Locator]]] = {
    "page": (1366, 768, answers),
    "page-programs": (1366, 768, programs),
    "page-rules": (1366, 820, rules),
    "report": (860, 900, report),
}
"""For each picture the width and height of the window, and a function that returns what to show."""
ENDINGS: dict[Literal["light", "dark"], str] = {"light": "", "dark": "-dark"}
"""The ending of the names of the files, by what a reader prefers."""
MAX_SIZE = 78_000
"""Bytes of a picture."""


@contextmanager
def served() -> Iterator[str]:
    """The address of a server of our own."""
    command = [sys.executable, "-m", "pylogic_sudoku", "serve", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


def save(taken: bytes, path: Path) -> None:
    """Write the picture in the best size and quality that stay within `MAX_SIZE`."""
    picture = Image.open(BytesIO(taken)).convert("RGB")
    for scale, quality in product((1, 0.8, 0.64), range(90, 50, -5)):
        made = BytesIO()
        smaller = picture.resize((round(picture.width * scale), round(picture.height * scale)))
        smaller.save(made, "webp", quality=quality, method=6)
        if made.tell() <= MAX_SIZE:
            break
    path.write_bytes(made.getvalue())


def main() -> None:
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=which("chromium"), args=["--no-sandbox", "--disable-gpu"]
        )
        for (name, (width, height, prepare)), scheme in product(SHOWN.items(), ENDINGS):
            size = ViewportSize(width=width, height=height)
            page = browser.new_page(viewport=size, device_scale_factor=SCALE, color_scheme=scheme)
            shown = prepare(page, address)
            page.wait_for_load_state("networkidle")
            save(shown.screenshot(), IMAGES / f"{name}{ENDINGS[scheme]}.webp")
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
