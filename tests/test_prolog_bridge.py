"""SWI-Prolog behind the bridge: answers, explanations and certificates."""

from __future__ import annotations

import shutil
from itertools import pairwise
from random import Random

import pytest
from helpers.fakes import without_prolog
from helpers.jigsaws import KEEP, jigsaw
from helpers.oracle import all_solutions, dig, full_grid
from helpers.processes import LINUX, run, soon
from helpers.programs import resource
from helpers.puzzles import EMPTY, FOUR, IMPOSSIBLE, PRINTED, REFUTED, SEVERAL, SMALL

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines.prolog import search
from pylogic_sudoku.engines.prolog.search import prolog as _prolog
from pylogic_sudoku.engines.prolog.search import workers as _workers
from pylogic_sudoku.engines.sudoku import get
from pylogic_sudoku.engines.sudoku.prolog import PrologBackend, shape, terms
from pylogic_sudoku.files import install_command
from pylogic_sudoku.proofs.checker import first_refused
from pylogic_sudoku.puzzle.cells import Cell, Layout
from pylogic_sudoku.rules import Different, KillerCage, Thermometer, define
from pylogic_sudoku.rules.base import term
from pylogic_sudoku.rules.clauses import Claim, Clause, literal
from pylogic_sudoku.rules.demands import rules
from pylogic_sudoku.running.workers import Budget, Workers

FIRST, ANSWER = next(iter(PRINTED.items()))


@pytest.fixture
def endless() -> pls.Puzzle:
    """A puzzle with a rule that Prolog never has posted."""
    made = define("endless", prolog="rule(endless, _, _) :- repeat, fail.")
    return pls.Puzzle("." * 16, rules=[made()])


def ask(goal: str, **inputs: object) -> object:
    """A goal in the Prolog of this process."""
    return _workers.call(lambda: _prolog.ask(goal, **inputs), Budget("prolog", None), lambda: None)


def searches() -> object:
    """The number of searches that are open or stopped."""
    goal = "(pls_bridge:search(_, _) ; pls_bridge:stopped(_))"
    return ask(f"aggregate_all(count, {goal}, Answer)")


def wait_for_closed_searches() -> None:
    # Searches are closed by another thread.
    assert soon(lambda: searches() == 0), "engines were left open"


def test_every_engine_is_destroyed():
    for _ in range(5):
        assert pls.count("." * 16, "prolog") == 288
        assert next(pls.solutions(EMPTY, "prolog")) is not None
        assert len(list(pls.solutions("." * 16, "prolog", limit=3))) == 3
        with pytest.raises(pls.SolveTimeout):
            pls.count(EMPTY, "prolog", timeout=0.01)
    wait_for_closed_searches()
    engines = ask("aggregate_all(count, current_engine(_), Answer)")
    assert engines == 0
    assert ask("aggregate_all(count, pls_bridge:stopped(_), Answer)") == 0


@pytest.fixture
def goals(monkeypatch) -> list[str]:
    """The texts of the goals that Prolog is asked."""
    pls.solve(FIRST, "prolog")  # starts Prolog, and loads the program
    asked: list[str] = []
    query_once = _prolog._janus.query_once

    def recorded(goal, inputs):
        asked.append(goal)
        return query_once(goal, inputs)

    monkeypatch.setattr(_prolog._janus, "query_once", recorded)
    return asked


def test_goal_texts_are_constant(goals):
    """Janus keeps every distinct goal text for ever."""
    for puzzle in [*PRINTED, "." * 16, pls.Grid.parse("1", box=(1, 1))]:
        pls.solve(puzzle, "prolog")
        pls.count(puzzle, "prolog", limit=3)
        list(pls.solutions(puzzle, "prolog", limit=2))
        with pytest.raises(pls.SolveTimeout):
            pls.count(EMPTY, "prolog", timeout=0.05)
        wait_for_closed_searches()
    # A solution, a count; a search that is opened, continued, stopped and closed.
    assert sum(goal.startswith("pls_bridge:") for goal in set(goals)) == 6


def test_one_solution_is_one_call(goals):
    assert str(pls.solve(FIRST, "prolog")) == ANSWER
    assert len(goals) == 1


