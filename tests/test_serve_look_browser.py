"""How the page looks in a real headless Chromium: roles, paper, forced colours, small screens."""

from __future__ import annotations

from itertools import combinations

import pytest
from helpers.browsing import cell, message
from helpers.doing import press
from helpers.panels import hint
from helpers.puzzles import PRINTED
from helpers.screens import fits, phone

pytestmark = pytest.mark.slow


PUZZLE = list(PRINTED)[-1]
PHONES = [(390, 844), (320, 568)]


def middle(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_rows_and_columns_have_numbers(visit):
    page = visit(viewport={"width": 320, "height": 700})
    for side, axis, names in (("rows", 1, "r{}c1"), ("columns", 0, "r1c{}")):
        numbers = page.locator(f".numbers.{side} span")
        assert numbers.all_inner_texts() == [str(number) for number in range(1, 10)]
        for at in range(9):
            named = cell(page, names.format(at + 1)).bounding_box()
            number = numbers.nth(at).bounding_box()
            assert abs(middle(number)[axis] - middle(named)[axis]) < 3
            assert number["x" if axis else "y"] < named["x" if axis else "y"]
    fits(page)


def test_dialogs_fit_a_small_phone(visit):
    page = visit(viewport={"width": 320, "height": 640})
    for name in ("Puzzles", "Share", "Help"):
        press(page, name)
        widths = "dialog => [dialog.scrollWidth, dialog.clientWidth]"
        wide, window = page.locator("dialog[open]").evaluate(widths)
        assert wide <= window
        page.keyboard.press("Escape")


def test_the_keyboard_is_at_the_answer(visit):
    page = visit()
    page.get_by_role("button", name="Hint", exact=True).focus()
    page.keyboard.press("Enter")
    page.locator("#actions button:focus").get_by_text("Show the cell").wait_for()
    page.keyboard.press("Enter")
    next_step = page.locator("#actions button").get_by_text("Next step")
    next_step.wait_for()
    next_step.focus()
    next_step.wait_for()
    page.keyboard.press("Enter")
    message(page, "r5c2 is 2")
    next_step.wait_for()  # though it is the second button now, after "Back"
    page.keyboard.press("Escape")
    page.locator(".cell.selected:focus").wait_for()


SIZES = [(1366, 768, 450), (1920, 1080, 780), (820, 1180, 330), (390, 844, 330)]


def covers(one, other):
    """Whether two boxes share a place."""
    return all(
        one[start] < other[start] + other[length] and other[start] < one[start] + one[length]
        for start, length in (("x", "width"), ("y", "height"))
    )


def test_every_size_shows_the_board_the_button_and_what_a_program_is(visit):
    page = visit()
    for width, height, wide in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        fits(page)
        assert page.locator("#board").bounding_box()["width"] >= wide
        boxes = ["#board", "#solve", "#pad", ".doing"]
        boxes += ["#tabs"] if width < 640 else ["#program-clingo", "#program-prolog"]
        places = [page.locator(each).bounding_box() for each in boxes]
        assert all(box["y"] + box["height"] <= height for box in places)
        assert not any(covers(one, other) for one, other in combinations(places, 2))


def test_a_phone_shows_the_board_and_the_answer(visit):
    page = visit(**phone(390, 844))
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        cell(page, "r1c3").tap()
        page.get_by_role("button", name="Why?", exact=True).tap()
        page.locator(".cell.role-target").first.wait_for()
        target = page.locator(".cell.role-target").first.bounding_box()
        said = page.locator("#message").bounding_box()
        assert 0 <= target["y"] < target["y"] + target["height"] <= said["y"]
        fits(page)
        page.get_by_role("button", name="Close").tap()
        assert page.locator("#pad").is_visible()


def printed(page, tmp_path):
    """The first sheet of paper without background graphics: its text, and its pixels as rows."""
    import pypdfium2

    file = tmp_path / "page.pdf"
    page.pdf(path=str(file), format="A4", print_background=False)
    sheet = pypdfium2.PdfDocument(str(file))[0]
    text = sheet.get_textpage().get_text_bounded()
    return text, sheet.render(scale=2, grayscale=True).to_numpy()


def test_paper_has_the_digits_and_the_lines_without_background_graphics(visit, tmp_path):
    page = visit()
    for colours in ("light", "dark"):
        page.emulate_media(color_scheme=colours)
        text, pixels = printed(page, tmp_path)
        digits = "".join(line for line in text.split() if line.isdigit())
        for number in "123456789":
            numbers = 2  # of a row and a column
            assert digits.count(number) - numbers >= PUZZLE.count(number)
        assert (pixels > 250).mean() > 0.8  # white, not a black or grey square
        for lines in (pixels, pixels.T):
            dark = [line for line in range(len(lines)) if (lines[line] < 110).mean() > 0.45]
            groups = [at for at in dark if at - 1 not in dark]
            assert len(groups) == 4  # around the boxes


def test_forced_colours_keep_the_boxes_and_the_highlights(visit):
    page = visit(forced_colors="active")
    style = "(e, name) => getComputedStyle(e)[name]"
    wide = [
        cell(page, name).evaluate(style, "borderRightWidth") for name in ("r1c2", "r1c3", "r1c4")
    ]
    assert wide == ["1px", "4px", "1px"]
    hint(page)
    shapes = page.locator(".cell.role-target .shape.target")
    assert shapes.first.evaluate(style, "stroke") != "none"
    ground = page.locator("#board").evaluate(style, "backgroundColor")
    assert shapes.first.evaluate(style, "stroke") != ground
