"""Diagnoses of programs for any problem, from what the process that explains a program writes."""

from __future__ import annotations

from typing import Any

from ..reasons.lines import first_of
from ..running.process import Ended
from .diagnosis import STOPPED, Diagnosis, Kind, Place, one_line, places_of

_KINDS: dict[str, Kind] = {
    "excluded": "constraint",
    "underived": "underived",
    "cost": "cost",
    "unfound": "unfound",
}
_BLAMED: dict[str, Kind] = {"sure": "goal", "likely": "constraint"}
"""Kinds of a lost answer that the reference explains, by how sure its line is."""
LOSES = "the program loses an answer"
_SIMILAR = "this line is about the same, but allows the answer"


def explained(lines: list[Any], ended: Ended, program: str) -> Diagnosis:
    """Return the diagnosis of a program in these lines; the first one counts.

    A place without a file is in the `program`.
    """
    for line in lines:
        try:
            word, *rest = line
            if word == "refusal":
                return _of_refusal(ended.seconds, program, *rest)
            if word == "blame":
                return _of_blame(ended.seconds, program, *rest)
            if word == "forgets":
                (rows,) = rest
                places = places_of(rows, program)
                why = places[0].words
                places = tuple(
                    each._replace(words="") if each.words == why else each for each in places
                )
                return Diagnosis("too many", why, places, ended.seconds)
            if word == "unrelated":
                return Diagnosis("too many", one_line(*rest), (), ended.seconds)
            if word == "similar":
                (rows,) = rest
                return Diagnosis("too many", _SIMILAR, places_of(rows, program), ended.seconds)
        except (LookupError, ValueError, TypeError, OverflowError, RecursionError):
            continue
    if any(line[:1] == ["nothing"] for line in lines):
        return Diagnosis("none", "", seconds=ended.seconds)
    return Diagnosis("stopped", STOPPED[ended.code is None], seconds=ended.seconds)


def _of_blame(seconds: float, program: str, how: str, why: str, rows: list[Any]) -> Diagnosis:
    """The diagnosis of a clause that the reference shows to be wrong."""
    places, words = places_of(rows, program), one_line(why)
    if how == "extra":
        return Diagnosis("too many", words, places, seconds)
    summary = f"{LOSES}: {words}{_look(places[0].where)}"
    return Diagnosis(_BLAMED[how], summary, places, seconds, words)


def _of_refusal(
    seconds: float, program: str, kind: str, together: int, why: str, rows: list[Any]
) -> Diagnosis:
    places = places_of(rows, program)
    first = f"{places[0].where}" if places else ""
    category = _KINDS.get(kind, "none")
    if category == "constraint" and not why:
        others = first_of(
            [
                str(each.line) if each.file == places[0].file else each.where
                for each in places[1:together]
            ]
        )
        more = f" together with {others}" if others else ""
        reason = f"{first} excludes it{more}"
    elif category == "unfound":
        reason = f"it accepts it in full, but does not find it when it searches{_look(first)}"
    else:
        reason = f"{one_line(why)}{_look(first)}" if why else "no line keeps it out"
    if category == "none":
        return Diagnosis(category, reason, (), seconds)
    return Diagnosis(category, f"{LOSES}: {reason}", places, seconds, reason)


def _look(where: str) -> str:
    return f"; look at {where}" if where else ""


def is_sure(diagnosis: Diagnosis) -> bool:
    """True if no change of another line needs to be tried."""
    return diagnosis.kind == "goal" and diagnosis.reason != ""


def led_by(diagnosis: Diagnosis, place: Place, message: str) -> Diagnosis:
    """Return the diagnosis with this place first, and these words about it."""
    if diagnosis.places and diagnosis.places[0].line == place.line:
        return diagnosis
    others = tuple(each for each in diagnosis.places if each.line != place.line)
    is_known = diagnosis.kind not in ("none", "stopped")
    words = f"{diagnosis.summary}; {message}" if is_known else message
    kind: Kind = diagnosis.kind if is_known else "goal"
    return Diagnosis(kind, words, (place, *others), diagnosis.seconds)
