"""Choices of a search, as ``problem.toml`` and the command line give them.

For Prolog they are options of ``labeling/2``, for clingo its own. They change how an engine
searches and in which order it finds answers, but never what an answer is: an option that does is
refused.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from ..errors import InvalidProblem, choice, listed, shown
from .languages import DIALECTS

__all__ = ["Choices", "checked_search", "choice_text", "in_one_thread", "split_choice"]
__all__ += ["split_name"]

Choices = Mapping[str, Sequence[str]]
"""The options of each engine or program, by its name."""

_LABELING = {
    "which variable is next": ("leftmost", "ff", "ffc", "min", "max"),
    "which of its values": ("up", "down"),
    "how it branches": ("step", "enum", "bisect"),
}
_CLINGO = frozenset(
    re.findall(
        r"[a-z-]+",
        """
        configuration share learn-explicit parallel-mode global-restarts distribute
        integrate opt-strategy opt-usc-shrink opt-heuristic restart-on-model lookahead
        heuristic init-moms score-res score-other sign-def sign-fix berk-huang vsids-acids
        vsids-progress nant dom-mod save-progress init-watches update-mode acyc-prop seed
        partial-check sign-def-disj rand-freq rand-prob lookback forget-on-step strengthen
        otfs update-lbd update-act reverse-arcs contraction loops restarts reset-restarts
        local-restarts counter-restarts block-restarts shuffle deletion del-grow del-cfl
        del-init del-estimate del-max del-glue del-on-restart
        """,
    )
)
_SHORT = {"t": "parallel-mode", "r": "restarts", "d": "deletion", "e": "enum-mode", "n": "models"}
_SHORT |= {"c": "const"}
_COUNTS = "changes which answers count"
_REFUSED = {
    **dict.fromkeys(
        ("opt-mode", "opt-stop", "enum-mode", "project", "models", "supp-models", "mode"), _COUNTS
    ),
    "const": "is not a choice of the search; give a constant by -c",
    "time-limit": "is not a choice of the search; -t limits the time",
    "solve-limit": "would end the search before it is done; -t limits the time",
    "eq": "is set for every program, since clingo's simplifications make some answers wrong",
    "sat-prepro": "is set for every program, whose variables are watched",
}
_CONFIGURATIONS = ("auto", "frumpy", "jumpy", "tweety", "handy", "crafty", "trendy", "many")
_OPTION = re.compile(r"--(?:no-)?(?P<name>[a-z-]+)(?:=.*)?|-(?P<short>[a-z])\S*", re.DOTALL)


def split_choice(text: str) -> tuple[str, tuple[str, ...]]:
    """The name and the options in a text such as ``prolog=ffc,bisect``; ValueError if it has none.

    Options of clingo, whose values may have commas, are separated by blanks.
    """
    name, equals, rest = text.partition("=")
    separator = r"[\s,]+" if name.startswith("prolog") else r"\s+"
    options = tuple(filter(None, re.split(separator, rest)))
    if not equals or not name or not options:
        raise ValueError(f"{text!r} is not a choice; expected {_EXAMPLE}")
    return name, options


_FIRST = re.compile(r"\s+(?=--?[A-Za-z])")
"""The blanks before the first option in the name of an engine."""
_LABELED = "--labeling="


@lru_cache(64)
def split_name(name: str) -> tuple[str, tuple[str, ...]]:
    """The name of a program, and the options of its search that the name of an engine has.

    They are those of ``clingo --configuration=frumpy``, or, for Prolog, of ``prolog
    --labeling=ffc,bisect``. InvalidProblem if the engine does not take one.
    """
    base, *rest = _FIRST.split(name, maxsplit=1)
    if not rest or name.startswith("exec:"):
        return name, ()
    engine = base.partition(":")[0]
    if engine not in DIALECTS:
        raise InvalidProblem(f"{engine} takes no options: {rest[0]}")
    try:
        options = shlex.split(rest[0])
    except ValueError as error:
        raise InvalidProblem(f"{name}: {str(error).lower()}") from None
    if DIALECTS[engine].language == "prolog":
        for each in options:
            if not each.startswith(_LABELED):
                expected = ", ".join(option for group in _LABELING.values() for option in group)
                raise InvalidProblem(
                    f"{engine} has no option {each}; there is {_LABELED}OPTIONS, with {expected}"
                )
        options = [part for each in options for part in each[len(_LABELED) :].split(",")]
    return base, checked_search({base: options})[base]


def choice_text(name: str, options: Sequence[str]) -> str:
    """The text that `split_choice` reads."""
    return f"{name}={(',' if name.startswith('prolog') else ' ').join(options)}"


_EXAMPLE = "prolog=ffc,bisect or clingo=--configuration=handy"


def checked_search(choices: Choices, where: str = "") -> dict[str, tuple[str, ...]]:
    """The choices; InvalidProblem, which begins with `where`, if an engine does not take one."""
    begin = f"{where}: " if where else ""
    checked = {}
    for name, options in choices.items():
        engine = name.partition(":")[0]
        if engine not in DIALECTS:
            hint = choice(engine, DIALECTS)
            raise InvalidProblem(f"{begin}there is no engine {name!r}; {hint}")
        is_list = isinstance(options, list | tuple)
        if not is_list or not all(isinstance(each, str) for each in options):
            expected = 'expected one such as ["ffc"]'
            raise InvalidProblem(
                f"{begin}{name}: {shown(options)} is not a list of options; {expected}"
            )
        check = _check_labeling if DIALECTS[engine].language == "prolog" else _check_clingo
        check(list(options), f"{begin}{name}")
        checked[name] = tuple(options)
    return checked


def _check_labeling(options: Sequence[str], where: str) -> None:
    every = [each for group in _LABELING.values() for each in group]
    for each in options:
        if each not in every:
            raise InvalidProblem(
                f"{where}: labeling/2 has no option {each!r}; {choice(each, every)}"
            )
    for meaning, group in _LABELING.items():
        given = [each for each in options if each in group]
        if len(given) > 1:
            raise InvalidProblem(f"{where}: {listed(given)} each say {meaning}; give one of them")


def _check_clingo(options: Sequence[str], where: str) -> None:
    for each in options:
        match = _OPTION.fullmatch(each)
        if match is None:
            why = _COUNTS if each.isdecimal() else "is not an option of clingo"
            raise InvalidProblem(
                f"{where}: {each} {why}; expected one such as --configuration=handy"
            )
        name = match["name"] or _SHORT.get(match["short"], match["short"])
        if name in _REFUSED:
            raise InvalidProblem(f"{where}: {each} {_REFUSED[name]}")
        if name not in _CLINGO:
            hint = choice(f"--{name}", [f"--{known}" for known in sorted(_CLINGO)])
            raise InvalidProblem(f"{where}: the search has no option {each}; {hint}")
        value = each.partition("=")[2]
        if name == "configuration" and value not in _CONFIGURATIONS:  # of which any may be a file
            hint = choice(value, _CONFIGURATIONS)
            raise InvalidProblem(f"{where}: there is no configuration {value!r}; {hint}")
    import clingo

    messages: list[str] = []
    try:
        clingo.Control(list(options), logger=lambda _code, message: messages.append(message))
    except RuntimeError as error:
        said = " ".join(f"{error} {' '.join(messages)}".split())
        raise InvalidProblem(f"{where}: {' '.join(options)}: {said}") from None


def in_one_thread(options: Iterable[str]) -> tuple[str, ...]:
    """The options of clingo without those that let several threads search."""
    return tuple(each for each in options if not re.match(r"-t|--parallel-mode", each))
