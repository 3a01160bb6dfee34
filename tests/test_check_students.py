"""A class, from a ZIP to marks: who sent what, the rows, the pages, and a run that goes on."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import unicodedata
import zipfile
from pathlib import Path

import pytest
from helpers import classes
from helpers.classes import LAYOUTS, RIGHT, WRONG, zipped
from helpers.command_line import run, started
from helpers.processes import soon

from pylogic_sudoku.check import archives, mark_class
from pylogic_sudoku.check.marks import HEADINGS, Marks, table_of, write_pages
from pylogic_sudoku.check.students import (
    Person,
    Roster,
    Sent,
    checked_layout,
    class_in,
    enrolled,
    expected,
    gathered,
    read_roster,
)
from pylogic_sudoku.errors import InvalidPuzzle
from pylogic_sudoku.problem.folder import Problem

MOODLE = "_assignsubmission_file_/"
EMPTY = "no program: the folder is empty"


@pytest.fixture
def problem(tmp_path) -> Path:
    return classes.exercise(tmp_path)


def sent_in(folder: Path, files: dict[str, str | bytes], **more: object) -> dict[str, Sent]:
    """The submissions of a ZIP with these files, by the ids of their students."""
    source, place = folder / "s.zip", folder / "place"
    source.write_bytes(zipped(files))
    place.mkdir()
    sent, _ = class_in(source, place, **more)
    return {person.id: each for each in sent for person in each.people}


# --- the sixty ---


def due(layout: str) -> list[tuple[str, str, str, str]]:
    """The id, the name, the program and the reason why there is none, of each student."""
    return [
        (
            classes.id_of(layout, number),
            f"{each.last}, {each.first}" if layout == "canvas" else each.name,
            (layout == "canvas" and each.canvas) or each.program,
            "" if each.program else f"no program: {each.words}",
        )
        for number, each in enumerate(classes.students(layout))
    ]


def shown(table: str) -> str:
    return f"'{table}" if table[:1] in ("=", "-") else table


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_of_sixty_has_a_program_or_a_reason(layout, tmp_path, problem):
    source, roster = classes.made(tmp_path / "sent", layout)
    with gathered(source, read_roster(roster), "", *expected(Problem(problem))) as (found, left):
        none = Sent("", (), why="no program: nothing was sent")
        known = [(each, each.sent or none) for each in found]
        got = [(s.id, s.name, x.shown if x.program else "", x.why) for s, x in known]
        assert got == due(layout)
        assert left == []
        programs = [each.program for _, each in known if each.program]
        folders = {each.folder for _, each in known if each.program}
        assert len(folders) == len(programs), "each student has a folder of their own"
        for each in programs:
            str(each).encode()  # a name that engines take
    assert not programs[0].exists()
    notes = {s.id: "; ".join((*x.notes, *s.notes)) for s, x in known}
    for number, each in enumerate(classes.students(layout)):
        mine = notes[classes.id_of(layout, number)]
        late = "it came late" if each.late and layout == "canvas" else ""
        told = each.words if each.words.startswith(("of ", "bomb")) and each.program else late
        assert (told in mine) if told else (mine == "")


def test_a_folder_is_read_as_its_zip_is(tmp_path, problem):
    source, roster = classes.made(tmp_path / "sent", "moodle")
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(source) as archive:
        for each in archive.infolist():
            if ".." not in each.filename:
                os.utime(archive.extract(each, unpacked), (0, 0))
    names = expected(Problem(problem))
    with gathered(unpacked, read_roster(roster), "", *names) as (found, _):
        got = [each.sent and (each.sent.shown, each.sent.why) for each in found]
    with gathered(source, read_roster(roster), "", *names) as (found, _):
        due = [each.sent and (each.sent.shown, each.sent.why) for each in found]
    outside = next(at for at, each in enumerate(due) if each and "evil" in each[1])
    assert got[outside] is None
    assert got[:outside] + got[outside + 1 :] == due[:outside] + due[outside + 1 :]


@pytest.mark.slow
def test_marks_of_a_class(tmp_path, problem):
    source = tmp_path / "s.zip"
    files = {
        f"Ann Lee_1{MOODLE}lists.pl": RIGHT,
        f"Bob_2{MOODLE}my.pl": WRONG,
        f"Bob_2{MOODLE}a.pl": RIGHT,
        f"Carl_3{MOODLE}notes.txt": "",
    }
    source.write_bytes(zipped(files))
    (tmp_path / "r.csv").write_text("name;id number\nAnn Lee;A-1\nDora;D-4\nBob;B-2\n")
    (problem / "cases.pl").write_text("case(two, double(2, X)).\ncase(secret, double(7, X)).\n")
    (problem / "exercise.toml").write_text(
        'title = "Lists"\nhidden = ["secret"]\n[points]\ninstance = 5\n'
    )
    command = ["class", source, "-i", problem, "--students", "r.csv", "--csv", "m.csv"]
    command += ["--pages", "pages", "--record", "r.jsonl", "--program", "my.pl"]
    done = run(*command, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    due = [
        [*HEADINGS],
        ["A-1", "Ann Lee", "10", "10", "success", "2 of 2 instances passed", "lists.pl"],
        ["D-4", "Dora", "0", "10", "no program", "no program: nothing was sent", ""],
        [
            *("B-2", "Bob", "0", "10", "failure"),
            "0 of 2 instances passed; an answer is wrong; of 2 programs, my.pl counts: it is called"
            " as the exercise says",
            "my.pl",
        ],
        [
            *("3", "Carl", "0", "10", "no program"),
            "no program: only notes.txt; not in r.csv",
            "",
        ],
    ]
    assert [*csv.reader((tmp_path / "m.csv").read_text().splitlines())] == due
    assert "4 students: 1 passed, 2 without a program\n" in done.stdout
    assert "Ann Lee" in done.stdout
    pages = {each.name: each.read_text() for each in (tmp_path / "pages").iterdir()}
    assert sorted(pages) == ["3.html", "a-1.html", "b-2.html", "d-4.html"]
    bob = pages["b-2.html"]
    assert "<title>Lists: Bob (B-2)</title>" in bob
    assert all(each in bob for each in ("X=6", "a hidden instance", "my.pl; 0 of 10 points"))
    assert not any(word in bob for word in ("X=21", "secret", "Ann", str(tmp_path), "/tmp/"))
    assert "no program: nothing was sent" in pages["d-4.html"]
    lines = (tmp_path / "r.jsonl").read_text().splitlines()
    assert len(lines) == 2
    again = run(*command, cwd=tmp_path)
    assert (tmp_path / "r.jsonl").read_text().splitlines() == lines, "nothing is graded again"
    assert again.stdout == done.stdout
    assert [*csv.reader((tmp_path / "m.csv").read_text().splitlines())] == due
    assert {each.name: each.read_text() for each in (tmp_path / "pages").iterdir()} == pages
    # A changed program is graded again, and it alone; then a changed exercise, for all.
    source.write_bytes(zipped({**files, f"Bob_2{MOODLE}my.pl": RIGHT}))
    run(*command, cwd=tmp_path)
    assert [row[2] for row in csv.reader((tmp_path / "m.csv").open())][1:] == ["10", "0", "10", "0"]
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 3
    (problem / "cases.pl").write_text("case(two, double(3, X)).\ncase(secret, double(8, X)).\n")
    run(*command, cwd=tmp_path)
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 5


@pytest.mark.slow
@pytest.mark.parametrize("layout", LAYOUTS)
def test_sixty_are_marked_the_same_though_the_run_is_interrupted(layout, tmp_path, problem):
    source, roster = classes.made(tmp_path / "sent", layout)
    common = ["class", source, "-p", problem, "--students", roster, "--sandbox", "off"]
    whole = run(*common, "--csv", "whole.csv", "--pages", "whole", "--jobs", "2", cwd=tmp_path)
    assert (whole.returncode, whole.stderr) == (0, "")
    rows = [*csv.reader((tmp_path / "whole.csv").read_text().splitlines())][1:]
    assert [[*row[:2], row[6]] for row in rows] == [
        [shown(id_), shown(name), shown(program)] for id_, name, program, _ in due(layout)
    ]
    for row, each in zip(rows, classes.students(layout), strict=True):
        outcome = "no program" if not each.program else "success" if each.points else "failure"
        assert row[2:5] == [str(each.points), "1", outcome], row
        assert each.words in row[5] if each.program else row[5] == f"no program: {each.words}"
        assert "\n" not in row[5]

    # The same with Ctrl-C in the middle.
    number = sum(bool(each.program) for each in classes.students(layout))
    record = tmp_path / "record.jsonl"
    more = ["--csv", "parts.csv", "--pages", "parts", "--record", record]

    def graded() -> int:
        return record.read_bytes().count(b"\n") if record.exists() else 0

    with started(*map(str, [*common, *more]), cwd=tmp_path) as process:
        assert soon(lambda: graded() >= number // 3)
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate()
    assert process.returncode == 130, errors
    assert "Traceback" not in errors
    done = graded()
    assert number // 3 <= done < number
    assert f"INCOMPLETE: interrupted after {done} of {number} programs" in output
    *_, last = (tmp_path / "parts.csv").read_text().splitlines()
    assert last == f"INCOMPLETE: interrupted after {done} of {number} programs"
    parts = [*csv.DictReader((tmp_path / "parts.csv").read_text().splitlines()[:-1])]
    unknown = [each for each in parts if each["outcome"] == "not run"]
    assert len(unknown) > 0
    assert all((each["points"] == "") == (each in unknown) for each in parts)
    kept = record.read_bytes()
    with record.open("ab") as file:
        file.write(b'{"marks": "cut')  # as if the machine had been switched off
    again = run(*common, *more, cwd=tmp_path)
    assert again.returncode == 0
    assert record.read_bytes().startswith(kept)
    keys = [json.loads(each)["marks"] for each in record.read_bytes().splitlines()]
    assert done < len(keys) <= number, "equal programs have one line, if they can"
    assert not {*keys[:done]} & {*keys[done:]}, "what was there is not graded again"
    assert again.stdout == whole.stdout
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    pages, others = (
        {each.name: each.read_bytes() for each in (tmp_path / name).iterdir()}
        for name in ("whole", "parts")
    )
    assert len(pages) == len(rows)
    assert pages == others


def test_a_program_that_was_not_run_has_no_points():
    marks = [Marks("1", "Ann", 0, 2, outcome, "", "my.pl") for outcome in ("not run", "failure")]
    rows = [*csv.DictReader(table_of(marks).splitlines())]
    assert [(each["points"], each["most points"]) for each in rows] == [("", "2"), ("0", "2")]


@pytest.mark.slow
def test_shares_of_a_class_have_the_marks_of_one_run(tmp_path, problem):
    source = tmp_path / "s.zip"
    texts = {"ann": RIGHT, "bob": WRONG, "carl": RIGHT, "dora": "double(2, 4).\n"}
    source.write_bytes(zipped({f"{name}/lists.pl": text for name, text in texts.items()}))
    command = ["class", source, "-i", problem]
    whole = run(*command, "--csv", "whole.csv", cwd=tmp_path)
    assert whole.returncode == 0, whole.stderr
    records = []
    for number in (1, 2):
        records.append(tmp_path / f"{number}.jsonl")
        done = run(*command, "--shard", f"{number}/2", "-o", records[-1], cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, ""), done.stderr
        assert records[-1].read_text().count("\n") == 3, "a head and two of four programs"
    done = run("merge", records[0], cwd=tmp_path)
    assert (done.returncode, "2/2 is missing" in done.stderr) == (2, True)
    done = run("merge", *reversed(records), "-o", "class.jsonl", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    record = (tmp_path / "class.jsonl").read_text()
    again = run(*command, "--record", "class.jsonl", "--csv", "again.csv", cwd=tmp_path)
    assert again.stdout == whole.stdout
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert (tmp_path / "class.jsonl").read_text() == record, "nothing is graded again"


# --- layouts ---


@pytest.mark.parametrize(
    ("name", "id_", "person"),
    [
        ("Ann Lee_123_assignsubmission_file_/my.pl", "123", "Ann Lee"),
        ("Ann Lee_123_assignsubmission_file_my_own.pl", "123", "Ann Lee"),
        ("Ann Lee_123_assignsubmission_file/my.pl", "123", "Ann Lee"),
        ("Group 7-Ann Lee_123_assignsubmission_file_/src/my.pl", "123", "Group 7-Ann Lee"),
        ("Participant_123_assignsubmission_file_/my.pl", "123", "Participant"),
        ("Ann Lee_123_my.pl", "123", "Ann Lee"),
        ("leeann_123_456_my.pl", "123", "leeann"),
        ("leeann_LATE_123_456_my.pl", "123", "leeann"),
        ("leeann_late_123_456_my_own_9_8.pl", "123", "leeann"),
        ("anon_Xy12z_456_my.pl", "anon_Xy12z", ""),
        ("LATE_anon_Xy12z_456_my.pl", "anon_Xy12z", ""),
        ("submission_123/my.pl", "123", ""),
        ("ann/my.pl", "ann", ""),
        ("ann/src/my.pl", "src", ""),
        ("course/ann/src/my.pl", "ann", ""),
        ("course/Ann Lee_123_assignsubmission_file_/my.pl", "123", "Ann Lee"),
        ("course/leeann_123_456_my.pl", "123", "leeann"),
        ("ann.pl", "ann", ""),
    ],
)
def test_the_student_of_a_path(name, id_, person, tmp_path):
    found = sent_in(tmp_path, {name: RIGHT, "__MACOSX/._x": "", ".DS_Store": ""})
    assert [(each.people, each.why) for each in found.values()] == [((Person(id_, person),), "")]


def test_texts_of_canvas_and_moodle_are_no_programs(tmp_path):
    found = sent_in(tmp_path, {"leeann_12_text.html": "x", "lobob_LATE_13_link.html": "x"})
    assert [each.why for each in found.values()] == [
        "no program: only text.html",
        "no program: only link.html",
    ]
    (tmp_path / "more").mkdir()
    text = "Ann Lee_12_assignsubmission_onlinetext_/onlinetext.html"
    found = sent_in(tmp_path / "more", {f"Ann Lee_12{MOODLE}my.pl": RIGHT, text: "x"})
    assert [each.shown for each in found.values()] == ["my.pl"]


def test_a_group_of_gradescope_shares_a_program(tmp_path):
    metadata = """\
