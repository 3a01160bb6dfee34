"""Certificates in files: the clauses of a puzzle as DIMACS, its lemmas as DRAT, and all as JSON.

Any SAT solver and any checker of DRAT proofs takes a ``.cnf`` and a ``.drat`` as they are. For
people the comments of the ``.cnf`` say what the clauses mean, and for `read` they repeat the puzzle
and the claim as JSON. From these the clauses are built again, and the file must have the same.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any

from .._clauses import Claim, Clause, said
from .._demands import said as sentences
from .._saving import save
from ..draw._text import in_ascii
from ..errors import InvalidCertificate, shown
from ._certificate import Certificate, claim_of
from ._forms import about, from_json, to_json, to_prolog, to_text

__all__ = ["SUFFIXES", "read", "to_cnf", "to_drat", "write"]

SUFFIXES = (".cnf", ".json", ".pl", ".txt")
"""The endings of the files that `write` makes."""

LONGEST = 100_000_000
"""Bytes of a file; a longer one is refused."""

_WIDTH = 90
_JSON = "c > "
_HEADER = re.compile(r"p\s+cnf\s+(\d{1,9})\s+(\d{1,9})")
_NUMBER = re.compile(r"-?[0-9]{1,9}")

Numbered = Iterator[tuple[int, Clause]]
"""Clauses, each with the number of the line where it ends."""


# --- DIMACS and DRAT ----------------------------------------------------------------------


def to_cnf(certificate: Certificate) -> str:
    """The clauses, below comments that say what they mean.

    No comment stands between clauses: drat-trim takes it for the empty clause if it believes that
    the proof is binary, as it does of an empty one, and then it verifies anything.
    """
    claim = claim_of(certificate)
    groups = [group for group in _groups(claim) if group[1]]
    clauses = [clause for _, group in groups for clause in group]
    fields = to_json(certificate)
    del fields["lemmas"]
    text = json.dumps(fields, separators=(",", ":")).replace("cnf", r"c\u006ef")
    lines = [
        *(_comment(line) for line in (*_head(certificate), *_contents(groups))),
        *(_JSON + text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)),
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
        yield "or, if the clauses themselves are to be checked too:"
        yield "  pylogic-sudoku certify --check FILE.cnf"
    yield ""


def _contents(groups: list[tuple[str, tuple[Clause, ...]]]) -> Iterator[str]:
    """Which clauses say what."""
    first = 1
    for title, clauses in groups:
        last = first + len(clauses) - 1
        yield f"{f'Clauses {first} to {last}' if last > first else f'Clause {first}'}: {title}"
        first = last + 1
    yield ""
    yield "The same for programs, as JSON:"


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


def _from_pair(cnf: Path, drat: Path) -> dict[str, Any]:
    """The fields of a certificate from its two files, or from one for two solutions."""
    lines = _text(cnf).splitlines()
    about = "".join(line[len(_JSON) :] for line in lines if line.startswith(_JSON))
    if not about:
        raise InvalidCertificate(f"no comments {_JSON + '{...}'!r} with the puzzle, as ours have")
    try:
        fields = from_json(about, lemmas=[])
    except InvalidCertificate as error:
        raise InvalidCertificate(
            f"the comments {_JSON + '...'!r} of the .cnf file: {error}"
        ) from None
    certificate = Certificate(**fields)
    claim = claim_of(certificate)
    _compare(_clauses(lines, claim.puzzle.size**3), claim)
    if certificate.claim == "several":
        return fields
    return fields | {"lemmas": tuple(_lemmas(_text(drat), claim.puzzle.size**3))}


def _clauses(lines: list[str], variables: int) -> Numbered:
    """The clauses of a .cnf file, which must have as many as its header says."""
    body = ((at, line) for at, line in enumerate(lines, 1) if line.strip() and line[0] != "c")
    at, line = next(body, (len(lines), ""))
    if (header := _HEADER.fullmatch(line.strip())) is None:
        raise InvalidCertificate(
            f"line {at} of the .cnf file is {shown(line)}; expected 'p cnf ...'"
        )
    if int(header[1]) != variables:
        raise InvalidCertificate(
            f"line {at} of the .cnf file says {header[1]} variables; the puzzle has {variables}"
        )
    number = 0
    for number, clause in enumerate(_numbers(body, ".cnf"), 1):  # noqa: B007
        yield clause
    if number != int(header[2]):
        raise InvalidCertificate(
            f"the .cnf file has {number} clauses, but its header says {header[2]}: is it cut short?"
        )


def _compare(clauses: Numbered, claim: Claim) -> None:
    """InvalidCertificate unless these are the clauses of the claim, in any order."""
    n = claim.puzzle.size
    missing = {frozenset(clause): clause for clause in claim.clauses()}
    expected = set(missing)
    for line, clause in clauses:
        if (found := frozenset(clause)) not in expected:
            raise InvalidCertificate(
                f"line {line} of the .cnf file has a clause that the puzzle does not have:"
                f" {_said(n, clause)}"
            )
        missing.pop(found, None)
    if missing:
        first = next(iter(missing.values()))
        raise InvalidCertificate(
            f"the .cnf file lacks {len(missing)} of the {len(expected)} clauses of the puzzle;"
            f" the first is {' '.join(map(str, first))} 0: {_said(n, first)}"
        )


def _lemmas(text: str, variables: int) -> Iterator[Clause]:
    """The lemmas of a .drat file, without the empty clause at its end.

    Deletions are skipped: they make propagation faster, but what follows from some clauses follows
    from more.
    """
    lines = (
        (at, line)
        for at, line in enumerate(text.splitlines(), 1)
        if line.split()[:1] not in ([], ["c"], ["d"])
    )
    ended = False
    for line, lemma in _numbers(lines, ".drat"):
        if ended:
            raise InvalidCertificate(f"line {line} of the .drat file: more lemmas after the end, 0")
        if (most := max(map(abs, lemma), default=0)) > variables:
            raise InvalidCertificate(
                f"line {line} of the .drat file: no variable {most}; the puzzle has {variables}"
            )
        ended = not lemma
        if lemma:
            yield lemma
    if not ended:
        raise InvalidCertificate("the .drat file does not end with the line 0: is it cut short?")


def _numbers(lines: Iterator[tuple[int, str]], name: str) -> Numbered:
    """Each clause, which a 0 ends."""
    clause: list[int] = []
    at = 0
    for at, line in lines:
        for word in line.split():
            if not _NUMBER.fullmatch(word):
                raise InvalidCertificate(
                    f"line {at} of the {name} file has {shown(word)}; expected a number"
                )
            if literal := int(word):
                clause.append(literal)
            else:
                yield at, tuple(clause)
                clause = []
    if clause:
        raise InvalidCertificate(
            f"line {at} of the {name} file ends within a clause: is it cut short?"
        )


def _said(size: int, clause: Clause) -> str:
    inside = all(0 < abs(each) <= size**3 for each in clause)
    return said(size, clause) if inside else " ".join(map(str, clause))


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
    """The fields of the certificate in a file, or in a .cnf and the .drat of the same name."""
    source = Path(path)
    match source.suffix.lower():
        case ".cnf":
            return _from_pair(source, source.with_suffix(".drat"))
        case ".drat":
            return _from_pair(source.with_suffix(".cnf"), source)
    return from_json(_text(source))


def _text(path: Path) -> str:
    """The text of a file; InvalidCertificate if it is too long or not text."""
    with open(path, "rb") as file:
        data = file.read(LONGEST + 1)
    if len(data) > LONGEST:
        raise InvalidCertificate(f"{path.name} has more than {LONGEST:,} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        why = "; a binary DRAT proof has to be written as text" * (path.suffix == ".drat")
        raise InvalidCertificate(
            f"{path.name} is not text (byte 0x{data[error.start]:02x} at {error.start}){why}"
        ) from None
