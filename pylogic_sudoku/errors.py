"""All errors, as one tree.

::

    LogicError
    ├── InvalidPuzzle (also a ValueError)      the text or the rows are not a puzzle
    │   └── NoSolution                         what was asked makes sense only with a solution
    ├── InvalidProblem (also a ValueError)     a problem's folder or an instance cannot be read
    ├── BackendUnavailable                     the engine is not installed, or cannot start
    ├── SolveTimeout (also a TimeoutError)     the time given was used up
    ├── BackendFailure                         the engine broke, or cannot do this
    ├── Disagreement                           two engines answered differently
    ├── InvalidCertificate (also a ValueError) a proof does not prove what it claims
    └── NotGenerated                           no puzzle was made that meets the request

An unsolvable puzzle is an answer, not an error, except where an explanation needs a solution.

A `Message` is one complaint of an engine about a place in a program: an error has them as
`LogicError.messages`, and a `ProgramWarning` is about one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeVar

    ErrorT = TypeVar("ErrorT", bound=BaseException)


_GRINGO_3 = {
    "#domain": "write the domain of each variable into each rule, such as digit(N)",
    "#hide": "remove it, since #show hides all else, and write {show} for atoms that are shown",
    "#base": "write #program base.",
    "#cumulative": "write #program step(t).",
    "#volatile": "write #program check(t).",
    "#compute": "write constraints, such as :- not a.",
    "#abs": "write |X|",
    "#mod": r"write X \ Y",
    "#div": "write X / Y",
}
"""Words of gringo 3, and what takes their place."""

_GRINGO_3_SIGNS = {
    ":": (
        r"[{\[][^{}\[\]]*:[^{}\[\]:;=]*$",
        "write one : in each element, and a comma between its conditions: { a(X,Y) : b(X), c(Y) }",
    ),
    "[": (
        r"#\w+\s*$",
        "write braces, and the weight before the atom: #sum { X,Y : a(X,Y) } in place of"
        " #sum [ a(X,Y) = X ]",
    ),
}
"""Signs of gringo 3: what is before them in the line, and what takes their place."""


_ELSEWHERE = {
    "syntax error, unexpected <": "if =< of Prolog is meant, write <= in ASP",
    "syntax error, unexpected =": r"if \= of Prolog is meant, write != in ASP",
    "syntax error, unexpected \\": r"if \+ or =\= of Prolog is meant, write not or != in ASP",
    "lexer error, unexpected #": "if #< or #= of library(clpfd) is meant, write < or = in ASP",
    "syntax error, unexpected :": "if =:= of Prolog is meant, write = in ASP",
    "syntax error, unexpected &": "if && is meant, write a comma in ASP",
    "syntax error, unexpected |": "if || is meant, write a rule for each case in ASP",
    "syntax error, unexpected >": "if =>, -> or --> is meant, write HEAD :- BODY in ASP",
    "syntax error, unexpected [": "ASP has no lists: write a fact for each element",
    "lexer error, unexpected !": "ASP has no cut, and not is its negation: remove !, or write not",
    "lexer error, unexpected `": "``` is a fence of Markdown: remove it, and all that is not ASP",
}
"""Messages of clingo about what other languages have, and the remedies."""
_WORDS = {
    "is": "write = instead of Prolog's is",
    "mod": r"write \ instead of mod",
    "and": "write a comma instead of and",
    "or": "write a rule for each case instead of or",
    "if": "write :- instead of if, after the head",
    "then": "ASP has no then: write a rule, HEAD :- BODY",
    "else": "ASP has no else: write a rule for each case, the other one with not",
    "in": "write = instead of in, such as X = 1..9",
    "ins": "write = instead of ins, such as X = 1..9 for each X",
}
"""Words of other languages that clingo does not expect, and what takes their place."""


_CONFLICT = re.compile(r"(?:<{7}|={7}|>{7})(?:\s|$)")
"""The beginning of a line that a version control system writes."""


def conflict_cure(text: str, line: int) -> str:
    """The cure if a line of the text is left of a merge conflict; empty if not."""
    lines = text.split("\n")
    if line > len(lines) or not _CONFLICT.match(lines[line - 1]):
        return ""
    return f"a merge conflict has left line {line}: keep one of the two sides, and remove the marks"


def explained(message: str, text_of: Callable[[str], str]) -> str:
    """A message of clingo, with what to do about a word of gringo 3 or of another language.

    `text_of` gives the text of a file that a message names; empty if it is not known.
    """
    message = without_inner(message)
    cure = syntax_cure(message, text_of)
    return f"{message}\n{cure}" if cure else message


def without_inner(message: str) -> str:
    """A message of clingo about ``:-``, without a module that clingo names in place of it."""
    return re.sub(r":-\[#inc_base\](?:;|(?=\.))", lambda of: ":-" * of[0].endswith(";"), message)


def syntax_cure(message: str, text_of: Callable[[str], str]) -> str:
    """The cure for the first word of gringo 3, or of another language, that clingo refuses.

    The text of a file has the words that a message does not name.
    """
    place = re.search(r"(?m)^([^\n]*?):(\d{1,9}):\d.*(?:syntax|lexer) error", message)
    if place and (cure := conflict_cure(text_of(place[1]), int(place[2]))):
        return cure
    if cure := gringo_3(message, text_of):
        return cure
    if cure := _gringo_3_sign(message, text_of):
        return cure
    unexpected = re.search(r"(?:syntax|lexer) error, unexpected \S(?=[\s,]|$)", message)
    if unexpected:
        return _ELSEWHERE.get(unexpected[0], "")
    place = re.search(r"(?m)^([^\n]*?):(\d{1,9}):(\d{1,9})-.*unexpected <IDENTIFIER>", message)
    if not place:
        return ""
    _, rest = parted(text_of(place[1]), int(place[2]), int(place[3]))
    word = re.match(r"\w+", rest)
    return _WORDS.get(word[0], "") if word else ""


def _gringo_3_sign(message: str, text_of: Callable[[str], str]) -> str:
    """The cure for a sign that clingo refuses first, if it stands as in gringo 3; or nothing."""
    place = re.search(
        r"(?m)^([^\n]*?):(\d{1,9}):(\d{1,9})-.*(?:syntax|lexer) error, unexpected (\S)(?=[\s,]|$)",
        message,
    )
    if not place or place[4] not in _GRINGO_3_SIGNS:
        return ""
    before, _ = parted(text_of(place[1]), int(place[2]), int(place[3]))
    context, cure = _GRINGO_3_SIGNS[place[4]]
    return f"{place[4]} is used as in gringo 3 here: {cure}" if re.search(context, before) else ""


def parted(text: str, line: int, column: int) -> tuple[str, str]:
    """A line of a text, before and from a column of clingo, which counts bytes."""
    lines = text.split("\n")
    data = lines[line - 1].encode() if line <= len(lines) else b""
    return data[: column - 1].decode(errors="replace"), data[column - 1 :].decode(errors="replace")


def gringo_3(message: str, text_of: Callable[[str], str]) -> str:
    """The cure for the first word of gringo 3 that clingo does not expect; empty without any."""
    for file, word in re.findall(r"(?m)^([^\n]*?):\d{1,9}:.*unexpected (#\w+)", message):
        if word in _GRINGO_3:
            cure = _GRINGO_3[word].format(show=_show_of(text_of(file)))
            return f"{word} is of gringo 3, and clingo no longer has it: {cure}"
    return ""


def _show_of(text: str) -> str:
    """The statement that replaces the first ``#show matrix(R,C,V).`` of gringo 3, or an example."""
    shown = re.search(r"(?m)^[^%\n]*#show\s+(-?[a-z_]\w*)\(([\w\s,]*)\)", text)
    return f"#show {shown[1]}/{shown[2].count(',') + 1}." if shown else "#show at/2."


