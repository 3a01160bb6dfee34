"""The way of a puzzle: the steps that a person would take, one after another.

Each step is the easiest that a technique finds. Where no technique finds one, a minimal set of
rules refutes a candidate; a set of one rule beyond plain sudoku has a name: a cage's combinations,
or just one rule.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from operator import index, itemgetter
from typing import TYPE_CHECKING, Any

from ..engines.sudoku import get
from ..errors import InvalidPuzzle, SolveTimeout, counted, shown
from ..explain.answer import no_solution
from ..formats import PuzzleLike, as_puzzle
from ..puzzle import Grid, Mark, Puzzle
from ..puzzle.cells import (
    Candidates,
    Cell,
    CellLike,
    Layout,
    Placement,
    candidates_of,
    placements_in,
)
from ..reasons.minimal import minimal
from ..rules import KillerCage, LittleKiller, Total
from ..rules.demands import (
    SudokuRule,
    as_cell,
    beyond,
    cell_rules,
    every_placement,
    placements_of,
    placements_of_all,
    rules,
)
from ..running.workers import Budget, Progress
from .step import Step, different_sets, exclusion_zone, name_of_single, removal_text, removed_by
from .table import (
    AT_ONCE,
    BY_NAME,
    LEVELS,
    MINIMAL_SET,
    RANK,
    TECHNIQUES,
    Level,
    key_of,
    level_of,
)

if TYPE_CHECKING:
    from ..draw.svg import Slide
    from .position import Position


LOOKED_AT = 20
"""For a minimal set: the number of candidates that are tried first, those with the fewest
alternatives, since most follows once they are removed. With 40, and 4 minimal sets, eight very hard
puzzles needed 126 such steps instead of 65, and twice the time."""
TRIED = 2
"""The number of these that get a minimal set: those refuted by the fewest rules at first sight."""


def refute_by_set(
    position: Position, wrong: Collection[Placement]
) -> tuple[Placement, list[SudokuRule]]:
    """One of the wrong candidates, and rules that refute it, none of them redundant.

    Few rules refute that candidate, but perhaps fewer rules refute another one.
    """
    solver, layout, remaining = position.solver(), position.layout, position.remaining
    hard = position.hard(solver)
    several = rules(layout)
    reach = {rule: _reach(rule, layout, remaining) for rule in (*cell_rules(layout), *several)}
    alternatives: dict[Placement, list[int]] = defaultdict(list)
    for each in sorted(reach.values(), key=len):
        for candidate in each:
            alternatives[candidate].append(len(each))
    # A house that already has its digit has no candidate left for it, and refutes nothing.
    rule_of = {solver.literal(rule): rule for rule in several if reach[rule]}

    def at_first_sight(candidate: Placement) -> list[int]:
        core = solver.unsat_core([*hard, solver.literal(candidate), *rule_of]) or ()
        return [demand for demand in rule_of if demand in core]

    first = heapq.nsmallest(LOOKED_AT, sorted(wrong), key=lambda each: alternatives[each])
    near = {candidate: at_first_sight(candidate) for candidate in first}
    smallest = {
        candidate: minimal(solver, [*hard, solver.literal(candidate)], near[candidate]) or []
        for candidate in heapq.nsmallest(TRIED, near, key=lambda each: len(near[each]))
    }
    candidate = min(smallest, key=lambda each: len(smallest[each]))
    order = {rule: number for number, rule in enumerate(rule_of.values())}
    refuting_rules = (rule_of[demand] for demand in smallest[candidate])

    def place(rule: SudokuRule) -> tuple[Any, ...]:
        return (rule[0], order[rule]) if rule.beyond else rule

    return candidate, sorted(refuting_rules, key=place)


def refuted_by(
    rule: SudokuRule, position: Position, candidates: Iterable[Placement]
) -> frozenset[Placement]:
    """Those of the candidates that a rule beyond plain sudoku alone refutes."""
    solver = position.solver()
    asking = [*position.hard(solver), solver.literal(rule)]
    return frozenset(
        each
        for each in candidates
        if solver.unsat_core([*asking, solver.literal(each)]) is not None
    )


def name_of(rule: SudokuRule) -> str:
    """The technique by which one rule beyond plain sudoku refutes candidates."""
    each = rule.beyond
    sums = isinstance(each, Total | LittleKiller) or (
        isinstance(each, KillerCage) and each.sum is not None
    )
    return "cage_combinations" if sums else "one_rule"


def _in_cells(rule: SudokuRule, remaining: Collection[Placement]) -> frozenset[Placement]:
    cells = set(rule[1].cells_used())
    return frozenset(each for each in remaining if each.cell in cells)


def _apart(several: Sequence[SudokuRule]) -> Iterator[list[SudokuRule]]:
    """The rules in groups in which no two name the same cell."""
    while several:
        group: list[SudokuRule] = []
        later: list[SudokuRule] = []
        used_cells: set[Cell] = set()
        for rule in several:
            cells = set(rule[1].cells_used())
            (later if cells & used_cells else group).append(rule)
            used_cells |= cells
        yield group
        several = later


def _reach(
    rule: SudokuRule, layout: Layout, remaining: Collection[Placement]
) -> frozenset[Placement]:
    """The candidates that a rule is about: those in the cells of a rule beyond plain sudoku.

    If there is none in its cells, or it names no cell, the rule may be about any candidate.
    """
    if rule.beyond is None:
        return placements_of(rule, layout._replace(rules=())).intersection(remaining)
    return _in_cells(rule, remaining) or frozenset(remaining)


# --- steps as a list, and how hard they are together ---

SOLVED = "The puzzle is solved."
"""The outcome of steps that fill in every cell."""


@dataclass(frozen=True, slots=True)
class Rating:
    """The difficulty of a puzzle."""

    level: Level
    """Easy, medium, hard, unfair or extreme."""
    number: int
    """The sum of the weights of the steps."""
    hardest: str | None
    """The technique of the step with the greatest weight; None if there is no step."""
    techniques: dict[str, int] = field(hash=False)
    """The number of steps by each technique, the easiest technique first."""

    def __repr__(self) -> str:
        return f"<Rating: {self}>"

    def __str__(self) -> str:
        return f"{self.level} ({self.number}{f', {self.hardest}' if self.hardest else ''})"


def rating_of(weighed_steps: Sequence[tuple[str, int]]) -> Rating:
    """The rating of a puzzle that steps by these techniques, each with its weight, solve."""
    used = Counter(name for name, _ in weighed_steps)
    number = sum(weight for _, weight in weighed_steps)
    hardest = max(weighed_steps, key=itemgetter(1))[0] if weighed_steps else None
    names = list(LEVELS)
    least = max(
        (names.index(level_of(BY_NAME[name], weight)) for name, weight in weighed_steps), default=0
    )
    level = next(name for name in names[least:] if number <= LEVELS[name])
    return Rating(level, number, hardest, {name: used[name] for name in BY_NAME if name in used})


def line(step: Step) -> str:
    """The step in a few words: ``XY-wing: removes 2 from r3c7 and r3c9``."""
    return f"{step.technique}: {effect(step)}"


def effect(step: Step) -> str:
    """The effect of the step: ``removes 2 from r3c7 and r3c9``, or a placement."""
    return str(step.placed or f"removes {removal_text(step)}")


def page_of(step: Step) -> Slide:
    """The step as one of several on an HTML page, with its level and its weight."""
    from ..draw.svg import Slide

    return Slide(line(step), step.text(), step.picture(), f"{step.level}, {step.weight}")


@dataclass(frozen=True, slots=True)
class Walk(Sequence[Step]):
    """Steps in order. A notebook shows them as a list, with the picture of the chosen step."""

    steps: tuple[Step, ...]
    outcome: str
    """The result of the steps, in a sentence."""
    solved: bool
    """True if every cell is filled in after them."""

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, index: Any) -> Any:
        return self.steps[index]

    @property
    def rating(self) -> Rating | None:
        """The rating of the position from which they start; None if they do not solve it."""
        return rating_of([step.weighed for step in self.steps]) if self.solved else None

    @property
    def head(self) -> str:
        """The number of steps, and their difficulty."""
        return f"{counted(len(self), 'step')}{f': {self.rating}' if self.solved else ''}"

    def __repr__(self) -> str:
        return f"<Walk: {self.head}>"

    def __str__(self) -> str:
        lines = (f"{number}. {line(step)}" for number, step in enumerate(self, 1))
        return "\n".join((self.head, *lines, self.outcome))

    def to_html(self) -> str:
        """A part of an HTML page: the list, and the picture of its chosen line.

        It has no scripts, so it works in an exported notebook too.
        """
        from ..draw.svg import slides

        return slides([page_of(step) for step in self], f"{self.head}. {self.outcome}")

    def _repr_html_(self) -> str:
        return self.to_html()


# --- candidates that are removed before the first step ---


def as_removed(removed: Iterable[tuple[int, int, int]], size: int) -> frozenset[Placement]:
    """The candidates as placements; InvalidPuzzle unless each is a row, a column and a digit."""
    numbers = range(1, size + 1)
    placements = set()
    for each in removed:
        fits = isinstance(each, tuple | list) and len(each) == 3
        if not fits or not all(isinstance(part, int) and part in numbers for part in each):
            raise InvalidPuzzle(
                f"a removed candidate is {shown(tuple(each) if fits else each)}; expected (row,"
                f" column, digit), each from 1 to {size}"
            )
        placements.add(Placement(*each))
    return frozenset(placements)


def possible_candidates(
    puzzle: Grid | Puzzle, removed: Collection[Placement], budget: Budget
) -> frozenset[Placement]:
    """The candidates that hold in some solution without the removed ones.

    NoSolution if the puzzle has no solution at all; InvalidPuzzle if it has none without these.
    """
    possible = _candidates(_without(puzzle, removed) if removed else puzzle, budget)
    if possible:
        return possible
    before = _candidates(puzzle, budget) if removed else possible
    if not before:
        raise no_solution("no step leads to one")
    cells = [each.cell for each in before]
    needed = [each for each in sorted(before.intersection(removed)) if cells.count(each.cell) == 1]
    if needed:
        raise InvalidPuzzle(
            f"{needed[0].cell} can only be {needed[0].digit}, so this candidate cannot be removed"
        )
    raise InvalidPuzzle("every solution needs some of the removed candidates")


def _candidates(puzzle: Grid | Puzzle, budget: Budget) -> frozenset[Placement]:
    return placements_in(
        budget.spend(lambda seconds_left: get("clingo").candidates(puzzle, seconds_left))
    )


def _without(puzzle: Grid | Puzzle, removed: Iterable[Placement]) -> Puzzle:
    """The puzzle with marks that exclude these candidates."""
    every = frozenset(range(1, puzzle.size + 1))
    marks = [Mark(each.cell, every - {each.digit}) for each in removed]
    if isinstance(puzzle, Grid):
        return Puzzle(puzzle, marks=marks)
    return Puzzle(puzzle.grid, puzzle.regions, [*puzzle.marks, *marks], puzzle.rules)


# --- from the givens to the solution, the simplest step first ---
#
# The scale is that of HoDoKu: the number is the sum of the weights of the steps, and the level is
# that of the hardest step, or a higher one if the number is over the limit of that level.
#
# HoDoKu has no minimal sets of rules, which are the steps if no technique with a name applies, and
# no rules beyond plain sudoku. For puzzles that need these, the scale is ours alone.

KINDS = {"box": 1, "region": 1, "row": 2, "column": 3}
"""The order in which people look at houses."""


def steps(
    puzzle: PuzzleLike,
    timeout: float | None = None,
    removed: Iterable[tuple[int, int, int]] = (),
    progress: Progress | None = None,
) -> Steps:
    """The way to the solution, each step found on demand, always the simplest there is.

    If no technique that has a name applies, the step is a minimal set of rules that contradict a
    candidate. Singles, locked candidates and sets know the cells that a rule beyond plain sudoku
    makes all different, such as a diagonal or a cage. What else follows from one such rule alone,
    such as the combinations of a cage, follows singles and locked candidates, and precedes the
    other techniques.

    A puzzle with several solutions is followed until nothing more is sure; then every candidate
    that is left holds in some solution, and `Steps.outcome` says so. A placed digit is removed from
    the candidates of its houses without a step of its own.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, or nested rows.
        timeout: In seconds, over 0, for all steps together; None means no limit.
        removed: Candidates that earlier steps have removed, such as `Step.removed`, which no step
            removes again. Each is a row, a column and a digit.
        progress: Called with a description of the work whenever it changes.

    Raises:
        NoSolution: If there is no solution.
        InvalidPuzzle: If the input is not a puzzle, or no solution is left without `removed`.
        ValueError: If the timeout is not over 0.
        TypeError: If the timeout is not a number.
        SolveTimeout: If the time is used up, at once or while iterating.
        BackendFailure: If an engine breaks, at once or while iterating.

    >>> way = steps("4......3...13...")
    >>> print(next(way))
    r1c4 is 2, as no other digit is left for it.
    >>> len(list(way)), way.outcome()
    (11, 'The puzzle is solved.')
    """
    return Steps(as_puzzle(puzzle), timeout, removed, progress)


def hint(
    puzzle: PuzzleLike,
    timeout: float | None = None,
    removed: Iterable[tuple[int, int, int]] = (),
    progress: Progress | None = None,
) -> Step | None:
    """The next of `steps`; None if every cell is filled in or nothing more is sure.

    >>> print(hint("4......3...13..."))
    r1c4 is 2, as no other digit is left for it.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, or nested rows.
        timeout: In seconds, over 0; None means no limit.
        removed: Candidates that earlier steps have removed, such as `Step.removed`, which no step
            removes again. Each is a row, a column and a digit.
        progress: Called with a description of the work whenever it changes.

    Raises:
        NoSolution: If there is no solution.
        InvalidPuzzle: If the input is not a puzzle, or no solution is left without `removed`.
        ValueError: If the timeout is not over 0.
        TypeError: If the timeout is not a number.
        SolveTimeout: If the time is used up.
        BackendFailure: If an engine breaks.
    """
    return next(steps(puzzle, timeout, removed, progress), None)


def rate(
    puzzle: PuzzleLike,
    timeout: float | None = None,
    removed: Iterable[tuple[int, int, int]] = (),
    progress: Progress | None = None,
) -> Rating:
    """Rate the puzzle for a person who takes `steps`, always the simplest.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, or nested rows.
        timeout: In seconds, over 0, for all steps together; None means no limit.
        removed: Candidates that earlier steps have removed, such as `Step.removed`, which no step
            removes again. Each is a row, a column and a digit.
        progress: Called with a description of the work whenever it changes.

    Raises:
        NoSolution: If there is no solution.
        InvalidPuzzle: If the input is not a puzzle, if no solution is left without `removed`, or if
            there are several solutions, since no steps lead to one of them.
        ValueError: If the timeout is not over 0.
        TypeError: If the timeout is not a number.
        SolveTimeout: If the time is used up.
        BackendFailure: If an engine breaks.

    >>> print(rate("4......3...13..."))
    easy (48, naked single)
    """
    way = steps(puzzle, timeout, removed, progress)
    all_steps = list(way)
    if 0 in way.grid.digits:
        raise InvalidPuzzle(
            "the puzzle has several solutions, so it has no rating; ask for its ambiguity to see"
            " what they leave open"
        )
    return rating_of([step.weighed for step in all_steps])


class Steps(Iterator[Step]):
    """Steps, found on demand, and the position that they have reached."""

    def __init__(
        self,
        puzzle: Grid | Puzzle,
        timeout: float | None,
        removed: Iterable[tuple[int, int, int]] = (),
        progress: Progress | None = None,
    ) -> None:
        from .position import Position

        removed = as_removed(removed, puzzle.size)
        self._again = partial(type(self), puzzle, timeout, removed, progress)
        self._budget = budget = Budget("clingo", timeout, progress)
        budget.turn_to("looking for the digits that each cell holds in some solution")
        self._possible = possible_candidates(puzzle, removed, budget)
        self.puzzle = puzzle
        self._position = Position(puzzle, start_candidates(puzzle) - removed, budget)
        self._sets = [each.rule for each in different_sets(puzzle.layout) if each.alone]
        self._rules = [rule for rule in beyond(puzzle.layout) if rule not in self._sets]
        self._refuted: dict[SudokuRule, tuple[frozenset[Placement], frozenset[Placement]]] = {}
        """For a rule, the candidates in its cells when it was asked, and what it refutes."""
        self._techniques = [key for key, each in TECHNIQUES.items() if each.program not in AT_ONCE]
        self._ended = False
        self._step_count = 0

    def up_to(self, technique: str) -> None:
        """Use no harder technique than this key of `TECHNIQUES`: the steps may end early."""
        most = RANK[TECHNIQUES[technique].name]
        self._techniques = [key for key in self._techniques if RANK[TECHNIQUES[key].name] <= most]

    @property
    def candidates(self) -> Candidates:
        """Rows of sets: the digits that each empty cell may still hold."""
        return self._position.candidates

    @property
    def grid(self) -> Grid:
        """The digits so far."""
        return self._position.grid

    def outcome(self) -> str:
        """The result of the steps so far, in a sentence."""
        if 0 not in self.grid.digits:
            return SOLVED
        if self._ended:
            return f"Nothing more is sure: {self._empty()} left, as there are several solutions."
        return f"{self._empty()} left."

    def __repr__(self) -> str:
        return f"<Steps: {self._empty()}>"

    def _empty(self) -> str:
        return counted(self.grid.digits.count(0), "empty cell")

    def walk(self) -> Walk:
        """All steps that are left, as a list through which one can walk in a notebook.

        If time runs out, the list has the steps that were found, and its outcome says so. Raises
        the other errors of iterating.
        """
        so_far: list[Step] = []
        try:
            so_far.extend(self)
        except SolveTimeout as error:
            return Walk(tuple(so_far), f"{error}.", solved=False)
        return Walk(tuple(so_far), self.outcome(), 0 not in self.grid.digits)

    def _repr_html_(self) -> str:
        """All steps from the start, found again, so that this iterator does not move."""
        return self._again().walk()._repr_html_()

    def __next__(self) -> Step:
        with self._budget:
            step = self._simplest() if 0 in self.grid.digits else None
        if step is None:
            self._ended = True
            raise StopIteration
        self._step_count += 1
        self._position.take(step)
        return step

    def _turn_to(self, techniques: str) -> None:
        self._budget.turn_to(f"looking for {techniques}", f"at step {self._step_count + 1}")

    def _simplest(self) -> Step | None:
        """A step by the easiest technique; of several, the one that does most."""
        position = self._position
        self._turn_to("singles and locked candidates")
        choices = position.at_once()
        if not choices and position.remaining <= self._possible:
            return None  # every candidate holds in some solution
        if not choices and (by_rule := self._by_one_of(self._rules)):
            return by_rule  # it weighs less than any of the other techniques
        easiest = min((RANK[each.technique] for each in choices), default=len(RANK))
        for key in self._techniques:
            name, program = TECHNIQUES[key][:2]
            if easiest <= RANK[name]:
                break
            self._turn_to(f"the technique {name}")
            if program and (more := position.by(key, shortest=True)):
                choices += more
                break
        if choices:
            return min(choices, key=_preference)
        if by_set := self._by_one_of(self._sets):
            return by_set
        if "minimal_set" not in self._techniques:
            return None
        self._turn_to("a minimal set of rules")
        return self._minimal_set()

    def _by_one_of(self, rules: Sequence[SudokuRule]) -> Step | None:
        """The step by the one of these rules beyond plain sudoku that refutes most."""
        if not rules:
            return None
        self._turn_to("what one rule excludes")
        position, refuted = self._position, self._refuted
        wrong = position.remaining - self._possible

        def ask() -> tuple[SudokuRule, frozenset[Placement]]:
            pending_rules = []
            for rule in rules:
                before, refutable = refuted.get(rule, (None, frozenset()))
                here = _in_cells(rule, position.remaining)
                refutable &= here  # what a rule has refuted, it refutes from then on
                refuted[rule] = here, refutable
                if here != before and not refutable >= here & wrong:
                    pending_rules.append(rule)
            solver = position.solver()
            for several in _apart(pending_rules):
                possible = solver.possible([*position.hard(solver), *solver.literals(several)])
                for rule in several:
                    here, _ = refuted[rule]
                    refuted[rule] = here, here & wrong - possible
            # Rules in a group may yet be linked, as not all name each cell that they are about.
            while True:
                rule = max(rules, key=lambda each: len(refuted[each][1]))
                here, refutable = refuted[rule]
                refuted[rule] = here, refuted_by(rule, position, refutable)
                if refuted[rule][1] == refutable:
                    return rule, refutable

        rule, refutable = position.solver().run(ask)
        return position.removal(name_of(rule), [rule], refutable) if refutable else None

    def _minimal_set(self) -> Step:
        position = self._position
        wrong = position.remaining - self._possible
        removed, refuting_rules = position.solver().run(lambda: refute_by_set(position, wrong))
        alone = len(refuting_rules) == 1 and refuting_rules[0].beyond
        return position.removal(
            name_of(refuting_rules[0]) if alone else "minimal_set", refuting_rules, [removed]
        )


def _preference(step: Step) -> tuple[Any, ...]:
    """The least is the step to take: the easiest, then the one that does most."""
    kinds = [KINDS.get(str(rule[1]), 0) for rule in step.truths]
    harder = RANK[step.technique], len(step.chain)
    order = map(_in_order, (step.truths, step.links))
    return *harder, -len(step.removed), len(step.rules), kinds, *order


def _in_order(several: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rules as tuples that can be compared."""
    return [(each[0], str(each[1])) if each[0] == "rule" else each for each in several]