def test_a_stopped_search_leaves_its_thread_as_it_was(endless):
    before = ask("current_prolog_flag(stack_limit, Answer)")
    for _ in range(3):
        with pytest.raises(pls.SolveTimeout):
            pls.solve(endless, "prolog", timeout=0.05)
        assert str(pls.solve(FIRST, "prolog")) == ANSWER
    wait_for_closed_searches()
    assert ask("current_prolog_flag(stack_limit, Answer)") == before


def test_stack_overflow_is_an_error_and_the_next_call_works():
    tiny = PrologBackend(stack_limit=2**20)
    for _ in range(3):
        with pytest.raises(pls.BackendFailure, match="Stack limit"):
            tiny.solve(pls.Grid.parse("." * 256))
        with pytest.raises(pls.BackendFailure, match="Stack limit"):
            tiny.count(pls.Grid.parse("." * 256))
        assert str(pls.solve(FIRST, "prolog")) == ANSWER


def test_malformed_digits_are_an_error_and_not_an_answer():
    assert str(pls.solve(FIRST, "prolog")) == ANSWER  # loads the program
    with pytest.raises(pls.BackendFailure, match="list"):
        ask(
            "pls_bridge:answer(-1, 100000000, solution(puzzle(sudoku, Digits, 2-2, '', [])),"
            " Answer)",
            Digits=tuple([0] * 16),
        )


def test_text_is_data():
    assert ask("atom_length(Text, Answer)", Text="halt. :- shell(ls)") == 18


def test_failing_and_raising_goals_leave_nothing_behind():
    for _ in range(3):
        with pytest.raises(pls.BackendFailure, match="is false"):
            ask("fail")
        with pytest.raises(pls.BackendFailure, match="no_such_predicate"):
            ask("no_such_predicate(Answer)")
        assert ask("Answer is 6 * 7") == 42


def test_users_init_file_is_not_loaded(tmp_path):
    folder = tmp_path / "swi-prolog"
    folder.mkdir()
    (folder / "init.pl").write_text(
        ":- format(user_error, 'MY CONFIG~n', []).\n"
        ":- set_prolog_flag(clpfd_monotonic, true).\n"
        "user:goal_expansion(labeling(_, _), fail).\n"
        ":- this is not Prolog\n"
    )
    ended = run("print(pls.solve(PUZZLE, 'prolog'))", XDG_CONFIG_HOME=str(tmp_path))
    assert (ended.stdout, ended.stderr, ended.returncode) == (f"{ANSWER}\n", "", 0)


def test_broken_prolog_is_unavailable_and_clingo_still_works(tmp_path):
    ended = run(
        """
        for _ in range(2):
            try:
                pls.solve(PUZZLE, "prolog")
            except pls.BackendUnavailable as error:
                print(error.why.split(":")[0], error.fix.split()[1:3])
        print(pls.solve(PUZZLE))
        print([info.available for info in pls.backends()[:4]])
        """,
        **without_prolog(tmp_path),
    )
    said = """SWI-Prolog does not start ['"make', 'clean']\n"""
    expected = f"{said}{said}{ANSWER}\n[True, False, True, True]\n"
    assert (ended.stdout, ended.stderr, ended.returncode) == (expected, "", 0)


def test_missing_janus_is_unavailable_with_a_fix():
    ended = run(
        """
        import importlib.util
        find, absent = importlib.util.find_spec, ("janus_swi", "py_mini_racer")
        importlib.util.find_spec = lambda name, *rest: None if name in absent else find(name)
        try:
            pls.solve(PUZZLE, "prolog")
        except pls.BackendUnavailable as error:
            print(error)
        print(pls.solve(PUZZLE))
        """
    )
    assert "needs janus-swi" in ended.stdout
    assert f"then: {install_command('prolog')}\n" in ended.stdout
    assert ended.stdout.endswith(f"{ANSWER}\n")
    assert ended.stderr == ""


