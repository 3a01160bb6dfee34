"""A certificate: an answer to "how many solutions?", with all that is needed to check it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from os import PathLike
from typing import Any, Literal

from .._api import PuzzleLike
from .._clauses import Claim, Clause, Demand, said
from ..engines import Backend, able, prover, verifier
from ..engines.budget import Budget, Progress, seconds
from ..errors import InvalidCertificate, counted, shown
from ..formats import as_puzzle
from ..grid import Grid
from ..puzzle import Puzzle
from ._checking import first_refused

__all__ = ["Certificate", "certify", "claim_of", "proved"]


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
    return proved(Claim(as_puzzle(puzzle)), backend, timeout, progress)


def proved(
    claim: Claim,
    backend: str | Backend,
    timeout: float | None,
    progress: Progress | None = None,
) -> Certificate:
    """The certificate of a claim, made by this engine; errors as for `certify`."""
    engine = able(backend, claim.puzzle)
    budget = Budget(engine.name, timeout, progress)
    budget.turn_to("looking for a proof")
    solutions, lemmas = budget.spend(partial(prover(engine).prove, claim))
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
    puzzle and the lemmas before it by unit propagation. `said` gives them in words."""
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

    def said(self) -> list[str]:
        """Each lemma in words, such as ``"r1c1 is not 5 or r1c2 is 3"``."""
        return [said(self.puzzle.size, lemma) for lemma in self.lemmas]

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
        seconds(timeout)
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
            refused = budget.spend(partial(verifier(engine).first_refused, claim, self.lemmas))
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
            from ._forms import demands_of

            known = set(demands_of(self.puzzle))
            for number, demand in enumerate(self.demands, 1):
                if tuple(demand) not in known:
                    raise InvalidCertificate(
                        f"demand {number} is {shown(demand)}, which the puzzle does not have"
                    )

    def _refusal(self, number: int) -> str:
        """Why the checker refused the lemma with this number, from 0, or all of them."""
        if number < len(self.lemmas):
            words = said(self.puzzle.size, self.lemmas[number])
            return f"lemma {number + 1} of {len(self.lemmas)} does not follow: {words}"
        subjects = {0: "the clauses do", 1: "the lemma follows, but does"}
        subject = subjects.get(number, f"the {number} lemmas follow, but do")
        return f"{subject} not lead to a contradiction: lemmas are missing"

    def text(self) -> str:
        """The certificate as a person reads it, without a final newline."""
        from ._forms import to_text

        return to_text(self)

    def cnf(self) -> str:
        """The clauses that the lemmas refute, as a file in the format DIMACS.

        The variable of a row, a column and a digit is n * n * (row - 1) + n * (column - 1) + digit.
        The comments say what each group of clauses means. If there are several solutions, the
        clauses are those of the puzzle, and nothing refutes them.
        """
        from ._files import to_cnf

        return to_cnf(self)

    def drat(self) -> str:
        """The lemmas and the empty clause, as a file in the format DRAT.

        It is empty if there are several solutions.
        """
        from ._files import to_drat

        return to_drat(self)

    def prolog(self) -> str:
        """The certificate as terms that ``check_certificate/1`` reads at the swipl prompt.

        InvalidPuzzle for a puzzle with rules beyond plain sudoku, and if there are `demands`.
        """
        from ._forms import to_prolog

        return to_prolog(self)

    def to_json(self) -> dict[str, Any]:
        """The certificate as numbers, texts, lists and dicts, ready for `json.dumps`."""
        from ._forms import to_json

        return to_json(self)

    @classmethod
    def from_json(cls, value: str | Mapping[str, Any]) -> Certificate:
        """The certificate of a JSON object or its text.

        InvalidCertificate if it is not one. Only `verify` shows whether it proves its claim.
        """
        from ._forms import from_json

        return cls(**from_json(value))

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file, whose ending is the format: .cnf, .json, .pl or .txt.

        With FILE.cnf the lemmas are written too, to FILE.drat. OSError, which names the file, if it
        cannot be written; ValueError for another ending.
        """
        from ._files import write

        write(self, path)

    @classmethod
    def read(cls, path: str | PathLike[str]) -> Certificate:
        """The certificate in a JSON file.

        InvalidCertificate, which says where, if there is no certificate; OSError if the file cannot
        be read. Only `verify` shows whether it proves its claim.
        """
        from ._files import read

        try:
            return cls(**read(path))
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
