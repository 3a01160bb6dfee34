"""The edits of a program: a part left out, or another small change."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ..check.changes import Change, changes, removable, weaker_choices
from ..errors import shortened
from ..problem.folder import with_loaded
from ..problem.text import read_text

__all__ = ["Edit", "files_of", "mutants_of", "parts_of"]

MUTATED = {"number", "bound", "comparison", "sign", "arguments", "order", "negation", "goal"}
"""The kinds of changes that mutants have, beside a part left out, and weaker choices."""
_COMMENT = re.compile(
    r"""("(?:\\.|[^"\\\n])*"|0'.|'(?:\\.|[^'\\\n])*')|%\*.*?\*%|/\*.*?\*/|%[^\n]*""", re.DOTALL
)


class Edit(NamedTuple):
    """A change of one place in the file of a program."""

    file: Path
    line: int
    """The line in which the place begins."""
    start: int
    """The first character of the place, from 0."""
    end: int
    new: str
    """The text in its place."""
    kind: str
    """``"statement"``, ``"clause"`` or ``"goal"`` for a part left out; or the kind of a change."""
    text: str
    """The old text on one line, without comments."""
    context: str = ""
    """The line in which the place begins, without its indentation."""

    @property
    def shown(self) -> str:
        """The place and the change, as a line of text."""
        return f"{self.file.name}:{self.line}: {self.words}"

    @property
    def words(self) -> str:
        """The old text, and the new one unless the old one is left out."""
        if self.kind in ("statement", "clause") or (self.kind == "goal" and self.new):
            return self.text
        change = f"{self.text or 'nothing'} becomes {one_line(self.new) or 'nothing'}"
        return change if self.context in self.text else f"{change} in {self.context}"

    def brief(self, most: int) -> str:
        """The words in about this many characters, where the change is still to be seen."""
        new = one_line(self.new)
        if self.words == self.text or len(self.text) + len(new) + len(" becomes ") <= most:
            return shortened(self.words, most)
        if exchanged := _exchanged(self.text, new):
            one, two = (shortened(each, most // 2 - 10) for each in exchanged)
            return f"{one} and {two} change places"
        old, new = (shortened(each, most // 2 - 5) for each in (self.text, new or "nothing"))
        return f"{old} becomes {new}"

    def applied(self, text: str) -> str:
        """The text of the file with the change."""
        return text[: self.start] + self.new + text[self.end :]

    def to_json(self) -> dict[str, Any]:
        """The file's name, the line, the kind, and both texts."""
        return {
            "file": self.file.name,
            "line": self.line,
            "kind": self.kind,
            "text": self.text,
            "new": self.new,
        }


def _exchanged(old: str, new: str) -> tuple[str, str] | None:
    """The two goals of an old text that are in the other order in the new one."""
    for at in (match.start() for match in re.finditer(r"\s*,\s*", old)):
        one, two = old[:at].rstrip(), old[at:].lstrip(" ,")
        if new.startswith(two) and new.endswith(one) and len(old) == len(new):
            return one, two
    return None


def files_of(program: Path) -> list[Path]:
    """The file of a program, and those of its folder that it loads or includes."""
    folder = program.resolve().parent
    return [each for each in with_loaded(program) if each.parent == folder]


def parts_of(program: Path) -> Iterator[Edit]:
    """Yield the parts of a program, each as the edit that leaves it out, in their order."""
    for file in files_of(program):
        text = read_text(file)
        yield from (_edit(file, text, each) for each in removable(text, file.suffix))


def mutants_of(program: Path) -> Iterator[Edit]:
    """Yield the small changes of a program, in the order of its text."""
    for file in files_of(program):
        text = read_text(file)
        found = [each for each in changes(text, file.suffix) if each.kind in MUTATED]
        found += removable(text, file.suffix)
        if file.suffix == ".lp":
            found += weaker_choices(text)
        found = [each for each in found if not (each.rank == 3 and each.kind == "number")]
        by_effect = {(each.start, each.end, each.new): each for each in found}
        in_order = sorted(by_effect.values(), key=lambda each: (each.start, each.end, each.new))
        yield from (_edit(file, text, each) for each in in_order)


def _edit(file: Path, text: str, change: Change) -> Edit:
    _, line, start, end, new, kind = change
    context = text.split("\n")[line - 1].strip()
    return Edit(file, line, start, end, new, kind, one_line(text[start:end]), context)


def one_line(text: str) -> str:
    """The text without comments, on one line."""
    return " ".join(_COMMENT.sub(lambda match: match[1] or " ", text).split())
