"""Students and what each has sent: of the ZIP or folder that a platform makes, and of a roster.

`class_in` reads the layouts of Moodle, Canvas and Gradescope, folders or files with any names, and
custom patterns. It chooses the program that counts, and says why a student has none.
"""

from __future__ import annotations

import csv
import json
import os
import re
import secrets
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from ..errors import InvalidPuzzle, counted, listed
from ..problem.folder import RESERVED, Problem
from .archives import File, Opened, files_in, is_ours, opened, reason_of
from .diagnosis import printable
from .programs import PROGRAM_BYTES, PROGRAM_FILES, PROLOG_FILES

__all__ = ["LAYOUTS", "NOTHING", "Person", "Roster", "Sent", "Student", "checked_layout"]
__all__ += ["class_in", "enrolled", "expected", "gathered", "read_roster"]

EXPECTED = "the name of a program ends in .lp, or in .pl for Prolog"
NOTHING = "no program: nothing was sent"
_NAMED = 3
"""Files that a reason names, at most."""
_LONGEST = 200
"""Bytes of the name of a file that we write."""


class Person(NamedTuple):
    """A student as a platform knows them."""

    id: str
    name: str = ""
    others: tuple[str, ...] = ()
    """Other ids, such as an address."""


@dataclass(frozen=True)
class Sent:
    """The submission of one student, or of a group."""

    key: str
    """Its name on the platform."""
    people: tuple[Person, ...]
    program: Path | None = None
    """The program that counts; None if there is none."""
    folder: Path | None = None
    """The folder with all files of the submission."""
    shown: str = ""
    """The name of the program, as the student has called it."""
    why: str = ""
    """The reason why there is no program."""
    notes: tuple[str, ...] = ()
    """Remarks for the teacher and the student, such as the choice among several programs."""


class Student(NamedTuple):
    """A student, and the submission that counts for them; None if there is none."""

    id: str
    name: str
    sent: Sent | None
    notes: tuple[str, ...] = ()


# --- layouts ---

_MOODLE = re.compile(
    r"(?P<name>.*)_(?P<id>\d+)_assignsubmission_[a-z]+(?:_(?P<file>.*))?",
    re.DOTALL,
)
"""A folder or a file: the name, the number of the participant, and the kind of submission."""
_PLAIN = re.compile(r"(?P<name>.+)_(?P<id>\d{2,})_(?P<file>[^_].*)", re.DOTALL)
"""A file of an older Moodle."""
_CANVAS = re.compile(
    r"(?:(?P<name>.*?)_)??(?:(?P<late>late)_)?(?P<id>\d+|anon_[a-z0-9]+)_"
    r"(?:\d+_(?P<file>.+)|(?P<text>(?:text|link)\.html))",
    re.DOTALL | re.IGNORECASE,
)
"""A file: the name in small letters, family name first, the ids of user and file, and its name."""
_GRADESCOPE = re.compile(r"submission_(?P<id>\d+)")
_METADATA = "submission_metadata.yml"
LAYOUTS = ("moodle", "canvas", "gradescope", "folders")
"""The layouts by name; of ``folders``, each folder or file is a student's, with its name as id."""
_FIELD = re.compile(r"\{(id|name|file|_)\}")


def checked_layout(text: str) -> str:
    """Return the name of a layout or a pattern; ValueError for anything else.

    A pattern is a path with ``{id}`` and perhaps ``{name}``, ``{file}`` and, for any text, ``{_}``.
    """
    fields = _FIELD.findall(text)
    if text in ("", *LAYOUTS):
        return text
    if "id" not in fields or any(fields.count(each) > 1 for each in ("id", "name", "file")):
        raise ValueError(
            f"{text!r} is not a layout; expected {', '.join(LAYOUTS)}, or a pattern with {{id}} and"
            " perhaps {name}, {_} and {file}, such as {name}_{id}/{file}"
        )
    return text


def _regular(pattern: str) -> re.Pattern[str]:
    """Return the regular expression of a custom layout."""
    pieces = _FIELD.split(pattern)
    texts = [re.escape(each) for each in pieces]
    for at in range(1, len(pieces), 2):
        name = pieces[at]
        some = ".+" if name == "file" else "[^/]*" if name in ("name", "_") else "[^/]+"
        texts[at] = some if name == "_" else f"(?P<{name}>{some})"
    end = "" if "file" in pieces[1::2] else "(?:/(?P<file>.*))?"
    return re.compile("".join(texts) + end, re.DOTALL)


