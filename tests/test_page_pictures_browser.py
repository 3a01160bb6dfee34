"""Pictures of answers on the page: what a description draws, and what is wrong with one."""

from __future__ import annotations

import pytest
from helpers.browsing import faults, fits, phone
from helpers.doing import press
from helpers.panels import edit, solve
from playwright.sync_api import expect
from test_page_problems_browser import (
    COPIED,
    again,
    answers,
    given,
    instance,
    opened,
    picture,
    verdict,
)
from test_pictures import PROBLEMS, drawn, edges, nodes

import pylogic_sudoku as pls

pytestmark = pytest.mark.slow

SEEN = """async (atoms) => {
  const { pictureOf } = await import("./picture.js");
  document.body.append(pictureOf(atoms));
  const all = (what) => [...document.querySelectorAll(`.drawn:last-child ${what}`)];
  const heard = all(":is(.unseen li, tr)").map((each) => each.innerText);
  const [cells, shapes, lines, signs] = ["td.value", "rect.node", "path.edge", ".sign"].map(all);
  return [cells.length, signs.length, shapes.length, lines.length, heard];
}"""
SAYS = """async ([name, atoms]) => {
  const module = await import("./picture.js");
  try {
    const found = module[name](atoms);
    const parts = [...(found?.querySelectorAll("li, td, th") ?? [])];
    return found && [found.tagName.toLowerCase(), parts.map((each) => each.innerText)];
  } catch ({ message }) {
    return message;
  }
}"""


def shown(page, atoms):
    """The picture of these atoms: its tag and texts, or the error."""
    return page.evaluate(SAYS, ["pictureOf", atoms])


FIRST = {name: pls.Problem(name).first for name in PROBLEMS} | {"magic_square": "durer"}
INSTANCES = FIRST | {"quasigroup": "5", "all_interval": "7", "set_cover": "radio"}


def test_every_node_and_edge_of_each_problem_is_seen_and_heard(visit):
    page = visit()
    for problem in PROBLEMS:
        _, answer, described = drawn(problem, INSTANCES[problem])
        assert answer, problem
        cells, signs, shapes, lines, said = page.evaluate(SEEN, list(map(str, described)))
        layout = {value for *_, key, value in described.values("attr") if key == "layout"}
        number, ways = len(nodes(described)), len(edges(described))
        if layout == {"table"}:
            assert (cells, signs) == (number, ways), problem
        else:
            assert (shapes, lines) == (number, ways), problem
        heard = "\n".join(said)
        for *_, key, value in described.values("attr"):
            if key == "label":
                words = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
                assert words in heard, problem


GRAPH = ["node(a)", "node(b)", "edge((a,b))"]
TABLE = ["attr(graph,default,layout,table)", "node((1,1))", "node((1,3))", "node((2,2))"]
BARS = ["attr(graph,default,layout,bars)", "node((saw,0,3))", "node((saw,3,5))"]
WRONG = [
    (GRAPH, "edge((a,c))", "there is no node c; add node(c), or correct the edge"),
    (GRAPH, "edge(a)", "an edge is a pair of nodes, such as edge((a,b))"),
    (GRAPH, "colour(a,1)", "a picture consists of node/1, node/2, edge/1, edge/2"),
    (GRAPH, "attr(node,a,label)", "a picture consists of node/1"),
    (GRAPH, "node(c,big)", "there is no graph big; add graph(big), or correct the name"),
    (GRAPH, "attr(node,d,label,x)", "there is no node d; add node(d), or correct the name"),
    (GRAPH, "attr(edge,(b,a),label,x)", "there is no edge (b,a); add edge((b,a))"),
    (GRAPH, "attr(graph,big,label,x)", "there is no graph big; add graph(big), or write default"),
    (GRAPH, "attr(nodes,a,label,x)", "there is no element nodes; choose one of graph, node, edge"),
    (GRAPH, "attr(node,a,colour,red)", "no attribute colour of node; choose one of label, xlabel"),
    (
        GRAPH,
        "attr(node,a,color,rot)",
        "the color rot is unknown; expected a number, a name such as red",
    ),
    (GRAPH, "attr(edge,(a,b),dir,back)", "the dir back is unknown; expected forward or none"),
    (
        GRAPH,
        "attr(graph,default,layout,dot)",
        "the layout dot is unknown; expected neato or table or bars",
    ),
    (
        [*GRAPH, "attr(node,a,style,bold)"],
        "attr(node,a,style,dashed)",
        "it has the style bold, too",
    ),
    (TABLE, "node(a)", "in a table, a node is a pair of a row and a column"),
    (TABLE, "edge(((1,1),(2,2)))", "in a table, an edge is between cells side by side"),
    (BARS, "node((saw,5,4))", "a bar is a row, a start and an end, such as node((saw,0,3))"),
    (BARS, "edge(((saw,0,3),(saw,3,5)))", "bars have no edges; leave it out"),
]
"""Atoms that are right, one that is wrong, and the error."""


