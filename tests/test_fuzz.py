"""The search for differences between engines and definitions; its answers are counted by hand."""

import json
import re
import sys

import pytest
from helpers.documents import ROOT
from helpers.processes import ended

from benchmarks.fuzz import report, search
from benchmarks.fuzz.conjunctions import Conjunction, holds
from benchmarks.fuzz.contestants import Workers, contestants, verdict
from benchmarks.fuzz.programs import Aggregate, Cost, Element, Literal, Program, Rule

A, B, C, D, E, F = range(6)
OPEN = (None, None)


def rule(head, *body, bounds=None):
    """Atoms of a body are literals."""
    literals = (Literal(each) if isinstance(each, int) else each for each in body)
    return Rule(tuple(head), tuple(literals), bounds)


def no(atom):
    return Literal(atom, 1)


def total(elements, comparison, bound, negated=False):
    function = "#count" if all(weight == 0 for weight, _, _ in elements) else "#sum"
    made = (Element(*each[:2], each[2]) for each in elements)
    return Aggregate(function, tuple(made), comparison, bound, negated)


PROGRAMS = {
    "a fact": ([rule([A])], {"a"}),
    "two ways": ([rule([A], no(B)), rule([B], no(A))], {"a", "b"}),
    "no way": ([rule([A], no(A))], set()),
    "a loop": ([rule([A], B), rule([B], A)], {""}),
    "a disjunction is minimal": ([rule([A, B])], {"a", "b"}),
    "a head cycle": ([rule([A, B]), rule([A], B), rule([B], A)], {"a b"}),
    "a choice": ([rule([A, B], bounds=OPEN)], {"", "a", "b", "a b"}),
    "a choice of one": ([rule([A, B], bounds=(1, 1))], {"a", "b"}),
    "not not": ([rule([A], Literal(A, 2))], {"", "a"}),
    "a constraint": ([rule([A], bounds=OPEN), rule([], no(A))], {"a"}),
    "support of itself": ([rule([A], total([(0, 1, Literal(A))], ">=", 1))], {""}),
    "true of nothing": ([rule([A], total([(0, 1, Literal(A))], ">=", 0))], {"a"}),
    "weights that cancel": (
        [
            rule([A, B], bounds=OPEN),
            rule([], total([(2, 1, Literal(A)), (-2, 1, Literal(B))], "!=", 0)),
        ],
        {"", "a b"},
    ),
    "one element, two conditions": (
        [
            rule([A]),
            rule([B]),
            rule([C], total([(2, 1, Literal(A)), (2, 1, Literal(B))], "=", 2)),
        ],
        {"a b c"},
    ),
    "each derives the other": (
        [
            rule([C], F, total([(0, 1, no(F))], ">=", 1, negated=True)),
            rule([F], C),
            rule([F], E),
            rule([E], bounds=OPEN),
        ],
        {"", "c e f"},
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_answer_sets_are_those_of_the_definition(name):
    rules, right = PROGRAMS[name]
    assert {" ".join(each) for each in Program(6, tuple(rules)).answers()} == right


def test_of_costs_the_higher_priority_comes_first():
    costs = (Cost(1, 2, 1, Literal(A)), Cost(5, 1, 1, Literal(B)), Cost(1, 1, 2, no(A)))
    program = Program(2, (rule([A, B], bounds=(1, None)),), costs)
    assert program.answers() == {("b",)}
    assert program.text == "1 { a; b }.\n#minimize { 1@2,1 : a; 5@1,1 : b; 1@1,2 : not a }.\n"


X, Y, Z = (("var", at) for at in range(3))
CUBE = ((1, 3),) * 3
CONSTRAINTS = {
    "all_distinct([A, B, C])": (("all_distinct", (X, Y, Z)), 6),
    "circuit([A, B, C])": (("circuit", (X, Y, Z)), 2),
    "chain([A, B, C], #<)": (("chain", (X, Y, Z), "#<"), 1),
    "element(A, [B, C, 2], 2)": (("element", X, (Y, Z, 2), 2), 3 + 3 + 9),
    "lex_chain([[A], [B]])": (("lex_chain", ((X,), (Y,))), 6 * 3),
    "tuples_in([[A, A]], [[1, 1], [2, 3]])": (("tuples_in", (X, X), ((1, 1), (2, 3))), 9),
    "scalar_product([2, (-1)], [A, B], #=, C)": (
        ("scalar_product", (2, -1), (X, Y), "#=", Z),
        1 + 3 + 1,  # 2A = B + C: (1,1,1); (2,1,3), (2,2,2), (2,3,1); (3,3,3)
    ),
    "global_cardinality([A, B], [1-C, 2-1])": (
        ("global_cardinality", (X, Y), ((1, Z), (2, 1))),
        2,  # one 2 and one 1, so C is 1
    ),
    "cumulative([task(A, 1, _, 1, 0), task(B, 2, _, 1, 1)], [limit(1)])": (
        ("cumulative", ((X, 1, 1), (Y, 2, 1)), 1),
        (9 - 5) * 3,  # A is B or B + 1 in five of nine
    ),
    "automaton([A, B], [source(s), sink(t)], [arc(s, 1, s), arc(s, 2, t)])": (
        ("automaton", (X, Y), ("t",), (("s", 1, "s"), ("s", 2, "t"))),
        3,
    ),
    "(A // (B - 1)) #= 1": (("#=", ("//", X, ("-", Y, 1)), 1), (1 + 2) * 3),
    "#\\ ((A // (B - 1)) #= 1)": (("not", ("#=", ("//", X, ("-", Y, 1)), 1)), (9 - 3) * 3),
    "A in (1)..(1) \\/ (3)..(3)": (("in", X, ((1, 1), (3, 3))), 18),
    "(A #= 1) #==> (B #= 1)": (("#==>", ("#=", X, 1), ("#=", Y, 1)), 3 * (1 + 6)),
}


@pytest.mark.parametrize("text", CONSTRAINTS)
def test_solutions_are_those_of_the_manual(text):
    constraint, number = CONSTRAINTS[text]
    conjunction = Conjunction(CUBE, (constraint,))
    assert conjunction.goals[3] == text
    assert len(conjunction.answers()) == number


@pytest.mark.parametrize(
    ("operation", "left", "right", "result"),
    [
        ("//", -5, 2, -2),
        ("//", 5, -3, -1),
        ("rem", -5, 2, -1),
        ("rem", 5, -3, 2),
        ("div", -5, 2, -3),
        ("div", 5, -3, -2),
        ("mod", -5, 2, 1),
        ("mod", 5, -3, -1),
    ],
)
def test_division_is_that_of_the_manual(operation, left, right, result):
    equal = ("#=", (operation, X, Y), result)
    assert holds(equal, (left, right))
    assert not holds(equal, (left, 0))


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ([["a"], []], ""),
        ([["a"]], "a lost answer"),
        ([[], ["a"], ["b"]], "a wrong answer"),
        ([[], ["a"], ["a"]], "an answer twice"),
        ([["b"], ["b"]], "a wrong answer, a lost answer, an answer twice"),
        ("no end", "no end"),
        (None, "ends by itself"),
        ({"error": "of some kind"}, "an error"),
    ],
)
def test_each_way_of_being_wrong_has_its_words(reply, said):
    assert verdict(reply, frozenset({(), ("a",)})) == said