@dataclass
class _Group:
    """The files of one submission."""

    people: tuple[Person, ...]
    files: list[File] = field(default_factory=list)
    late: bool = False


def _groups(files: list[File], layout: str) -> tuple[dict[str, _Group], list[str]]:
    """Return the submissions by their names, and the files that belong to none."""
    if "{" in layout:
        return _by_pattern(files, _regular(layout))
    layout = layout or _detected(files)
    if layout == "gradescope":
        return _of_gradescope(files)
    if layout == "moodle":
        firm = any(_MOODLE.fullmatch(each.parts[0]) for each in files if each.parts)
        return _by_first(files, _MOODLE if firm else _PLAIN)
    if layout == "canvas":
        return _by_first(files, _CANVAS)
    groups: dict[str, _Group] = {}
    for each in files:
        first = each.parts[0]
        is_top = len(each.parts) == 1 and each.kind != "folder"
        key = first[: -len(_ending(first))] if is_top and _ending(first) else first
        group = groups.setdefault(_composed(key), _Group((Person(_composed(printable(key))),)))
        group.files.append(each if is_top else each.inside(1))
    return groups, []


def _ending(name: str) -> str:
    """The ending of a name; of an archive of two parts, both."""
    stem, ending = os.path.splitext(name)
    return f".tar{ending}" if stem.lower().endswith(".tar") else ending


def _detected(files: list[File]) -> str:
    """Return the layout that these files have."""
    firsts = {each.parts[0] for each in files}
    if _METADATA in firsts or all(_GRADESCOPE.fullmatch(each) for each in firsts):
        return "gradescope"
    if any(_MOODLE.fullmatch(each) for each in firsts):
        return "moodle"
    if 2 * sum(bool(_CANVAS.fullmatch(each)) for each in firsts) > len(firsts):
        return "canvas"
    return "moodle" if all(_PLAIN.fullmatch(each) for each in firsts) else "folders"


def _by_first(files: list[File], pattern: re.Pattern[str]) -> tuple[dict[str, _Group], list[str]]:
    """Return submissions whose folders or files begin with the name and the id of a student."""
    groups: dict[str, _Group] = {}
    left = []
    for each in files:
        match = pattern.fullmatch(each.parts[0])
        if match is None:
            left.append(each.shown)
            continue
        fields = match.groupdict()
        id_, name = fields["id"], _composed(printable(fields["name"] or ""))
        group = groups.setdefault(f"{name}_{id_}", _Group((Person(id_, name),)))
        group.late |= bool(fields.get("late"))
        first = fields["file"] or fields.get("text") or ""
        rest = each.parts[1:]
        group.files.append(each._replace(parts=(first, *rest) if first else rest))
    return groups, left


def _by_pattern(files: list[File], pattern: re.Pattern[str]) -> tuple[dict[str, _Group], list[str]]:
    """Return submissions whose paths match a custom pattern."""
    groups: dict[str, _Group] = {}
    left = []
    for each in files:
        match = pattern.fullmatch("/".join(each.parts))
        if match is None:
            left.append(each.shown)
            continue
        fields = match.groupdict()
        id_, name = (_composed(printable(fields.get(key) or "")) for key in ("id", "name"))
        person = Person(id_, name)
        group = groups.setdefault("_".join(person[:2]), _Group((person,)))
        rest = fields["file"]
        parts = tuple(rest.split("/")) if rest else () if each.kind else each.parts[-1:]
        group.files.append(each._replace(parts=parts))
    return groups, left


def _of_gradescope(files: list[File]) -> tuple[dict[str, _Group], list[str]]:
    """Return the submissions of an export of Gradescope, whose students are in a file."""
    people: dict[str, tuple[Person, ...]] = {}
    for each in files:
        if each.parts == (_METADATA,):
            people = _submitters(each.read().decode(errors="replace"))
    groups = {key: _Group(own) for key, own in people.items()}
    left = []
    for each in files:
        first = each.parts[0]
        if first in groups or (len(each.parts) > 1 and not people):
            own = _GRADESCOPE.fullmatch(first)
            person = Person(own["id"] if own else printable(first))
            group = groups.setdefault(first, _Group((person,)))
            group.files.append(each.inside(1))
        elif first != _METADATA:
            left.append(each.shown)
    return groups, left


