"""Files that commands write: never incomplete, and never over something that is needed."""

from __future__ import annotations

import errno
import os
import subprocess
from pathlib import Path

import pytest
from helpers.command_line import FOUR, MODULE, PUZZLE, environment

from pylogic_sudoku import Grid
from pylogic_sudoku.check import Exercise
from pylogic_sudoku.draw import Picture

PICTURE = Picture(Grid.parse(FOUR))
DRAWN = PICTURE.to_svg() + "\n"


def failing(error: BaseException):
    def fail(*_arguments: object) -> None:
        raise error

    return fail


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def names() -> set[str]:
    return {path.name for path in Path().iterdir()}


@pytest.mark.parametrize("step", ["fsync", "replace"])
@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()]
)
def test_a_failure_half_way_leaves_the_old_file(monkeypatch, step, error):
    Path("x.svg").write_text("old")
    monkeypatch.setattr(os, step, failing(error))
    with pytest.raises(type(error)) as caught:
        PICTURE.save("x.svg")
    if isinstance(error, OSError):
        assert caught.value.filename == "x.svg"
    assert names() == {"x.svg"}
    assert Path("x.svg").read_text() == "old"
    with pytest.raises(type(error)):
        PICTURE.save("new.svg")
    assert names() == {"x.svg"}


@pytest.mark.parametrize("mode", ["rb", "r+b"])
def test_a_file_that_the_program_has_open_is_replaced(mode):
    Path("x.svg").write_text("old, and longer than what is new" * 1000)
    with open("x.svg", mode):
        PICTURE.save("x.svg")
        PICTURE.save("x.svg")
    assert Path("x.svg").read_text() == DRAWN


def test_a_file_keeps_its_mode_and_a_link_its_target():
    Path("real.svg").write_text("old")
    Path("real.svg").chmod(0o640)
    Path("link.svg").symlink_to("real.svg")
    Path("dangling.svg").symlink_to("made.svg")
    PICTURE.save("link.svg")
    PICTURE.save("dangling.svg")
    assert Path("link.svg").is_symlink()
    assert Path("real.svg").stat().st_mode & 0o777 == 0o640
    assert [Path(f"{name}.svg").read_text() for name in ("real", "made")] == [DRAWN] * 2
    umask = os.umask(0)
    os.umask(umask)
    assert Path("made.svg").stat().st_mode & 0o777 == 0o666 & ~umask


@pytest.mark.parametrize("number", [errno.EBUSY, errno.EACCES])
def test_a_file_that_cannot_be_replaced_is_written_in_its_place(monkeypatch, number):
    """The file is a mount of its own, or its folder is closed to us."""
    Path("x.svg").write_text("old")
    monkeypatch.setattr(os, "replace", failing(OSError(number, "no")))
    PICTURE.save("x.svg")
    assert names() == {"x.svg"}
    assert Path("x.svg").read_text() == DRAWN


def test_a_file_that_is_read_only_stays(monkeypatch):
    Path("x.svg").write_text("old")
    monkeypatch.setattr(os, "access", lambda *_arguments: False)
    with pytest.raises(PermissionError, match=r"x\.svg"):
        PICTURE.save("x.svg")
    assert Path("x.svg").read_text() == "old"


def test_devices_and_pipes_are_written_to_and_not_replaced(command):
    Path("null.svg").symlink_to("/dev/null")
    PICTURE.save("null.svg")
    assert Path("null.svg").is_char_device()
    os.mkfifo("pipe")
    reader = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert command("convert", "-f", "line", "-o", "pipe", FOUR) == (0, "", "")
    assert os.read(reader, 100) == f"{FOUR}\n".encode()
    os.close(reader)
    assert Path("pipe").is_fifo()
    Path("full.svg").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left") as caught:
        PICTURE.save("full.svg")
    assert caught.value.filename == "full.svg"


# --- the commands -----------------------------------------------------------------------

READ = "is read as input; give the output another name"


@pytest.mark.parametrize("target", ["p.txt", "soft.txt", "hard.txt"])
@pytest.mark.parametrize(
    "arguments",
    [
        "show p.txt -o",
        f"show {FOUR} --solution p.txt -o",
        f"show {FOUR} --difference p.txt -o",
        "explain p.txt -o",
        f"explain {FOUR} p.txt -o",
        "compare p.txt --json",
    ],
)
def test_no_command_writes_over_what_it_reads(command, arguments, target):
    Path("p.txt").write_text(FOUR)
    Path("soft.txt").symlink_to("p.txt")
    os.link("p.txt", "hard.txt")
    code, out, err = command(*arguments.split(), target)
    assert (code, out) == (2, "")
    assert err.endswith(f"Error: {target} {READ}\n")
    assert Path("p.txt").read_text() == FOUR
    assert names() == {"p.txt", "soft.txt", "hard.txt"}