def test_program_that_does_not_load_is_named(tmp_path):
    shutil.copytree(resource("prolog"), tmp_path / "prolog")
    program = tmp_path / "prolog" / "sudoku.pl"
    program.write_text(program.read_text() + "\nthis is a syntax error.\n")
    ended = run(
        f"""
        from pathlib import Path
        from pylogic_sudoku.engines.prolog import search
        from pylogic_sudoku.engines.sudoku.prolog import PrologBackend
        search.resource = lambda name: Path({str(tmp_path)!r}) / name
        for ask in (pls.solve, pls.solve, lambda *asked: PrologBackend().version()):
            try:
                ask(PUZZLE, "prolog")
            except pls.BackendUnavailable as error:
                print(error)
        print(pls.solve(pls.Problem("queens").instance("size(4)."), "prolog"))
        """
    )
    assert ended.stdout.count("sudoku.pl does not load") == 3
    assert ended.stdout.count("Syntax error: Operator expected") == 3
    assert ended.stdout.count("The program works with SWI-Prolog") == 3
    assert ended.stdout.endswith("queen(1,2). queen(2,4). queen(3,1). queen(4,3).\n")
    assert ended.stderr == ""


HOSTS = {
    "janus that the user imported is shared": (
        """
        import janus_swi
        janus_swi.query_once("assertz(mine(1))")
        outer = janus_swi.query("member(X, [1, 2, 3])")
        print(next(outer)["X"], pls.solve(PUZZLE, "prolog"), next(outer)["X"])
        print(janus_swi.query_once("mine(X)")["X"])
        """,
        f"1 {ANSWER} 2\n1\n",
    ),
    "the locale stays": (
        """
        import locale
        before = locale.setlocale(locale.LC_ALL)
        pls.solve(PUZZLE, "prolog")
        print(locale.setlocale(locale.LC_ALL) == before, f"{1.5:n}")
        """,
        "True 1.5\n",
    ),
    "the first use is in a thread that ends": (
        """
        for _ in range(3):
            thread = threading.Thread(target=lambda: print(pls.count("." * 16, "prolog")))
            thread.start()
            thread.join()
        print(pls.solve(PUZZLE, "prolog"))
        """,
        f"288\n288\n288\n{ANSWER}\n",
    ),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize(("code", "printed"), HOSTS.values(), ids=HOSTS)
def test_a_program_that_uses_prolog_is_not_disturbed(code, printed):
    ended = run(code, LC_ALL="C.UTF-8")
    assert (ended.stdout, ended.stderr) == (printed, "")


def test_a_full_grid_is_the_first_puzzle_of_a_thread(monkeypatch):
    """As when a comparison has a grid confirmed while the first thread closes its search."""
    ask("true")  # Prolog is loaded in another thread
    monkeypatch.setattr(search, "workers", Workers("pylogic_sudoku prolog"))
    assert str(pls.solve(ANSWER, "prolog")) == ANSWER
    assert str(pls.solve(FIRST, "prolog")) == ANSWER


LEAK = """
    import os

    def resident():
        return int(open("/proc/self/statm").read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    grid = pls.Grid.parse({puzzle!r})
    for number in range({calls}):
        pls.solve(grid, {backend!r})
        if number == max(1000, {calls} // 10):  # Prolog's tables grow until then
            before = resident()
    print(resident() - before)
    """


@pytest.mark.slow
@LINUX
@pytest.mark.parametrize(("puzzle", "calls"), [(FOUR, 4_000), ("1234341221434321", 100_000)])
def test_memory_is_flat(backend, puzzle, calls):
    ended = run(LEAK.format(puzzle=puzzle, calls=calls, backend=backend))
    assert int(ended.stdout) < 5_000_000, ended.stderr


# === Prolog's share in explanations: explain/4, checked by clingo, and its checks of ours =========

PROLOG = PrologBackend()
NEWSPAPER = Grid.parse(list(PRINTED)[3])
JIGSAW = Puzzle(Grid.parse("12.........3...."), regions="1112122233343444")
RULES = [KillerCage("r1c1 r1c2", sum=3), Thermometer("r2c1 r2c2"), KillerCage("r3c2 r4c2", sum=4)]
KILLER = Puzzle("." * 12 + "2...", rules=RULES)
WIDE = {"123.2..........1": 4, "1...2....": 3, "...1": 2}
"""Grids whose boxes are rows, and their sizes."""
KEPT = {(2, 2): 10, (2, 3): 22, (3, 2): 22, (1, 4): 10}

EXPLAIN = """
    pls_bridge:( load("sudoku/questions", _), load("sudoku/explain", _) ),
    sudoku_questions:(digits_rows(Digits, _, _Rows), shape(Shape, _Shape), rules(Terms, _Rules)),
    sudoku_explain:explain(_Rows, _Shape, _Rules, cell(Row,Column), _Reason),
    ( _Reason = because(_Digit, _Elements)
    -> findall(_Text, ( member(_Element, _Elements), term_to_atom(_Element, _Text) ), _Texts),
       Answer = [_Digit|_Texts]
    ;  Answer = [] )
"""


def reason(puzzle: Grid | Puzzle, cell: tuple[int, int]) -> tuple[int, list] | None:
    """The digit that the cell must hold, with the demands that force it."""
    rules = puzzle.layout.rules
    inputs = {"Digits": list(puzzle.digits), "Shape": shape(puzzle.layout), "Terms": terms(rules)}
    found = ask(f"({EXPLAIN} -> true ; Answer = [])", **inputs, Row=cell[0], Column=cell[1])
    if not found:
        return None
    digit, *texts = found
    demands = {term(rule): ("rule", rule) for rule in rules}
    for text in texts:
        name, _, numbers = text.rstrip(")").partition("(")
        if text not in demands:
            words = () if name == "given" else ("house", name)
            demands[text] = (*words, *map(int, numbers.split(",")))
    return digit, [demands[text] for text in texts]


def forced(puzzle: Grid, cell: tuple[int, int], digit: int, elements: tuple, engine: str) -> bool:
    """True if, for the engine, these rules and givens leave no other digit."""
    givens = [element for element in elements if not isinstance(element[0], str)]
    assert set(givens) <= set(puzzle.givens)
    demands = [("cells",), *elements, ("excluded", *cell, digit)]
    return not get(engine).consistent(puzzle.layout, demands)


def check_reason(puzzle: Grid | Puzzle, cell: tuple[int, int], engine: str = "clingo") -> None:
    """For the engine, Prolog's reason forces the digit, and nothing in it is redundant."""
    digit, elements = reason(puzzle, cell)
    assert forced(puzzle, cell, digit, elements, engine)
    for at in range(len(elements)):
        fewer = [*elements[:at], *elements[at + 1 :]]
        assert not forced(puzzle, cell, digit, fewer, engine)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "puzzle",
    [
        *map(Grid.parse, (SMALL, "12..34....43....", ".13.2......3.21.", "11..............")),
        Grid.parse(".", box=(1, 1)),
        *(Grid.parse(text, box=(1, n)) for text, n in WIDE.items()),
        *(JIGSAW, KILLER),
        *(pytest.param(dig(full_grid(b, 5), KEPT[b], 5), marks=pytest.mark.slow) for b in KEPT),
    ],
    ids=str,
)
def test_clingo_agrees_with_every_reason(puzzle):
    solutions = [grid for grid in all_solutions(puzzle) if grid.is_solution_of(puzzle)]
    for cell in puzzle.cells:
        digits = {solution[cell] for solution in solutions}
        found = reason(puzzle, cell)
        assert bool(found) is (not puzzle[cell] and len(digits) == 1)
        if found:
            assert digits == {found[0]}
            check_reason(puzzle, cell)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("cell", [(1, 4), (3, 6), (7, 5), (9, 1)])