__all__ = [
    "BackendFailure",
    "BackendUnavailable",
    "Disagreement",
    "InvalidCertificate",
    "InvalidProblem",
    "InvalidPuzzle",
    "LogicError",
    "Message",
    "NoSolution",
    "NotGenerated",
    "ProgramWarning",
    "SolveTimeout",
    "SudokuError",
]


class Message(NamedTuple):
    """A complaint about a place in a program or an input."""

    text: str
    """The words, without the place and the cure."""
    kind: str = ""
    """A name for complaints of this kind, such as ``"atom-undefined"``; empty if it has none."""
    file: str = ""
    line: int | None = None
    """From 1; None if no line is known."""
    column: int | None = None
    cure: str = ""
    """A remedy; empty if none is known."""

    @property
    def place(self) -> str:
        """The file, and the line and the column if they are known; empty if there is no file."""
        return ":".join(str(each) for each in (self.file, self.line, self.column) if each)

    @property
    def words(self) -> str:
        """The text and the cure."""
        return f"{self.text}; {self.cure}" if self.cure else self.text

    def __str__(self) -> str:
        return f"{self.place}: {self.words}" if self.file else self.words

    def located(self, severity: str) -> str:
        """One line as compilers print it, for editors; a message about a whole file is on line 1.

        >>> Message("unsafe variables in:  a(X)", file="my.lp", line=3).located("error")
        'my.lp:3:1: error: unsafe variables in: a(X)'
        """
        place = f"{self.file}:{self.line or 1}:{self.column or 1}"
        return f"{place}: {severity}: {' '.join(self.words.split())}"

    def to_json(self) -> dict[str, Any]:
        """The fields that are known, and the whole as ``message``."""
        known = {name: value for name, value in self._asdict().items() if value}
        return {**known, "message": str(self)}


