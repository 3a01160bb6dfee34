"""The face of a question: what engines, comparisons and doors need to know of it.

An `Instance` of any problem is a question, and so are a `Grid` and a `Puzzle`, which are about
sudoku. Whoever asks them need not know which.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar


class Question:
    """A question to an engine."""

    __slots__ = ()

    choice: ClassVar[str]
    """The module that chooses its engines: `engine_for` and `comparable` are there."""
    has_atoms: ClassVar[bool] = False
    """True if its answers are sets of atoms: an engine can tell which line refuses one."""

    if TYPE_CHECKING:

        def to_json(self) -> Any:
            """The question as JSON."""

        def lacking(self, number: int) -> str:
            """A number of right answers to it that a program has not, in words."""

    @property
    def is_quick(self) -> bool:
        """True if another answer takes no longer than the first."""
        return False

    def fields(self) -> dict[str, Any]:
        """The question as fields of a JSON object with its answer."""
        return {"puzzle": self.to_json()}

    def record(self) -> dict[str, Any]:
        """The question as fields of a record, as short as can be."""
        return {"puzzle": str(self)}

    def flaw(self) -> str:
        """A reason for having no answer that can be seen without an engine; empty if none can."""
        return ""

    def asked(self) -> Any:
        """The same question in its simplest form."""
        return self

    def known(self, found: Any) -> Any:
        """The candidates of all answers, as a value for users."""
        return found

    def left(self, found: Any) -> Any:
        """The candidates that propagation leaves, as a value for users."""
        return found

    @property
    def about(self) -> str:
        """The end of a sentence, such as `` for size(8)``, if the question is that short."""
        return ""

    def lines(self, answer: Any) -> list[str]:
        """An answer as lines for people; none if there is nothing in it to show."""
        return str(answer).splitlines()

    def pictures(self, answers: Iterable[Any]) -> list[Any]:
        """Pictures of answers; none if there is no way to draw them."""
        return []

    def drawn(self, answer: Any, marks: tuple[Any, ...] = (), title: str = "") -> Any:
        """A picture of one answer, with parts that stand out; None if it cannot be drawn."""
        return None


def as_question(given: object) -> Any:
    """A question as it is; anything else is read as a sudoku, or InvalidPuzzle says why not."""
    if isinstance(given, Question):
        return given.asked()
    return import_module("pylogic_sudoku.formats").as_puzzle(given)


def several(questions: Any, where: str) -> Iterable[Any]:
    """Several questions as they are; TypeError if they are one, or what none can be read from."""
    if isinstance(questions, list | tuple):
        return questions
    checked: Iterable[Any] = import_module("pylogic_sudoku.formats").many(questions, where)
    return checked