def start_candidates(puzzle: Grid | Puzzle) -> frozenset[Placement]:
    """The candidates that no given and no mark rules out."""
    zones = (exclusion_zone(given, puzzle.layout) for given in puzzle.givens)
    return every_placement(puzzle.size).difference(puzzle.excluded, *zones)


# --- the steps on which the digit of one cell depends, and no others ---
#
# The steps of `steps` are followed backwards from the one that fills the cell: which candidates
# must be removed for it to be right, which steps removed these, and so on. If several steps or
# houses exclude a candidate, the one that needs the fewest steps before it is chosen.


def steps_to(
    puzzle: PuzzleLike,
    cell: CellLike,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Walk | None:
    """Those of `steps` on which the digit of a cell depends; None if it is given, or not forced.

    Each shows the position to which those before it lead, so more candidates are left than in
    `steps`.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, or nested rows.
        cell: A name such as ``"r3c2"``, a `Cell`, or row and column, each from 1.
        timeout: In seconds, over 0, for all steps together; None means no limit.
        progress: Called with a description of the work whenever it changes.

    Raises:
        NoSolution: If there is no solution.
        InvalidPuzzle: If the input is not a puzzle, or has no such cell.
        ValueError: If the timeout is not over 0.
        TypeError: If the timeout is not a number.
        SolveTimeout: If the time is used up. It has the `steps` that were found in time, in the
            order of `steps`.
        BackendFailure: If an engine breaks.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> for step in steps_to(puzzle, "r1c7"):
    ...     print(step)
    Column 8 must hold a 1, and r1c8 is the only cell left for it.
    Row 1 must hold a 9, and r1c7 is the only cell left for it.
    """
    puzzle = as_puzzle(puzzle)
    where = as_cell(cell, puzzle)
    so_far: list[Step] = []
    if puzzle[where]:
        return None
    try:
        for step in Steps(puzzle, timeout, progress=progress):
            so_far.append(step)
            if step.placed and step.placed.cell == where:
                outcome = f"{where} is {step.placed.digit}."
                needed = _needed_steps(puzzle, so_far)
                return Walk(tuple(_replay(puzzle, needed)), outcome, solved=False)
    except SolveTimeout as error:
        error.steps = so_far
        raise
    return None


def _needed_steps(puzzle: Grid | Puzzle, all_steps: list[Step]) -> list[Step]:
    """The steps that the last one needs, in order, and itself."""
    start = start_candidates(puzzle)
    true = {*puzzle.givens, *(step.placed for step in all_steps if step.placed)}
    removers: dict[Placement, list[int]] = {}
    needs: list[set[int]] = []
    chosen: list[Step] = []

    def needed_for(missing: Collection[Placement]) -> set[int]:
        """The numbers of few steps that together remove these candidates."""
        fewest = {each: min(len(needs[by]) for by in removers[each]) for each in missing}
        needed: set[int] = set()
        for candidate in sorted(missing, key=lambda each: (fewest[each], each)):
            needed |= min(
                (needs[by] for by in removers[candidate]), key=lambda by: len(by - needed)
            )
        return needed

    for number, step in enumerate(all_steps):
        remaining = placements_in(step.candidates)
        ways = [
            (each, needed_for((each.relevant() - remaining) & removers.keys()))
            for each in _ways(step, remaining)
        ]
        best, before = min(ways, key=lambda way: len(way[1]))
        chosen.append(best)
        needs.append(before | {number})
        for candidate in (removed_by(step) & start) - true:
            removers.setdefault(candidate, []).append(number)
    return [chosen[number] for number in sorted(needs[-1])]


def _ways(step: Step, remaining: Collection[Placement]) -> Iterator[Step]:
    """The step, and if it is a single, the same by each other rule that allows nothing else."""
    yield step
    if step.placed is None or any(rule.beyond for rule in step.rules):
        return
    layout, (row, column, digit) = step.puzzle.layout, step.placed
    rules = [SudokuRule(("filled", row, column))]
    rules += [
        SudokuRule(("at_least_once", house.kind, house.number, digit))
        for house in layout.houses
        if (row, column) in house.cells
    ]
    for rule in rules:
        if placements_of_all([rule], layout).intersection(remaining) == {step.placed}:
            yield replace(step, truths=(rule,))


def _replay(puzzle: Grid | Puzzle, several: Iterable[Step]) -> Iterator[Step]:
    """Each step in the position to which those before it lead."""
    grid, remaining = puzzle.grid, start_candidates(puzzle)
    for step in several:
        moved = replace(step, grid=grid, candidates=candidates_of(remaining, grid.size))
        if step.placed:
            moved = replace(moved, technique=name_of_single(step.truths[0], puzzle.layout, grid))
        yield moved
        remaining -= removed_by(step)
        if step.placed:
            grid = grid.with_(step.placed)


# --- every step by one technique in a position ---


def find(
    grid: PuzzleLike,
    candidates: Sequence[Any],
    technique: str,
    timeout: float | None = None,
) -> list[Step]:
    """Every step by this technique in a position, even if there is an easier one.

    Args:
        grid: The digits so far.
        candidates: The digits that each empty cell may still hold, as rows of sets. Those that a
            filled cell or a mark rules out do not count.
        technique: One of the names in `TECHNIQUES`.
        timeout: In seconds, over 0; None means no limit.

    Raises:
        InvalidPuzzle: If the candidates do not fit the grid.
        ValueError: For an unknown technique or a minimal set, or if the timeout is not over 0.
        SolveTimeout: If the time is used up.
        BackendFailure: If an engine breaks.
    """
    from .position import Position

    puzzle = as_puzzle(grid)
    key = key_of(technique)
    if TECHNIQUES[key] is MINIMAL_SET:
        raise ValueError("minimal sets are found by `steps`, if no technique with a name applies")
    remaining = placements_in(_checked(candidates, puzzle.size))
    remaining &= start_candidates(puzzle)
    position = Position(puzzle, remaining, Budget("clingo", timeout))
    if TECHNIQUES[key].program:
        return position.by(key)
    several = [rule for rule in beyond(puzzle.layout) if name_of(rule) == key]
    solver = position.solver()
    answers = solver.run(
        lambda: [refuted_by(rule, position, _in_cells(rule, remaining)) for rule in several]
    )
    by_rule = zip(several, answers, strict=True)
    return [position.removal(key, [rule], refutable) for rule, refutable in by_rule if refutable]


def _checked(candidates: Any, size: int) -> Candidates:
    """The candidates of each cell, row by row."""
    try:
        rows = tuple(tuple(frozenset(map(index, cell)) for cell in row) for row in candidates)
    except TypeError:
        rows = ()
    if len(rows) != size or {*map(len, rows)} != {size}:
        raise InvalidPuzzle(
            f"the candidates are {size} rows of {size} sets of digits, not {shown(candidates)}"
        )
    for x, row in enumerate(rows, 1):
        for y, digits in enumerate(row, 1):
            if wrong := digits.difference(range(1, size + 1)):
                raise InvalidPuzzle(
                    f"the candidates: {Cell(x, y)} has {min(wrong)}; expected 1 to {size}"
                )
    return rows