@pytest.mark.parametrize("source", ["-", "/dev/stdin"])
@pytest.mark.parametrize("arguments", ["show -o", "compare --json"])
def test_nor_over_its_standard_input(arguments, source):
    Path("p.txt").write_text(FOUR)
    with open("p.txt") as file:
        done = subprocess.run(
            [*MODULE, *arguments.split(), "p.txt", source],
            env=environment(),
            stdin=file,
            capture_output=True,
            encoding="utf-8",
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"Error: p.txt {READ}\n")
    assert Path("p.txt").read_text() == FOUR


@pytest.mark.parametrize(
    ("target", "complaint"),
    [
        ("folder.svg", "File 'folder.svg' is a directory."),
        ("none/x.svg", "Error: none/x.svg: No such file or directory"),
        ("file/x.svg", "Error: file/x.svg: Not a directory"),
        ("x" * 300 + ".svg", ".svg: File name too long"),
    ],
)
@pytest.mark.parametrize("arguments", ["show -o", "explain -o", "compare --json"])
def test_what_cannot_be_written_is_reported_before_the_work(command, arguments, target, complaint):
    Path("folder.svg").mkdir()
    Path("file").touch()
    name, option = arguments.split()
    code, out, err = command(name, option, target, "9" * 81)
    assert (code, out) == (2, "")
    assert err.splitlines()[-1].endswith(complaint)
    assert names() == {"folder.svg", "file"}


@pytest.mark.parametrize("arguments", ["show -o", "explain --cell r1c2 -o"])
def test_a_picture_on_a_full_disk(command, arguments):
    Path("full.svg").symlink_to("/dev/full")
    assert command(*arguments.split(), "full.svg", FOUR) == (
        6,
        "",
        "Error: full.svg: No space left on device\n",
    )


def test_an_explanation_is_written_as_text_too(command):
    steps = command("explain", "--steps", PUZZLE)[1]
    assert command("explain", "--steps", "-o", "steps.txt", PUZZLE) == (0, "", "")
    assert Path("steps.txt").read_text() == steps
    assert len(steps.splitlines()) > 50


def test_one_file_takes_the_explanation_of_one_puzzle(command):
    code, out, err = command("explain", "--cell", "r1c2", "-o", "x.html", FOUR, FOUR)
    assert (code, out, names()) == (2, "", set())
    assert err.endswith("Error: -o takes one puzzle, but there are several\n")


# --- exercises --------------------------------------------------------------------------


def exercises() -> list[str]:
    return sorted(str(path) for path in Path("ex").glob("*/*"))


@pytest.mark.parametrize("written", [0, 1, 2, 3])
def test_an_exercise_that_cannot_be_written_leaves_no_half(command, monkeypatch, written):
    replace, room = os.replace, iter(range(written))

    def until_full(*paths: object) -> None:
        if next(room, None) is None:
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(*paths)

    monkeypatch.setattr(os, "replace", until_full)
    code, out, err = command("check", "--make-solutions", "ex", FOUR, FOUR)
    whole = written // 2
    files = [f"ex/instances/ex00{n + 1}.lp" for n in range(whole)]
    assert (code, out.splitlines()) == (6, files)
    assert err.count("\n") == 1
    assert err.endswith("No space left on device\n")
    assert exercises() == files + [f"ex/solutions/ex00{n + 1}.json" for n in range(whole)]


def test_two_programs_that_fill_one_folder_do_not_mix():
    first, second = Exercise("ex"), Exercise("ex")
    first.add(FOUR)
    before = {name: Path(name).read_bytes() for name in exercises()}
    with pytest.raises(FileExistsError, match="another program writes to this folder"):
        second.add("1" + "." * 15)
    assert {name: Path(name).read_bytes() for name in exercises()} == before
    assert list(before) == ["ex/instances/ex001.lp", "ex/solutions/ex001.json"]


@pytest.mark.parametrize("name", ["instances/mine.lp", "solutions/ex001.json"])
def test_a_folder_with_somebody_elses_files_is_refused(command, name):
    file = Path("ex", name)
    file.parent.mkdir(parents=True)
    file.write_text("mine")
    code, out, err = command("check", "--make-solutions", "ex", FOUR)
    assert (code, out) == (2, "")
    assert f"{file.parent} already holds *{file.suffix} files; give a new folder" in err
    assert exercises() == [str(file)]
    assert file.read_text() == "mine"
