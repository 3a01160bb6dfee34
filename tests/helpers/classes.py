"""A made-up class of sixty with every odd name and folder, as three platforms make its ZIP.

What is expected of each student is written out by hand: `STUDENTS` is the oracle.
"""

from __future__ import annotations

import csv
import io
import re
import struct
import tarfile
import unicodedata
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

RIGHT = "double(X, Y) :- Y is X*2.\n"
WRONG = "double(X, Y) :- Y is X*3.\n"
BROKEN = "double(X, Y :- Y is X*2.\n"
HELPED = ":- consult(helper).\ndouble(X, Y) :- twice(X, Y).\n"
HELPER = "twice(X, Y) :- Y is X+X.\n"
LAYOUTS = ("moodle", "canvas", "gradescope")

Content = str | bytes


def zipped(files: Mapping[str, Content]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return out.getvalue()


def tarred(files: Mapping[str, Content], mode: str = "w:gz") -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as archive:  # type: ignore[call-overload]
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(name)
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    return out.getvalue()


def locked(data: bytes) -> bytes:
    """A ZIP whose files claim to need a password."""
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.index(mark) + at
        data = data[:place] + struct.pack("<H", 1) + data[place + 2 :]
    return data


def linked(name: str, target: str) -> bytes:
    """A ZIP with a link."""
    out = io.BytesIO()
    info = zipfile.ZipInfo(name)
    info.external_attr = 0o120777 << 16
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(info, target)
    return out.getvalue()


class _Raw(zipfile.ZipInfo):
    """A file of a ZIP whose name is these bytes, without a word on what they mean."""

    raw = b""

    def _encodeFilenameFlags(self) -> tuple[bytes, int]:
        return self.raw, self.flag_bits


def raw(name: bytes) -> zipfile.ZipInfo:
    info = _Raw(name.decode("latin-1"))
    info.raw = name
    return info


def bomb(megabytes: int) -> bytes:
    return zipped({"zeros.pl": bytes(megabytes << 20)})


def nested(depth: int) -> bytes:
    data = zipped({"lists.pl": RIGHT})
    for _ in range(depth - 1):
        data = zipped({"inner.zip": data})
    return data


NFD = unicodedata.normalize("NFD", "José Núñez")
BOMB = "bomb.zip is refused: unpacked, it has over 64 MB"
EXPECTED = "the name of a program ends in .lp, or in .pl for Prolog"


class Made(NamedTuple):
    """A student: the files that were sent, and the marks that are due."""

    first: str
    last: str
    files: Mapping[str, Content] | None
    """None if nothing was sent."""
    points: int
    program: str
    """The name of the program that counts."""
    words: str = ""
    """A part of the feedback; all of it, after "no program: ", if there is no program."""
    canvas: str = ""
    """The name that Canvas makes of that of the program, if it is another."""
    late: bool = False

    @property
    def name(self) -> str:
        return f"{self.first} {self.last}"


def fine(first: str, last: str, file: str = "lists.pl", **more: object) -> Made:
    return Made(first, last, {file: RIGHT}, 1, file, **more)  # type: ignore[arg-type]


def none(first: str, last: str, files: Mapping[str, Content], words: str, **more: object) -> Made:
    return Made(first, last, files, 0, "", words, **more)  # type: ignore[arg-type]


STUDENTS = [
    # names of people
    fine("Ann", "Lee"),
    fine("Jürgen", "Müller"),
    fine(*NFD.split()),
    fine("小龙", "李"),
    fine("Наталья", "Иванова"),
    fine("محمد", "علي"),
    fine("प्रिया", "शर्मा"),
    fine("Bob", "O'Neil"),
    fine("Jan", "van der Berg"),
    fine("X Æ", "A-12"),
    fine("-rf", "Dash"),
    fine("=cmd()", "Formula"),
    fine("Anna Maria", "Rossi Bianchi"),
    fine("Ωmega", "Ὀδυσσεύς"),
    fine("Lee", "Ann Marie"),
    # names of programs
    fine("Spaces", "In", "my program v2.pl"),
    fine("Quotes", "In", "it's mine.pl"),
    fine(
        *("Double", "Quotes", 'say "hi".pl'),
        canvas="say _hi_.pl",
    ),
    fine("Dash", "First", "-rf.pl"),
    fine("Umlaut", "Composed", "größe.pl"),
    fine("Umlaut", "Decomposed", unicodedata.normalize("NFD", "größe.pl")),
    fine("Han", "File", "列表.pl"),
    fine("Capital", "Ending", "LISTS.PL"),
    fine("Other", "Ending", "lists.pro"),
    fine("Long", "Ending", "lists.prolog"),
    fine("Long", "Name", f"{'x' * 240}.pl"),
    fine("Two", "Dots", "lists.final.pl"),
    fine("Percent", "Sign", "100%.pl"),
    fine("New", "Copy", "lists (1).pl"),
    fine("Late", "Comer", late=True),
    # programs that are wrong
    Made("Wrong", "One", {"lists.pl": WRONG}, 0, "lists.pl", "an answer is wrong"),
    Made("Broken", "One", {"lists.pl": BROKEN}, 0, "lists.pl", "Syntax error"),
    Made("Empty", "File", {"lists.pl": ""}, 0, "lists.pl", "the file is empty"),
    Made("Binary", "File", {"lists.pl": b"a\0b"}, 0, "lists.pl", "not text in UTF-8"),
    # several programs
    Made(
        *("By", "Name", {"a.pl": WRONG, "lists.pl": RIGHT, "z.pl": WRONG}, 1, "lists.pl"),
        "of 3 programs, lists.pl counts: it is called as the exercise says",
    ),
    Made(
        *("By", "Language", {"lists.lp": "a.\n", "work.pl": RIGHT, "a.lp": "b.\n"}, 1, "work.pl"),
        "of 3 programs, work.pl counts: it is in the language of the exercise",
    ),
    Made(
        *("Only", "Asp", {"a.lp": "a.\n", "z.lp": "b.\n"}, 0, "a.lp"),
        "of 2 programs, a.lp counts: it is the first by name",
    ),
    Made(
        *("By", "Number", {"lists.pl": WRONG, "lists-1.pl": WRONG, "lists-2.pl": RIGHT}, 1),
        *("lists-2.pl", "of 3 programs, lists-2.pl counts: it has the highest number"),
    ),
    Made(
        *("By", "Order", {"b.pl": WRONG, "a.pl": RIGHT}, 1, "a.pl"),
        "of 2 programs, a.pl counts: it is the first by name",
    ),
    Made(
        *("With", "Helper", {"lists.pl": HELPED, "helper.pl": HELPER}, 1, "lists.pl"),
        "of 2 programs, lists.pl counts",
    ),
    # archives
    Made(
        "In", "Zip", {"answer.zip": zipped({"src/lists.pl": RIGHT})}, 1, "answer.zip/src/lists.pl"
    ),
    Made(
        "In", "Tar", {"answer.tar.gz": tarred({"./lists.pl": RIGHT})}, 1, "answer.tar.gz/lists.pl"
    ),
    Made(
        "In",
        "Xz",
        {"answer.tar.xz": tarred({"lists.pl": RIGHT}, "w:xz")},
        1,
        "answer.tar.xz/lists.pl",
    ),
    Made("In", "Two", {"a.zip": nested(2)}, 1, "a.zip/inner.zip/lists.pl"),
    none(
        "In",
        "Five",
        {"a.zip": nested(5)},
        "a.zip/inner.zip/inner.zip/inner.zip is refused: it is an archive in too many others",
    ),
    Made(
        *(
            "Of",
            "Mac",
            {"a.zip": zipped({"lists.pl": RIGHT, "__MACOSX/._lists.pl": "x", ".DS_Store": "x"})},
        ),
        *(1, "a.zip/lists.pl"),
    ),
    none("Zip", "Nothing", {"answer.zip": zipped({"a.txt": "x"})}, "answer.zip holds no program"),
    none("Zip", "Empty", {"answer.zip": zipped({})}, "answer.zip holds no program"),
    none(
        "Zip",
        "Broken",
        {"answer.zip": b"PK\x03\x04 no more"},
        "answer.zip cannot be opened: File is not a zip file",
    ),
    none(
        "Zip",
        "Locked",
        {"answer.zip": locked(zipped({"lists.pl": RIGHT}))},
        "answer.zip/lists.pl cannot be read: it needs a password",
    ),
    none("Bomb", "Alone", {"bomb.zip": bomb(70)}, BOMB),
    none(
        "Bomb",
        "Tar",
        {"bomb.tar.gz": tarred({"z.pl": bytes(70 << 20)})},
        "bomb.tar.gz is refused: unpacked, it has over 64 MB",
    ),
    Made("Bomb", "Beside", {"bomb.zip": bomb(70), "lists.pl": RIGHT}, 1, "lists.pl", BOMB),
    none(
        "Many",
        "Files",
        {"many.zip": zipped({f"{each}.txt": "" for each in range(2500)})},
        "many.zip is refused: it has over 2000 files",
    ),
    none(
        "Path",
        "Inside",
        {"a.zip": zipped({"../../lists.pl": RIGHT})},
        "a.zip/../../lists.pl is refused: its path leads out of the folder",
    ),
    none(
        "Link",
        "Inside",
        {"a.zip": linked("lists.pl", "/etc/passwd")},
        "a.zip/lists.pl is refused: it is a link",
    ),
    none(
        "Rar",
        "Sent",
        {"answer.rar": b"Rar!"},
        "answer.rar cannot be opened; expected a ZIP or no archive",
    ),
    # no program
    none("Only", "Report", {"report.pdf": b"%PDF"}, "only report.pdf"),
    none("Wrong", "Ending", {"lists.pl.txt": RIGHT}, f"only lists.pl.txt; {EXPECTED}"),
    Made("Never", "Came", None, 0, "", "nothing was sent"),
]
OF_FOLDERS = [
    none("Empty", "Folder", {}, "the folder is empty"),
    none("System", "Files", {".DS_Store": "x", "._lists.pl": "x"}, "only files of the system"),
    none(
        "Path",
        "Outside",
        {"../../evil.pl": RIGHT},
        "../../evil.pl is refused: its path leads out of the folder",
    ),
    Made(
        "In", "Folder", {"src/lists.pl": RIGHT, "src/__MACOSX/._lists.pl": "x"}, 1, "src/lists.pl"
    ),
]
"""Students of the platforms that have a folder for each; they take the place of the last ones."""


def students(layout: str) -> list[Made]:
    """The sixty."""
    if layout == "canvas":
        return STUDENTS
    return [*STUDENTS[: len(STUDENTS) - len(OF_FOLDERS) - 4], *STUDENTS[-4:], *OF_FOLDERS]


def id_of(layout: str, number: int) -> str:
    return {"moodle": "Participant {}", "canvas": "{}", "gradescope": "s{}"}[layout].format(
        7000 + number
    )


def made(folder: Path, layout: str) -> tuple[Path, Path]:
    """The ZIP of the class, and the roster."""
    folder.mkdir()
    source, roster = folder / "submissions.zip", folder / "roster.csv"
    members: list[tuple[str | zipfile.ZipInfo, Content]] = []
    for number, each in enumerate(students(layout)):
        if each.files is not None:
            members += _MEMBERS[layout](7000 + number, each)
    if layout == "gradescope":
        lines = "".join(_metadata(7000 + n, each) for n, each in enumerate(students(layout)))
        members = [(f"assignment_1_export/{name}", text) for name, text in members]
        members.append(("assignment_1_export/submission_metadata.yml", lines))
    members += [("__MACOSX/._x.pl", "x"), (".DS_Store", "x")]
    with zipfile.ZipFile(source, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members:
            info = name if isinstance(name, zipfile.ZipInfo) else zipfile.ZipInfo(name)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    with roster.open("w", encoding="utf-8-sig", newline="") as file:
        csv.writer(file).writerows(_roster(layout))
    return source, roster


def _of_moodle(id_: int, student: Made) -> list[tuple[str, Content]]:
    folder = f"{student.name}_{id_}_assignsubmission_file_/"
    assert student.files is not None
    return [(folder + name, text) for name, text in student.files.items()] or [(folder, "")]


def _of_canvas(id_: int, student: Made) -> list[tuple[str, Content]]:
    name = re.sub(r"[^\w]|_", "", f"{student.last}, {student.first}".lower())
    late = "LATE_" if student.late else ""
    assert student.files is not None
    return [
        (f"{name}_{late}{id_}_{90_000 + at}_{_sanitized(file)}", text)
        for at, (file, text) in enumerate(student.files.items())
    ]


def _sanitized(name: str) -> str:
    return re.sub(r'[\x00/\\:*?"<>|]+', "_", name)


def _of_gradescope(id_: int, student: Made) -> list[tuple[str, Content]]:
    folder = f"submission_{id_ * 10}/"
    assert student.files is not None
    return [(folder + name, text) for name, text in student.files.items()] or [(folder, "")]


_MEMBERS = {"moodle": _of_moodle, "canvas": _of_canvas, "gradescope": _of_gradescope}


def _metadata(id_: int, student: Made) -> str:
    if student.files is None:
        return ""
    quoted = "'{}'".format(student.name.replace("'", "''"))
    return f"""\
submission_{id_ * 10}:
  :submitters:
  - :name: {quoted}
    :sid: s{id_}
    :email: s{id_}@example.org
  :created_at: 2026-11-26 17:34:00.861687000 Z
  :score: 2.0
  :results:
    output: |-
      :submitters:
      - :name: Somebody Else
"""


def _roster(layout: str) -> list[list[str]]:
    rows = [(id_of(layout, n), each) for n, each in enumerate(students(layout))]
    if layout == "moodle":
        return [["Identifier", "Full name", "Grade"], *([i, s.name, ""] for i, s in rows)]
    if layout == "canvas":
        head = [["Student", "ID", "SIS User ID", "Section"], ["    Points Possible", "", "", ""]]
        return head + [[f"{s.last}, {s.first}", i, f"u{i}", "1"] for i, s in rows]
    return [["First Name", "Last Name", "SID"], *([s.first, s.last, i] for i, s in rows)]


def exercise(folder: Path) -> Path:
    """A problem with one case."""
    (folder / "lists").mkdir()
    (folder / "lists" / "lists.pl").write_text(RIGHT)
    (folder / "lists" / "cases.pl").write_text("case(two, double(2, X)).\n")
    return folder / "lists"
