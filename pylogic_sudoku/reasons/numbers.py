"""Numbers of an ASP program that clingo has not, and takes for others without a word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from ..errors import InvalidProblem
from ..problem.facts import check_literals, check_numbers
from .lines import Line, Refusal
from .relaxed import Statement


class TooLarge(NamedTuple):
    """A statement with such a number."""

    line: Line
    words: str

    def blamed(self, refusal: Refusal) -> Refusal:
        """Return the refusal, explained by the number if it names the statement, or none."""
        places = [each[:2] for each in refusal.lines]
        if refusal.kind == "accepted" or (places and self.line[:2] not in places):
            return refusal
        others = (each for each in refusal.lines if each[:2] != self.line[:2])
        return Refusal(
            refusal.backend, refusal.kind, (self.line, *others), 1, self.words, refusal.atom
        )


def too_large(statements: Iterable[Statement]) -> Iterator[TooLarge]:
    """Yield the statements of a program with a number that is too large, written or computed."""
    constants: dict[str, int] = {}
    own = (each for each in statements if not each.ours)
    for each in sorted(own, key=lambda statement: not statement.constant):
        line = each.ast.location.begin.line
        try:
            check_literals(each.source, "")
        except InvalidProblem as error:
            line += (error.messages[0].line or 1) - 1
            yield TooLarge(Line(each.file, line, each.text), error.messages[0].text)
            continue
        try:
            check_numbers(each.ast, constants, "")
        except InvalidProblem as error:
            for message in error.messages:
                yield TooLarge(Line(each.file, message.line or line, each.text), message.text)