def test_clingo_agrees_with_reasons_in_a_newspaper_puzzle(cell):
    check_reason(NEWSPAPER, cell)


def test_prolog_agrees_if_clingo_needs_search():
    pls.why(next(iter(PRINTED)), (1, 4), detail="house").verify("prolog")


def test_prolog_agrees_with_itself():
    check_reason(NEWSPAPER, (1, 4), "prolog")


@pytest.mark.parametrize("seed", range(4))
def test_the_engines_agree_on_random_rules(seed):
    """Rules at both levels of detail, alone and mixed; half have too many placements."""
    choose = Random(seed)
    layouts = [Layout((2, 2)), Layout((1, 3)), Layout((2, 1)), JIGSAW.layout]
    answers = []
    for case in range(40):
        layout = choose.choice(layouts)
        fine, coarse = rules(layout), [("cells",), *rules(layout, "house")]
        pool = [fine, coarse, fine + coarse * 6][case % 3]
        chosen = choose.sample(pool, choose.randint(1, min(len(pool), 40)))
        holds, excluded = (
            [
                tuple(choose.choices(range(1, layout.size + 1), k=3))
                for _ in range(choose.randint(0, most))
            ]
            for most in (3, 3 * layout.size)
        )
        asked = [*chosen, *holds, *(("excluded", *each) for each in excluded)]
        answers.append(PROLOG.consistent(layout, asked))
        assert get("clingo").consistent(layout, asked) is answers[-1], (layout, asked)
    assert set(answers) == {True, False}