class ProgramWarning(UserWarning):
    """An engine accepts a program, and finds something strange in it: `message` has the place."""

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message

    def __str__(self) -> str:
        return self.message.words


class _ErrorType(type):
    """The type of our error classes: such a class called with one of its own errors returns it.

    When an error passes through clingo, clingo raises ``type(error)(error)`` in its place. That
    must not depend on the arguments that the class takes.
    """

    if not TYPE_CHECKING:  # type checkers look at __init__

        def __call__(cls, *arguments: Any, **named: Any) -> Any:
            match arguments:
                case (error,) if type(error) is cls and not named:
                    return error
            return super().__call__(*arguments, **named)


class LogicError(Exception, metaclass=_ErrorType):
    """The base of all errors about puzzles and engines; a wrong argument is a ValueError or a
    TypeError."""

    exit_code = 2
    """With which the command line ends."""
    index: int | None = None
    """The index of the puzzle among many, counted from 0."""
    messages: Sequence[Message] = ()
    """The complaints about a program that the error consists of; empty if it is about none."""
    warnings: Sequence[Message] = ()
    """Of an answer of the page: what else is strange about the program."""


SudokuError = LogicError
"""Its older name."""


class InvalidPuzzle(LogicError, ValueError):
    """The input is not a puzzle; the message has the place and what was expected."""

    line: int | None = None
    """The wrong line of the puzzle's text, from 1; None if it is not known."""

    @property
    def words(self) -> str:
        """The message without the line."""
        return super().__str__()

    def __str__(self) -> str:
        return self.words if self.line is None else f"line {self.line}: {self.words}"


class NoSolution(InvalidPuzzle):
    """The puzzle has no solution, and what was asked makes sense only if there is one."""

    exit_code = 1


class InvalidProblem(LogicError, ValueError):
    """A problem's folder, or an instance, cannot be read; the message has the place and reason."""


class BackendUnavailable(LogicError):
    """The engine cannot be used here; the message has the reason, and `fix` the remedy."""

    exit_code = 3

    def __init__(self, why: str, fix: str = "") -> None:
        super().__init__(why, fix)
        self.why = why
        self.fix = fix

    def __str__(self) -> str:
        return f"{self.why}\n{self.fix}" if self.fix else self.why


class SolveTimeout(LogicError, TimeoutError):
    """The engine was stopped because its time was used up; no answer is known."""

    exit_code = 4
    found: int | None = None
    """For a count: the number of solutions found in time, a lower bound."""
    best: Any = None
    """For an optimum: the best answer found in time, whose cost is not proved to be the least."""
    bound: tuple[int, ...] | None = None
    """For an optimum: costs, the most important first; no answer costs less. None if none are
    known."""
    proved: Any = None
    """For an optimum: the best answer, if it was proved before time ran out; `solve` and
    `solutions` give it."""
    doing: str = ""
    """The activity when time ran out; "" if there is one search."""
    steps: Sequence[Any] = ()
    """For steps that lead to a digit: those that were found in time."""

    def __init__(self, backend: str, seconds: float) -> None:
        Exception.__init__(self, backend, seconds)  # OSError would take them for errno and strerror
        self.backend = backend
        self.seconds = seconds

    def __str__(self) -> str:
        known = self.found is not None and self.best is None
        far = f"; at least {counted(self.found or 0, 'solution')} so far" if known else ""
        doing = f", while {self.doing}" if self.doing else ""
        what = "gave no answer"
        if self.best is not None:
            what = "did not prove an answer to be the best"
            far = f"; the best so far costs {cost_text(self.best.cost)}"
        if self.bound:
            far += f"; none can cost less than {cost_text(self.bound)}"
        return f"{self.backend} {what} within {self.seconds:g} s{far}{doing}"


class BackendFailure(LogicError):
    """The engine broke, or cannot answer the question; the message has the details."""

    exit_code = 3


