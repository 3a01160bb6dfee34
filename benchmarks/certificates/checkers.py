"""Everything that checks proofs: our checkers, and programs of others that read the two files."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

from pylogic_sudoku import BackendFailure, BackendUnavailable, InvalidCertificate, SolveTimeout
from pylogic_sudoku.engines.sudoku import get
from pylogic_sudoku.proofs import Certificate, claim_of
from pylogic_sudoku.proofs.checker import first_refused

OURS = {"python": None, "prolog": "prolog"}
"""The arguments of `Certificate.verify` for our checkers."""


def _python(certificate: Certificate, _timeout: float | None) -> int | None:
    return first_refused(claim_of(certificate), certificate.lemmas)


def _prolog(certificate: Certificate, timeout: float | None) -> int | None:
    prolog = get("prolog")
    return prolog.first_refused(claim_of(certificate), certificate.lemmas, timeout)


def _dratify(certificate: Certificate, _timeout: float | None) -> int | None:
    import dratify

    try:
        formula = dratify.parse_dimacs(certificate.cnf(), strict=True)
        # Without `check_rat` it accepts only what follows, as our checkers do.
        result = dratify.check_proof(formula, certificate.drat(), check_rat=False, engine="python")
    except ValueError as error:
        raise BackendFailure(f"dratify: {error}") from error
    return None if result.ok else result.failed_step - 1


def _drat_trim(certificate: Certificate, timeout: float | None) -> int | None:
    with TemporaryDirectory() as folder:
        files = [Path(folder, "claim.cnf"), Path(folder, "claim.drat")]
        files[0].write_text(certificate.cnf())
        files[1].write_text(certificate.drat())
        # -f: all lemmas in order, not only those that are needed; -U: only what follows.
        command: list[str | Path] = ["drat-trim", *files, "-f", "-U"]
        try:
            said = subprocess.run(command, capture_output=True, text=True, timeout=timeout).stdout
        except subprocess.TimeoutExpired as error:
            raise SolveTimeout("drat-trim", error.timeout) from None
    if "s VERIFIED" in said.splitlines():
        return None
    if failed := re.search(r"failed at proof line (\d+)", said):
        return int(failed[1]) - 1
    raise BackendFailure(f"drat-trim: {said.strip()}")


CHECKERS: dict[str, Callable[[Certificate, float | None], int | None]] = {
    "python": _python,
    "prolog": _prolog,
    "dratify": _dratify,
    "drat-trim": _drat_trim,
}
"""For each the number, from 0, of the first lemma that it refuses; None if it accepts the proof.

It is the number of lemmas if only the empty clause at the end is refused. A claim that there are
several solutions has no proof.
"""


def refusal(certificate: Certificate, checker: str, timeout: float | None = None) -> str | None:
    """Where the checker refuses the certificate; None if it accepts it.

    Ours check its solutions too.
    """
    if checker in OURS:
        try:
            certificate.verify(OURS[checker], timeout)
        except InvalidCertificate as error:
            return str(error)
    elif certificate.claim != "several":
        number = CHECKERS[checker](certificate, timeout)
        if number is not None:
            # The last step is the empty clause.
            return f"step {number + 1} of {len(certificate.lemmas) + 1}"
    return None


def require(checker: str) -> None:
    """BackendUnavailable if the checker is not installed here."""
    if checker == "prolog":
        get(checker).version()
    elif checker == "dratify":
        try:
            import dratify  # noqa: F401
        except ImportError:
            raise BackendUnavailable("dratify is missing", "Run `pip install dratify`.") from None
    elif checker == "drat-trim" and not which(checker):
        raise BackendUnavailable("drat-trim is missing", "Compile it, and put it on the PATH.")
