"""One entry for each engine, ours and those of other packages."""

import pytest
from helpers.command_line import spawned
from helpers.fakes import installed

import pylogic_sudoku as pls
from pylogic_sudoku.engines.program import programs
from pylogic_sudoku.engines.registry import BUILT_IN, EngineSpec, able, object_at
from pylogic_sudoku.problem.languages import DIALECTS

ORACLE = """
import itertools
import pylogic_sudoku as pls

class Oracle(pls.ProblemEngine):
    engine = "plain Python"
    def __init__(self, name, path, outputs):
        self.name, self.path = name, path
    def version(self):
        return "1"
    def solutions(self, question, timeout=None):
        assert self.path.name == "queens.lp"
        (fact,) = question.facts
        size = int(fact.text[5:-1])
        for rows in itertools.permutations(range(1, size + 1)):
            board = [*enumerate(rows, 1)]
            if len({r - c for c, r in board}) == len({r + c for c, r in board}) == size:
                yield pls.Answer(pls.Atom("queen", pair) for pair in board)

Mine = pls.EngineSpec("mine", "asp", instances="an_engine:Oracle")
"""


def test_each_place_is_a_class_of_its_kind():
    for spec in BUILT_IN.values():
        assert not spec.installed or issubclass(object_at(spec.sudoku), pls.SudokuEngine)
        assert not spec.instances or issubclass(object_at(spec.instances), pls.ProblemEngine)
        assert bool(spec.main) == bool(spec.program)


def test_a_problem_knows_our_engines_that_run_its_programs_by_name():
    told = {
        name: (each.language, each.theory)
        for name, each in BUILT_IN.items()
        if each.instances and each.runs_as == name
    }
    assert told == DIALECTS
    assert {each.runs_as for each in BUILT_IN.values() if each.instances} == {*DIALECTS}
    mine = EngineSpec("mine", "asp", theory=True)
    itself = [name for name in BUILT_IN if name != "prolog-wasm"]
    runs_as = [each.runs_as for each in (*BUILT_IN.values(), mine)]
    assert runs_as == [*itself, "prolog", "clingcon"]


def test_the_programs_of_an_engine_have_its_ending():
    assert {(each.engine, each.path.suffix) for each in programs()} == {
        (name, spec.ending) for name, spec in BUILT_IN.items() if spec.program
    }


@pytest.mark.parametrize("ability", ["propagate", "measure", "trace", "optimum", "refusal"])
def test_an_engine_can_do_what_its_entry_says(tmp_path, ability):
    texts = {
        "clingo": "1 { p(1..2) } 1. #minimize { X : p(X) }. #show p/1.",
        "clingcon": "&dom { 1..2 } = x. p(1) :- &sum { x } = 1. { q }. #minimize { 1 : q }.\n"
        "#show p/1. &show { x }.",
        "prolog": ":- use_module(library(clpfd)).\nmodel([p-X], X) :- X in 1..2.",
    }
    folder = tmp_path / "mine"
    folder.mkdir()
    for name, spec in BUILT_IN.items():
        if not spec.instances or not spec.installed:
            continue
        (folder / f"mine{spec.ending}").write_text(texts[spec.runs_as])
        instance = pls.Problem(folder).instance()
        questions = {
            "propagate": lambda: pls.propagate(instance, name),  # noqa: B023
            "measure": lambda: pls.measure(instance, name),  # noqa: B023
            "trace": lambda: list(pls.trace(instance, name)),  # noqa: B023
            "optimum": lambda: pls.solve(instance, name).cost,  # noqa: B023
            "refusal": lambda: pls.refusal(instance, pls.Answer(), name),  # noqa: B023
        }
        if ability in spec.can:
            assert questions[ability]()
            continue
        with pytest.raises(pls.SudokuError, match=rf"hoose {able(ability)}\.?$"):
            questions[ability]()


def test_an_engine_of_another_package_takes_instances(tmp_path):
    env = installed(tmp_path, "mine", ORACLE)
    pair = ("-b", "clingo", "-b", "mine")
    asked = spawned("compare", "-p", "queens", *pair, "-n", "0", "6", env=env)
    assert (asked.returncode, asked.stderr) == (0, ""), asked
    found = spawned("solve", "-p", "queens", "-b", "mine", "-n", "0", "6", env=env)
    assert len(found.stdout.splitlines()) == 4
    assert "queen(1,2)" in found.stdout
    traced = spawned("trace", "-p", "queens", "-b", "mine", "6", env=env)
    assert (traced.returncode, traced.stdout) == (3, "")
    assert "the mine engine cannot show its search" in traced.stderr


def test_it_is_none_of_all_engines_for_sudokus(tmp_path):
    env = installed(tmp_path, "mine", ORACLE)
    done = spawned("solve", "-b", "mine", "4......3...13...", env=env)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "Error: mine takes instances of a problem, and no sudokus\n"
    done = spawned("compare", "4......3...13...", env=env)
    assert done.returncode == 0
    assert "mine" not in done.stdout