_ITEM = re.compile(r"(?: {2}(?P<new>-) | {4}):(?P<key>\w+): *(?P<value>.*)")


def _submitters(text: str) -> dict[str, tuple[Person, ...]]:
    """Return the students of each submission in a file as Gradescope writes it.

    It is YAML, of which just the lines on students are read. Texts of students are further to the
    right, so none of them is mistaken for such a line.
    """
    found: dict[str, list[dict[str, str]]] = {}
    key, inside = "", False
    for line in text.splitlines():
        if line[:1].strip() and line.rstrip().endswith(":") and not line.startswith("-"):
            key, inside = _scalar(line.rstrip()[:-1]), False
            found[key] = []
        elif line[:2] == "  " and line[2:3].strip() and line[2] != "-":
            inside = line.strip() == ":submitters:"
        elif key and inside and (item := _ITEM.fullmatch(line)):
            if item["new"] or not found[key]:
                found[key].append({})
            found[key][-1][item["key"]] = _scalar(item["value"])
    return {key: tuple(map(_person, own)) for key, own in found.items() if own}


def _person(fields: dict[str, str]) -> Person:
    ids = [printable(fields[each]) for each in ("sid", "email") if fields.get(each)]
    name = printable(fields.get("name", ""))
    return Person(ids[0] if ids else name, name, tuple(ids[1:]))


def _scalar(text: str) -> str:
    """Return a value of YAML that is on one line."""
    text = text.strip()
    if text[:1] == text[-1:] == "'" and len(text) > 1:
        return text[1:-1].replace("''", "'")
    if text[:1] == text[-1:] == '"' and len(text) > 1:
        with suppress(ValueError):
            escaped = re.sub(r"\\x(..)", r"\\u00\1", text)
            return str(json.loads(escaped))
    return "" if text in ("null", "~") else text


# --- what each has sent ---


def class_in(
    source: Path,
    place: Path,
    layout: str = "",
    names: Collection[str] = (),
    languages: Collection[str] = (),
) -> tuple[list[Sent], list[str]]:
    """Return the submissions in a ZIP or folder, and the files that belong to none.

    Args:
        source: The ZIP or folder, as the platform has made it.
        place: An empty folder. The files of each student are written to a folder of their own in
            it, under names that any system takes.
        layout: One of `LAYOUTS`, or a pattern; empty to find out which it is.
        names: Names of programs that count if a student has sent several.
        languages: Endings of programs that count before others.

    Raises:
        InvalidPuzzle: If the source cannot be read, or has no submissions.
    """
    files = [each for each in files_in(source) if each.parts and is_ours(each.parts[:1])]
    outside = [each for each in files if each.parts[0] in ("", "..")]
    files = _below([each for each in files if each not in outside], layout)
    groups, left = _groups(files, layout) if files else ({}, [])
    left += [each.shown for each in outside]
    if not groups:
        words = f"nothing in it fits the layout {layout}" if layout and files else "it is empty"
        raise InvalidPuzzle(f"{source}: there are no submissions: {words}")
    choice = _Choice({*map(_stem, names)}, {*map(str.lower, languages)})
    sent = [
        _sent(key, group, _own(place, number), choice)
        for number, (key, group) in enumerate(sorted(groups.items()))
    ]
    return sent, left


def _below(files: list[File], layout: str) -> list[File]:
    """Return the files without a folder that holds all of them, such as that of an export."""
    firsts = {each.parts[0] for each in files}
    inner = {each.parts[1] for each in files if len(each.parts) > 1}
    top = next(iter(firsts), "")
    if "{" in layout or len(firsts) != 1 or not inner:
        return files
    if _MOODLE.fullmatch(top) or _GRADESCOPE.fullmatch(top):  # the folder of the only student
        return files
    folders = all(len(each.parts) > 2 or each.kind == "folder" for each in files)
    named = any(each == _METADATA or _CANVAS.fullmatch(each) for each in inner)
    if folders or named or all(_PLAIN.fullmatch(each) for each in inner):
        return [each.inside(1) for each in files if len(each.parts) > 1]
    return files


def _own(place: Path, number: int) -> Path:
    """Return the path of a folder that no other student's program can guess."""
    return place / f"{number:04}-{secrets.token_hex(8)}"


