"""lz-string's compression: what the original writes, every text, and data that are damaged."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pylogic_sudoku import InvalidPuzzle
from pylogic_sudoku.formats import _lzstring
from pylogic_sudoku.formats._lzstring import compress, decompress

ORIGINAL = {
    "": "Q===",
    "a": "IZA=",
    "aa": "IbI=",
    "a" * 20: "IY1/kA==",
    '{"size":9}': "N4IgzglgXgpiBcBOAvkA",
    "ünïcødé €": "D8Ow9wxgHwJglwAkDUEQ",
    "😀 smile 😀😀": "rwbgA9gEDOC2CWA2BTMpRA==",
    "\0\1": "AAQCA===",
}
"""Texts, and what version 1.5 of the JavaScript library makes of them."""


@pytest.mark.parametrize(("text", "base"), ORIGINAL.items())
def test_the_same_as_the_original(text, base):
    assert compress(text) == base
    assert decompress(base) == text


@given(st.text(st.characters(exclude_categories=["Cs"])) | st.text("ab", max_size=300))
def test_every_text_survives(text):
    assert decompress(compress(text)) == text


@given(st.text(st.sampled_from(_lzstring.ALPHABET), max_size=80))
def test_any_data_are_read_or_refused(data):
    with suppress(InvalidPuzzle):
        assert isinstance(decompress(data), str)


def test_what_an_address_does_to_data():
    text = "".join(map(chr, range(32, 400)))
    base = compress(text)
    assert "+" in base
    assert "/" in base
    assert decompress(base.replace("+", " ")) == text
    assert decompress(base.replace("+", "-").replace("/", "_").rstrip("=")) == text


@pytest.mark.parametrize(
    ("data", "complaint"),
    [
        ("N4IgzglgXgpi", "end too early"),
        ("", "end too early"),
        ("N4Ig!", "'!' is not a character of compressed data"),
        ("////", "damaged"),
    ],
)
def test_damaged_data_are_refused(data, complaint):
    with pytest.raises(InvalidPuzzle, match=complaint):
        decompress(data)


def test_a_short_code_for_an_endless_text_is_refused(monkeypatch):
    monkeypatch.setattr(_lzstring, "LONGEST", 1000)
    with pytest.raises(InvalidPuzzle, match="more than 1,000 characters"):
        decompress(compress("a" * 1001))
