"""Problems, instances and answers as values: what is read, what is equal, what is refused."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import clingo
import pytest
from helpers.problems import QUEENS_CLINGCON, QUEENS_LP, QUEENS_PL, written

import pylogic_sudoku as pls
from pylogic_sudoku import Answer, Atom
from pylogic_sudoku.problem.atoms import from_lists, from_symbol, signature_of, to_lists
from pylogic_sudoku.problem.folder import bundled


@pytest.fixture
def queens(tmp_path) -> pls.Problem:
    problem = written(tmp_path / "queens", queens_lp=QUEENS_LP, queens_pl=QUEENS_PL)
    instances = problem.folder / "instances"
    instances.mkdir()
    for name, text in (("4", "size(4)."), ("10", "size(5..6)."), ("none", "")):
        (instances / f"{name}.lp").write_text(text)
    return problem


# --- atoms and answers -------------------------------------------------------------------

# What clingo writes, the atom, and how it is written: a text that is a constant has no quotes.
ATOMS = [
    ("a", Atom("a"), "a"),
    ("queen(3,5)", Atom("queen", (3, 5)), "queen(3,5)"),
    ("a(-1,0,2147483647)", Atom("a", (-1, 0, 2**31 - 1)), "a(-1,0,2147483647)"),
    ('a(red,"red")', Atom("a", ("red", "red")), "a(red,red)"),
    ('a("Red","")', Atom("a", ("Red", "")), 'a("Red","")'),
    (r'a("x\"y\\z\nw")', Atom("a", ('x"y\\z\nw',)), r'a("x\"y\\z\nw")'),
    ('a("é","1","not a")', Atom("a", ("é", "1", "not a")), 'a("é","1","not a")'),
    ("a((1,2),(3,),())", Atom("a", ((1, 2), (3,), ())), "a((1,2),(3,),())"),
    ("a(f(1,g(b)))", Atom("a", (Atom("f", (1, Atom("g", ("b",)))),)), "a(f(1,g(b)))"),
    ("a(-b)", Atom("a", (Atom("-", ("b",)),)), "a(-b)"),
    ("a(-f(2))", Atom("a", (Atom("-", (Atom("f", (2,)),)),)), "a(-f(2))"),
    ("-a(1)", Atom("-a", (1,)), "-a(1)"),
    ("a(_b,c')", Atom("a", ("_b", "c'")), "a(_b,c')"),
]


@pytest.mark.parametrize(("given", "atom", "text"), ATOMS, ids=[each[0] for each in ATOMS])
def test_an_atom_is_the_same_from_both_engines_and_back(given, atom, text):
    found = from_symbol(clingo.parse_term(given))
    assert found == atom
    assert hash(found) == hash(atom)
    assert str(found) == text
    assert from_symbol(clingo.parse_term(text)) == atom
    if atom.name[0] != "-":
        assert from_lists(to_lists(atom)) == atom
    assert pickle.loads(pickle.dumps(atom)) == atom
    assert from_lists(json.loads(json.dumps(atom.to_json()))) == atom


@pytest.mark.parametrize("given", ["#inf", "a(#sup)", "a(f(#inf))", "1", '"a"', "(1,2)"])
def test_what_is_no_atom_of_both_languages_is_refused(given):
    with pytest.raises(ValueError, match=r"is not"):
        from_symbol(clingo.parse_term(given))


def test_atoms_have_an_order_whatever_is_in_them():
    atoms = [
        Atom("a"),
        Atom("a", (-1,)),
        Atom("a", (2,)),
        Atom("a", (10,)),
        Atom("a", ("b",)),
        Atom("a", ((1,),)),
        Atom("a", ((0, 2),)),
        Atom("a", (Atom("b", (1,)),)),
        Atom("a", (1, 1)),
        Atom("b"),
    ]
    assert sorted({*atoms}) == atoms
    with pytest.raises(TypeError, match="'<' not supported"):
        _ = atoms[0] < 3


def test_an_answer_is_a_set_of_atoms():
    atoms = [Atom("queen", (10, 1)), Atom("queen", (2, 4)), Atom("king", ("e", 1))]
    answer = Answer(atoms)
    assert answer == set(atoms) == frozenset(atoms)
    assert hash(answer) == hash(frozenset(atoms))
    assert {answer, frozenset(atoms)} == {answer}
    assert Atom("king", ("e", 1)) in answer
    assert str(answer) == "king(e,1). queen(2,4). queen(10,1)."
    assert repr(answer) == "<Answer: king(e,1). queen(2,4). queen(10,1).>"
    assert answer.values("queen") == [(2, 4), (10, 1)]
    assert answer.values("rook") == []
    assert answer.cost == ()
    assert str(Answer()) == ""


def test_an_answer_has_its_cost_and_keeps_it():
    answer = Answer([Atom("a", (1,))], (3, -1))
    copy = pickle.loads(pickle.dumps(answer))
    assert (copy, copy.cost, type(copy)) == (answer, (3, -1), Answer)
    assert repr(answer) == "<Answer: a(1)., cost 3, -1>"
    assert answer.to_json() == {"atoms": [["a", 1]], "cost": [3, -1]}
    assert Answer([Atom("a")]).to_json() == {"atoms": [["a"]]}


def test_a_long_answer_is_shown_in_short():
    assert len(repr(Answer(Atom("a", (each,)) for each in range(1000)))) < 220


def test_a_predicate_is_a_name_and_a_number():
    assert signature_of(" queen/2 ") == ("queen", 2)
    assert signature_of("-queen/0") == ("-queen", 0)
    for wrong in ("queen", "Queen/2", "queen/x", 3, ["queen/2"]):
        with pytest.raises(ValueError, match=r"is not a predicate; expected a name and a number"):
            signature_of(wrong)


# --- instances ---------------------------------------------------------------------------

FACTS = {
    "size(8).": "size(8).",
    "size=8": "size(8).",
    "size=8 n=3,m=a": "size(8). n(3). m(a).",
    "size(3;5).": "size(3). size(5).",
    "size(1..3). size(2).": "size(1). size(2). size(3).",
    "size(2*3+1).": "size(7).",
    "#const n=3. size(n). edge(1,n).": "#const n=3. size(3). edge(1,3).",
    '#const n=2*3. #const of="n". size(n).': '#const n=6. #const of="n". size(6).',
    "edge(X,X+1) :- X=1..2. node(N) :- edge(N,_).": ("edge(1,2). edge(2,3). node(1). node(2)."),
    "size(N) :- N = #max { X : a(X) }. a(1;3). odd(X) :- a(X), not even(X). even(2).": (
        "a(1). a(3). size(3). even(2). odd(1). odd(3)."
    ),
    "size(3..1).": "",
    "": "",
    "% nothing\n": "",
    "a(-3). a(-b). a(-f(1)).": "a(-3). a(-b). a(-f(1)).",
    r'a("x\"y\\ \n","é").': r'a("x\"y\\ \n","é").',
    "a((1,2)). a(((1,2),3)).": "a((1,2)). a(((1,2),3)).",
    "#defined b/1. #show b/1. #program base. a.": "a.",
}


@pytest.mark.parametrize(("given", "facts"), FACTS.items())
def test_facts_are_read_by_clingos_parser(queens, given, facts):
    instance = queens.instance(given)
    assert str(instance) == facts
    assert instance.label == (facts or "no facts")
    assert instance.name == ""
    text = re.sub(r"(#const [^.]*\.)", r"\1 [override]", facts)
    assert instance.text == re.sub(r"(\.|\]) (?!\[)", r"\1\n", text) + "\n" * bool(facts)
    assert queens.instance(instance.text) == instance


def test_constants_are_part_of_an_instance(queens):
    one, two = (queens.instance(f"#const n={n}. size(8).") for n in (1, 2))
    assert one != two
    assert one.to_json() == {"problem": "queens", "constants": {"n": "1"}, "facts": ["size(8)"]}
    assert [fact.text for fact in two.clauses] == ["constant(n,2)", "size(8)"]


# What is no fact, and what the error says after the name of the text.
NO_FACTS = {
    "size(N) :- M=3.": (
        "1: unsafe variables in: size(N):-M=3.; 'N' is unsafe; expected facts such as size(8)."
    ),
    "a.\nb :- c.": ("2: atom does not occur in any rule head: c; expected facts such as size(8)."),
    "a :- not b.\nb :- not a.": (
        " b does not follow from facts alone; expected facts such as size(8)."
    ),
    "#const x'=3.": " Prolog reads x' in #const x'=3 otherwise; rename it",
    "a.\n\n:- a.": "3: :- a. is not a fact; expected facts such as size(8).",
    "a.\n<<<<<<< HEAD\nb.\n=======\nc.\n>>>>>>> mine\n": (
        "2: syntax error, unexpected <; a merge conflict has left line 2: keep one of the two"
        " sides, and remove the marks"
    ),
    "a.\n{b}.": "2: {b}. is not a fact; expected facts such as size(8).",
    'a("é"). {b}.': "1: {b}. is not a fact; expected facts such as size(8).",
    "a;b.": "1: a;b. is not a fact; expected facts such as size(8).",
    "not a.": "1: not a. is not a fact; expected facts such as size(8).",
    "1=1.": "1: 1=1. is not a fact; expected facts such as size(8).",
    "&a.": "1: &a. is not a fact; expected facts such as size(8).",
    "#external a.": "1: #external a. is not a fact; expected facts such as size(8).",
    "#minimize{1}.": "1: #minimize{1}. is not a fact; expected facts such as size(8).",
    "#program b. a.": "1: #program b. a. is not a fact; expected facts such as size(8).",
    "#script(python)\n#end.": "1: #script(python) is not a fact; expected facts such as size(8).",
    "size(X).": "1: size(X). has the variable X; expected facts such as size(8).",
    "size(8": "1: syntax error, unexpected EOF, expecting ) or ;; expected facts such as size(8).",
    "size(8)": "1: syntax error, unexpected EOF; expected facts such as size(8).",
    "a.\nfoo bar.": "2: syntax error, unexpected a name; expected facts such as size(8).",
    "size(8)).": "1: syntax error, unexpected ); expected facts such as size(8).",
    "a(1/0).": "1: operation undefined: (1/0); expected facts such as size(8).",
    "\0": "1: there is a zero byte; expected facts such as size(8).",
    "a.\na(4294967297).": (
        "2: 4294967297 is too large for clingo, whose integers end at 2147483647"
    ),
    "a(#inf).": " a(#inf): #inf is not a value that both engines have",
    "-a(1).": " -a(1) is negated, and Prolog has no such facts",
    "a(_x).": " Prolog reads _x in a(_x) otherwise; rename it",
    "a(x').": " Prolog reads x' in a(x') otherwise; rename it",
    "a((1,)).": (
        " a((1,)) has a tuple that Prolog reads otherwise; write a term, such as pair(1,2)"
    ),
    "a((1,(2,3))).": (
        " a((1,(2,3))) has a tuple that Prolog reads otherwise; write a term, such as pair(1,2)"
    ),
}


@pytest.mark.parametrize(("given", "said"), NO_FACTS.items(), ids=map(repr, NO_FACTS))
def test_what_is_no_fact_is_refused_with_its_line(queens, tmp_path, given, said):
    with pytest.raises(pls.InvalidProblem) as error:
        queens.instance(given)
    assert str(error.value) == f"instance:{said}"
    file = tmp_path / "wrong.lp"
    file.write_text(given, encoding="utf-8")
    with pytest.raises(pls.InvalidProblem) as error:
        queens.instance(file)
    assert str(error.value) == f"{file}:{said}"


def test_an_instance_does_not_include_other_files(queens):
    file = queens.folder / "instances" / "4.lp"
    with pytest.raises(pls.InvalidProblem, match=r"^instance: #include is not a fact; expected"):
        queens.instance(f'#include "{file}".')


def test_an_instance_is_known_by_its_facts(queens, tmp_path):
    instance = queens.instance("size(4). a.")
    same = queens.instance("a. size(2+2). a.")
    assert instance == same
    assert hash(instance) == hash(same)
    assert instance != queens.instance("size(4).")
    assert instance != "size(4). a."
    other = written(tmp_path / "other", other_lp="a.")
    assert instance != other.instance("size(4). a.")
    assert queens.instance("4") == queens.instance("size(4).")
    assert pickle.loads(pickle.dumps(queens.instance("4"))).label == "4"
    assert repr(instance) == "<Instance of queens: size(4). a.>"
    assert instance.to_json() == {"problem": "queens", "facts": ["size(4)", "a"]}
    assert queens.instance("4").to_json() == {
        "problem": "queens",
        "instance": "4",
        "facts": ["size(4)"],
    }


def test_an_instance_is_a_name_or_a_file(queens, monkeypatch):
    assert list(queens.instances) == ["4", "10", "none"]
    assert repr(queens.instances) == "<instances of queens: 4, 10, none>"
    file = queens.folder / "instances" / "10.lp"
    for which in ("10", str(file), file, "instances/10.lp", Path("instances/10.lp")):
        assert queens.instance(which).name == "10"
        assert str(queens.instance(which)) == "size(5). size(6)."
    assert queens.instance("none").label == "none"
    monkeypatch.chdir(queens.folder / "instances")
    assert queens.instance("4.lp").name == "4"
    file.write_text("size(9).")  # an instance is read when it is asked for
    assert str(queens.instance("10")) == "size(9)."


@pytest.mark.parametrize("which", ["5", "five", "instances/five"])
def test_an_unknown_name_is_refused_with_those_there_are(queens, which):
    with pytest.raises(pls.InvalidProblem) as error:
        queens.instance(which)
    assert str(error.value) == (
        f"queens has no instance {which!r}; there is 4, 10, none. Expected one of these, a file, or"
        " facts such as 'size(8).'"
    )


def test_a_file_that_cannot_be_read_is_refused(queens, tmp_path):
    with pytest.raises(pls.InvalidProblem, match=r"^nope\.lp: No such file or directory$"):
        queens.instance("nope.lp")
    with pytest.raises(pls.InvalidProblem, match=r"Is a directory$"):
        queens.instance(tmp_path)
    (tmp_path / "latin.lp").write_bytes(b'a("\xe9").')
    with pytest.raises(
        pls.InvalidProblem,
        match=r"latin\.lp:1: the byte 0xe9 is not UTF-8, perhaps Latin-1; save the file in UTF-8$",
    ):
        queens.instance(tmp_path / "latin.lp")
    for wrong in (8, None, b"size(8)."):
        with pytest.raises(TypeError, match=r"is not an instance; expected a file, or facts"):
            queens.instance(wrong)


# --- problems ----------------------------------------------------------------------------


def test_a_problem_is_its_folder(queens, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    same = pls.Problem("queens/")
    assert same == queens
    assert hash(same) == hash(queens)
    assert same != written(tmp_path / "other", other_lp="a.")
    assert pickle.loads(pickle.dumps(same)) == queens
    assert repr(same) == "Problem('queens')"
    assert same.title == "Queens that do not attack each other"
    assert same.outputs == {("queen", 2)}
    assert same.inputs == {("size", 1)}


def names(problem: pls.Problem) -> dict[str, str]:
    return {name: path.name for name, path in problem.paths.items()}


def test_programs_have_the_names_of_engines(tmp_path):
    texts = {
        "queens_lp": QUEENS_LP,
        "queens_pairwise_lp": QUEENS_LP,
        "queens_clingcon_lp": QUEENS_CLINGCON,
        "queens_pl": QUEENS_PL,
        "queens_dual_pl": QUEENS_PL,
        "instances_lp": "a.",
        "check_lp": "a.",
        "adapter_pl": "a.",
    }
    assert names(written(tmp_path / "queens", **texts)) == {
        "clingo": "queens.lp",
        "clingo:queens_pairwise": "queens_pairwise.lp",
        "prolog": "queens.pl",
        "prolog:queens_dual": "queens_dual.pl",
        "clingcon": "queens_clingcon.lp",
    }


def test_the_only_program_of_an_engine_is_its_main_one(tmp_path):
    problem = written(tmp_path / "mine", my_own_lp="a.", other_pl="answer([a]).")
    assert names(problem) == {"clingo": "my_own.lp", "prolog": "other.pl"}
    assert problem.path("prolog:other.pl").name == "other.pl"
    assert problem.title == "mine"


def test_a_program_is_a_file(tmp_path):
    (tmp_path / "mine" / "mine.lp").mkdir(parents=True)
    assert names(written(tmp_path / "mine", mine_pl="answer([a]).")) == {"prolog": "mine.pl"}


def test_theory_atoms_make_a_program_for_clingcon(tmp_path):
    texts = {
        "bits_lp": "a(X) :- X = 1..4, X & 1 = 0.",
        "text_lp": 'a("&sum"). % &sum\n%* &sum *% b.',
        "body_lp": "a :- &sum{x} > 1.",
        "head_lp": "&dom{1..2} = x.",
        "wrong_lp": "&dom{1..2} = x. a :- .b",
    }
    found = names(written(tmp_path / "mine", **texts))
    assert {name.partition(":")[0] for name in found} == {"clingo", "clingcon"}
    theories = {file for name, file in found.items() if name.startswith("clingcon")}
    assert theories == {"body.lp", "head.lp", "wrong.lp"}


@pytest.mark.parametrize(
    ("toml", "said"),
    [
        ('outptu = ["a/1"]', "there is no setting 'outptu'; did you mean 'output'?"),
        ('output = "a/1"', "output is 'a/1'; expected a list of predicates: [\"queen/2\"]"),
        ("input = 3", 'input is 3; expected a list of predicates: ["size/1"]'),
        ("title = 3", "title is 3; expected a text"),
        ("first = 3", "first is 3; expected the name of an instance"),
        (
            'output = ["a"]',
            "output: 'a' is not a predicate; expected a name and a number: queen/2",
        ),
        ("input = [3]", "input: 3 is not a predicate; expected a name and a number: queen/2"),
        ("x =", "Invalid value (at end of document)"),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(tmp_path, toml, said):
    with pytest.raises(pls.InvalidProblem) as error:
        written(tmp_path / "mine", mine_lp="a.", problem_toml=toml)
    assert str(error.value) == f"{tmp_path / 'mine' / 'problem.toml'}: {said}"


def test_settings_say_what_programs_do_not(tmp_path):
    toml = 'title = "Mine"\noutput = ["b/1"]\ninput = ["c/0", "d/2"]'
    problem = written(tmp_path / "mine", mine_lp="a. #show a/0.", problem_toml=toml)
    assert problem.title == "Mine"
    assert problem.outputs == {("b", 1)}
    assert problem.inputs == {("c", 0), ("d", 2)}


def test_the_instance_to_begin_with_is_named_or_neither_trivial_nor_large(tmp_path):
    folder = tmp_path / "mine"
    problem = written(folder, mine_lp="a. #show a/0.")
    assert problem.first == ""
    (folder / "instances").mkdir()
    for name in ("a", "b", "cc", "ddd", "eeee"):
        (folder / "instances" / f"{name}.lp").write_text("size(1).")
    assert problem.first == "ddd"
    (folder / "problem.toml").write_text('first = "b"')
    assert pls.Problem(folder).first == "b"
    (folder / "problem.toml").write_text('first = "eee"')
    with pytest.raises(pls.InvalidProblem) as error:
        _ = pls.Problem(folder).first
    assert str(error.value).endswith("first: there is no instance 'eee'; did you mean 'eeee'?")


def test_a_folder_that_is_no_problem_is_refused(tmp_path):
    folder = tmp_path / "mine"
    with pytest.raises(pls.InvalidProblem, match=rf"^there is no problem '{folder}'; "):
        pls.Problem(str(folder))
    reserved = dict.fromkeys(("instances_lp", "check_lp", "adapter_pl"), "a.")
    with pytest.raises(pls.InvalidProblem) as error:
        written(folder, **reserved)
    assert str(error.value) == (
        f"{folder} has no program; expected mine.lp for clingo, or mine.pl for Prolog"
    )
    with pytest.raises(pls.InvalidProblem, match=r"is a file; name the folder that it is in$"):
        pls.Problem(folder / "check.lp")
    known = [each.name for each in bundled()]
    with pytest.raises(pls.InvalidProblem, match=r"^there is no problem 'quens'") as error:
        pls.Problem("quens")
    assert "queens" not in known or "did you mean 'queens'?" in str(error.value)


# Which backend is asked, and what the error says after the name of the folder.
MISSING = {
    "prolog": " has no program for prolog, mine.pl; there is clingo",
    "clingcon": (
        " has no program for clingcon: mine.lp has no theory atoms, such as &sum; there is clingo"
    ),
    "clingo:other": " has no program clingo:other; there is clingo",
    "prolog:other": " has no program prolog:other; there is clingo",
}


@pytest.mark.parametrize(("backend", "said"), MISSING.items())
def test_a_missing_program_is_named(tmp_path, backend, said):
    problem = written(tmp_path / "mine", mine_lp="a.")
    with pytest.raises(pls.InvalidProblem) as error:
        pls.solve(problem.instance(), backend)
    assert str(error.value) == f"{problem.folder}{said}"


def test_of_several_programs_one_must_be_called_as_the_folder(tmp_path):
    problem = written(tmp_path / "mine", a_lp="a.", b_lp="b.")
    with pytest.raises(pls.InvalidProblem) as error:
        pls.solve(problem.instance())
    assert str(error.value) == (
        f"{problem.folder} has a.lp and b.lp, and it is not clear which of them is meant by clingo;"
        " call one of them mine.lp, or ask for clingo:a"
    )
    assert str(pls.solve(problem.instance(), "clingo:b")) == "b."


def test_a_program_for_clingcon_alone_says_why_clingo_does_not_take_it(tmp_path):
    problem = written(tmp_path / "mine", mine_lp="&dom{1..2} = x.")
    with pytest.raises(pls.InvalidProblem) as error:
        pls.solve(problem.instance(), "clingo")
    assert str(error.value) == (
        f"{problem.folder} has no program for clingo: mine.lp has theory atoms; there is clingcon"
    )


def test_an_engine_for_sudokus_takes_no_instance(queens):
    board = queens.instance("4")
    with pytest.raises(pls.InvalidProblem) as error:
        pls.solve(board, "sat")
    assert str(error.value) == "sat takes sudokus only; choose one of clingo, prolog"
    with pytest.raises(pls.BackendUnavailable, match=r"^there is no backend 'nope'"):
        pls.solve(board, "nope")
    with pytest.raises(pls.InvalidProblem, match=r"^there is no file nope\.pl$"):
        pls.solve(board, "prolog:nope.pl")
    with pytest.raises(pls.BackendUnavailable, match=r"^queens has no program 'prolog:d\*'"):
        pls.compare(board, ["prolog:d*"])


SUDOKU_ONLY = {
    "why": lambda board: pls.why(board, "r1c1"),
    "certify": pls.certify,
    "hint": pls.hint,
    "conflicts": pls.conflicts,
    "rate": pls.rate,
    "ambiguity": pls.ambiguity,
    "steps": pls.steps,
    "draw": lambda board: pls.draw.Picture(board),
    "steps_to": lambda board: pls.steps_to(board, "r1c1"),
}


@pytest.mark.parametrize("ask", SUDOKU_ONLY.values(), ids=SUDOKU_ONLY)
def test_a_question_about_sudokus_takes_no_instance(queens, ask):
    with pytest.raises(pls.InvalidPuzzle) as error:
        ask(queens.instance("4"))
    assert str(error.value) == (
        "the puzzle is an instance of queens; this question is about sudokus"
    )


def test_a_rule_or_a_format_takes_no_instance(queens):
    board = queens.instance("4")
    with pytest.raises(pls.InvalidPuzzle, match=r"cells is <Instance of queens: 4>; expected"):
        pls.rules.KillerCage(board, 3)
    with pytest.raises(pls.InvalidPuzzle, match=r"^the puzzle is <Instance of queens: 4>"):
        pls.Puzzle(board)
    for ask in (pls.Grid.parse, pls.read_puzzles):
        with pytest.raises(TypeError, match=re.escape("not <Instance of queens: 4>")):
            list(ask(board))