def test_what_is_wrong_with_a_description_is_said_with_what_to_do(visit):
    page = visit()
    for atoms, atom, says in WRONG:
        found = shown(page, [*atoms, atom])
        assert isinstance(found, str), says
        assert found.startswith(f"draw.lp: {atom}: ")
        assert says in found
    many = shown(page, [f"node({each})" for each in range(2001)])
    assert "the picture has 2001 nodes and 0 edges; at most 2000 are drawn" in many
    for atoms in (GRAPH, TABLE, BARS):
        assert shown(page, atoms)[0] == "div"
    assert shown(page, []) is None


def test_words_of_a_description(visit):
    page = visit()
    graphs = ["graph(g)", "node(a,g)", "node(b,g)", "edge((a,b),g)", "attr(graph,g,label,two)"]
    more = ["attr(graph_nodes,g,fillcolor,red)", "attr(node,a,label,(x,1))", "attr(node,b,label,y)"]
    also = ["attr(node,b,label,x)", "attr(graph_edges,g,dir,forward)", "attr(edge,(a,b),label,3)"]
    assert shown(page, [*graphs, *more, *also]) == [
        *("div", ["x 1, red", "x, y, red", "x 1 to x, y: 3"])
    ]
    places = ['node(((2,a),(1,"")))', 'node(((1,b),(2,"")))', 'attr(node,((1,b),(2,"")),label,9)']
    assert shown(page, [TABLE[0], *places])[1] == ["b", "", "9", "a", "", ""]


def test_without_a_description_there_is_a_table_of_values_or_a_list(visit):
    page = visit()

    def plain(*atoms):
        return page.evaluate(SAYS, ["plainPicture", atoms])

    assert plain("on(b,10)", "on(b,9)", "on(a)") == ["ul", ["on(a)", "on(b,9)", "on(b,10)"]]
    queens = [f"queen({row},{column})" for row, column in ((1, 2), (2, 4), (3, 1), (4, 3))]
    assert plain(*queens) == ["ul", queens]
    square = [f"cell({row},{column},{row + column})" for row in (1, 2) for column in (1, 2)]
    assert plain(*square)[1] == ["", "1", "2", "1", "2", "3", "2", "3", "4"]
    assert plain(*square[:3])[0] == "ul"
    assert plain() is None


def description(page):
    return page.get_by_role("textbox", name="draw.lp")


def unfolded(page):
    page.get_by_text("Description of the picture").click()
    return description(page)