def test_the_smallest_case_is_wrong_and_no_smaller_one_is():
    for number in range(30):
        case = search.case_of("asp", 1, number)
        if "not not" in case.text:
            small = search.smallest(case, lambda each: "not not" in each.text)
            assert small.text.count("not not") == 1
            assert len(small.rules) + len(small.costs) == 1
    for number in range(30):
        case = search.case_of("clpfd", 1, number)
        if "tuples_in" in case.text:
            small = search.smallest(case, lambda each: "tuples_in" in each.text)
            assert len(small.constraints) == 1
            assert all(low == high for low, high in small.domains)


def test_a_case_has_a_number():
    for kind in ("asp", "clpfd"):
        texts = [search.case_of(kind, 1, number).text for number in range(60)]
        assert texts == [search.case_of(kind, 1, number).text for number in range(60)]
        assert len({*texts}) > 55
        assert texts[0] != search.case_of(kind, 2, 0).text


class Liar(Workers):
    """An engine that loses an answer of programs with a choice, and is right otherwise."""

    def name(self, contestant):
        return "liar 1"

    def ask(self, contestant, case, seconds):
        answers = sorted(map(list, case.answers()))
        return answers[1:] if "{" in case.text else answers


def test_a_difference_is_found_made_small_and_reported(tmp_path):
    asked = contestants("asp", [], ["--eq=0"])
    share = search.tried("asp", 1, range(60), asked, 1, Liar())
    lying = [search.case_of("asp", 1, number) for number in range(60)]
    number = sum("{" in each.text and bool(each.answers()) for each in lying)
    assert share.wrong == {"liar 1": {"a lost answer": number}}
    assert len(share.found) == search.SHOWN
    assert all(len(each.text) < 50 and each.text.count("\n") == 1 for each in share.found)
    assert search.Share.from_json(json.loads(json.dumps(share.as_json()))) == share
    said = report.lines("asp", [share], ["liar 1", "saint 2"])
    assert said[:3] == [
        "asp: 60 cases, contestants: 2",
        f"  liar 1: a lost answer {number}",
        "  saint 2: all right",
    ]
    (first, *_) = report.write_reports(tmp_path / "found", [share])
    assert "expected: " in first.read_text()
    assert "given: " in first.read_text()


