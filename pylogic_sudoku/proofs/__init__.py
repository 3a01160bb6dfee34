"""A certificate: an answer to "how many solutions?", with all that is needed to check it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ..draw import in_ascii
from ..engines import engine_for
from ..engines.sudoku import SudokuEngine
from ..errors import InvalidCertificate, InvalidPuzzle, counted, shown
from ..files import save
from ..formats import PuzzleLike, as_puzzle, indented, parse
from ..problem.written import load_json
from ..puzzle import Grid, Puzzle
from ..rules.base import grid_term, shape_term
from ..rules.clauses import Claim, Clause, clause_in_words, placement
from ..rules.demands import (
    Demand,
    exclusions,
    in_words,
    known_rules,
    mark_sentences,
    sentences,
    sorted_out,
)
from ..running.workers import Budget, Progress, checked_timeout
from .checker import first_refused

if TYPE_CHECKING:
    from os import PathLike

__all__ = ["Certificate", "certify"]


def certify(
    puzzle: PuzzleLike,
    backend: str | SudokuEngine = "clingo",
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Certificate:
    """Prove that the puzzle has no solution, one or several; anybody can check the proof.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, or nested rows.
        backend: The engine that finds the proof: its name, or a backend object.
        timeout: In seconds, over 0; None means no limit.
        progress: Called with a description of the work whenever it changes.

    Raises:
        InvalidPuzzle: If the input is not a puzzle.
        BackendUnavailable: If the engine cannot be used here, or cannot prove its answers.
        SolveTimeout: If the time is used up before the answer is known.
        BackendFailure: If the engine breaks, or clauses cannot express a rule of the puzzle.
        ValueError: If the timeout is not over 0.
        TypeError: If the timeout is not a number.

    >>> certificate = certify("4......3...13...")
    >>> certificate.claim, len(certificate.lemmas)
    ('unique', 0)
    >>> certificate.verify()
    """
    return prove(Claim(as_puzzle(puzzle)), backend, timeout, progress)


def prove(
    claim: Claim,
    backend: str | SudokuEngine,
    timeout: float | None,
    progress: Progress | None = None,
) -> Certificate:
    """The certificate of a claim, made by this engine; errors as for `certify`."""
    engine = engine_for(backend, claim.puzzle)
    budget = Budget(engine.name, timeout, progress)
    budget.turn_to("looking for a proof")
    solutions, lemmas = budget.spend(partial(engine.prove, claim))
    maker = f"{engine.engine} {engine.version()}"
    return Certificate(claim.puzzle, solutions, lemmas, maker, claim.demands)


@dataclass(frozen=True, slots=True)
class Certificate:
    """An answer with its proof: a frozen value, which may be wrong until `verify` has passed."""

    puzzle: Grid | Puzzle
    solutions: tuple[Grid, ...]
    """No grid, one, or two that show that there are several."""
    lemmas: tuple[Clause, ...]
    """Clauses that lead to a contradiction if there is no other solution: each follows from the
    puzzle and the lemmas before it by unit propagation. `sentences` gives them in words."""
    maker: str
    """The engine that found it, and its version."""
    demands: tuple[Demand, ...] | None = None
    """For an explanation, the rules, givens and marks that contradict each other; None for a
    puzzle as a whole."""

    def __post_init__(self) -> None:
        """ValueError for more than two solutions."""
        if len(self.solutions) > 2:
            raise ValueError(f"a certificate has up to two solutions, not {len(self.solutions)}")

    @property
    def claim(self) -> Literal["none", "unique", "several"]:
        """``"none"``, ``"unique"`` or ``"several"``: how many solutions there are."""
        return ("none", "unique", "several")[len(self.solutions)]

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file, whose ending is its format: .json, .cnf, .pl or .txt.

        Args:
            path: The file. With FILE.cnf, the lemmas go to FILE.drat.

        Raises:
            ValueError: For another ending.
            OSError: If the file cannot be written.
        """
        target = Path(path)
        texts: dict[str, Callable[[], str]] = {
            ".json": lambda: json.dumps(self.to_json()),
            ".cnf": self.cnf,
            ".pl": self.prolog,
            ".txt": self.text,
        }
        suffix = target.suffix.lower()
        if suffix not in texts:
            raise ValueError(f"{target.name!r} should end in one of {', '.join(texts)}")
        if suffix == ".cnf" and self.claim != "several":
            save(target.with_suffix(".drat"), self.drat())
        save(target, f"{texts[suffix]().rstrip()}\n")

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Certificate:
        """Return the certificate in a JSON file; only `verify` shows whether it is right.

        Args:
            path: The file.

        Raises:
            InvalidCertificate: If there is none in it; the message names the file.
            OSError: If the file cannot be read.
        """
        try:
            return cls.from_json(Path(path).read_text("utf-8-sig"))
        except UnicodeDecodeError:
            raise InvalidCertificate(f"{path}: it is not text in UTF-8") from None
        except InvalidCertificate as error:
            raise InvalidCertificate(f"{path}: {error}") from None

    def sentences(self) -> list[str]:
        """Each lemma in words, such as ``"r1c1 is not 5 or r1c2 is 3"``."""
        return [clause_in_words(self.puzzle.size, lemma) for lemma in self.lemmas]

    def verify(
        self,
        backend: str | SudokuEngine | None = None,
        timeout: float | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Check that it proves its claim.

        Args:
            backend: None for the checker in plain Python, which knows no engine; ``"prolog"`` is
                the other one. Each builds the clauses of the puzzle itself.
            timeout: In seconds, over 0; None means no limit.
            progress: Called with a description of the work whenever it changes.

        Raises:
            InvalidCertificate: If it does not prove its claim; the message has the place.
            BackendUnavailable: If that engine cannot check certificates.
            SolveTimeout: If the time is used up before the answer is known.
            BackendFailure: If clauses cannot express a rule of the puzzle.
        """
        checked_timeout(timeout)
        self._check_parts()
        if self.claim == "several":
            return
        claim = claim_of(self)
        engine = None if backend is None else engine_for(backend, self.puzzle)
        budget = Budget(engine.name if engine else "Python", timeout, progress)
        budget.turn_to("checking the proof")

        def pause(number: int) -> None:
            budget.turn_to("checking the proof", f"at lemma {number + 1} of {len(self.lemmas)}")
            budget.remaining()

        if engine:
            refused = budget.spend(partial(engine.first_refused, claim, self.lemmas))
        else:
            with budget:
                refused = first_refused(claim, self.lemmas, pause)
        if refused is not None:
            raise InvalidCertificate(self._refusal(refused))

    def _check_parts(self) -> None:
        """InvalidCertificate unless the solutions are right and the rest is about this puzzle."""
        for number, solution in enumerate(self.solutions, 1):
            if not solution.is_solution_of(self.puzzle):
                raise InvalidCertificate(f"solution {number} is not a solution of the puzzle")
        if len(self.solutions) == 2 and self.solutions[0] == self.solutions[1]:
            raise InvalidCertificate("the two solutions are the same grid")
        tuple(_lemmas(self.lemmas, self.puzzle.size))
        if self.demands is not None:
            _demands(map(_as_json, self.demands), self.puzzle)

    def _refusal(self, number: int) -> str:
        """The reason why the checker refused the lemma with this number, from 0, or all of them."""
        if number < len(self.lemmas):
            words = clause_in_words(self.puzzle.size, self.lemmas[number])
            return f"lemma {number + 1} of {len(self.lemmas)} does not follow: {words}"
        subjects = {0: "the clauses do", 1: "the lemma follows, but does"}
        subject = subjects.get(number, f"the {number} lemmas follow, but do")
        return f"{subject} not lead to a contradiction: lemmas are missing"

    def text(self) -> str:
        """The certificate as a person reads it, without a final newline."""
        return "\n".join([*self._about(), *self._proof()])

    def _about(self) -> Iterator[str]:
        """The puzzle and the claim, line by line."""
        yield f"This puzzle has {CLAIMS[self.claim]}:"
        yield from (f"  {line}" for line in self.puzzle.format("pretty").splitlines())
        for number, solution in enumerate(self.solutions, 1):
            yield f"Solution {number}:" if len(self.solutions) > 1 else "The solution:"
            yield from indented(solution, self.puzzle).splitlines()
        if self.demands is not None:
            yield "Of its givens, marks and rules, these are enough:"
            yield from (f"  {sentence}" for sentence in _sentences(self.demands))

    def _proof(self) -> Iterator[str]:
        if self.claim == "several":
            yield f"Both grids obey all rules; that is the proof. Found by {self.maker}."
            return
        other = "another solution" if self.solutions else "a solution"
        number = counted(len(self.lemmas), "lemma")
        yield f"Suppose that there were {other}. Proof by {self.maker}, {number}:"
        width = len(str(len(self.lemmas)))
        for at, lemma in enumerate(self.sentences(), 1):
            yield f"  {at:{width}}. {lemma}"
        yield "  From this, unit propagation leads to a contradiction."

    def cnf(self) -> str:
        """The clauses that the lemmas refute, as a file in the format DIMACS.

        The variable of a row, a column and a digit is n * n * (row - 1) + n * (column - 1) + digit.
        The clauses are those of the rules, of the givens and marks, and that the grid is not the
        solution. If there are several solutions, the last one is missing, and nothing refutes them.
        """
        # No comment stands between clauses: drat-trim takes it for the empty clause if it believes
        # that the proof is binary, as it does of an empty one, and then it verifies anything.
        n, clauses = self.puzzle.size, claim_of(self).clauses()
        comments = [
            *self._about(),
            f"Found by {' '.join(self.maker.split())}.",
            "",
            f"Variable {n * n} * (row - 1) + {n} * (column - 1) + digit: the cell holds the digit.",
        ]
        if self.claim != "several":
            comments.append("That the clauses contradict each other: drat-trim FILE.cnf FILE.drat")
        head = [*map(_comment, comments), f"p cnf {n**3} {len(clauses)}"]
        return "".join(f"{line}\n" for line in (*head, *map(_line, clauses)))

    def drat(self) -> str:
        """The lemmas and the empty clause, as a file in the format DRAT.

        It is empty if there are several solutions, as nothing is refuted.
        """
        if self.claim == "several":
            return ""
        return "".join(f"{_line(lemma)}\n" for lemma in (*self.lemmas, ()))

    def prolog(self) -> str:
        """The certificate as a term that ``check_certificate/1`` reads at the swipl prompt.

        Raises:
            InvalidPuzzle: If the puzzle has rules beyond plain sudoku, or if there are `demands`.
        """
        puzzle = self.puzzle
        if puzzle.layout.rules or self.demands is not None:
            what = "rules beyond plain sudoku" if puzzle.layout.rules else "only some demands"
            raise InvalidPuzzle(
                f"this certificate is about {what}, which 'prolog' cannot hold; use 'json'"
            )
        excluded = ", ".join(f"{row}-{column}={digit}" for row, column, digit in puzzle.excluded)
        parts = list(map(grid_term, self.solutions))
        if self.claim != "several":
            lemmas = (f"\n  [{', '.join(_literals(puzzle.size, each))}]" for each in self.lemmas)
            parts.append(f"[{','.join(lemmas)}]")
        head = _HEAD.format(claim=CLAIMS[self.claim], maker=" ".join(self.maker.split()))
        claim = ",\n".join(parts)
        return (
            f"{head}\ncertificate(\n{grid_term(puzzle.grid)},\n"
            f"{shape_term(puzzle.layout)}, [{excluded}], {self.claim}(\n{claim}))."
        )

    def to_json(self) -> dict[str, Any]:
        """The certificate as numbers, texts, lists and dicts, ready for `json.dumps`."""
        fields: dict[str, Any] = {
            "certificate": VERSION,
            "claim": self.claim,
            "puzzle": self.puzzle.to_puzzle().to_json(),
            "solutions": [solution.to_json() for solution in self.solutions],
            "lemmas": [list(lemma) for lemma in self.lemmas],
            "maker": self.maker,
        }
        if self.demands is not None:
            fields["demands"] = list(map(_as_json, self.demands))
        return fields

    @classmethod
    def from_json(cls, value: str | Mapping[str, Any]) -> Certificate:
        """The certificate of a JSON object or its text; only `verify` shows whether it proves its
        claim.

        Args:
            value: The object or the text.

        Raises:
            InvalidCertificate: If it is not a certificate; the message has the place.
        """
        try:
            fields = _fields(load_json(value) if isinstance(value, str) else value)
            puzzle = as_puzzle(parse(json.dumps(fields["puzzle"]), "json"))
        except InvalidPuzzle as error:
            raise InvalidCertificate(str(error)) from None
        some = fields.get("demands")
        certificate = cls(
            puzzle,
            tuple(_solutions(fields["solutions"], puzzle)),
            tuple(_lemmas(fields["lemmas"], puzzle.size)),
            fields["maker"],
            None if some is None else _demands(some, puzzle),
        )
        if fields["claim"] != certificate.claim:
            number = counted(len(certificate.solutions), "solution")
            raise InvalidCertificate(
                f"the claim is {shown(fields['claim'])} with {number};"
                f" expected {certificate.claim!r}"
            )
        return certificate

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        lemmas = counted(len(self.lemmas), "lemma")
        return f"<Certificate: {self.claim}, {lemmas} by {self.maker}>"


def claim_of(certificate: Certificate) -> Claim:
    """The claim of the lemmas; if there are two solutions, it is false, and nothing proves it."""
    only = certificate.solutions[0] if certificate.claim == "unique" else None
    return Claim(certificate.puzzle, only, certificate.demands)


# --- certificates as text, as JSON, and as Prolog terms ---

VERSION = 1
"""Of the JSON; another one is not read."""

CLAIMS = {
    "none": "no solution",
    "unique": "exactly one solution",
    "several": "more than one solution",
}

_KEYS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "certificate": (f"{VERSION}, the version", lambda it: it == VERSION and it is not True),
    "claim": ("none, unique or several", lambda it: it in tuple(CLAIMS)),
    "puzzle": ('an object with "box" and "grid"', lambda it: {"box", "grid"} <= _keys(it)),
    "solutions": ("up to two grids", lambda it: isinstance(it, list) and len(it) < 3),
    "lemmas": ("a list", lambda it: isinstance(it, list)),
    "maker": ("one line of text", lambda it: isinstance(it, str) and it.isprintable()),
    "demands": ("a list", lambda it: it is None or isinstance(it, list)),
}
"""The keys of the JSON, and what is expected of their values; the demands may be missing."""


def _sentences(demands: Iterable[Demand]) -> Iterator[str]:
    rules, givens, excluded = sorted_out(demands)
    if givens:
        yield in_words(givens)
    yield from mark_sentences(excluded)
    yield from sentences(rules)


# --- JSON ---------------------------------------------------------------------------------


def _keys(value: Any) -> set[str]:
    return {*value} if isinstance(value, Mapping) else set()


def _fields(value: Any) -> dict[str, Any]:
    """The object, if it has our keys and each value is as expected."""
    if "certificate" not in _keys(value):
        raise InvalidCertificate(
            f'{shown(value)} is not a certificate; expected a key "certificate"'
        )
    for key in {**_KEYS, **value}:
        expected, right = _KEYS.get(key, (f"one of {', '.join(_KEYS)}", lambda _: False))
        if not right(value.get(key)):
            actual = shown(value[key]) if key in value else "missing"
            raise InvalidCertificate(f"the key {key!r} is {actual}; expected {expected}")
    return dict(value)


def _solutions(value: list[Any], puzzle: Grid | Puzzle) -> Iterator[Grid]:
    for number, rows in enumerate(value, 1):
        try:
            yield Grid.from_rows(rows, puzzle.box)
        except InvalidPuzzle as error:
            raise InvalidCertificate(f"solution {number}: {error}") from None


def _lemmas(several: Iterable[Any], size: int) -> Iterator[Clause]:
    for number, lemma in enumerate(several, 1):
        if not isinstance(lemma, list | tuple) or not all(
            type(each) is int and 0 < abs(each) <= size**3 for each in lemma
        ):
            raise InvalidCertificate(
                f"lemma {number} is {shown(lemma)}; expected variables, which are 1 to {size**3}"
            )
        yield tuple(lemma)


def _demands(several: Iterable[Any], puzzle: Grid | Puzzle) -> tuple[Demand, ...]:
    """The demands, given as JSON."""
    some = (*known_rules(puzzle.layout), *puzzle.givens, *exclusions(puzzle))
    known = {json.dumps(_as_json(each)): tuple(each) for each in some}
    demands = []
    for number, each in enumerate(several, 1):
        if (demand := known.get(json.dumps(each))) is None:
            raise InvalidCertificate(
                f"demand {number} is {shown(each)}, which the puzzle does not have"
            )
        demands.append(demand)
    return tuple(demands)


def _as_json(demand: Demand) -> Any:
    return demand[1].to_json() if demand[0] == "rule" else list(demand)


# --- Prolog -------------------------------------------------------------------------------

_HEAD = """\
% A certificate: that a sudoku has {claim}. Made by {maker}.
% To check it at the prompt of swipl prolog/sudoku_prompt.pl:
%     ?- check_certificate('FILE.pl').
% Givens by row, the shape of the boxes or regions, the digits that marks exclude, and
% the claim: each solution by row, and the lemmas, each on a line of its own."""


def _literals(size: int, lemma: Clause) -> Iterator[str]:
    for each in lemma:
        row, column, digit = placement(size, each)
        yield f"{row}-{column}{'=' if each > 0 else chr(92) + '='}{digit}"


# --- DIMACS and DRAT ----------------------------------------------------------------------


def _comment(line: str) -> str:
    """The line as a comment, without what drat-trim takes for the header, such as "cnf 9 9"."""
    plain = re.sub(r"(?<!\.)cnf", "CNF", in_ascii(line))
    return f"c {plain.encode('ascii', 'replace').decode()}".rstrip()


def _line(clause: Clause) -> str:
    return " ".join(map(str, (*clause, 0)))
