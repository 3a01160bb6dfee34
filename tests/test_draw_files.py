"""Pictures as files: SVG, PNG, PDF, HTML and text."""

from __future__ import annotations

import re
import sys

import pytest
from helpers.puzzles import PRINTED

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku._resources import install_command
from pylogic_sudoku.draw import SUFFIXES, Picture

EXAMPLE, ANSWER = map(Grid.parse, list(PRINTED.items())[-1])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_files(tmp_path, suffix):
    picture = Picture(ANSWER, EXAMPLE, title="A & B")
    path = tmp_path / f"picture{suffix.upper()}"
    picture.save(path)
    written = path.read_bytes()
    if suffix == ".png":
        width, height = map(
            float, re.search(r'viewBox="0 0 (\S+) (\S+)"', picture.to_svg()).groups()
        )
        assert written.startswith(b"\x89PNG")
        sides = [int.from_bytes(written[at : at + 4], "big") for at in (16, 20)]
        assert sides == [2 * width, 2 * height]
    elif suffix == ".pdf":
        assert written.startswith(b"%PDF")
        assert b"/Font" in written  # text is text there too
    else:
        made = {".svg": picture.to_svg, ".html": picture.to_html, ".txt": picture.to_text}[suffix]
        assert written.decode() == made() + "\n"


def test_html_is_a_page_with_the_picture():
    page = Picture(ANSWER, EXAMPLE, title="A & B").to_html()
    assert page.startswith("<!DOCTYPE html>")
    assert "<title>A &amp; B</title>" in page
    assert page.count(Picture(ANSWER, EXAMPLE, title="A & B").to_svg()) == 1
    assert not re.search(r"(src|href)=|@import|url\(", page)


def test_other_files_are_refused(tmp_path):
    with pytest.raises(ValueError, match=r"'picture.gif'.*\.svg, \.png, \.pdf, \.html, \.txt"):
        Picture(EXAMPLE).save(tmp_path / "picture.gif")


def test_png_and_pdf_say_what_they_need(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    with pytest.raises(pls.BackendUnavailable, match=re.escape(install_command("draw"))):
        Picture(EXAMPLE).save(tmp_path / "picture.png")
    (tmp_path / "cairosvg.py").write_text('raise OSError("no library called cairo was found")')
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "cairosvg")
    with pytest.raises(pls.BackendUnavailable, match=r"no library called cairo(.|\n)*libcairo2"):
        Picture(EXAMPLE).save(tmp_path / "picture.pdf")
    assert not list(tmp_path.glob("picture.*"))