def test_no_reason_if_nothing_is_forced():
    puzzle = Grid.parse(SEVERAL)
    first, second = all_solutions(puzzle)
    cell = next(cell for cell in puzzle.cells if first[cell] != second[cell])
    assert reason(puzzle, cell) is None
    assert reason(Grid.parse(REFUTED), Cell(1, 1)) is None


def test_a_jigsaw_has_no_boxes():
    with pytest.raises(ValueError, match="a 4x4 grid with regions has no"):
        PROLOG.consistent(JIGSAW.layout, [("house", "box", 1)])


def test_a_check_stops_in_time_and_leaves_nothing_behind():
    layout = Layout((5, 5))
    with pytest.raises(pls.SolveTimeout):
        PROLOG.consistent(layout, rules(layout), timeout=0.01)
    wait_for_closed_searches()
    assert PROLOG.consistent(Layout((2, 2)), rules(Layout((2, 2))))


def test_candidates_heed_the_rules():
    goal = """
        pls_bridge:( load("sudoku/questions", _), load("sudoku/explain", _) ),
        sudoku_questions:(digits_rows(Digits, _, _Rows), rules(Terms, _Rules)),
        sudoku_explain:candidates(_Rows, 2-2, _Rules, Answer)
    """
    found = ask(goal, Digits=list(KILLER.digits), Terms=terms(RULES))
    exact = pls.candidates(KILLER)
    assert all(
        exact[row][column] <= set(found[row][column]) for row in range(4) for column in range(4)
    )
    assert all(set(digits) <= {1, 2} for digits in found[0][:2])


@pytest.mark.parametrize("rule", [KillerCage("r1c1", sum=1), Different("r1c1 r4c4"), ("rule",)])
def test_rules_that_the_puzzle_does_not_have(rule, backend):
    demand = rule if isinstance(rule, tuple) else ("rule", rule)
    with pytest.raises(ValueError, match="a grid with 2x2 boxes and 3 rules has no"):
        get(backend).consistent(KILLER.layout, [demand])


# === Certificates that Prolog checks, against the checker in plain Python =========================

HARD = Grid.parse(
    "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
)
BOXES = [(2, 2), (2, 3), (3, 2), (1, 5), (3, 3), (2, 4), (1, 1)]


def accepted(puzzle: Grid | Puzzle) -> pls.Certificate:
    """The certificate of the puzzle, which both checkers accept."""
    certificate = pls.certify(puzzle)
    certificate.verify()
    certificate.verify("prolog")
    return certificate