---
submission_1:
  :submitters:
  - :name: "Ann \\xC4rger"
    :sid: '0012'
    :email: a@x.org
  - :name: Bob O'Neil
    :sid: 13
  :results:
    :output: "submission_9:
      - :name: Eve"
submission_2:
  :submitters:
  - :email: c@x.org
    :name: 'Carl ''the'' C'
submission_3:
  :submitters: []
"""
    files = {"submission_1/x.pl": RIGHT, "submission_metadata.yml": metadata, "extra.txt": "x"}
    source = tmp_path / "s.zip"
    source.write_bytes(zipped(files))
    with gathered(source) as (found, left):
        assert [(each.id, each.name) for each in found] == [
            ("0012", "Ann Ärger"),
            ("13", "Bob O'Neil"),
            ("c@x.org", "Carl 'the' C"),
        ]
        assert found[0].sent is found[1].sent
        assert found[2].sent == Sent(
            "submission_2", (Person("c@x.org", "Carl 'the' C"),), why=EMPTY
        )
        assert left == ["extra.txt"]


def test_a_custom_layout(tmp_path):
    files = {"12-Ann/my.pl": RIGHT, "13-Bob.zip": zipped({"b.pl": RIGHT}), "notes": ""}
    found = sent_in(tmp_path, files, layout="{id}-{name}/{file}")
    assert {each.people[0]: each.shown for each in found.values()} == {("12", "Ann", ()): "my.pl"}
    for wrong in ("{name}", "{id}{id}", "blackboard", "{ID}"):
        with pytest.raises(ValueError, match="is not a layout; expected moodle, canvas"):
            checked_layout(wrong)


def test_names_that_are_not_unicode(tmp_path):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(classes.raw("Zoë_7_assignsubmission_file_/größe.pl".encode()), RIGHT)
        archive.writestr(classes.raw(b"Ann_8_assignsubmission_file_/\xff\xfe.pl"), RIGHT)
    source = tmp_path / "s.zip"
    source.write_bytes(out.getvalue())
    with gathered(source) as (found, _):
        assert [each.name for each in found] == ["Ann", "Zoë"]
        assert [each.sent.why for each in found if each.sent] == ["", ""]
        assert found[1].sent.shown == "größe.pl"
    folder = os.fsencode(tmp_path / "bytes")
    os.makedirs(folder + b"/\xffnn")
    with open(folder + b"/\xffnn/m\xfd.pl", "w") as file:
        file.write(RIGHT)
    os.makedirs(folder + b"/bob")
    with gathered(Path(os.fsdecode(folder))) as (found, _):
        assert [(each.id, each.sent and each.sent.why) for each in found] == [
            ("bob", "no program: the folder is empty"),
            ("?nn", ""),
        ]
        assert found[1].sent.shown == "m?.pl"
        assert found[1].sent.program.read_text() == RIGHT


def test_links_in_a_folder_are_refused(tmp_path):
    (tmp_path / "s" / "ann").mkdir(parents=True)
    (tmp_path / "s" / "bob").mkdir()
    (tmp_path / "secret.pl").write_text("secret.")
    (tmp_path / "s" / "ann" / "my.pl").symlink_to(tmp_path / "secret.pl")
    (tmp_path / "s" / "bob" / "all").symlink_to(tmp_path)
    with gathered(tmp_path / "s") as (found, _):
        assert [each.sent and each.sent.why for each in found] == [
            "no program: my.pl is refused: it is a link",
            "no program: all is refused: it is a link",
        ]


@pytest.mark.parametrize("name", ["/etc/my.pl", "../my.pl", "../../x/my.pl"])
def test_paths_out_of_the_zip_belong_to_nobody(name, tmp_path):
    source, place = tmp_path / "s.zip", tmp_path / "place"
    source.write_bytes(zipped({"ann/my.pl": RIGHT, name: WRONG, "bob/C:\\my.pl": RIGHT}))
    place.mkdir()
    sent, left = class_in(source, place)
    assert [(each.key, each.why) for each in sent] == [
        ("ann", ""),
        ("bob", "no program: C:\\my.pl is refused: its path is absolute"),
    ]
    assert left == [name]
    written = [each for each in tmp_path.rglob("*.pl") if each.is_file()]
    assert [each.read_text() for each in written] == [RIGHT]


def test_what_is_no_class_is_an_error(tmp_path):
    (tmp_path / "none").mkdir()
    (tmp_path / "x.zip").write_text("no ZIP")
    (tmp_path / "e.zip").write_bytes(zipped({}))
    for name, words in {
        "none": "there are no submissions: it is empty",
        "e.zip": "there are no submissions: it is empty",
        "x.zip": "cannot be read: it is neither a folder nor a ZIP",
    }.items():
        with pytest.raises(InvalidPuzzle, match=words):
            class_in(tmp_path / name, tmp_path)
    done = run("class", tmp_path / "x.zip", "-p", "queens")
    assert (done.returncode, done.stdout) == (2, "")
    assert "it is neither a folder nor a ZIP" in done.stderr
    done = run("class", tmp_path / "x.zip")
    assert done.returncode == 2
    assert "expected -i INSTANCES, or -p PROBLEM" in done.stderr


# --- the choice ---


def test_the_latest_program_counts(tmp_path):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, day in {"a.pl": 2, "b.pl": 9, "c.pl": 0}.items():
            info = zipfile.ZipInfo(f"ann/{name}", (2026, 11, day, 0, 0, 0))
            archive.writestr(info, RIGHT)
    (tmp_path / "s.zip").write_bytes(out.getvalue())
    with gathered(tmp_path / "s.zip") as (found, _):
        assert found[0].sent.notes == ("of 3 programs, b.pl counts: it is the latest",)


def test_the_names_that_an_exercise_asks_for(tmp_path, problem):
    assert expected(None) == ([], [])
    assert expected(Problem(problem)) == (["lists", "lists.pl"], [".pl", ".pro", ".prolog"])
    (tmp_path / "week" / "student").mkdir(parents=True)
    for name in ("my.lp", "cases.pl", "README.md"):
        (tmp_path / "week" / "student" / name).touch()
    assert expected(None, [tmp_path / "week"]) == (["my.lp"], [".lp"])


def test_other_files_are_written_within_bounds(tmp_path):
    big = bytes(10 << 20)
    files = {"ann/my.pl": RIGHT, "ann/a.bin": big, "ann/b.bin": big, "ann/lib/c.pl": "c."}
    found = sent_in(tmp_path, files)["ann"]
    assert found.folder is not None
    there = {each.name: each.stat().st_size for each in found.folder.rglob("*.*")}
    assert set(there) == {"my.pl", "a.bin", "c.pl"}


def test_a_program_that_is_too_large(tmp_path):
    found = sent_in(tmp_path, {"ann/my.pl": b"%" * ((16 << 20) + 1), "bob/x.pl": ""})
    assert found["ann"].why == "no program: my.pl is refused: it has over 16 MB"


def test_names_that_no_system_takes(tmp_path):
    files = {
        f"ann/{'ü' * 120}.pl": RIGHT,
        "ann/a:b|c.txt": "x",
        "ann/....txt": "x",
        "bob/...pl": "x",
    }
    found = sent_in(tmp_path, files)
    assert found["ann"].folder is not None
    for each in found["ann"].folder.iterdir():
        assert len(each.name.encode()) <= 200
        assert not {*each.name} & {*":/\\"}


def test_archives_in_archives_share_one_bound():
    """Each is small enough; together they are not."""
    part = zipped({"x.pl": bytes(30 << 20)})
    data = zipped({f"{each}.zip": part for each in range(3)})
    file = archives.File(("a.zip",), len(data), 0, lambda: data)
    found = archives.opened([file], lambda name: name.endswith(".pl"))
    assert [each.shown for each in found.files] == ["a.zip/0.zip/x.pl", "a.zip/1.zip/x.pl"]
    assert found.refused == ["a.zip/2.zip is refused: unpacked, it has over 64 MB"]


def test_a_compressed_file_is_no_archive():
    data = classes.tarred({"x": "y"})[:40]
    file = archives.File(("my.pl.gz",), len(data), 0, lambda: data)
    found = archives.opened([file], lambda _: False)
    assert [each.shown for each in found.files] + found.refused != []


# --- the roster ---


def roster_of(folder: Path, text: str | bytes) -> Roster:
    file = folder / "roster.csv"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_roster(file)


@pytest.mark.parametrize(
    ("text", "columns", "rows"),
    [
        ("id,name\n7,Ann\n", ["id"], [(["7"], "Ann")]),
        ("\ufeffName;ID number\r\nAnn;07\r\n", ["ID number"], [(["07"], "Ann")]),
        (
            "Vorname\tNachname\tMatrikelnummer\nAnn\tLee\t7\n",
            ["Matrikelnummer"],
            [(["7"], "Ann Lee")],
        ),
        (
            'Student,ID,SIS User ID\n    Points Possible,,\n"Lee, Ann",1,u1\n"Student, Test",9,\n',
            ["ID", "SIS User ID"],
            [(["1", "u1"], "Lee, Ann")],
        ),
        (
            "First Name,Last Name,Email,SID\nAnn,Lee,a@x,7\n",
            ["SID", "Email"],
            [(["7", "a@x"], "Ann Lee")],
        ),
        ("Müller,name\n".encode("cp1252") + b"", [], []),
    ],
)
def test_usual_headings(text, columns, rows, tmp_path):
    if not columns:
        with pytest.raises(InvalidPuzzle, match="there is no column for ids"):
            roster_of(tmp_path, text)
        return
    found = roster_of(tmp_path, text)
    assert (found.columns, found.rows) == (columns, rows)


def test_utf_16_and_latin_1(tmp_path):
    assert roster_of(tmp_path, "id\tname\n1\tZoë\n".encode("utf-16")).rows == [(["1"], "Zoë")]
    assert roster_of(tmp_path, "id,name\n1,Zoë\n".encode("cp1252")).rows == [(["1"], "Zoë")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "there is no column for ids; expected a heading such as 'id', .* but it is empty"),
        ("name,grade\nAnn,1\n", "there is no column for ids; .* but it has 'name' and 'grade'"),
        ("id,grade\n1,1\n", "there is no column for names; expected .* 'name', 'full name' or"),
    ],
)
def test_a_roster_without_ids_or_names(text, words, tmp_path):
    with pytest.raises(InvalidPuzzle, match=words):
        roster_of(tmp_path, text)
    (tmp_path / "s.zip").write_bytes(zipped({"ann/my.pl": RIGHT}))
    done = run("class", "s.zip", "-p", "queens", "--students", "roster.csv", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "there is no column for" in done.stderr


def test_the_student_of_a_submission_is_found_by_id_or_name():
    nfd = unicodedata.normalize("NFD", "Zoë Öz")
    rows = [
        (["1", "a@x"], "Ann Lee"),
        (["2", ""], "Bob Ray"),
        (["3", ""], "Zoë Öz"),
        (["4", ""], "Same Name"),
        (["5", ""], "Same Name"),
    ]
    roster = Roster(Path("r.csv"), ["id", "email"], rows)
    people = [("A@X", "?"), ("9", "raybob"), ("8", nfd), ("6", "Same Name"), ("5", "Same Name")]
    sent = [Sent(str(n), (Person(*each),)) for n, each in enumerate(people)]
    found = enrolled(sent, roster)
    assert [(each.id, each.sent and each.sent.key) for each in found] == [
        ("1", "0"),
        ("2", "1"),
        ("3", "2"),
        ("4", None),
        ("5", "4"),
        ("6", "3"),
    ]
    assert found[-1].notes == ("not in r.csv",)


def test_a_name_counts_more_than_the_number_of_a_participant():
    rows = [(["12"], "Ann Lee"), (["7"], "Bob Ray")]
    roster = Roster(Path("r.csv"), ["ID number"], rows)
    sent = [Sent("b", (Person("12", "Bob Ray"),)), Sent("c", (Person("7", "Carl"),))]
    found = enrolled(sent, roster)
    assert [(each.id, each.sent and each.sent.key) for each in found] == [
        ("12", None),
        ("7", "b"),
        ("7", "c"),
    ]
    assert found[-1].notes == ("it came twice",)


# --- rows and pages ---


def test_no_cell_is_a_formula_and_no_page_leads_elsewhere(tmp_path):
    marks = [
        Marks(id_, name, 0, 1, "no program", "no program: nothing was sent", "")
        for id_, name in [("=1+1", "@x"), ("../../etc", "<b>"), ("A", "a"), ("a", "b"), ("", "")]
    ]
    rows = [*csv.reader(io.StringIO(table_of(marks, "interrupted")))]
    assert [row[:2] for row in rows[1:3]] == [["'=1+1", "'@x"], ["../../etc", "<b>"]]
    assert rows[-1] == ["INCOMPLETE: interrupted"]
    files = write_pages(marks, tmp_path / "pages", "Week 5")
    names = ["1+1.html", "etc.html", "a.html", "a (2).html", "student.html"]
    assert [each.relative_to(tmp_path / "pages").as_posix() for each in files] == names
    assert "&lt;b&gt;" in files[1].read_text()
    assert "<b>" not in files[1].read_text()


def test_a_record_of_something_else_is_refused(tmp_path, problem):
    (tmp_path / "s.zip").write_bytes(zipped({"ann/my.pl": RIGHT}))
    for text, words in {
        "precious": "r.jsonl:1: it is not a line of a record",
        '{"record": "coverage"}\n': "r.jsonl is not a record of marks",
    }.items():
        (tmp_path / "r.jsonl").write_text(text)
        done = run("class", "s.zip", "-p", problem, "--record", "r.jsonl", cwd=tmp_path)
        assert done.returncode == 2
        assert words in done.stderr
        assert (tmp_path / "r.jsonl").read_text() == text


def test_no_output_overwrites_the_submissions(tmp_path, problem):
    (tmp_path / "s.zip").write_bytes(zipped({"ann/my.pl": RIGHT}))
    for option in ("--csv", "--record"):
        done = run("class", "s.zip", "-p", problem, option, "s.zip", cwd=tmp_path)
        assert done.returncode == 2
        assert "s.zip is read as input" in done.stderr
    done = run("class", "s.zip", "-p", problem, "--csv", "x", "--record", "x", cwd=tmp_path)
    assert done.returncode == 2
    (tmp_path / "file").touch()
    done = run("class", "s.zip", "-p", problem, "--pages", "file/pages", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")


def test_marks_in_python(tmp_path, problem):
    (tmp_path / "s").mkdir()
    (tmp_path / "s" / "ann.pl").write_text(RIGHT)
    (tmp_path / "s" / "bob.txt").write_text("x")
    record = tmp_path / "r.jsonl"
    for _ in range(2):
        ann, bob = mark_class(tmp_path / "s", (), problem=problem, record=record)
        assert (ann.id, ann.points, ann.outcome, ann.program) == ("ann", 1, "success", "ann.pl")
        assert (bob.row[2:5], bob.report) == (["0", "1", "no program"], None)
    (line,) = map(json.loads, record.read_text().splitlines())
    assert line["results"][0]["way"] == ""
