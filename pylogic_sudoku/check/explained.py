"""Diagnoses of programs, from what the process that explains a program writes."""

from __future__ import annotations

from typing import Any, NamedTuple, get_args

from ..reasons.lines import first_of
from ..running.process import Ended, Limits
from .diagnosis import MOST_PLACES, STOPPED, Diagnosis, Kind, Place, one_line, places_of

_KINDS: dict[str, Kind] = {
    "excluded": "constraint",
    "underived": "underived",
    "cost": "cost",
    "unfound": "unfound",
}
_BLAMED: dict[str, Kind] = {"sure": "goal", "likely": "constraint"}
"""Kinds of a lost answer that the reference explains, by how sure its line is."""
LOSES = {
    "answer": "the program loses an answer",
    "solution": "the program loses a solution",
}
"""Words by the noun of what a program should find."""
_RUN: dict[str, tuple[Kind, str]] = {
    "fails": ("goal", "{loses}{where}{more}"),
    "loops": ("loop", "the program comes to no end{where}"),
    "raises": ("error", "the program raises an error{where}: {why}"),
    "unbound": ("unbound", "the program ends with unbound {why}: no label/1?"),
    "slow": ("slow", "the search for this {noun} takes too long to explain"),
}
"""Kinds and words of what ``interpreter.pl`` of ``prolog/host`` sees where it runs a program."""
_SIMILAR = "a statement like this one should exclude the answer; look whether it says what is meant"


def explained(
    lines: list[Any], ended: Ended, limits: Limits, program: str, noun: str = "answer"
) -> Diagnosis:
    """Return the last diagnosis of a program in these lines, which is the best one.

    The program runs in the process that writes them and may write, too, so nothing about a line is
    certain. A place without a file is in the `program`; the `noun` is a key of `LOSES`.
    """
    told = _Told(ended.seconds, program, noun)
    found: Diagnosis | None = None
    for line in lines:
        try:
            found = told.read(line, found) or found
        except (LookupError, ValueError, TypeError, OverflowError, RecursionError):
            continue
    if found is not None:
        return found
    words = STOPPED[ended.code is None]
    if any(line[:2] == ["failed", "memory"] for line in lines):
        words = f"the explanation needs more than {limits.megabytes} MB of memory"
    return Diagnosis("stopped", words, seconds=ended.seconds)


class _Told(NamedTuple):
    """The circumstances of an explanation, and how its lines are read."""

    seconds: float
    program: str
    noun: str

    def read(self, line: Any, known: Diagnosis | None) -> Diagnosis | None:
        """The diagnosis in a line after what is known; None if there is none."""
        match line:
            case ["refusal", kind, together, why, rows]:
                return self._of_refusal(kind, together, why, rows)
            case ["blame", how, why, rows]:
                return self._of_blame(how, one_line(why), self._places(rows))
            case ["likelier", row] if known:
                (place,) = self._places([row])
                return led_by(known, place, f"the mistake is more likely in line {place.line}")
            case ["found", kind, summary, rows] if kind in get_args(Kind):
                return self._diagnosis(kind, one_line(summary), self._places(rows))
            case ["forgets", rows]:
                places = self._places(rows)
                why = places[0].words
                places = tuple(
                    each._replace(words="") if each.words == why else each for each in places
                )
                return self._diagnosis("too many", why, places, why)
            case ["unrelated", words]:
                return self._diagnosis("too many", one_line(words))
            case ["similar", rows]:
                return self._diagnosis("too many", _SIMILAR, self._places(rows))
            case ["nothing"]:
                return self._diagnosis("none", "")
        return None

    def _diagnosis(
        self, kind: Kind, summary: str, places: tuple[Place, ...] = (), reason: str = ""
    ) -> Diagnosis:
        return Diagnosis(kind, summary, places, self.seconds, reason)

    def _places(self, rows: list[Any]) -> tuple[Place, ...]:
        return places_of(rows, self.program)

    def _of_blame(self, how: str, why: str, places: tuple[Place, ...]) -> Diagnosis:
        """The diagnosis of a clause that the reference, or an attempt, shows to be wrong."""
        loses = LOSES[self.noun]
        if how == "extra":
            return self._diagnosis("too many", why, places)
        if how in _BLAMED:
            summary = f"{loses}: {why}{_look(places[0].where)}"
            return self._diagnosis(_BLAMED[how], summary, places, why)
        kind, words = _RUN[how]
        where = f" in line {places[0].line}" if places else ""
        more = f", {why}" if why else ""
        summary = words.format(loses=loses, where=where, more=more, why=why, noun=self.noun)
        return self._diagnosis(kind, summary, places)

    def _of_refusal(self, kind: str, together: int, why: str, rows: list[Any]) -> Diagnosis:
        places = self._places(rows)
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
            return self._diagnosis(category, reason)
        return self._diagnosis(category, f"{LOSES[self.noun]}: {reason}", places, reason)


def _look(where: str) -> str:
    return f"; look at {where}" if where else ""


def is_sure(diagnosis: Diagnosis) -> bool:
    """True if no change of another line needs to be tried."""
    return diagnosis.kind in ("goal", "too many") and diagnosis.reason != ""


def led_by(diagnosis: Diagnosis, place: Place, message: str) -> Diagnosis:
    """Return the diagnosis with this place first, and these words about it."""
    if diagnosis.places and diagnosis.places[0][:2] == place[:2]:
        return diagnosis
    others = [each for each in diagnosis.places if each[:2] != place[:2]]
    is_known = diagnosis.kind not in ("none", "stopped")
    words = f"{diagnosis.summary}; {message}" if is_known else message
    kind: Kind = diagnosis.kind if is_known else "goal"
    return Diagnosis(kind, words, (place, *others)[:MOST_PLACES], diagnosis.seconds)
