"""Answers to the bundled problems without an engine.

An oracle takes the facts of an instance, as the arguments for each name, and returns the set of all
answers; for a problem with an optimum, the lowest cost and the set of answers that have it. An
answer is a set of atoms such as ``("queen", 1, 5)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, pairwise, permutations, product
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


def single(facts: Facts, name: str) -> Any:
    """The argument of a predicate that has one fact."""
    ((argument,),) = facts[name]
    return argument


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
    for kind, thing in facts["thing"]:
        kinds.setdefault(kind, []).append(thing)
    relations = [
        ("same", lambda one, other: one == other),
        ("right_of", lambda one, other: one == other + 1),
        ("next_to", lambda one, other: abs(one - other) == 1),
    ]

    def fits(rows: Sequence[Sequence[str]]) -> bool:
        house = {thing: number for row in rows for number, thing in enumerate(row, 1)}
        return all(
            house[thing] == number for thing, number in facts.get("at", []) if thing in house
        ) and all(
            holds(house[one], house[other])
            for name, holds in relations
            for one, other in facts.get(name, [])
            if one in house and other in house
        )

    houses = single(facts, "houses")
    choices = [list(permutations(things, houses)) for things in kinds.values()]
    if any(len(things) != houses for things in kinds.values()):
        return set()
    return {
        frozenset(("house", thing, number) for row in rows for number, thing in enumerate(row, 1))
        for rows in fill(choices, fits)
    }


def magic_square(facts: Facts) -> Answers:
    size = single(facts, "size")
    given = facts.get("given", [])
    total = size * (size * size + 1) // 2
    cells = squares(size, size)
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
    def fits(value: dict[Cell, int]) -> bool:
        return all(
            value[row, column] < value[to_row, to_column]
            for row, column, to_row, to_column in facts.get("less", [])
            if (row, column) in value and (to_row, to_column) in value
        )

    return as_atoms("cell", latin(facts, single(facts, "size"), fits))


def kenken(facts: Facts) -> Answers:
    size = single(facts, "size")
    members: dict[str, list[Cell]] = {}
    for cage, row, column in facts["in_cage"]:
        members.setdefault(cage, []).append((row, column))

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
            for cage, operation, target in facts["cage"]
            if all(cell in value for cell in members[cage])
        )

    return as_atoms("cell", latin(facts, size, fits))


def nonogram(facts: Facts) -> Answers:
    height, width = single(facts, "rows"), single(facts, "columns")

    def blocks(name: str, number: int) -> list[int]:
        return [length for line, _, length in sorted(facts.get(name, [])) if line == number]

    def runs(line: Sequence[int]) -> list[int]:
        return [len(list(run)) for black, run in groupby(line) if black]

    rows = [
        [line for line in product((0, 1), repeat=width) if runs(line) == blocks("row_block", row)]
        for row in range(1, height + 1)
    ]
    columns = [blocks("column_block", column) for column in range(1, width + 1)]

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
    first, *others = [node for (node,) in facts["node"]]
    ways = {way for one, other in facts.get("edge", []) for way in ((one, other), (other, one))}
    cycles = ([first, *order, first] for order in permutations(others))
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
    number = {(row, column): value for row, column, value in facts["number"]}
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
    for word, place, letter in facts["letter"]:
        words.setdefault(word, {})[place] = letter
    spelled = {
        word: "".join(letters[place] for place in sorted(letters, reverse=True))
        for word, letters in words.items()
    }
    letters = sorted(set("".join(spelled.values())))
    firsts = {word[0] for word in spelled.values() if len(word) > 1}
    total = spelled.pop(single(facts, "total"))
    found: Answers = set()
    for digits in permutations("0123456789", len(letters)):
        digit = dict(zip(letters, digits, strict=True))
        if all(digit[letter] != "0" for letter in firsts):
            table = str.maketrans(digit)
            added = sum(int(word.translate(table)) for word in spelled.values())
            if added == int(total.translate(table)):
                found.add(frozenset(("digit", letter, int(digit[letter])) for letter in letters))
    return found


def knapsack(facts: Facts) -> tuple[int | None, Answers]:
    items = facts.get("item", [])
    costs: dict[frozenset[Atom], int] = {}
    for numbers in product(*(range(limit + 1) for _, _, _, limit in items)):
        taken = list(zip(items, numbers, strict=True))
        if sum(item[1] * number for item, number in taken) <= single(facts, "capacity"):
            answer = frozenset(("take", item[0], number) for item, number in taken)
            costs[answer] = -sum(item[2] * number for item, number in taken)
    return cheapest(costs)


def job_shop(facts: Facts) -> tuple[int | None, Answers]:
    horizon = single(facts, "horizon")
    tasks = sorted(facts["task"])

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
            ): max(start + task[3] for task, start in zip(tasks, starts, strict=True))
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
        if len({abs(one - other) for one, other in pairwise(order)}) == size - 1
        and given <= (answer := frozenset(("note", *each) for each in enumerate(order, 1)))
    }


ORACLES: dict[str, Callable[[Facts], Any]] = {
    "all_interval": all_interval,
    "colouring": colouring,
    "futoshiki": futoshiki,
    "hamilton": hamilton,
    "hitori": hitori,
    "job_shop": job_shop,
    "kenken": kenken,
    "knapsack": knapsack,
    "langford": langford,
    "magic_square": magic_square,
    "nonogram": nonogram,
    "quasigroup": quasigroup,
    "queens": queens,
    "send_more": send_more,
    "sudoku": sudoku,
    "zebra": zebra,
}