@pytest.mark.one_in(2)
@pytest.mark.parametrize("box", BOXES, ids=str)
def test_proofs_for_every_box_shape(box):
    for seed in range(3):
        solution = full_grid(box, seed)
        accepted(dig(solution, len(solution.digits) * (seed + 3) // 8, seed))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("size", [4, 5, 6])
def test_proofs_for_regions_and_marks(size, seed):
    accepted(jigsaw(size, KEEP[size], seed, marked=size))


def test_a_puzzle_without_solution_and_one_that_needs_many_lemmas():
    assert accepted(Grid.parse(IMPOSSIBLE)).claim == "none"
    hard = accepted(HARD)
    assert hard.claim == "unique"
    assert len(hard.lemmas) > 50


def random_claim(choose: Random, layout: Layout, case: int) -> Claim:
    """Some of the rules, with placements that hold and some that are excluded."""
    fine, coarse = rules(layout), [("cells",), *rules(layout, "house")]
    pool = [fine, coarse, fine + coarse * 6][case % 3]
    demands = choose.sample(pool, choose.randint(0, min(len(pool), 60)))
    for most, words in ((3, ()), (layout.size**2, ("excluded",))):
        for _ in range(choose.randint(0, most)):
            demands.append((*words, *choose.choices(range(1, layout.size + 1), k=3)))
    solution = full_grid(layout.box, 1) if layout.regions is None and case % 5 == 0 else None
    grid = Grid((0,) * layout.size**2, layout.box)
    return Claim(
        Puzzle(grid, layout.regions and shape(layout)), solution, tuple(map(tuple, demands))
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("seed", range(4))
def test_propagation_is_that_of_the_checker_in_python(seed):
    """Random lemmas for random parts of the rules: the same one is refused first."""
    choose = Random(seed)
    layouts = [Layout((2, 2)), Layout((1, 3)), Layout((2, 3)), jigsaw(4, 2, 1).layout]
    verdicts = set()
    for case in range(40):
        layout = choose.choice(layouts)
        claim = random_claim(choose, layout, case)
        variables = range(1, layout.size**3 + 1)
        lemmas = [
            tuple(each * choose.choice([1, -1]) for each in choose.choices(variables, k=length))
            for length in choose.choices([0, 1, 2, 3, 6], [1, 2, 6, 6, 6], k=6)
        ]
        verdicts.add(first_refused(claim, lemmas))
        assert PROLOG.first_refused(claim, lemmas) == first_refused(claim, lemmas), (claim, lemmas)
    assert {None, 0, 1} <= verdicts


def test_demands_that_do_not_contradict_each_other():
    claim = Claim(HARD, demands=(("cells",), ("house", "row", 1), (1, 1, 8)))
    assert PROLOG.first_refused(claim, []) == first_refused(claim, []) == 0


@pytest.mark.parametrize(
    "demand", [("at_most_once", "line", 1, 1), ("filled", 0, 1), (1, 1, 10), ("x",)]
)
def test_a_demand_that_the_grid_does_not_have(demand):
    with pytest.raises(ValueError, match="has no"):
        PROLOG.first_refused(Claim(HARD, demands=(demand,)), [])


@pytest.mark.parametrize("lemma", [(0,), (1, 730), (-730,)])
def test_a_literal_that_the_grid_does_not_have(lemma):
    with pytest.raises(pls.BackendFailure, match="literal"):
        PROLOG.first_refused(Claim(HARD), [(1,), lemma])


RISING = Puzzle(Grid.parse("." * 16), rules=[Thermometer(["r1c1", "r1c2", "r2c2"])])
CLAUSES = [
    tuple(-literal(4, (row, column, digit)) for (row, column), digit in ((low, a), (high, b)))
    for low, high in pairwise(RISING.rules[0].cells)
    for a in range(1, 5)
    for b in range(1, a + 1)
]


def with_clauses(monkeypatch: pytest.MonkeyPatch, clauses: list[Clause]) -> None:
    monkeypatch.setattr("pylogic_sudoku.rules.clauses.clauses_of", lambda *_: iter(clauses))


def test_clauses_of_a_rule(monkeypatch):
    with_clauses(monkeypatch, CLAUSES)
    assert PROLOG.first_refused(Claim(RISING.with_((1, 1, 4))), []) is None
    assert PROLOG.first_refused(Claim(RISING.with_((1, 1, 1))), []) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        (-literal(4, (1, 1, 1)), -literal(4, (1, 2, 2))),
        (-literal(4, (3, 1, 1)),),
        (literal(4, (1, 1, 2)),),
        (),
    ],
)
def test_a_clause_that_does_not_follow_from_its_rule(monkeypatch, wrong):
    with_clauses(monkeypatch, [*CLAUSES, wrong])
    with pytest.raises(pls.BackendFailure, match="the clause does not follow from the rule"):
        PROLOG.first_refused(Claim(RISING), [])


@pytest.mark.parametrize(
    "right",
    [
        (-literal(4, (1, 1, 3)),),  # two digits more have no room
        (literal(4, (1, 1, 1)), literal(4, (1, 1, 2))),
        (-literal(4, (1, 1, 2)), literal(4, (2, 2, 4))),
        (-literal(4, (1, 1, 1)), -literal(4, (1, 1, 2))),
    ],
)
def test_a_clause_that_follows_from_its_rule(monkeypatch, right):
    with_clauses(monkeypatch, [right])
    assert PROLOG.first_refused(Claim(RISING), []) == 0


def test_a_check_stops_in_time():
    certificate = accepted(HARD)
    claim = Claim(HARD, certificate.solutions[0])
    for _ in range(3):
        with pytest.raises(pls.SolveTimeout):
            PROLOG.first_refused(claim, certificate.lemmas[:1] * 20_000, timeout=0.05)
    wait_for_closed_searches()
    assert accepted(HARD).claim == "unique"
