"""A certificate: an answer to "how many solutions?", with all that is needed to check it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from ..draw import in_ascii
from ..engines import Backend, able
from ..engines.running import Budget, Progress, checked_timeout
from ..errors import InvalidCertificate, InvalidPuzzle, counted, shown
from ..files import save
from ..formats import PuzzleLike, as_puzzle, indented, parse
from ..formats.lists import load_json
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Placement
from ..rules.clauses import Claim, Clause, clause_in_words, placement
from ..rules.demands import (
    Demand,
    all_rules,
    cell_rules,
    exclusions,
    in_words,
    is_placement,
    mark_sentences,
    rules,
    sentences,
)
from .checker import first_refused

__all__ = ["Certificate", "certify"]


def certify(
    puzzle: PuzzleLike,
    backend: str | Backend = "clingo",
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Certificate:
    """Whether the puzzle has no solution, one or several, with a proof that anybody can check.

    `puzzle` is as for `solve`. `backend` is the engine that finds the proof. `timeout` is in
    seconds, over 0; None means no limit. `progress` is called with what is being done, in words.

    Raises InvalidPuzzle, BackendUnavailable (also if the engine cannot prove its answers),
    SolveTimeout or BackendFailure (also if the puzzle has a rule that cannot be said in clauses),
    and ValueError or TypeError for an impossible timeout.

    >>> certificate = certify("4......3...13...")
    >>> certificate.claim, len(certificate.lemmas)
    ('unique', 0)
    >>> certificate.verify()
    """
    return prove(Claim(as_puzzle(puzzle)), backend, timeout, progress)


def prove(
    claim: Claim,
    backend: str | Backend,
    timeout: float | None,
    progress: Progress | None = None,
) -> Certificate:
    """The certificate of a claim, made by this engine; errors as for `certify`."""
    engine = able(backend, claim.puzzle)
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

    def sentences(self) -> list[str]:
        """Each lemma in words, such as ``"r1c1 is not 5 or r1c2 is 3"``."""
        return [clause_in_words(self.puzzle.size, lemma) for lemma in self.lemmas]

    def verify(
        self,
        backend: str | Backend | None = None,
        timeout: float | None = None,
        progress: Progress | None = None,
    ) -> None:
        """Check it; InvalidCertificate, which says where it fails, if it does not prove its claim.

        Without a `backend` the checker is plain Python that knows no engine; ``"prolog"`` is the
        other one. Each builds the clauses of the puzzle itself. `timeout` is in seconds, over 0.
        `progress` is called with what is being done, in words.

        Raises also BackendUnavailable if that engine cannot check certificates, SolveTimeout, and
        BackendFailure if the puzzle has a rule that cannot be said in clauses.
        """
        checked_timeout(timeout)
        self._check_parts()
        if self.claim == "several":
            return
        claim = claim_of(self)
        engine = None if backend is None else able(backend, self.puzzle)
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
        n = self.puzzle.size
        for number, solution in enumerate(self.solutions, 1):
            if not solution.is_solution_of(self.puzzle):
                raise InvalidCertificate(f"solution {number} is not a solution of the puzzle")
        if len(self.solutions) == 2 and self.solutions[0] == self.solutions[1]:
            raise InvalidCertificate("the two solutions are the same grid")
        for number, lemma in enumerate(self.lemmas, 1):
            for each in lemma:
                if type(each) is not int or not 0 < abs(each) <= n**3:
                    raise InvalidCertificate(
                        f"lemma {number} has {shown(each)}; the variables are 1 to {n**3}"
                    )
        if self.demands is not None:
            known = set(demands_of(self.puzzle))
            for number, demand in enumerate(self.demands, 1):
                if tuple(demand) not in known:
                    raise InvalidCertificate(
                        f"demand {number} is {shown(demand)}, which the puzzle does not have"
                    )

    def _refusal(self, number: int) -> str:
        """Why the checker refused the lemma with this number, from 0, or all of them."""
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
        The comments say what each group of clauses means. If there are several solutions, the
        clauses are those of the puzzle, and nothing refutes them.
        """
        # No comment stands between clauses: drat-trim takes it for the empty clause if it believes
        # that the proof is binary, as it does of an empty one, and then it verifies anything.
        groups = [group for group in _groups(claim_of(self)) if group[1]]
        clauses = [clause for _, group in groups for clause in group]
        lines = [
            *(_comment(line) for line in (*self._head(), *_contents(groups))),
            f"p cnf {self.puzzle.size**3} {len(clauses)}",
            *(_line(clause) for clause in clauses),
        ]
        return "".join(f"{line}\n" for line in lines)

    def _head(self) -> Iterator[str]:
        n = self.puzzle.size
        yield from self._about()
        yield f"Found by {' '.join(self.maker.split())}."
        yield ""
        number = f"{n * n} * (row - 1) + {n} * (column - 1) + digit"
        yield f"Variable {number}: the cell holds the digit."
        if self.claim == "several":
            yield "The clauses say what a solution is. Both grids satisfy them."
        else:
            yield "The clauses say what such a solution would be, and contradict each other."
            yield "The lemmas in the other file, FILE.drat, prove that. To check them:"
            yield "  drat-trim FILE.cnf FILE.drat"
        yield ""

    def drat(self) -> str:
        """The lemmas and the empty clause, as a file in the format DRAT.

        It is empty if there are several solutions, as nothing is refuted.
        """
        if self.claim == "several":
            return ""
        return "".join(f"{_line(lemma)}\n" for lemma in (*self.lemmas, ()))

    def prolog(self) -> str:
        """The certificate as a term that ``check_certificate/1`` reads at the swipl prompt.

        InvalidPuzzle for a puzzle with rules beyond plain sudoku, and if there are `demands`.
        """
        puzzle = self.puzzle
        if puzzle.layout.rules or self.demands is not None:
            what = "rules beyond plain sudoku" if puzzle.layout.rules else "only some demands"
            raise InvalidPuzzle(
                f"this certificate is about {what}, which 'prolog' cannot hold; use 'json'"
            )
        excluded = ", ".join(f"{row}-{column}={digit}" for row, column, digit in puzzle.excluded)
        parts = [_rows(solution) for solution in self.solutions]
        if self.claim != "several":
            lemmas = (f"\n  [{', '.join(_literals(puzzle.size, each))}]" for each in self.lemmas)
            parts.append(f"[{','.join(lemmas)}]")
        head = _HEAD.format(claim=CLAIMS[self.claim], maker=" ".join(self.maker.split()))
        claim = ",\n".join(parts)
        return (
            f"{head}\ncertificate(\n{_rows(puzzle)},\n{_shape(puzzle)}, [{excluded}],"
            f" {self.claim}(\n{claim}))."
        )

    def to_json(self) -> dict[str, Any]:
        """The certificate as numbers, texts, lists and dicts, ready for `json.dumps`."""
        found: dict[str, Any] = {
            "certificate": VERSION,
            "claim": self.claim,
            "puzzle": self.puzzle.to_puzzle().to_json(),
            "solutions": [solution.to_json() for solution in self.solutions],
            "lemmas": [list(lemma) for lemma in self.lemmas],
            "maker": self.maker,
        }
        if self.demands is not None:
            found["demands"] = list(map(_as_json, self.demands))
        return found

    @classmethod
    def from_json(cls, value: str | Mapping[str, Any]) -> Certificate:
        """The certificate of a JSON object or its text.

        InvalidCertificate, which says where, if it is not one. Only `verify` shows whether it
        proves its claim.
        """
        try:
            fields = _check_json(_load(value) if isinstance(value, str) else value)
            puzzle = _puzzle(fields["puzzle"])
            solutions = tuple(_solutions(fields["solutions"], puzzle))
            demands = _demands(fields.get("demands"), puzzle)
        except InvalidPuzzle as error:
            raise InvalidCertificate(str(error)) from None
        if not fields["maker"].isprintable():
            raise InvalidCertificate(
                f"the maker is {shown(fields['maker'])}; expected one line of text"
            )
        claims = list(CLAIMS)
        if len(solutions) >= len(claims) or fields["claim"] != claims[len(solutions)]:
            raise InvalidCertificate(
                f"the claim is {shown(fields['claim'])} with"
                f" {counted(len(solutions), 'solution')}; expected 'none' with 0, 'unique' with 1"
                " or 'several' with 2"
            )
        lemmas = tuple(_lemma(number, each) for number, each in enumerate(fields["lemmas"], 1))
        return cls(puzzle, solutions, lemmas, fields["maker"], demands)

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file, whose ending is the format: .cnf, .json, .pl or .txt.

        With FILE.cnf the lemmas are written too, to FILE.drat. OSError, which names the file, if it
        cannot be written; ValueError for another ending.
        """
        target = Path(path)
        texts: dict[str, Callable[[], str]] = {
            ".cnf": self.cnf,
            ".json": lambda: json.dumps(self.to_json()) + "\n",
            ".pl": lambda: self.prolog() + "\n",
            ".txt": lambda: self.text() + "\n",
        }
        suffix = target.suffix.lower()
        if suffix not in texts:
            raise ValueError(f"{target.name!r} should end in one of {', '.join(texts)}")
        if suffix == ".cnf" and self.claim != "several":
            save(target.with_suffix(".drat"), self.drat())
        save(target, texts[suffix]())

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Certificate:
        """The certificate in a JSON file.

        InvalidCertificate, which says where, if there is no certificate; OSError if the file cannot
        be read. Only `verify` shows whether it proves its claim.
        """
        try:
            return cls.from_json(Path(path).read_text("utf-8-sig"))
        except UnicodeDecodeError:
            raise InvalidCertificate(f"{path}: this is not text in UTF-8") from None
        except InvalidCertificate as error:
            raise InvalidCertificate(f"{path}: {error}") from None

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        lemmas = counted(len(self.lemmas), "lemma")
        return f"<Certificate: {self.claim}, {lemmas} by {self.maker}>"


def claim_of(certificate: Certificate) -> Claim:
    """What the lemmas are to prove; if there are two solutions, it is false, and nothing does."""
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

_KEYS: dict[str, type | tuple[type, ...]] = {
    "certificate": int,
    "claim": str,
    "puzzle": dict,
    "solutions": list,
    "lemmas": list,
    "maker": str,
    "demands": (list, type(None)),
}


# --- for people ---------------------------------------------------------------------------


def _sentences(demands: tuple[Demand, ...]) -> Iterator[str]:
    givens = [each for each in demands if is_placement(each)]
    if givens:
        yield in_words(givens)
    excluded = [each[1:] for each in demands if each[0] == "excluded"]
    yield from mark_sentences(Placement(*each) for each in excluded)
    yield from sentences(
        each for each in demands if each[0] != "excluded" and not is_placement(each)
    )


# --- JSON ---------------------------------------------------------------------------------


def _load(text: str) -> Any:
    try:
        return load_json(text)
    except InvalidPuzzle as error:
        raise InvalidCertificate(f"{error}; expected a certificate as JSON") from None


def _check_json(value: Any) -> dict[str, Any]:
    """The object, if it has our keys and each value has its type."""
    if not isinstance(value, Mapping) or "certificate" not in value:
        raise InvalidCertificate(
            f'{shown(value)} is not a certificate; expected a key "certificate"'
        )
    if value["certificate"] != VERSION or isinstance(value["certificate"], bool):
        raise InvalidCertificate(
            f"the version is {shown(value['certificate'])}; this program reads {VERSION}"
        )
    fields = dict(value)
    for key in fields:
        if key not in _KEYS:
            raise InvalidCertificate(f"unknown key {shown(key)}; expected {', '.join(_KEYS)}")
    for key, kind in _KEYS.items():
        if key not in fields and key != "demands":
            raise InvalidCertificate(f"the key {key!r} is missing")
        if not isinstance(fields.get(key), kind):
            raise InvalidCertificate(f"{key!r} is {shown(fields[key])}, which has the wrong type")
    return fields


def _puzzle(value: dict[str, Any]) -> Grid | Puzzle:
    if "grid" not in value or "puzzle" in value:
        raise InvalidCertificate(f'the puzzle is {shown(value)}; expected "box" and "grid"')
    return as_puzzle(parse(json.dumps(value), "json"))


def _solutions(value: list[Any], puzzle: Grid | Puzzle) -> Iterator[Grid]:
    for number, rows in enumerate(value, 1):
        try:
            yield Grid.from_rows(rows, puzzle.box)
        except InvalidPuzzle as error:
            raise InvalidCertificate(f"solution {number}: {error}") from None


def _lemma(number: int, value: Any) -> Clause:
    if isinstance(value, list) and all(type(each) is int for each in value):
        return tuple(value)
    raise InvalidCertificate(f"lemma {number} is {shown(value)}; expected a list of whole numbers")


def _demands(value: list[Any] | None, puzzle: Grid | Puzzle) -> tuple[Demand, ...] | None:
    if value is None:
        return None
    known = {json.dumps(_as_json(each)): each for each in demands_of(puzzle)}
    found = []
    for number, each in enumerate(value, 1):
        if (demand := known.get(json.dumps(each))) is None:
            raise InvalidCertificate(
                f"demand {number} is {shown(each)}, which the puzzle does not have"
            )
        found.append(demand)
    return tuple(found)


def _as_json(demand: Demand) -> Any:
    return demand[1].to_json() if demand[0] == "rule" else list(demand)


def demands_of(puzzle: Grid | Puzzle) -> Iterable[Demand]:
    """All that the puzzle demands, at every level of detail."""
    layout = puzzle.layout
    some = (*all_rules(layout), *rules(layout), *cell_rules(layout))
    return map(tuple, (*some, *puzzle.givens, *exclusions(puzzle)))


# --- Prolog -------------------------------------------------------------------------------

_HEAD = """\
% A certificate: that a sudoku has {claim}. Made by {maker}.
% To check it at the prompt of swipl prolog/prompt.pl:
%     ?- check_certificate('FILE.pl').
% Givens by row, the shape of the boxes or regions, the digits that marks exclude, and
% the claim: each solution by row, and the lemmas, each on a line of its own."""


def _rows(grid: Grid | Puzzle) -> str:
    return grid.grid.format("prolog")


def _shape(puzzle: Grid | Puzzle) -> str:
    if puzzle.regions:
        return f"regions({json.dumps(puzzle.layout.labels)})"
    return "{}-{}".format(*puzzle.box)


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


def _contents(groups: list[tuple[str, tuple[Clause, ...]]]) -> Iterator[str]:
    """Which clauses say what."""
    first = 1
    for title, clauses in groups:
        last = first + len(clauses) - 1
        yield f"{f'Clauses {first} to {last}' if last > first else f'Clause {first}'}: {title}"
        first = last + 1


def _groups(claim: Claim) -> Iterator[tuple[str, tuple[Clause, ...]]]:
    """The clauses in groups, each with what it says."""
    for rule, clauses in claim.by_rule():
        yield next(sentences([rule])), clauses
    facts = claim.facts()
    yield "the givens", tuple(clause for clause in facts if clause[0] > 0)
    yield "the marks, which exclude digits", tuple(clause for clause in facts if clause[0] < 0)
    yield "that the grid is not the solution above", claim.another()
