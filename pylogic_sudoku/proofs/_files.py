"""Certificates in files: the clauses of a puzzle as DIMACS, its lemmas as DRAT, and all as JSON.

Any SAT solver and any checker of DRAT proofs takes a ``.cnf`` and a ``.drat`` as they are. The
comments of the ``.cnf`` say what the clauses mean. JSON alone is read back.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from .._clauses import Claim, Clause
from .._demands import said as sentences
from .._saving import save
from ..draw._text import in_ascii
from ..errors import InvalidCertificate
from ._certificate import Certificate, claim_of
from ._forms import about, from_json, to_json, to_prolog, to_text

__all__ = ["SUFFIXES", "read", "to_cnf", "to_drat", "write"]

SUFFIXES = (".cnf", ".json", ".pl", ".txt")
"""The endings of the files that `write` makes."""


# --- DIMACS and DRAT ----------------------------------------------------------------------


def to_cnf(certificate: Certificate) -> str:
    """The clauses, below comments that say what they mean.

    No comment stands between clauses: drat-trim takes it for the empty clause if it believes that
    the proof is binary, as it does of an empty one, and then it verifies anything.
    """
    claim = claim_of(certificate)
    groups = [group for group in _groups(claim) if group[1]]
    clauses = [clause for _, group in groups for clause in group]
    lines = [
        *(_comment(line) for line in (*_head(certificate), *_contents(groups))),
        f"p cnf {claim.puzzle.size**3} {len(clauses)}",
        *(_line(clause) for clause in clauses),
    ]
    return "".join(f"{line}\n" for line in lines)


def _comment(line: str) -> str:
    """The line as a comment, without what drat-trim takes for the header, such as "cnf 9 9"."""
    plain = re.sub(r"(?<!\.)cnf", "CNF", in_ascii(line))
    return f"c {plain.encode('ascii', 'replace').decode()}".rstrip()


def _line(clause: Clause) -> str:
    return " ".join(map(str, (*clause, 0)))


def _head(certificate: Certificate) -> Iterator[str]:
    n = certificate.puzzle.size
    yield from about(certificate)
    yield f"Found by {' '.join(certificate.maker.split())}."
    yield ""
    yield f"Variable {n * n} * (row - 1) + {n} * (column - 1) + digit: the cell holds the digit."
    if certificate.claim == "several":
        yield "The clauses say what a solution is. Both grids satisfy them."
    else:
        yield "The clauses say what such a solution would be, and contradict each other."
        yield "The lemmas in the other file, FILE.drat, prove that. To check them:"
        yield "  drat-trim FILE.cnf FILE.drat"
    yield ""


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


def to_drat(certificate: Certificate) -> str:
    """The lemmas, and the empty clause; nothing for two solutions, as nothing is refuted."""
    if certificate.claim == "several":
        return ""
    return "".join(f"{_line(lemma)}\n" for lemma in (*certificate.lemmas, ()))


# --- files --------------------------------------------------------------------------------


def write(certificate: Certificate, path: str | PathLike[str]) -> None:
    """Write the file; of a name that ends in .cnf, also the one that ends in .drat."""
    target = Path(path)
    match target.suffix.lower():
        case ".cnf":
            if certificate.claim != "several":
                save(target.with_suffix(".drat"), to_drat(certificate))
            save(target, to_cnf(certificate))
        case ".json":
            save(target, json.dumps(to_json(certificate)) + "\n")
        case ".pl":
            save(target, to_prolog(certificate) + "\n")
        case ".txt":
            save(target, to_text(certificate) + "\n")
        case _:
            raise ValueError(f"{target.name!r} should end in one of {', '.join(SUFFIXES)}")


def read(path: str | PathLike[str]) -> dict[str, Any]:
    """The fields of the certificate in a file of JSON.

    InvalidCertificate if it is not text, or the text is not a certificate.
    """
    with open(path, "rb") as file:
        data = file.read(1 << 20)
        if b"\0" in data:  # as in /dev/zero, which has no end
            raise InvalidCertificate(f"this is not text (byte 0x00 at {data.index(0)})")
        data += file.read()
    try:
        return from_json(data.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        where = f"byte 0x{data[error.start]:02x} at {error.start}"
        raise InvalidCertificate(f"this is not text ({where})") from None