def test_a_change_of_the_description_redraws_the_answer(visit):
    page = visit()
    opened(page, "Zebra")
    given(page).select_option("three")
    solve(page)
    verdict(page, "Both agree: there is one answer.")
    page.locator("#problem-picture table").wait_for()
    facts, _, _ = drawn("zebra", "three")
    assert len(picture(page)) == len({house for _, house in facts["house"]}) + 1
    text = unfolded(page).input_value()
    description(page).fill(text.replace("label,T", "labels,T"))
    expect(page.locator("#problem-picture")).to_contain_text("no attribute labels of node; choose")
    description(page).fill(text.replace("node((H,K))  ", "node((H,K)"))
    expect(page.locator("#draw .lines > .wrong")).to_have_count(2)
    page.locator("#draw").get_by_role("button", name="Undo changes").click()
    page.locator("#problem-picture table").wait_for()
    expect(description(page)).to_have_value(text)
    description(page).fill("")
    expect(page.locator("#problem-picture .atoms li")).to_have_count(len(facts["house"]))
    expect(answers(page)).to_have_count(1)


def test_own_programs_have_a_list_or_a_description_which_a_reload_and_a_link_keep(visit):
    page = visit(**COPIED)
    press(page, "Your own two programs")
    solve(page)
    verdict(page, "Both agree: there are 6 answers.")
    items = page.locator("#problem-picture .atoms li")
    expect(items).to_have_text(["number(a,1)", "number(b,2)", "number(c,3)"])
    text = "#show node/1. #show edge/1.\nnode(T;V) :- number(T,V).\nedge((T,V)) :- number(T,V)."
    unfolded(page).fill(text)
    expect(page.locator("#problem-picture rect.node")).to_have_count(6)
    answers(page).nth(1).click()
    expect(page.locator("#problem-picture")).to_contain_text("Answer 2 of 6.")
    expect(page.locator("#problem-picture path.edge")).to_have_count(3)
    description(page).fill(f"{text}\n{{ node(x) }}.")
    expect(page.locator("#problem-picture")).to_contain_text("draw.lp has several answers")
    description(page).fill(f"{text}\n:- node(a).")
    expect(page.locator("#problem-picture")).to_contain_text("draw.lp has no answer")
    description(page).fill("node(a).")
    expect(page.locator("#problem-picture")).to_contain_text("draw.lp shows nothing")
    description(page).fill(text)
    again(page)
    assert unfolded(page).input_value() == text
    press(page, "Copy link")
    page.get_by_text("Copied.").wait_for()
    other = visit()
    other.goto(page.evaluate("navigator.clipboard.readText()"))
    other.get_by_role("button", name="Back to sudoku").wait_for()
    expect(unfolded(other)).to_have_value(text)


@pytest.mark.parametrize("look", [{"color_scheme": "dark"}, phone(390, 844)])
def test_axe_finds_nothing_in_pictures_and_they_fit(visit, look):
    page = visit(**look)
    for name, which, seen in (
        *(("Zebra", "zebra", "table"), ("Graph colouring", "petersen", "svg")),
        *(("Job shop", "2", "svg"), ("All-interval", "7", "table")),
    ):
        opened(page, name)
        given(page).select_option(which)
        solve(page)
        page.locator(f"#problem-picture {seen}").wait_for(state="attached")
        if not description(page).is_visible():
            unfolded(page)
        assert faults(page) == []
        fits(page)
        wide = "e => e.scrollWidth - e.clientWidth"
        assert page.locator("#problem-picture").evaluate(wide) <= 0
        press(page, "Back to sudoku")


def test_a_wrong_answer_and_an_instance_alone_are_drawn(visit):
    page = visit()
    opened(page, "Graph colouring")
    given(page).select_option("triangle")
    solve(page)
    verdict(page, "Both agree: there is no answer.")
    expect(page.locator("#problem-picture")).to_contain_text("The instance.")
    expect(page.locator("#problem-picture rect.node")).to_have_count(3)
    edit(page, "ASP", "C = 1..K }", "C = 1..K+1 }")
    solve(page)
    expect(page.locator("#problem-picture")).to_contain_text("only ASP has it.")
    instance(page).fill("node(a).")
    expect(page.locator("#problem-picture")).to_be_empty()
