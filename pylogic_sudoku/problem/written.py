"""JSON, and the answer sets in it that ``clingo --outf=2`` writes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import InvalidPuzzle


def load_json(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidPuzzle(f"this is not JSON: {error}") from None
    except (ValueError, RecursionError):
        raise InvalidPuzzle(
            "this JSON is not read: it holds a number of thousands of digits, or too many lists"
            " within lists"
        ) from None


def witnesses(value: dict[str, Any]) -> list[list[str]]:
    """The answer sets that clingo's JSON holds: those of its last call."""
    try:
        answers = [witness["Value"] for witness in value["Call"][-1].get("Witnesses", ())]
        if all(isinstance(atoms, list) for atoms in answers) and all(
            isinstance(atom, str) for atoms in answers for atom in atoms
        ):
            return answers
    except (TypeError, LookupError, AttributeError):
        pass
    raise InvalidPuzzle(
        'this is not what clingo --outf=2 prints: expected "Call", whose last element has'
        ' "Witnesses", each with a list of atoms as "Value"'
    )


@contextmanager
def reading(file: Path) -> Iterator[None]:
    """InvalidPuzzle, with the file's name, for what is wrong with it while it is read."""
    try:
        yield
    except FileNotFoundError:
        raise InvalidPuzzle(f"{file}: there is no such file") from None
    except (OSError, ValueError, RuntimeError) as error:
        raise InvalidPuzzle(f"{file}: {error}") from None


def read_output(
    file: Path, limit: int, satisfiable: Sequence[str] = ("SATISFIABLE",)
) -> tuple[dict[str, Any], list[list[str]], bool]:
    """The output of clingo in a file, its answer sets, and True if there are no others.

    If the file does not say so, they are all unless there are as many as the limit.
    InvalidPuzzle unless "Result" is one of those given, or that there is none.
    """
    output = load_json(file.read_bytes().decode("utf-8-sig"))
    result = output.get("Result") if isinstance(output, dict) else None
    if result == "UNSATISFIABLE":
        return output, [], True
    if result not in satisfiable:
        names = ", ".join(f'"{each}"' for each in satisfiable)
        raise InvalidPuzzle(
            f'expected what clingo --outf=2 writes, with "Result" {names} or "UNSATISFIABLE",'
            f" not {result!r}"
        )
    answers = witnesses(output)
    if not answers:
        raise InvalidPuzzle('it is satisfiable, but "Witnesses" is empty')
    models = output.get("Models")
    more = models.get("More") if isinstance(models, dict) else None
    return output, answers, more == "no" if more else len(answers) != limit


def recorded(
    name: str, witnesses: Sequence[Mapping[str, Any]], complete: bool, engines: Sequence[str]
) -> str:
    """Return the answers to an instance as clingo writes answer sets with ``--outf=2``."""
    from importlib.metadata import version  # it takes long to load

    costs = any("Costs" in each for each in witnesses)
    result = "OPTIMUM FOUND" if costs else "SATISFIABLE"
    return json.dumps(
        {
            "Solver": f"pylogic-sudoku {version('pylogic-sudoku')} ({', '.join(engines)})",
            "Input": [name],
            "Call": [{"Witnesses": list(witnesses)} if witnesses else {}],
            "Result": result if witnesses else "UNSATISFIABLE",
            "Models": {
                "Number": len(witnesses),
                "More": "no" if complete else "yes",
                **({"Optimum": "yes", "Optimal": len(witnesses)} if costs else {}),
            },
        },
        indent=1,
    )