def test_cases_that_differ_by_names_and_numbers_have_one_shape():
    assert search.shape("a :- not b.\nb :- 2 { c }.\n") == search.shape(
        "d :- not c.\nc :- 3 { a }.\n"
    )
    assert search.shape("a :- not b.\n") != search.shape("a :- b.\n")
    assert search.shape("?- A in (0)..(1),\n   A #= B // 2,\n   label([A]).\n") == "#= //"


FUZZ = (sys.executable, "-m", "benchmarks.fuzz")


def test_a_record_goes_on_and_keeps_to_its_run(tmp_path):
    record = tmp_path / "record.jsonl"
    asked = ("asp", "--option=--eq=0", "--record", record)
    first = ended(*FUZZ, *asked, "--cases", "25", cwd=ROOT)
    assert (first.returncode, first.stderr) == (0, "")
    lines = record.read_text().splitlines()
    assert [len(lines), json.loads(lines[1])["last"]] == [2, 25]
    again = ended(*FUZZ, *asked, "--cases", "50", cwd=ROOT)
    assert again.stdout.startswith("asp: 50 cases, contestants: 1\n")
    assert record.read_text().splitlines()[:2] == lines
    other = ended(*FUZZ, *asked, "--cases", "50", "--seed", "2", cwd=ROOT)
    assert other.returncode == 2
    assert "this record is of another run" in other.stderr


@pytest.mark.slow
def test_engines_and_definitions_agree_but_for_what_is_known(tmp_path):
    """On what the ledger of defects has: tuples_in/2 with a variable twice, and divisions."""
    asp = ended(*FUZZ, "asp", "--cases", "300", "--option=", "--option=--eq=0", cwd=ROOT)
    assert asp.stdout.count("all right") == 2
    found = tmp_path / "found"
    clpfd = ended(*FUZZ, "clpfd", "--cases", "600", "-o", found, cwd=ROOT)
    assert clpfd.stdout.startswith("clpfd: 600 cases, contestants: 4\n")
    texts = [path.read_text() for path in found.glob("*.md")]
    assert all(re.search(r"tuples_in|automaton|//|div", text) for text in texts)