class Disagreement(LogicError):
    """The engines differ on `puzzle`, a Grid or Puzzle; `answers` holds each answer, by name.

    `alone` is the engine that differs if all others agree; None if there is no such engine.
    `differences` are sentences: solutions that only one has, and why another refuses them.
    """

    exit_code = 5
    refusals: Mapping[str, Mapping[Any, Any]] = {}
    """Of a comparison: `Comparison.refusals`."""

    def __init__(
        self,
        puzzle: Any,
        answers: Mapping[str, object],
        alone: str | None = None,
        differences: Sequence[str] = (),
    ) -> None:
        super().__init__(puzzle, answers, alone, differences)
        self.puzzle = puzzle
        self.answers = answers
        self.alone = alone
        self.differences = differences

    def __str__(self) -> str:
        parts = [f"{name}: {self._of(answer)}" for name, answer in self.answers.items()]
        parts += [*self.differences, *([f"{self.alone} stands alone"] if self.alone else ())]
        return f"the engines disagree on {self.puzzle}: {'; '.join(parts)}"

    def _of(self, answer: object) -> object:
        """The answer; only its number if the differences are known, since others have it too."""
        return getattr(answer, "number", answer) if self.differences else answer


class InvalidCertificate(LogicError, ValueError):
    """The certificate does not prove its claim, or is not one; the message has the place."""

    exit_code = 1


class NotGenerated(LogicError):
    """No puzzle that satisfies the request was found; the message has the attempts."""

    exit_code = 1


def caused(error: ErrorT, by: BaseException) -> ErrorT:
    """The error with its cause, as ``raise ... from`` leaves it, but without being raised."""
    error.__cause__ = by
    return error


def cost_text(costs: Iterable[int]) -> str:
    """The costs of an answer as they are shown, the most important first."""
    return ", ".join(map(number_text, costs))


def number_text(number: int) -> str:
    """The digits of an integer, however many; `str` writes 4300 of them at most."""
    try:
        return str(number)
    except ValueError:
        from decimal import Decimal

        return format(Decimal(number), "f")


def shown(value: object) -> str:
    """The value as a message shows it: short, however long or deep the value is."""
    try:
        text = " ".join(repr(value).split())
    except (ValueError, RecursionError):  # a number of thousands of digits; lists within lists
        name = type(value).__name__
        text = f"{'an' if name[0] in 'aeiou' else 'a'} {name} too large to show"
    return text if len(text) <= 120 else f"{text[:117]}..."


def shortened(text: str, most: int = 200) -> str:
    """The text, or its beginning if it is longer."""
    return text if len(text) <= most else f"{text[: most - 3]}..."


def choice(name: object, known: Iterable[str], where: str = "") -> str:
    """The suggestion of a message about an unknown name: the nearest names, or else all.

    `where` names the list of them all.

    >>> choice("termometer", ["thermometer", "arrow"])
    "did you mean 'thermometer'?"
    >>> choice("fog", ["thermometer", "arrow"])
    'expected one of arrow, thermometer'
    """
    from difflib import get_close_matches  # a tenth of the time to import the package

    known = sorted(known)
    plain = {each.lower().replace("_", ""): each for each in known}
    meant = re.sub(r"[\W_]", "", str(name)).lower()
    longer = [each for each in plain if len(meant) > 3 and meant in each]
    if near := get_close_matches(meant, plain, n=2, cutoff=0.8) or longer[:2]:
        return f"did you mean {' or '.join(repr(plain[each]) for each in near)}?"
    return where or f"expected one of {', '.join(known)}"


def near(name: str, known: Iterable[str]) -> list[str]:
    """The known names that a slip of the pen makes of this one, the nearest first.

    A slip is a letter too many, missing, or another, or two that are exchanged: one slip in a name,
    or one in every four letters.

    >>> near("lenght", ["length", "depth"]), near("on", ["in", "one"])
    (['length'], [])
    """
    most = max(1, len(name) // 4)
    by_slips = sorted((slips(name, each), each) for each in set(known) - {name})
    return [each for number, each in by_slips if number <= most and number < len(name) - 1]


def slips(one: str, other: str) -> int:
    """The number of slips that make one name of another.

    >>> slips("lenght", "length"), slips("fog", "frog")
    (1, 1)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        earlier, before, row = before, row, [i]
        for j, its in enumerate(other, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != its)))
            if i > 1 < j and (letter, one[i - 2]) == (other[j - 2], its):
                row[-1] = min(row[-1], earlier[j - 2] + 1)
    return row[-1]


def counted(number: int, name: str) -> str:
    """The number with its noun.

    >>> counted(1, "rule"), counted(3, "given")
    ('1 rule', '3 givens')
    """
    return f"{number} {name}{'s' * (number != 1)}"


def listed(items: Iterable[object], word: str = "and") -> str:
    """The items as a person lists them.

    >>> listed([1, 2, 3])
    '1, 2 and 3'
    """
    *first, last = [*map(str, items)] or [""]
    return f"{', '.join(first)} {word} {last}" if first else last