class _Choice(NamedTuple):
    """The programs that count if a student has sent several."""

    stems: set[str]
    languages: set[str]

    def of(self, programs: Sequence[File]) -> tuple[File, str]:
        """Return the program that counts, and why."""
        rest, why = list(programs), ""
        spoken = [each for each in rest if _suffix(each.name) in self.languages]
        if spoken and len(spoken) < len(rest):
            rest, why = spoken, "it is in the language of the exercise"
        named = [each for each in rest if _stem(each.name) in self.stems]
        if named and len(named) < len(rest):
            rest, why = named, "it is called as the exercise says"
        latest = max(each.time for each in rest)
        newest = [each for each in rest if each.time == latest]
        if len(newest) < len(rest):
            rest, why = newest, "it is the latest" if not why else f"{why}, and it is the latest"
        number = max(_copy(each.name) for each in rest)
        if any(_copy(each.name) < number for each in rest):
            rest = [each for each in rest if _copy(each.name) == number]
            why = why or "it has the highest number"
        first = min(rest, key=lambda each: (len(each.parts), each.parts))
        return first, why or "it is the first by name"


_COPY = re.compile(r"(?:-(\d{1,3})| ?\((\d{1,3})\))$")
"""The number that browsers and Canvas give to a file whose name is there already."""


def _stem(name: str) -> str:
    """The name of a program without its ending and the number of a copy."""
    return _COPY.sub("", os.path.splitext(_composed(name))[0]).casefold()


def _copy(name: str) -> int:
    found = _COPY.search(os.path.splitext(name)[0])
    return int(found[1] or found[2]) if found else 0


def _suffix(name: str) -> str:
    return os.path.splitext(name)[1].lower()


def _is_program(name: str) -> bool:
    return _suffix(name) in PROGRAM_FILES


def _sent(key: str, group: _Group, folder: Path, choice: _Choice) -> Sent:
    """Write the files of one submission, and return it."""
    sent = Sent(printable(key), group.people)
    found = opened(group.files, _is_program)
    late = ("it came late",) if group.late else ()
    programs = [each for each in found.files if _is_program(each.name)]
    if not programs:
        why = _no_program(group, found)
        return replace(sent, why=why, notes=late)
    chosen, why = choice.of(programs)
    notes = [*late, *found.refused]
    if len(programs) > 1:
        notes.insert(0, f"of {counted(len(programs), 'program')}, {chosen.shown} counts: {why}")
    sent = replace(sent, shown=chosen.shown, notes=tuple(notes))
    if chosen.size > PROGRAM_BYTES:
        most = f"{PROGRAM_BYTES >> 20} MB"
        return replace(sent, why=f"no program: {chosen.shown} is refused: it has over {most}")
    try:
        return replace(sent, program=_write(folder, chosen, found.files), folder=folder)
    except Exception as error:  # whatever zipfile raises for the file of a stranger
        why = f"no program: {chosen.shown} cannot be read: {reason_of(error)}"
        return replace(sent, why=why)


def _no_program(group: _Group, found: Opened) -> str:
    """Return the reason why a submission has no program."""
    files, archives = found.files, found.archives
    reasons = []
    names = [each.shown for each in files if not _is_in(each.shown, archives)]
    if names:
        more = [f"{len(names) - _NAMED} more"] if len(names) > _NAMED else []
        reasons.append(f"only {listed([*names[:_NAMED], *more])}")
    for name in archives:
        if not _is_in(name, archives):
            reasons.append(f"{name} holds no program")
    reasons += found.refused
    if any(re.search(r"\.(lp|pl|pro|prolog)\.\w+$", each.name, re.IGNORECASE) for each in files):
        reasons.append(EXPECTED)
    there = any(each.kind != "folder" for each in group.files)
    empty = "only files of the system" if there else "the folder is empty"
    return f"no program: {'; '.join(reasons) or empty}"


def _is_in(name: str, archives: Iterable[str]) -> bool:
    return any(name.startswith(f"{each}/") for each in archives)


