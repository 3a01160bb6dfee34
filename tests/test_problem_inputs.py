"""Instances: facts that nobody reads, numbers that clingo misreads, texts that are no ASP."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable

import pytest
from helpers.command_line import run
from helpers.problems import CLPFD, written
from hypothesis import given
from hypothesis import strategies as st

import pylogic_sudoku as pls
from pylogic_sudoku.problem import Fact, Signature, facts
from pylogic_sudoku.problem.text import LARGEST

TAKES = "#defined size/1. {p(1..N)} :- size(N). #show p/1."


@pytest.fixture
def queens() -> pls.Problem:
    return pls.Problem("queens")


NOT_INPUTS = {"sise=4": "sise/1", "size(4,4).": "size/2", "size(4). x.": "x/0", "m(4).": "m/1"}


@pytest.mark.parametrize("text", NOT_INPUTS)
def test_a_typed_fact_that_nobody_reads_is_refused(text):
    done = run("solve", "-p", "queens", text)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"queens takes size/1, not {NOT_INPUTS[text]}" in done.stderr


def test_a_fact_that_stands_for_another_is_refused(queens):
    for text, other in NOT_INPUTS.items():
        if other in ("sise/1", "size/2"):
            with pytest.raises(pls.InvalidProblem) as error:
                queens.instance(text)
            assert str(error.value) == f"instance: queens takes size/1, not {other}"
        else:
            assert queens.instance(text).facts


def test_a_fact_in_a_file_may_be_a_note_but_not_stand_for_another(tmp_path):
    problem = written(tmp_path / "mine", mine_lp=TAKES, check_lp="violated(seen(X)) :- seen(X).")
    file = tmp_path / "file.lp"
    for text in (
        'size(4). author("me"). source(web).',
        "author(me).",
        "size(4). sise(3).",
        "seen(1).",
    ):
        file.write_text(text)
        assert problem.instance(file).facts
    for text, other in (("sise(4).", "sise/1"), ("size(4,5).", "size/2")):
        file.write_text(text)
        with pytest.raises(pls.InvalidProblem) as error:
            problem.instance(file)
        assert str(error.value) == f"{file}: mine takes size/1, not {other}"


def test_what_any_file_of_the_folder_reads_is_an_input(tmp_path):
    (tmp_path / "common.lp").write_text("p(X) :- deep(X).")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "help.pl").write_text("h(X) :- helped(X, _).")
    problem = written(
        tmp_path / "mine",
        mine_lp='#include "../common.lp". #show p/1.',
        mine_pl=":- ensure_loaded(help).\nanswer([p(X)]) :- h(X) ; own(X).",
        adapter_pl="read(X) :- adapted(X).",
        problem_toml='input = ["other/1"]',
    )
    for text in ("deep(1).", "helped(1,2).", "own(1).", "adapted(1)."):
        problem.must_read(problem.instance(text))
    with pytest.raises(pls.InvalidProblem, match=r"^instance: mine takes other/1, not helped/1$"):
        problem.must_read(problem.instance("helped(1)."))


def test_what_a_condition_of_a_head_reads_is_an_input(tmp_path):
    text = "1 { q(X) : p(X), not r(X) } 1. q(X) : s(X). :- t(X), q(X). #show q/1."
    problem = written(tmp_path / "mine", mine_lp=text)
    takes = "mine takes p/1, r/1, s/1 and t/1, not u/1"
    with pytest.raises(pls.InvalidProblem, match=f"^instance: {takes}$"):
        problem.must_read(problem.instance("u(1)."))


def test_the_name_of_a_predicate_is_no_constant(tmp_path):
    problem = written(tmp_path / "mine", mine_lp="{ p(1..N) } :- size(N). #show p/1.")
    for text in ("size(3).", "% size is 3\nsize (3).", 'size(3). note("size").'):
        with pytest.raises(pls.InvalidProblem, match=r"^-c size: neither the instance nor a"):
            problem.instance(text, constants={"size": 5})
    (fact,) = problem.instance("size(size).", constants={"size": 5}).facts
    assert fact.text == "size(5)"


@pytest.mark.parametrize(
    "number",
    [
        *("0x100000008", "0b1" + "0" * 31, "0o20000000000", "2147483648", "2147483647+1", "2**31"),
        *("65536*65536", "-2147483647-2", "1+(2147483647+1)*0"),
    ],
)
def test_a_number_that_clingo_reads_otherwise_is_refused(queens, number):
    with pytest.raises(pls.InvalidProblem, match=r"^instance:1: .* is too large for clingo, whose"):
        queens.instance(f"size({number}).")


@pytest.mark.parametrize(
    "text",
    [
        f"size({LARGEST}..{LARGEST}).",
        "size(1..0x7fffffff).",
        f"size(1..{LARGEST - 1}+1).",
        f"size(1..|-{LARGEST}|).",
        f"size(1 .. %* to *% (3;{LARGEST})).",
        f"size(X) :- X = 1..{LARGEST}.",
        f"#const n={LARGEST}. size(1..n).",
        f"size(1..n). #const n={LARGEST}.",
        f"size(1..{LARGEST}/1).",
        f"size(1..{LARGEST}?0).",
    ],
)
def test_an_interval_that_clingo_counts_for_ever_is_refused(text, monkeypatch):
    monkeypatch.setattr("clingo.Control.ground", lambda _: pytest.fail("it would count"))
    with pytest.raises(
        pls.InvalidProblem, match=r"^own:2: clingo never stops counting \(.*\.\..*\)"
    ):
        facts.read_facts(f"given(1).\n{text}", "own")


def test_an_interval_up_to_a_constant_from_outside_is_refused(queens):
    with pytest.raises(pls.InvalidProblem, match="end it at 2147483646, or write 2147483647 alone"):
        queens.instance("size(1..n).", constants={"n": LARGEST})


def test_intervals_may_be_beside_the_largest_number():
    read = facts.read_facts(
        f"p({LARGEST},1..2). p(3;{LARGEST}). p({LARGEST - 1}..{LARGEST - 1}).", "own"
    )
    texts = {f"p({LARGEST},1)", f"p({LARGEST},2)", "p(3)", f"p({LARGEST})", f"p({LARGEST - 1})"}
    assert {each.text for each in read.facts} == texts


def test_numbers_of_constants_count_too(queens):
    with pytest.raises(pls.InvalidProblem, match="too large"):
        queens.instance("#const n=2147483647. size(n+1).")
    for text in (f"size({LARGEST}).", "size(0x7fffffff).", "#const n=2147483646. size(n+1)."):
        assert queens.instance(text).facts[0].text == f"size({LARGEST})"
    assert str(queens.instance("size(-2147483647-1).")) == "size(-2147483648)."


# --- characters ---

OUTSIDE = "größe(8)."


@pytest.mark.parametrize("command", ["solve", "count", "compare", "propagate"])
def test_a_character_outside_ascii_is_named_with_its_place(command):
    done = run(command, "-p", "queens", f"% é\n{OUTSIDE}")
    assert done.returncode == 2
    assert "instance:2:3: the character 'ö' is not allowed in a name of ASP" in done.stderr


def test_a_character_outside_ascii_in_a_program_is_named(tmp_path):
    text = "#show p/1.\np(1) :- q(1), r\N{EN DASH}s."
    for name, words in (("mine_lp", text), ("other_lp", '#include "mine.lp". #show p/1.')):
        problem = written(tmp_path / "mine", **{name: words})
    for program in ("clingo", "clingo:other"):
        with pytest.raises(pls.BackendFailure) as error:
            pls.solve(problem.instance("q(1)."), program)
        place = f"{tmp_path / 'mine' / 'mine.lp'}:2:16"
        assert str(error.value).startswith(f"clingo: {place}: the character '\N{EN DASH}' is not")
    script = tmp_path / "own.lp"
    script.write_text(text)
    with pytest.raises(pls.BackendFailure, match=r"own\.lp:2:16: the character"):
        pls.solve("." * 16, f"clingo:{script}")


def test_strings_and_comments_may_have_any_character(tmp_path):
    text = '% é\n%* ü\n ö *% p("ä\\"ß"). #show p/1.'
    problem = written(tmp_path / "mine", mine_lp=text, mine_pl="answer([p('ä\"ß')]).")
    assert pls.compare(problem.instance("% ß")).agree


@pytest.mark.parametrize("name", ["Łódź", "ž", "日本", "Köln"])
def test_a_text_of_any_script_is_a_value(tmp_path, name):
    problem = written(
        tmp_path / "mine",
        mine_lp=f'at("{name}",1..2). #show at/2.',
        mine_pl=f"{CLPFD}model([at('{name}')-X]) :- X in 1..2.",
        mine_own_pl=f"answer([at('{name}',1),at('{name}',2)]).",
    )
    instance = problem.instance("")
    assert pls.compare(instance, ["clingo", "prolog:mine_own"], limit=None).agree
    assert {str(each) for each in pls.solutions(instance, "prolog")} == {
        f'at("{name}",{n}).' for n in (1, 2)
    }


BOM = "\ufeff"


def test_a_byte_order_mark_is_no_fault(tmp_path):
    problem = written(
        tmp_path / "mine",
        mine_lp=f'{BOM}#include "more.lp".\n#show p/1.',
        more_lp="p(1..N) :- n(N).",
        mine_pl=f"{BOM}answer(L) :- n(N), findall(p(I), between(1, N, I), L).",
    )
    (tmp_path / "mine" / "instances").mkdir()
    (tmp_path / "mine" / "instances" / "a.lp").write_text(f"{BOM}n(2).", encoding="utf-8")
    comparison = pls.compare(problem.instances["a"])
    assert comparison.agree
    assert [str(each) for each in comparison.solutions] == ["p(1). p(2)."]
    (tmp_path / "mine" / "mine.lp").write_text(f"{BOM}p(1) :- q r.", encoding="utf-8")
    with pytest.raises(pls.BackendFailure, match=r"mine\.lp:1:11-12: error: syntax error"):
        pls.solve(problem.instances["a"])


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"size(\xff).", ":1: the byte 0xff is not UTF-8, perhaps Latin-1; save the file in UTF-8"),
        ("size(8).".encode("utf-16"), " is in UTF-16, as some editors on Windows write; save the"),
    ],
)
def test_another_encoding_is_named_with_what_to_do(tmp_path, queens, data, words):
    file = tmp_path / "file.lp"
    file.write_bytes(data)
    with pytest.raises(pls.InvalidProblem) as error:
        queens.instance(file)
    assert str(error.value).startswith(f"{file}{words}")
    for name in ("mine.lp", "mine.pl"):
        folder = tmp_path / name[-2:]
        folder.mkdir()
        (folder / name).write_bytes(data)
        engine = "clingo" if name.endswith("lp") else "prolog"
        with pytest.raises(pls.BackendFailure) as failure:
            pls.solve(pls.Problem(folder).instance(""), engine)
        assert f"{folder / name}{words}" in str(failure.value)
    assert run("solve", "-b", f"prolog:{tmp_path / 'pl' / 'mine.pl'}", "." * 16).returncode == 2


def test_half_a_character_is_refused(queens):
    with pytest.raises(pls.InvalidProblem, match=r"is half a character"):
        queens.instance("size(\ud800).")


def test_no_text_ends_the_process():
    text = (
        "import pylogic_sudoku as pls\n"
        "for text in ('größe(8).', 'size(8). ü', chr(0xfeff) + 'size(8).', 'a(' + chr(0xd800)):\n"
        "    try: print(pls.Problem('queens').instance(text))\n"
        "    except pls.InvalidProblem: print('refused')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", text], capture_output=True, text=True, encoding="utf-8"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split("\n")[:2] == ["refused", "refused"]
    assert done.stdout.split("\n")[3] == "refused"


# --- what answers consist of ---


def test_terms_that_are_shown_are_part_of_the_answer(tmp_path):
    text = "{ p(1..2) }. #show p/1. #show f(X) : p(X)."
    problem = written(tmp_path / "mine", mine_lp=text)
    answers = {str(each) for each in pls.solutions(problem.instance(""))}
    assert answers == {"", "f(1). p(1).", "f(2). p(2).", "f(1). f(2). p(1). p(2)."}
    only_terms = written(tmp_path / "other", other_lp="1 { p(1..4) } 1. #show. #show X : p(X).")
    with pytest.raises(pls.BackendFailure, match="is not an atom"):
        pls.solve(only_terms.instance(""))


def test_a_predicate_that_is_shown_need_not_be_there(tmp_path):
    for more in ("#show zz/3.", "#defined zz/3. #show zz/3.", "#show fact/1."):
        problem = written(tmp_path / "mine", mine_lp=f"{{a}}. #show a/0. {more}")
        assert pls.count(problem.instance("")) == 2
    problem = written(tmp_path / "mine", mine_lp="{a}. #show zz/3.")
    with pytest.raises(pls.BackendFailure, match="no rule has zz/3 as its head"):
        pls.solve(problem.instance(""))


def test_a_text_and_a_constant_of_one_name_are_refused(tmp_path):
    problem = written(tmp_path / "mine", mine_lp='{ p("a"); p(a) }. #show p/1.')
    for ask in (pls.count, lambda which: list(pls.solutions(which)), pls.propagate, pls.candidates):
        with pytest.raises(pls.BackendFailure) as error:
            ask(problem.instance(""))
        assert 'p("a")' in str(error.value)
        assert "p(a)" in str(error.value)
        assert str(error.value).endswith("use one of them")


def test_a_folder_without_instances_is_asked_without_facts(tmp_path):
    written(tmp_path / "mine", mine_lp="p(2). #show p/1.", mine_pl="answer([p(2)]).")
    done = run("solve", "-p", tmp_path / "mine")
    assert (done.returncode, done.stdout) == (0, "p(2).\n")
    assert run("compare", "-p", tmp_path / "mine").returncode == 0
    assert run("count", "-p", tmp_path / "mine", "-b", "prolog").stdout == "1\n"


def test_terms_that_are_too_deep_are_refused(tmp_path):
    deep = "f(" * 20_000 + "1" + ")" * 20_000
    problem = written(
        tmp_path / "mine",
        mine_lp="p(X) :- q(X). #show p/1.",
        mine_pl="answer([p(T)]) :- numlist(1, 20000, L), foldl([_,A,f(A)]>>true, L, 1, T).",
    )
    with pytest.raises(pls.InvalidProblem, match="nested more than 100 deep"):
        problem.instance(f"q({deep}).")
    with pytest.raises(pls.BackendFailure, match="nested more than 100 deep"):
        pls.solve(problem.instance(""), "prolog")
    just = "f(" * 99 + "1" + ")" * 99
    assert str(pls.solve(problem.instance(f"q({just})."))) == f"p({just})."


# --- helpers beside the program ---


def test_a_helper_that_a_program_loads_is_no_program(tmp_path):
    for directive in (":- use_module(rules).", ":- [rules].", ":- ensure_loaded('rules.pl')."):
        module = ":- module(rules, [h/1]).\n" if "use" in directive else ""
        problem = written(
            tmp_path / "mine",
            mine_pl=f"{directive}\nanswer([p(X)]) :- h(X).",
            rules_pl=f"{module}h(1).",
        )
        assert list(problem.paths) == ["prolog"]
        assert pls.compare(problem.instance(""), ["prolog:*"]).outcome == "agree"


# --- facts without a parser ---

NUMBERS = st.integers(-20, 20).map(str)
TEXTS = ["a", "b", "aa", "aB", "a_", "z9", '""', '"a"', '"% é, e(1)."', r'"a\"\\\n"', '"aa"']
WORDS = st.lists(NUMBERS | st.sampled_from(TEXTS), max_size=3)
NAMES = st.sampled_from(["e", "f", "size", "aB", "x_1", "nota"])
COMMAS = st.sampled_from([",", ", ", " ,\n"])
ENDS = st.sampled_from([".", " .", ".\n", ". % e(1).\n", ". %* x\n e(2). *% "])


def fact(name: str, words: list[str], comma: str, end: str) -> str:
    return f"{name}({comma.join(words)}){end}" if words else f"{name}{end}"


def grouped(some: Iterable[Fact]) -> dict[Signature, list[str]]:
    groups: dict[Signature, list[str]] = {}
    for each in some:
        groups.setdefault(each.signature, []).append(each.text)
    return groups


@given(st.lists(st.builds(fact, NAMES, WORDS, COMMAS, ENDS), max_size=20))
def test_plain_facts_are_those_that_clingo_reads(texts):
    text = " ".join(texts)
    plain = facts._plain_facts(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "_plain_facts", lambda _text: None)
        parsed = facts.read_facts.__wrapped__(text, "text").facts
    assert plain is not None
    assert grouped(plain) == grouped(parsed)


STATEMENTS = """\
a(X). | a :- b. | a(1..2). | a(1;2,3). | a(b(c),(1,2)). | -a(1). | b(1+1). | #const n=2. | .
| a(n). | c(X) :- a(X). | d("é. e(1). % ", -1). | e(f(-1)). | a(not). | a(1)b. | a(_b). | {a}.
| %* e(1). *% | %* %* *% e(2). | % e(3). | #minimize {1 : a}. [ | :~ a(1). [1@2] | b(1..n).
| a(1). a | #show a/1. | #external a(1). [true] | a(0x7F). | a(1.. -1). | e((1,)). | g(2**3).
| :- e(1). | a(2-3). | f(é). | #script (lua) f(1). a(2). #end. | a(f(1,"x"),"\\"")."""
SOME = st.sampled_from(STATEMENTS.split("|"))


@given(st.lists(SOME | st.builds(fact, NAMES, WORDS, COMMAS, ENDS), max_size=8))
def test_facts_beside_other_statements_are_those_of_the_syntax_tree(texts):
    def said() -> object:
        try:
            return facts.read_facts.__wrapped__(" ".join(texts), "text")
        except pls.InvalidProblem as error:
            return str(error)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(facts, "_plain_facts", lambda _text: None)
        quick = said()
        patch.setattr(facts, "_not_simple", lambda text: text)
        assert quick == said()


@pytest.mark.parametrize("text", ["a(1;2).", "a(f(1),2..3) .", 'a(1, 0;b).\nc("x";-1). d.'])
def test_pools_and_intervals_need_no_syntax_tree(text):
    assert not facts._not_simple(text).strip()


PARSED = """\
a(X). | a :- b. | a(1..2). | a(1;2). | a("b\\t"). | a(b(c)). | not a. | a(not). | a | a(007).
| #const n=1. | -a. | a(1+1). | a(_b). | a'(1). | a(1)b. | a(-0)."""


@pytest.mark.parametrize("text", [each.strip() for each in PARSED.split("|")])
def test_anything_else_is_parsed(text):
    assert facts._plain_facts(text) is None
