"""The playground and the network: without one, with another address, with a new version."""

from __future__ import annotations

import shutil

import pytest
from helpers.browsing import press
from helpers.playground import hosted
from helpers.puzzles import CLASSIC
from playwright.sync_api import expect
from test_playground_browser import answered

pytestmark = pytest.mark.slow


def test_it_works_without_a_network_after_the_first_visit(browser, playground):
    context = browser.new_context()
    page = context.new_page()
    with hosted(playground) as (address, _):
        page.goto(f"{address}#3x3,{CLASSIC}")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    # Nothing answers there any more.
    page.goto(f"{address}?again#3x3,{CLASSIC}")
    press(page, "Solve")
    answered(page, "1 solution")
    page.get_by_role("link", name="Licences").click()
    page.get_by_role("heading", name="swipl-wasm").first.wait_for()
    context.close()


def test_nothing_is_asked_of_another_address(browser, playground):
    """The server is the browser's proxy, so it sees all requests, those of workers included."""
    with hosted(playground) as (address, asked):
        proxy = {"server": address, "bypass": "<-loopback>"}
        context = browser.new_context(proxy=proxy)
        page = context.new_page()
        page.goto(f"{address}#3x3,{CLASSIC}")
        press(page, "Solve")
        answered(page, "1 solution")
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        context.close()
    assert f"{address}swipl/swipl-web.wasm" in asked
    assert [each for each in asked if not each.startswith(address)] == []


def test_a_new_version_takes_over_when_the_page_is_loaded_again(
    browser, playground, playground_script, tmp_path
):
    folder = tmp_path / "site"
    shutil.copytree(playground, folder)
    context = browser.new_context()
    with hosted(folder) as (address, _):
        page = context.new_page()
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready.then(() => null)")
        before = page.evaluate("caches.keys()")
        changed = (folder / "index.html").read_text().replace("Sudoku by logic", "Another version")
        (folder / "index.html").write_text(changed)
        shutil.copy(playground_script.SOURCE / "offline.js", folder)
        playground_script.keep_offline(folder)
        page.reload()
        assert page.title() == "Sudoku by logic"  # the old version, as a whole
        page.evaluate(
            """async () => {
                const known = await navigator.serviceWorker.getRegistration();
                await known.update();
                while (!known.waiting) await new Promise((later) => setTimeout(later, 50));
            }"""
        )
        page.reload()
        expect(page).to_have_title("Another version")
        keys = page.evaluate(
            """async () => {
                const soon = () => new Promise((later) => setTimeout(later, 50));
                while ((await caches.keys()).length > 1) await soon();
                return caches.keys();
            }"""
        )
        assert len(before) == len(keys) == 1
        assert before != keys
    context.close()