def _write(folder: Path, program: File, files: list[File]) -> Path:
    """Write the program and, as far as there is room, the other files; return its path."""
    left = PROGRAM_BYTES + program.size
    used: set[Path] = set()
    path = Path()
    for each in sorted(files, key=lambda one: one is not program):
        if each.size > left:
            continue
        target = folder.joinpath(*map(_safe, each.parts))
        if each is program:
            path = target
        data = b""
        try:
            data = each.read()
            if target in used:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
        except Exception:  # a damaged file, or one with the name of a folder
            if each is program:
                raise
            continue
        used.add(target)
        left -= len(data)
    return path


def _safe(name: str) -> str:
    """Return a name that engines and systems take; most names are as they were."""
    text = "".join(c if c.isprintable() and c not in "/\\:" else "_" for c in name)
    stem, ending = os.path.splitext(text)
    while len(f"{stem}{ending}".encode()) > _LONGEST:
        stem, ending = (stem[:-1], ending) if stem else ("_", ending[: _LONGEST // 4])
    return f"{stem}{ending}" if stem.strip(".") else f"_{ending}"


@contextmanager
def gathered(
    source: Path,
    roster: Roster | None = None,
    layout: str = "",
    names: Collection[str] = (),
    languages: Collection[str] = (),
) -> Iterator[tuple[list[Student], list[str]]]:
    """Yield the students of a class, and the files that belong to none.

    The programs are there until the context is left. The arguments are those of `class_in`, and a
    roster.
    """
    checked_layout(layout)
    with TemporaryDirectory(prefix="pylogic-sudoku-", ignore_cleanup_errors=True) as name:
        place = Path(name)
        # Another user, as whom root may run programs, can pass through, but not list the folders.
        place.chmod(0o711)
        sent, left = class_in(source, place, layout, names, languages)
        yield enrolled(sent, roster), left


def expected(problem: Problem | None, folders: Iterable[Path] = ()) -> tuple[list[str], list[str]]:
    """Return the names of programs that an exercise asks for, and the endings of its language.

    Args:
        problem: The problem of the exercise; None for sudoku.
        folders: Folders that may be that of the exercise, in which ``student`` has what students
            get.
    """
    places = [*folders, *([problem.folder] if problem else [])]
    names = [
        file.name
        for place in dict.fromkeys(places)
        for file in sorted((place / "student").glob("*"))
        if _is_program(file.name) and file.name not in RESERVED
    ]
    if problem is not None and not names:
        names = [problem.name, *(path.name for path in problem.paths.values())]
    endings = {_suffix(each) for each in names if _is_program(each)}
    if problem is not None and problem.cases:
        endings = {*PROLOG_FILES}
    elif endings & {*PROLOG_FILES}:
        endings |= {*PROLOG_FILES}
    return names, sorted(endings)


# --- the roster ---

_IDS = (
    *("id", "student id", "studentid", "id number", "idnumber", "student number", "sid"),
    *("matriculation number", "matrikelnummer", "sis user id", "identifier", "user id", "userid"),
    *("username", "user name", "login", "login id", "sis login id", "email", "email address"),
    *("e-mail", "e-mail address", "mail"),
)
"""Headings of ids, in small letters, those that a gradebook prefers first."""
_NAMES = ("name", "full name", "fullname", "student name", "student", "display name")
_FIRST = ("first name", "firstname", "given name", "forename", "vorname")
_LAST = ("last name", "lastname", "surname", "family name", "nachname")


class Roster(NamedTuple):
    """The students of a class, as a table has them."""

    file: Path
    columns: list[str]
    """The headings of the columns with ids."""
    rows: list[tuple[list[str], str]]
    """The ids of each student, and the name."""


def read_roster(file: Path) -> Roster:
    """Read the students of a class from a table with commas, semicolons or tabs.

    InvalidPuzzle if it cannot be read, or has no column for ids or for names.
    """
    try:
        lines = _table(file.read_bytes())
    except (OSError, csv.Error) as error:
        raise InvalidPuzzle(f"{file}: cannot be read: {error}") from None
    head = [" ".join(each.lower().replace("_", " ").split()) for each in lines[0]] if lines else []
    ids = [head.index(each) for each in _IDS if each in head]
    whole = [head.index(each) for each in _NAMES if each in head]
    first = [head.index(each) for each in _FIRST if each in head]
    last = [head.index(each) for each in _LAST if each in head]
    named = whole[:1] or [*first[:1], *last[:1]]
    for what, there, usual in (("ids", ids, _IDS[:4]), ("names", named, (*_NAMES[:2], *_LAST[:1]))):
        if not there:
            has = f"it has {listed(map(repr, lines[0]))}" if head else "it is empty"
            raise InvalidPuzzle(
                f"{file}: there is no column for {what}; expected a heading such as"
                f" {listed(map(repr, usual), 'or')}, but {has}"
            )
    rows = []
    for line in lines[1:]:
        cells = [printable(each.strip()) for each in line] + [""] * len(head)
        name = " ".join(cells[each] for each in named if cells[each])
        own = [cells[each] for each in ids]
        # Canvas has a line with the points of each column, and one for a student who is none.
        if any(own) and name not in ("Points Possible", "Student, Test"):
            rows.append((own, name))
    columns = [lines[0][each].strip() for each in ids]
    return Roster(file, columns, rows)


def _table(data: bytes) -> list[list[str]]:
    """Return the lines of a table that are not empty."""
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        text = data.decode("cp1252", errors="replace")
    head = text.partition("\n")[0]
    comma = max(",;\t", key=head.count)
    return [each for each in csv.reader(StringIO(text, newline=""), delimiter=comma) if any(each)]


def enrolled(sent: Sequence[Sent], roster: Roster | None = None) -> list[Student]:
    """Return the students: those of the roster in its order, and then all others.

    A student of the roster is found by a name that no other has, or by an id.
    """
    coming = [(each, person) for each in sent for person in each.people]
    if roster is None:
        return [Student(person.id, person.name, each) for each, person in coming]
    rows = _rows_of([person for _, person in coming], roster)
    column = _column(rows, [person for _, person in coming], roster)
    by_row: dict[int, Sent] = {}
    others = []
    for (each, person), found in zip(coming, rows, strict=True):
        if found is None or found in by_row:
            note = f"not in {printable(roster.file.name)}" if found is None else "it came twice"
            others.append(Student(person.id, person.name, each, (note,)))
        else:
            by_row[found] = each
    return [
        Student(ids[column] or next(filter(None, ids)), name, by_row.get(row))
        for row, (ids, name) in enumerate(roster.rows)
    ] + others


def _rows_of(people: Sequence[Person], roster: Roster) -> list[int | None]:
    """Return for each of these people the row of the roster."""
    by_id: dict[str, int] = {}
    for row, (ids, _) in enumerate(roster.rows):
        for each in filter(None, ids):
            by_id.setdefault(_plain_id(each), row)
    names = Counter(key for _, name in roster.rows for key in _keys(name))
    by_name = {key: row for row, (_, name) in enumerate(roster.rows) for key in _keys(name)}
    found: list[int | None] = []
    for person in people:
        own_ids = map(_plain_id, (person.id, *person.others))
        known = next((by_id[each] for each in own_ids if each in by_id), None)
        own = [by_name[key] for key in _keys(person.name) if names[key] == 1]
        # The number that Moodle gives a participant may be the id of somebody else.
        found.append(known if known in own or not own else own[0])
    return found


def _column(rows: Sequence[int | None], people: Sequence[Person], roster: Roster) -> int:
    """Return the column of the ids that marks go by: the one that the platform's ids are in."""
    hits = Counter[int]()
    for row, person in zip(rows, people, strict=True):
        if row is not None:
            id_ = _plain_id(person.id)
            ids = roster.rows[row][0]
            hits.update(at for at, each in enumerate(ids) if _plain_id(each) == id_)
    return min(range(len(roster.columns)), key=lambda at: (-hits[at], at))


def _plain_id(text: str) -> str:
    """An id as it is compared; Moodle writes `Participant 123` in one place, 123 in another."""
    return re.sub(r"^\D+ (?=\d+$)", "", text).casefold()


def _composed(text: str) -> str:
    return unicodedata.normalize("NFC", text)


def _keys(name: str) -> set[str]:
    """Return a name as platforms may write it: either order, without what is between its parts."""
    first, comma, last = name.partition(",")
    words = name.split()
    orders = [name, f"{last}{first}"] if comma else [name, "".join([*words[-1:], *words[:-1]])]
    return {key for each in orders if (key := _letters(each))}


def _letters(text: str) -> str:
    kinds = ("L", "N", "M")
    plain = _composed(text).casefold()
    return "".join(c for c in plain if unicodedata.category(c)[0] in kinds)
