"""Finite automata over digits, made from regular expressions or from other automata."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple, NoReturn, TypeVar

from ..errors import InvalidPuzzle, shown

OTHERS = 0
"""As the digit of an arc: every digit that no other arc from its state names."""

Arc = tuple[int, int, int]
"""A state, a digit, and the next state."""


class Automaton(NamedTuple):
    """States are numbers from 0 up."""

    start: tuple[int, ...]
    accepting: tuple[int, ...]
    arcs: tuple[Arc, ...]


NOTHING = Automaton((0,), (1,), ((0, 1, 0), (1, 1, 1)))
"""An automaton that accepts nothing, since no way leads from its start to its end."""

S = TypeVar("S", bound=Hashable)
L = TypeVar("L", bound=Hashable)


def trimmed(
    length: int,
    start: Iterable[S],
    arcs_from: Callable[[S], Iterable[tuple[L, S]]],
    accepts: Callable[[S], bool],
) -> tuple[tuple[int, ...], tuple[int, ...], list[tuple[int, L, int]]]:
    """Keep the states and arcs of an automaton that accept words of this length.

    `arcs_from` returns the labels of the arcs from a state, and where they lead. The result is the
    first states, the accepting ones, and the arcs, with states numbered as they are reached. It is
    empty if no word of this length is accepted.
    """
    arcs: dict[S, list[tuple[L, S]]] = {}
    layers = [dict.fromkeys(start)]
    for _ in range(length):
        for state in layers[-1]:
            if state not in arcs:
                arcs[state] = list(dict.fromkeys(arcs_from(state)))
        layers.append(dict.fromkeys(to for state in layers[-1] for _, to in arcs[state]))
    accepting = useful = {state for state in layers.pop() if accepts(state)}
    supported: set[tuple[S, L, S]] = set()
    for layer in reversed(layers):
        ways = {(at, label, to) for at in layer for label, to in arcs[at] if to in useful}
        useful = {at for at, _, _ in ways}
        supported |= ways
    first = [state for state in layers[0] if state in useful] if layers else []
    ordered = [
        (at, label, to) for at in arcs for label, to in arcs[at] if (at, label, to) in supported
    ]
    states = dict.fromkeys(first)
    for at, _, to in ordered:
        states |= {at: None, to: None}
    numbers = {state: number for number, state in enumerate(states)}
    return (
        tuple(numbers[state] for state in first),
        tuple(number for state, number in numbers.items() if state in accepting),
        [(numbers[at], label, numbers[to]) for at, label, to in ordered],
    )


# --- regular expressions: a pattern is a tuple of parts that follow each other ---


class Digits(NamedTuple):
    """One of these digits, or any other digit."""

    digits: frozenset[int]
    others: bool = False


class Either(NamedTuple):
    """One of several patterns."""

    options: tuple[Pattern, ...]


class Repeated(NamedTuple):
    """A pattern several times in a row."""

    pattern: Pattern
    least: int
    most: int | None
    """None if there is no bound."""


Part = Digits | Either | Repeated
Pattern = tuple[Part, ...]


def of_regex(text: str, length: int) -> Automaton:
    """Return the automaton of the words of this length that match a regular expression.

    InvalidPuzzle, with the position, if the expression has a mistake.
    """
    try:
        pattern = _Reader(text).pattern()
        start, accepting, steps = trimmed(length, [pattern], _steps, _may_be_empty)
    except RecursionError:
        raise InvalidPuzzle("its groups are nested too deep") from None
    by_state: dict[int, list[tuple[Digits, int]]] = {}
    for at, digits, to in steps:
        by_state.setdefault(at, []).append((digits, to))
    nowhere = len({state for at, _, to in steps for state in (at, to)})
    arcs: dict[Arc, None] = {}
    for at, ways in by_state.items():
        others = [to for digits, to in ways if digits.others]
        for digit in sorted(frozenset().union(*(digits.digits for digits, _ in ways))):
            allowed = [to for digits, to in ways if (digit in digits.digits) != digits.others]
            # A digit that [^5] excludes needs an arc too, or it would be one of the others.
            if not allowed and others:
                allowed = [nowhere]
            arcs |= dict.fromkeys((at, digit, to) for to in allowed)
        arcs |= dict.fromkeys((at, OTHERS, to) for to in others)
    return Automaton(start, accepting, tuple(arcs)) if arcs else NOTHING


def digits_in(regex: str) -> set[int]:
    """Return the digits that the expression names, without those inside a range."""
    reader = _Reader(regex)
    reader.pattern()
    return reader.digits


def _steps(pattern: Pattern) -> Iterator[tuple[Digits, Pattern]]:
    """Yield the digits that a match may begin with, and the pattern of what follows them.

    These patterns are the states of the automaton, known as Antimirov's partial derivatives. So a
    repetition counts down, where other constructions copy what is repeated.
    """
    for at, part in enumerate(pattern):
        rest = pattern[at + 1 :]
        match part:
            case Digits():
                yield part, rest
            case Either(options):
                for option in options:
                    for digits, more in _steps(option):
                        yield digits, more + rest
            case Repeated(repeated, least, most):
                again = _repeated(repeated, max(least - 1, 0), None if most is None else most - 1)
                for digits, more in _steps(repeated):
                    yield digits, more + again + rest
        if not _may_be_empty((part,)):
            return


def _repeated(pattern: Pattern, least: int, most: int | None) -> Pattern:
    """Return the pattern repeated; what may be empty need not be repeated any number of times."""
    if most == 0 or not pattern:
        return ()
    return (Repeated(pattern, 0 if _may_be_empty(pattern) else least, most),)


def _may_be_empty(pattern: Pattern) -> bool:
    """Return True if the pattern matches a word without digits."""
    for part in pattern:
        match part:
            case Digits():
                return False
            case Either(options) if not any(map(_may_be_empty, options)):
                return False
            case Repeated(repeated, least, _) if least and not _may_be_empty(repeated):
                return False
    return True


_SPECIAL = "()[]{}|*+?.^-,"
_QUANTIFIERS: dict[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}


class _Reader:
    """A regular expression while it is read."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.digits: set[int] = set()
        """Those that it names."""

    def pattern(self) -> Pattern:
        pattern = self._either()
        if self.next:
            self._wrong(f"{self.next!r} closes nothing")
        return pattern

    @property
    def next(self) -> str:
        """The next character; empty at the end."""
        return self.text[self.at : self.at + 1]

    def _take(self, expected: str = "") -> str:
        """Take the next character, which must be the one that is expected, if there is one."""
        character = self.next
        if expected and character != expected:
            self._wrong(f"expected {expected!r}")
        self.at += 1
        return character

    def _wrong(self, message: str, at: int | None = None) -> NoReturn:
        at = self.at if at is None else at
        where = f"character {at + 1}" if at < len(self.text) else "the end"
        raise InvalidPuzzle(f"{message} at {where} of {shown(self.text)}")

    def _either(self) -> Pattern:
        options = [self._sequence()]
        while self.next == "|":
            self._take()
            options.append(self._sequence())
        return options[0] if len(options) == 1 else (Either(tuple(options)),)

    def _sequence(self) -> Pattern:
        parts: list[Part] = []
        while self.next and self.next not in "|)":
            parts += self._quantified()
        return tuple(parts)

    def _quantified(self) -> Pattern:
        pattern = self._single()
        while self.next in {*_QUANTIFIERS, "{"}:
            if self.next == "{":
                least, most = self._bounds()
            else:
                least, most = _QUANTIFIERS[self._take()]
            pattern = _repeated(pattern, least, most)
        return pattern

    def _bounds(self) -> tuple[int, int | None]:
        """Read ``{3}``, ``{3,}`` or ``{3,5}``."""
        begin = self.at
        self._take("{")
        least = self._number()
        most: int | None = least
        if self.next == ",":
            self._take()
            most = None if self.next == "}" else self._number()
        self._take("}")
        if most is not None and most < least:
            self._wrong(f"{most} is less than {least}", begin)
        return least, most

    def _number(self) -> int:
        digits = ""
        while self.next and self.next in "0123456789":
            digits += self._take()
        if not digits:
            self._wrong("expected a number")
        # More than any line has cells; int() refuses thousands of digits.
        return int(digits) if len(digits) < 10 else 10**9

    def _single(self) -> Pattern:
        begin, first = self.at, self.next
        match first:
            case "(":
                self._take()
                pattern = self._either()
                if self.next != ")":
                    self._wrong("this group has no end", begin)
                self._take()
                return pattern
            case "[":
                return (self._set(),)
            case ".":
                self._take()
                return (Digits(frozenset(), others=True),)
            case "*" | "+" | "?" | "{":
                self._wrong(f"{first!r} repeats nothing")
        return (Digits(frozenset((self._digit(),))),)

    def _set(self) -> Digits:
        """Read ``[1-36]`` or ``[^5]``."""
        begin = self.at
        self._take("[")
        others = self.next == "^" and bool(self._take())
        digits: set[int] = set()
        while self.next and self.next != "]":
            place, first = self.at, self._digit()
            last = first
            if self.next == "-":
                self._take()
                last = self._digit()
            if last < first:
                self._wrong("this range has its greater end first", place)
            digits.update(range(first, last + 1))
        if not self.next:
            self._wrong("this set has no end", begin)
        self._take()
        if not digits:
            self._wrong("this set has no digits", begin)
        return Digits(frozenset(digits), others)

    def _digit(self) -> int:
        """Read a digit; those greater than 9 are letters."""
        character = self.next
        if not character:
            self._wrong("expected a digit")
        if not (character.isascii() and character.isalnum()) or character == "0":
            self._wrong(f"{character!r} is not a digit")
        self._take()
        self.digits.add(int(character, 36))
        return int(character, 36)
