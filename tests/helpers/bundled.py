"""Answers to the bundled problems without an engine.

An oracle takes the facts of an instance, as the arguments for each name, and returns the set of all
answers; for a problem with an optimum, the lowest cost and the set of answers that have it. An
answer is a set of atoms such as ``("queen", 1, 5)``. What the heads of the programs rule out has no
answer: an instance without a size, or a given outside the square.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, groupby, pairwise, permutations, product
from math import prod
from operator import gt
from typing import Any

Atom = tuple[Any, ...]
Facts = dict[str, list[Atom]]
Answers = set[frozenset[Atom]]
Cell = tuple[int, int]


def fill(
    choices: Sequence[Iterable[Any]], fits: Callable[[Sequence[Any]], bool]
) -> Iterator[list[Any]]:
    """Every way to make one choice after another so that each beginning of them fits."""

    def extended(made: list[Any]) -> Iterator[list[Any]]:
        if len(made) == len(choices):
            yield made
            return
        for choice in choices[len(made)]:
            longer = [*made, choice]
            if fits(longer):
                yield from extended(longer)

    return extended([])


class NoAnswer(Exception):
    """The instance lacks a fact, or has one that cannot be kept."""


def single(facts: Facts, name: str) -> Any:
    """The argument of a predicate that has one fact."""
    if name not in facts:
        raise NoAnswer
    ((argument,),) = facts[name]
    return argument


def must_hold(facts: object) -> None:
    if not facts:
        raise NoAnswer


def squares(rows: int, columns: int) -> list[Cell]:
    return list(product(range(1, rows + 1), range(1, columns + 1)))


def queens(facts: Facts) -> Answers:
    rows = range(1, single(facts, "size") + 1)
    return {
        frozenset(("queen", row, column) for row, column in zip(rows, columns, strict=True))
        for columns in permutations(rows)
        if len({row + column for row, column in zip(rows, columns, strict=True)}) == len(rows)
        and len({row - column for row, column in zip(rows, columns, strict=True)}) == len(rows)
    }


def colouring(facts: Facts) -> Answers:
    nodes = [node for (node,) in facts.get("node", [])]
    must_hold(all({*edge} <= {*nodes} for edge in facts.get("edge", [])))
    edges = {frozenset(edge) for edge in facts.get("edge", [])}

    def fits(colours: Sequence[int]) -> bool:
        *before, last = zip(nodes, colours, strict=False)
        return frozenset([last[0]]) not in edges and all(
            frozenset([node, last[0]]) not in edges for node, colour in before if colour == last[1]
        )

    colours = range(1, single(facts, "colours") + 1)
    return {
        frozenset(("colour", node, colour) for node, colour in zip(nodes, found, strict=True))
        for found in fill([colours] * len(nodes), fits)
    }


def zebra(facts: Facts) -> Answers:
    kinds: dict[str, list[str]] = {}
    for kind, thing in facts.get("thing", []):
        kinds.setdefault(kind, []).append(thing)
    relations = [
        ("same", lambda one, other: one == other),
        ("right_of", lambda one, other: one == other + 1),
        ("next_to", lambda one, other: abs(one - other) == 1),
    ]
    houses, there = single(facts, "houses"), {thing for _, thing in facts.get("thing", [])}
    must_hold(all(len(things) == houses for things in kinds.values()))
    must_hold(all({*clue} <= there for name, _ in relations for clue in facts.get(name, [])))
    must_hold(all(thing in there for thing, _ in facts.get("at", [])))

    def fits(rows: Sequence[Sequence[str]]) -> bool:
        numbered = {(thing, number) for row in rows for number, thing in enumerate(row, 1)}
        house = dict(numbered)
        return (
            len(house) == len(numbered)  # a thing may be of several kinds
            and all(house.get(thing, number) == number for thing, number in facts.get("at", []))
            and all(
                holds(house[one], house[other])
                for name, holds in relations
                for one, other in facts.get(name, [])
                if one in house and other in house
            )
        )

    return {
        frozenset(("house", thing, number) for row in rows for number, thing in enumerate(row, 1))
        for rows in fill([list(permutations(things)) for things in kinds.values()], fits)
    }


def magic_square(facts: Facts) -> Answers:
    size = single(facts, "size")
    given = facts.get("given", [])
    total = size * (size * size + 1) // 2
    cells = squares(size, size)
    must_hold(all(each[:2] in cells for each in given))
    lines = [
        *([(row, column) for column in range(1, size + 1)] for row in range(1, size + 1)),
        *([(row, column) for row in range(1, size + 1)] for column in range(1, size + 1)),
        [(row, row) for row in range(1, size + 1)],
        [(row, size + 1 - row) for row in range(1, size + 1)],
    ]

    def fits(numbers: Sequence[int]) -> bool:
        number = dict(zip(cells, numbers, strict=False))
        last = cells[len(numbers) - 1]
        if numbers[-1] in numbers[:-1] or not kept(given, last, numbers[-1]):
            return False
        for line in lines:
            known = [number[cell] for cell in line if cell in number]
            if sum(known) > total or (len(known) == size and sum(known) != total):
                return False
        return True

    return {
        frozenset(("square", *cell, number) for cell, number in zip(cells, numbers, strict=True))
        for numbers in fill([range(1, size * size + 1)] * len(cells), fits)
    }


def kept(given: Iterable[Atom], cell: Cell, value: int) -> bool:
    return all(other == value for row, column, other in given if (row, column) == cell)


def latin(facts: Facts, size: int, fits: Callable[[dict[Cell, int]], bool]) -> Iterator[list[Atom]]:
    """Every Latin square with the given values that fits, wherever it has been filled so far."""
    given = facts.get("given", [])
    cells = squares(size, size)
    must_hold(all(each[:2] in cells for each in given))

    def so_far(values: Sequence[int]) -> bool:
        value = dict(zip(cells, values, strict=False))
        (row, column), last = cells[len(values) - 1], values[-1]
        return (
            kept(given, (row, column), last)
            and all(value[row, other] != last for other in range(1, column))
            and all(value[other, column] != last for other in range(1, row))
            and fits(value)
        )

    for values in fill([range(1, size + 1)] * len(cells), so_far):
        yield [(*cell, value) for cell, value in zip(cells, values, strict=True)]


def as_atoms(name: str, answers: Iterable[Iterable[Atom]]) -> Answers:
    return {frozenset((name, *arguments) for arguments in answer) for answer in answers}


def quasigroup(facts: Facts) -> Answers:
    return as_atoms("cell", latin(facts, single(facts, "size"), lambda _: True))


def futoshiki(facts: Facts) -> Answers:
    size = single(facts, "size")
    must_hold(all(1 <= part <= size for sign in facts.get("less", []) for part in sign))

    def fits(value: dict[Cell, int]) -> bool:
        return all(
            value[row, column] < value[to_row, to_column]
            for row, column, to_row, to_column in facts.get("less", [])
            if (row, column) in value and (to_row, to_column) in value
        )

    return as_atoms("cell", latin(facts, size, fits))


def kenken(facts: Facts) -> Answers:
    size = single(facts, "size")
    members: dict[str, list[Cell]] = {}
    for cage, row, column in facts.get("in_cage", []):
        members.setdefault(cage, []).append((row, column))
    cages = facts.get("cage", [])
    cells = [cell for cage, _, _ in cages for cell in members.setdefault(cage, [])]
    must_hold(all(1 <= part <= size for cell in cells for part in cell))
    must_hold(
        all(len(members[cage]) == 2 for cage, how, _ in cages if how in ("subtract", "divide"))
    )

    def holds(operation: str, target: int, values: list[int]) -> bool:
        if operation == "add":
            return sum(values) == target
        if operation == "multiply":
            return prod(values) == target
        small, great = sorted(values)
        return great - small == target if operation == "subtract" else small * target == great

    def fits(value: dict[Cell, int]) -> bool:
        return all(
            holds(operation, target, [value[cell] for cell in members[cage]])
            for cage, operation, target in cages
            if all(cell in value for cell in members[cage])
        )

    must_hold(fits({}))
    return as_atoms("cell", latin(facts, size, fits))


def nonogram(facts: Facts) -> Answers:
    height, width = single(facts, "rows"), single(facts, "columns")
    blocks_of = [each for name in ("row_block", "column_block") for each in facts.get(name, [])]
    must_hold(all(length > 0 for _, _, length in blocks_of))
    for name, lines in (("row_block", height), ("column_block", width)):
        must_hold(all(1 <= line <= lines for line, _, _ in facts.get(name, [])))
        known = {(line, index) for line, index, _ in facts.get(name, [])}
        must_hold(all(index == 1 or (line, index - 1) in known for line, index in known))

    def blocks(name: str, number: int) -> list[int]:
        return [length for line, _, length in sorted(facts.get(name, [])) if line == number]

    def runs(line: Sequence[int]) -> list[int]:
        return [len(list(run)) for black, run in groupby(line) if black]

    rows = [
        [line for line in product((0, 1), repeat=width) if runs(line) == blocks("row_block", row)]
        for row in range(1, height + 1)
    ]
    columns = [blocks("column_block", column) for column in range(1, width + 1)]
    must_hold(height or not any(columns))

    def fits(picture: Sequence[Sequence[int]]) -> bool:
        for column, wanted in zip(zip(*picture, strict=True), columns, strict=True):
            found = runs(column)
            if len(picture) == height and found != wanted:
                return False
            if len(found) > len(wanted) or any(map(gt, found, wanted)):
                return False
        return True

    return {
        frozenset(
            ("cell", row, column, black)
            for row, line in enumerate(picture, 1)
            for column, black in enumerate(line, 1)
        )
        for picture in fill(rows, fits)
    }


def hamilton(facts: Facts) -> Answers:
    if "node" not in facts:
        return {frozenset()}
    first, *others = [node for (node,) in facts["node"]]
    ways = {way for one, other in facts.get("edge", []) for way in ((one, other), (other, one))}
    cycles: Iterator[list[Any]] = ([first, *order, first] for order in permutations(others))
    if len(others) > 9:
        cycles = long_cycles(first, len(others), ways)
    return {
        frozenset(("next", *way) for way in pairwise(cycle))
        for cycle in cycles
        if ways.issuperset(pairwise(cycle))
    }


def long_cycles(first: int, others: int, ways: set[tuple[int, int]]) -> Iterator[list[int]]:
    neighbours = {one: [to for start, to in ways if start == one] for one, _ in ways}

    def extended(path: list[int]) -> Iterator[list[int]]:
        if len(path) == others + 1:
            yield [*path, first]
        for node in neighbours[path[-1]]:
            if node not in path:
                yield from extended([*path, node])

    return extended([first])


def hitori(facts: Facts) -> Answers:
    number = {(row, column): value for row, column, value in facts.get("number", [])}
    cells = sorted(number)

    def near(row: int, column: int) -> set[Cell]:
        steps = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
        return number.keys() & steps

    def fits(blacks: Sequence[bool]) -> bool:
        cell, black = cells[len(blacks) - 1], blacks[-1]
        before = dict(zip(cells, blacks[:-1], strict=False))
        if black:
            return not any(before.get(other) for other in near(*cell))
        return not any(
            number[other] == number[cell] and (other[0] == cell[0] or other[1] == cell[1])
            for other, is_black in before.items()
            if not is_black
        )

    def connected(white: set[Cell]) -> bool:
        found: set[Cell] = set()
        edge = set(sorted(white)[:1])
        while edge:
            found |= edge
            edge = {other for cell in edge for other in near(*cell)} & (white - found)
        return found == white

    return {
        frozenset(("black", *cell) for cell, black in zip(cells, blacks, strict=True) if black)
        for blacks in fill([(False, True)] * len(cells), fits)
        if connected({cell for cell, black in zip(cells, blacks, strict=True) if not black})
    }


def send_more(facts: Facts) -> Answers:
    words: dict[str, dict[int, str]] = {}
    for word, place, letter in facts.get("letter", []):
        words.setdefault(word, {})[place] = letter
    spelled = {
        word: "".join(letters[place] for place in sorted(letters, reverse=True))
        for word, letters in words.items()
    }
    letters = sorted(set("".join(spelled.values())))
    firsts = {word[0] for word in spelled.values() if len(word) > 1}
    total = spelled.pop(single(facts, "total"), "0")
    found: Answers = set()
    for digits in permutations("0123456789", len(letters)):
        digit = dict(zip(letters, digits, strict=True))
        if all(digit[letter] != "0" for letter in firsts):
            table = str.maketrans(digit)
            added = sum(int(word.translate(table)) for word in spelled.values())
            if added == int(total.translate(table)):
                found.add(frozenset(("digit", letter, int(digit[letter])) for letter in letters))
    return found


def subsets(atoms: Sequence[Atom]) -> Iterator[frozenset[Atom]]:
    for size in range(len(atoms) + 1):
        yield from map(frozenset, combinations(atoms, size))


def set_cover(facts: Facts) -> tuple[int | None, Answers]:
    sets, contains = facts.get("set", []), facts.get("contains", [])
    costs: dict[frozenset[Atom], int] = {}
    for answer in subsets([("select", name) for name in sorted({name for name, _ in sets})]):
        covered = {element for name, element in contains if ("select", name) in answer}
        if covered.issuperset(element for (element,) in facts.get("element", [])):
            costs[answer] = sum(cost for name, cost in sets if ("select", name) in answer)
    return cheapest(costs)


def clique(facts: Facts) -> Answers:
    size = single(facts, "size")
    edges = {frozenset(edge) for edge in facts.get("edge", [])}
    return {
        answer
        for answer in subsets([("clique", node) for (node,) in facts.get("node", [])])
        if len(answer) == size
        and all(
            frozenset((one, other)) in edges for (_, one), (_, other) in combinations(answer, 2)
        )
    }


def knapsack(facts: Facts) -> tuple[int | None, Answers]:
    items, capacity = facts.get("item", []), single(facts, "capacity")
    costs: dict[frozenset[Atom], int] = {}
    for numbers in product(*(range(limit + 1) for _, _, _, limit in items)):
        taken = list(zip(items, numbers, strict=True))
        if sum(item[1] * number for item, number in taken) <= capacity:
            answer = frozenset(("take", item[0], number) for item, number in taken)
            costs[answer] = -sum(item[2] * number for item, number in taken)
    return cheapest(costs)


def job_shop(facts: Facts) -> tuple[int | None, Answers]:
    horizon = single(facts, "horizon")
    tasks = sorted(facts.get("task", []))
    must_hold(all(duration > 0 for *_, duration in tasks))

    def fits(starts: Sequence[int]) -> bool:
        *before, ((job, index, machine, duration), start) = zip(tasks, starts, strict=False)
        end = start + duration
        for (other_job, other_index, other_machine, other_duration), other_start in before:
            other_end = other_start + other_duration
            if (other_job, other_index + 1) == (job, index) and start < other_end:
                return False
            if other_machine == machine and start < other_end and other_start < end:
                return False
        return True

    choices = [range(horizon - duration + 1) for *_, duration in tasks]
    return cheapest(
        {
            frozenset(
                ("start", *task[:2], start) for task, start in zip(tasks, starts, strict=True)
            ): max((start + task[3] for task, start in zip(tasks, starts, strict=True)), default=0)
            for starts in fill(choices, fits)
        }
    )


def cheapest(costs: dict[frozenset[Atom], int]) -> tuple[int | None, Answers]:
    least = min(costs.values(), default=None)
    return least, {answer for answer, cost in costs.items() if cost == least}


def sudoku(facts: Facts) -> Answers:
    height, width = single(facts, "box_rows"), single(facts, "box_columns")

    def fits(value: dict[Cell, int]) -> bool:
        boxes = [
            ((row - 1) // height, (column - 1) // width, digit)
            for (row, column), digit in value.items()
        ]
        return len(boxes) == len(set(boxes))

    given = {"given": facts.get("initial", [])}
    return as_atoms("sudoku", latin(given, height * width, fits))


def langford(facts: Facts) -> Answers:
    size, copies = single(facts, "size"), single(facts, "copies")
    must_hold(copies > 0)
    length = size * copies

    def positions(number: int, first: int) -> list[int]:
        return [first + copy * (number + 1) for copy in range(copies)]

    def fits(firsts: Sequence[int]) -> bool:
        taken = [place for one in enumerate(firsts, 1) for place in positions(*one)]
        return max(taken) <= length and len(taken) == len(set(taken))

    return {
        frozenset(("place", number, first) for number, first in enumerate(firsts, 1))
        for firsts in fill([range(1, length + 1)] * size, fits)
    }


def all_interval(facts: Facts) -> Answers:
    size = single(facts, "size")
    given = {("note", *each) for each in facts.get("given", [])}
    return {
        answer
        for order in permutations(range(size))
        if len({abs(one - other) for one, other in pairwise(order)}) == max(0, size - 1)
        and given <= (answer := frozenset(("note", *each) for each in enumerate(order, 1)))
    }


def guarded(oracle: Callable[[Facts], Any]) -> Callable[[Facts], Any]:
    """The oracle, which has no answer where it raises NoAnswer."""

    def answers(facts: Facts) -> Any:
        try:
            return oracle(facts)
        except NoAnswer:
            return set()

    return answers


ORACLES: dict[str, Callable[[Facts], Any]] = {
    oracle.__name__: guarded(oracle)
    for oracle in (
        *(all_interval, clique, colouring, futoshiki, hamilton),
        *(hitori, job_shop, kenken, knapsack),
        *(langford, magic_square, nonogram, quasigroup),
        *(queens, send_more, set_cover, sudoku, zebra),
    )
}

LONG = " ".join(
    f"letter(a,{place},x). letter(b,{place},y). letter(c,{place},z)." for place in range(12)
)


EDGES: dict[str, list[str]] = {
    "all_interval": [
        "size(0).",
        "size(3). given(4,1).",
        "size(3). given(1,7).",
        "size(0). given(1,0).",
        "size(3). given(1,1). given(1,2).",
    ],
    "clique": [
        "size(0).",
        "size(1).",
        "size(-1).",
        "size(0). node(a).",
        "size(2). node(a).",
        "node(a).",
        "size(1). node(a). edge(a,z).",
        "size(2). node(a). edge(a,z).",
        "size(1). node(a). edge(a,a).",
        "size(2). node(a). node(b). edge(a,b). edge(b,a).",
        "size(2). node(a). node(b).",
    ],
    "colouring": [
        "colours(0).",
        "colours(2).",
        "colours(0). node(a).",
        "node(a).",
        "colours(2). node(a). edge(a,z).",
        "colours(2). node(a). edge(z,a).",
        "colours(2). edge(y,z).",
        "colours(2). node(a). edge(a,a).",
        "colours(2). node(a). node(b). edge(a,b). edge(b,a).",
    ],
    "futoshiki": [
        "size(0).",
        "size(2). less(1,1,3,1).",
        "size(2). less(3,1,1,1).",
        "size(2). less(0,1,1,1).",
        "size(1). less(1,1,1,2).",
        "size(1). less(1,2,1,1).",
        "size(2). less(1,1,1,1).",
        "size(2). given(3,1,1).",
        "size(2). given(1,1,3).",
        "size(3). less(1,1,3,3).",
        "size(2). less(8,8,9,9).",
    ],
    "hamilton": [
        "node(1).",
        "node(1). edge(1,1).",
        "node(1..2).",
        "node(1..2). edge(1,2).",
        "node(1..2). edge(1,2). edge(2,1).",
        "node(1..2). edge(1,2). edge(2,9).",
        "node(1..3). edge(1,2). edge(2,3). edge(1,9). edge(9,3).",
        "edge(1,2).",
        "node(1..3). edge(1,2). edge(2,3). edge(1,3). edge(1,1).",
        "node(1). edge(1,2).",
    ],
    "hitori": [
        "number(1,1,1).",
        "number(1,1,1). number(1,3,1).",
        "number(2,2,1).",
        "number(2,2,1). number(2,3,1).",
        "number(1,1,1). number(1,2,1). number(1,3,1).",
        "number(1,1,1). number(2,2,1).",
        "number(1,2,1). number(2,1,1). number(2,2,2).",
        "number(1,1,1). number(2,1,2). number(2,2,1). number(2,3,1).",
    ],
    "job_shop": [
        "horizon(3).",
        "task(a,1,saw,1).",
        "horizon(2). task(a,1,saw,0).",
        "horizon(2). task(a,1,saw,2). task(b,1,saw,0).",
        "horizon(3). task(a,1,saw,2). task(b,1,saw,0). task(b,2,saw,1).",
        "horizon(0). task(a,1,saw,0).",
        "horizon(0). task(a,1,saw,1).",
        "horizon(0).",
        "horizon(2). task(a,1,saw,0). task(b,1,saw,0).",
        "horizon(4). task(a,1,saw,1). task(a,3,saw,1).",
        "horizon(3). task(a,1,saw,1). task(a,2,drill,0). task(b,1,drill,3).",
        "horizon(4). task(a,2,saw,1). task(b,1,drill,2).",
    ],
    "kenken": [
        "size(0).",
        "size(1). cage(k,multiply,1).",
        "size(1). cage(k,multiply,2).",
        "size(1). cage(k,add,0).",
        "size(1). cage(k,add,1).",
        "size(1). cage(k,multiply,1). in_cage(k,1,1).",
        "size(2). cage(k,subtract,1). in_cage(k,1,1).",
        "size(2). cage(k,divide,1). in_cage(k,1,1).",
        "size(2). cage(k,divide,1).",
        "size(2). cage(k,subtract,0).",
        "size(3). cage(k,subtract,1). in_cage(k,1,1..3).",
        "size(3). cage(k,divide,2). in_cage(k,1,1..3).",
        "size(2). cage(k,add,3). in_cage(k,1,2..3).",
        "size(2). cage(k,add,2). in_cage(k,1,2..3).",
        "size(2). cage(k,multiply,2). in_cage(k,1,2..3).",
        "size(2). cage(k,subtract,1). in_cage(k,1,2..3).",
        "size(2). in_cage(k,1,2).",
        "size(2). in_cage(k,1,3).",
        "size(2). cage(k,add,1). in_cage(k,3,3).",
        "size(2). cage(k,subtract,0). in_cage(k,1,1). in_cage(k,2,2).",
        "size(2). cage(k,divide,0). in_cage(k,1,1..2).",
        "size(2). cage(k,multiply,0). in_cage(k,1,1..2).",
        "size(0). cage(k,add,0).",
    ],
    "knapsack": [
        "capacity(2).",
        "item(a,1,1,1).",
        "capacity(0). item(a,0,1,2).",
        "capacity(1). item(a,1,0,2).",
        "capacity(1). item(a,1,1,0).",
        "capacity(0).",
        "capacity(-1).",
        "capacity(-1). item(a,1,1,1).",
        "capacity(1). item(a,-1,1,1). item(b,2,3,1).",
        "capacity(1). item(a,1,-1,1).",
        "capacity(3). item(a,1,1,1). item(b,1,1,1).",
    ],
    "langford": [
        "size(0).",
        "copies(2).",
        "size(0). copies(2).",
        "size(0). copies(0).",
        "size(1). copies(0).",
        "size(2). copies(0).",
        "size(2). copies(-1).",
        "size(1). copies(1).",
        "size(3). copies(1).",
        "size(1). copies(2).",
        "size(0). copies(1).",
    ],
    "magic_square": [
        "size(0).",
        "size(1). given(1,1,2).",
        "size(1). given(2,1,1).",
        "size(0). given(1,1,1).",
        "size(1). given(1,1,1). given(1,2,1).",
    ],
    "nonogram": [
        "rows(0). columns(0).",
        "rows(1).",
        "columns(1).",
        "rows(0). columns(2).",
        "rows(2). columns(0).",
        "rows(0). columns(1). column_block(1,1,1).",
        "rows(1). columns(0). row_block(1,1,1).",
        "rows(1). columns(1).",
        "rows(1). columns(3). row_block(1,1,1). row_block(1,2,1). column_block((1;3),1,1).",
        "rows(1). columns(2). row_block(1,1,3).",
        "rows(1). columns(1). row_block(2,1,1).",
        "rows(3). columns(1). column_block(2,2,1).",
        "rows(1). columns(1). row_block(1,1,0).",
        "rows(1). columns(2). row_block(1,1,0). row_block(1,2,1). column_block(2,1,1).",
        "rows(1). columns(3). row_block(1,1,1). row_block(1,3,1). column_block((1;3),1,1).",
        "rows(1). columns(2). row_block(1,1,1). row_block(1,3,1). column_block(1,1,1).",
        "rows(1). columns(3). row_block(1,2,1). column_block(1,1,1).",
    ],
    "quasigroup": [
        "size(0).",
        "size(1). given(1,1,2).",
        "size(0). given(1,1,1).",
        "size(2). given(1,3,1).",
    ],
    "queens": [
        "size(-1).",
        "size(0).",
    ],
    "send_more": [
        "letter(a,0,x).",
        "letter(a,0,x). total(a).",
        "total(a).",
        "letter(a,0,x). letter(b,0,y). total(b).",
        "letter(a,0,x). letter(b,0,x). total(b).",
        "letter(a,0,x). letter(a,1,x). letter(b,0,x). letter(b,1,x). total(b).",
        f"{LONG} total(c).",
    ],
    "set_cover": [
        "element(a).",
        "set(s,1).",
        "set(s,0).",
        "contains(s,a).",
        "element(a). set(s,1).",
        "element(a). contains(s,a).",
        "element(a). set(s,0). contains(s,a).",
        "element(a). set(s,1). contains(s,a). contains(s,z). contains(z,a).",
        "element(a). set(s,-1). set(t,-2). contains(s,a).",
        "element(a). set(s,1). set(s,2). set(t,3). contains(s,a). contains(t,a).",
    ],
    "sudoku": [
        "box_rows(1).",
        "box_columns(1).",
        "box_rows(0). box_columns(0).",
        "box_rows(0). box_columns(2).",
        "box_rows(2). box_columns(0).",
        "box_rows(1). box_columns(2). initial(3,1,1).",
        "box_rows(1). box_columns(2). initial(1,1,3).",
    ],
    "zebra": [
        "houses(0).",
        "houses(2). thing(pet,dog).",
        "houses(1). thing(pet,dog).",
        "houses(1). thing(pet,dog). thing(pet,cat).",
        "thing(pet,dog).",
        "houses(0). thing(pet,dog).",
        "houses(1). thing(pet,dog). same(dog,fox).",
        "houses(1). thing(pet,dog). same(fox,dog).",
        "houses(2). thing(pet,dog). thing(pet,cat). right_of(dog,fox).",
        "houses(2). thing(pet,dog). thing(pet,cat). right_of(fox,dog).",
        "houses(2). thing(pet,dog). thing(pet,cat). next_to(fox,dog).",
        "houses(2). thing(pet,dog). thing(pet,cat). next_to(dog,fox).",
        "houses(1). thing(pet,dog). at(fox,1).",
        "houses(1). thing(pet,dog). at(dog,2).",
        "houses(2). thing(pet,dog). thing(pet,x). thing(drink,x). thing(drink,tea).",
        "houses(1). thing(pet,dog). next_to(dog,dog).",
        "houses(1). thing(pet,dog). same(dog,dog).",
        "houses(1). thing(pet,dog). right_of(dog,dog).",
    ],
}
"""Instances with nothing, with little, or with something that is not there."""