def test_an_entry_that_cannot_be_read_is_an_error(tmp_path):
    env = installed(tmp_path, "mine", "1/0\nMine = None")
    for arguments in (["-p", "queens", "6"], ["4......3...13..."]):
        done = spawned("solve", "-b", "mine", *arguments, env=env)
        assert (done.returncode, done.stdout) == (3, "")
        assert done.stderr == (
            "Error: the mine backend cannot be imported: division by zero\n"
            "Install or repair the package that contains an_engine.\n"
        )


FAULTY = """import pylogic_sudoku as pls

def helper():
    raise RuntimeError("no licence\\nfound")

class Of_instances(pls.ProblemEngine):
    engine = "plain Python"
    def __init__(self, name, path, outputs):
        self.name = name
        if path.name == "zebra.lp":
            raise KeyError("zebra")
    def version(self):
        return "1"
    def solutions(self, question, timeout=None):
        yield pls.Answer()
        helper()
    def propagate(self, question):
        return 1 // 0

class Of_sudokus(pls.SudokuEngine):
    name = engine = "faulty"
    def version(self):
        return "1"
    def solutions(self, puzzle, timeout=None):
        return map(abs, ["no grid"])

Faulty = pls.EngineSpec(
    "faulty", "asp", instances="an_engine:Of_instances", sudoku="an_engine:Of_sudokus"
)
"""


def test_an_error_in_the_code_of_another_package_is_told(tmp_path):
    env = installed(tmp_path, "faulty", FAULTY)
    code = tmp_path / "an_engine.py"
    for command, told in {
        "solve -n 0 -p queens 6": f"queens, 6: the faulty engine failed at {code}:4: RuntimeError:"
        " no licence found\n",
        "propagate -p queens 6": f"queens, 6: the faulty engine failed at {code}:17: TypeError: ",
        "solve -p zebra one": f"zebra, one: the faulty engine failed at {code}:11: KeyError: 'z",
        "count 4......3...13...": f"puzzle 1: the faulty engine failed at {code}:24: TypeError: ",
    }.items():
        done = spawned(*command.split(), "-b", "faulty", env=env)
        assert done.returncode == 3
        assert done.stderr.startswith(told)
        assert done.stderr.count("\n") == 1


def test_the_error_of_an_engine_is_the_cause_of_ours():
    class Faulty(pls.SudokuEngine):
        name = engine = "faulty"

        def version(self):
            return "1"

        def solutions(self, puzzle, timeout=None):
            yield from ()
            raise OSError(28, "no room")

        def count(self, question, limit=None, timeout=None):
            raise pls.BackendFailure("its own error")

    with pytest.raises(
        pls.BackendFailure, match=r"the faulty engine failed at .*py:[0-9]+: OSErr"
    ) as of:
        pls.solve("." * 16, Faulty())
    assert isinstance(of.value.__cause__, OSError)
    with pytest.raises(pls.BackendFailure, match=r"^its own error$"):
        pls.count("." * 16, Faulty())


def test_a_search_of_such_an_engine_can_be_closed():
    closed = []

    class Endless(pls.SudokuEngine):
        name = engine = "endless"

        def version(self):
            return "1"

        def solutions(self, puzzle, timeout=None):
            try:
                while True:
                    yield puzzle
            finally:
                closed.append(True)

    search = Endless().solutions("any")
    assert next(search) == "any"
    search.close()
    assert closed == [True]


def test_a_class_that_an_entry_lacks_is_an_error(tmp_path):
    code = ORACLE.replace("an_engine:Oracle", "an_engine:No")
    done = spawned(
        "solve", "-p", "queens", "-b", "mine", "6", env=installed(tmp_path, "mine", code)
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == (
        "Error: the mine backend cannot be imported: module 'an_engine' has no attribute 'No'\n"
        "Install or repair the package that contains an_engine.\n"
    )


def test_a_method_that_an_engine_has_from_elsewhere_is_guarded_too():
    class Mixin:
        def solutions(self, puzzle, timeout=None):
            yield 1 // 0

    class Mixed(Mixin, pls.SudokuEngine):
        name = engine = "mixed"

        def version(self):
            return "1"

    with pytest.raises(pls.BackendFailure, match=r"^the mixed engine failed at .*ZeroDivision"):
        pls.solve("." * 16, Mixed())


def test_an_error_about_a_demand_stays_a_value_error():
    class Strict(pls.SudokuEngine):
        name = engine = "strict"

        def version(self):
            return "1"

        def solutions(self, puzzle, timeout=None):
            yield from ()

        def consistent(self, layout, demands, timeout=None):
            raise ValueError("no such demand")

    with pytest.raises(ValueError, match=r"^no such demand$"):
        Strict().consistent(pls.Grid.parse("." * 16).layout, [])


@pytest.mark.parametrize("makes", ["lambda *_: 3", "lambda *_: {}['x']"])
def test_what_makes_no_engine_is_an_error(tmp_path, makes):
    text = (
        "import pylogic_sudoku as pls\n"
        f"make = {makes}\n"
        'Maker = pls.EngineSpec("maker", "asp", instances="an_engine:make")\n'
    )
    env = installed(tmp_path, "maker", text)
    done = spawned("solve", "-p", "queens", "-b", "maker", "6", env=env)
    assert done.returncode == 3
    assert "maker" in done.stderr or "an_engine" in done.stderr
    assert "Traceback" not in done.stderr
