"""Shares of a run: who gets which item, and one result of all records."""

import json
import re
from collections import Counter
from random import Random

import pytest
from helpers.command_line import run, spawned

from pylogic_sudoku.files import resource
from pylogic_sudoku.questions.shares import InvalidRecords, Share, Sharing, merged

QUEENS = resource("problems/queens")


def said(*arguments, code=0):
    ended = run(*map(str, arguments))
    assert ended.returncode == code, ended.stderr
    assert "Traceback" not in ended.stderr
    return ended


@pytest.mark.parametrize("number", [1, 2, 3, 7, 40])
def test_each_item_is_in_one_share_and_shares_are_of_like_size(number):
    keys = [f"item {each % 20}" for each in range(30)]  # some are there twice
    shares = [Share(each + 1, number).positions(keys) for each in range(number)]
    assert sorted(at for each in shares for at in each) == list(range(30))
    sizes = [*map(len, shares)]
    assert max(sizes) - min(sizes) <= 1


def test_the_order_of_the_items_does_not_matter():
    keys = [f"item {each}" for each in range(50)]
    other = Random(1).sample(keys, 50)
    for number in (1, 2, 3):
        mine = {keys[at] for at in Share(number, 3).positions(keys)}
        assert mine == {other[at] for at in Share(number, 3).positions(other)}


def test_shares_are_the_same_on_every_machine():
    """A release that deals in another way would mix up shares of two versions."""
    assert Share(2, 3).positions([*"abcdefghij"]) == [1, 3, 9]


def test_neighbours_go_to_different_shares():
    """Every second item is a hard one; no share gets all of them."""
    keys = [f"{at:03} {'hard' if at % 2 else 'easy'}" for at in range(100)]
    hard = [sum(at % 2 for at in Share(number, 2).positions(keys)) for number in (1, 2)]
    assert min(hard) > 15


@pytest.mark.parametrize("text", ["0/3", "4/3", "3", "1/", "/3", "a/b", "1/2/3", "-1/3", "1/0", ""])
def test_what_is_no_share_is_refused(text):
    with pytest.raises(ValueError, match=r"is not a share; expected K/N with K from 1 to N"):
        Share.parse(text)


# --- records that are not those of one run ---


def written(folder, share, items="abcde", name=None, **question):
    """Write the record of a share."""
    file = folder / (name or f"{str(share).replace('/', '-of-')}.jsonl")
    with file.open("w") as out:
        both = [(each, f"the {each}") for each in items]
        sharing = Sharing(
            Share.parse(share), "compare", question, both, lambda line: print(line, file=out)
        )
        for at in sharing.positions:
            sharing.add(at, found=items[at])
    return file


def test_records_are_in_the_order_of_the_run(tmp_path):
    files = [written(tmp_path, share, limit=1) for share in ("3/3", "1/3", "2/3")]
    found = merged(files)
    assert [each["found"] for each in found.records] == [*"abcde"]
    assert (found.command, found.question) == ("compare", {"limit": 1})


def flaws(*files):
    with pytest.raises(InvalidRecords) as error:
        merged(files)
    return str(error.value).splitlines()


def test_missing_and_repeated_shares_are_named(tmp_path):
    one, two = written(tmp_path, "1/4"), written(tmp_path, "2/4")
    assert flaws(one, two) == ["3/4, 4/4 are missing"]
    again = written(tmp_path, "1/4", name="again.jsonl")
    assert flaws(one, again, two, written(tmp_path, "3/4")) == [
        f"share 1/4 is there 2 times: {one} and {again}",
        "4/4 is missing",
    ]


def test_items_that_are_missing_or_there_twice_are_named(tmp_path):
    files = [written(tmp_path, f"{number}/2") for number in (1, 2)]
    lines = files[0].read_text().splitlines(keepends=True)
    names = [name for _, name in json.loads(lines[0])["share"]]
    files[0].write_text("".join(lines[:-1]) + lines[-1][:9])  # it was killed while it wrote
    assert flaws(*files) == [
        f"{files[0]}: share 1/2 was stopped before {names[-1]}; run it again",
    ]
    files[0].write_text("".join([*lines, lines[1], '{"item": 99}\n']))
    assert flaws(*files) == [
        f"{files[0]}: {names[0]} is there twice",
        f"{files[0]}: share 1/2 has no item 99",
    ]


def test_records_of_different_runs_are_told_apart(tmp_path):
    one = written(tmp_path, "1/2", limit=5, programs={"prolog": "ab", "clingo": "cd"})
    two = written(tmp_path, "2/2", limit=6, programs={"prolog": "xy", "clingo": "cd"})
    assert flaws(one, two) == [
        f"{two} has limit 6, but {one} 5",
        f"{two} has other programs than {one}: prolog",
    ]
    same = {"limit": 5, "programs": {"prolog": "ab", "clingo": "cd"}}
    three = written(tmp_path, "2/3", **same)
    assert flaws(one, three) == [
        f"{three} is share 2/3, but {one} is share 1/2: all must be of the same number"
    ]
    other = written(tmp_path, "2/2", items="abcdx", **same)
    assert flaws(one, other) == [f"{other} has other items than {one}, or in another order"]
    more = written(tmp_path, "2/2", items="abcdef", **same)
    assert flaws(one, more) == [f"{more} is a share of 6 items, but {one} one of 5"]


@pytest.mark.parametrize(
    "text", ["", "\n", "{}\n", "[1]\n", "3\n", "no JSON\n", '{"form": 1, "shard": "5/3"}\n']
)
def test_what_is_no_record_is_refused(tmp_path, text):
    file = tmp_path / "x.jsonl"
    file.write_text(text)
    assert flaws(file) == [
        f"{file} is not a record of a share; expected what a command with --shard K/N has written"
    ]


# --- the commands ---


@pytest.fixture
def mine(tmp_path):
    """Queens, with a Prolog program that forgets a diagonal, and one that cannot be read."""
    folder = tmp_path / "mine"
    (folder / "instances").mkdir(parents=True)
    (folder / "mine.lp").write_text((QUEENS / "queens.lp").read_text())
    text = (QUEENS / "queens.pl").read_text()
    (folder / "mine.pl").write_text(text.replace("    all_distinct(Sums),\n", ""))
    for size in (2, 3, 4):
        (folder / "instances" / f"{size}.lp").write_text(f"size({size}).\n")
    return folder


def shares(number, folder, *command, run=run):
    """Run the shares of a command; their records, and the exit codes."""
    files, codes = [], []
    for each in range(1, number + 1):
        files.append(folder / f"{each}.jsonl")
        ended = run(*map(str, command), "--shard", f"{each}/{number}", "-o", str(files[-1]))
        assert "Traceback" not in ended.stderr
        codes.append(ended.returncode)
    return files, codes


def assert_same(one, other):
    assert (other.returncode, other.stdout, other.stderr) == (
        one.returncode,
        one.stdout,
        one.stderr,
    )


@pytest.mark.slow
@pytest.mark.parametrize("form", ["text", "json", "lines"])
def test_merged_shares_of_compare_are_the_run(mine, tmp_path, form):
    """In processes of their own, since each warns of a program once."""
    command = ["compare", "-p", mine, "--no-times", "2", "3", "none", "4"]
    files, codes = shares(2, tmp_path, *command, run=spawned)
    assert 5 in codes
    logs = [tmp_path / f"{each}.log" for each in ("whole", "merged")]
    whole = spawned(*command, "-f", form, "--json", logs[0])
    assert whole.returncode == 5
    assert "Singleton variables" in whole.stdout + whole.stderr
    assert_same(whole, spawned("merge", *reversed(files), "-f", form, "--json", logs[1]))
    assert logs[0].read_bytes() == logs[1].read_bytes()


def test_times_of_shares_are_summed_up(tmp_path):
    puzzles = ["4......3...13...", "12..34......4321"]
    files, codes = shares(2, tmp_path, "compare", "-b", "clingo", "-b", "sat", *puzzles)
    assert codes == [0, 0]
    records = [*map(json.loads, said("merge", *files, "-f", "json").stdout.splitlines())]
    assert [each.get("number") for each in records] == [1, 2, None]
    worst = max(each["seconds"]["sat"] for each in records[:-1])
    assert records[-1]["summary"]["seconds"]["sat"]["worst"] == worst


@pytest.fixture
def programs(tmp_path, mine):
    """Programs for queens: right, wrong, with an error, and without any answer."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "right.lp").write_text((mine / "mine.lp").read_text())
    wrong = (mine / "mine.lp").read_text()
    (folder / "wrong.lp").write_text(re.sub(r"^:- .*", "", wrong, flags=re.MULTILINE))
    (folder / "error.lp").write_text("queen(1,1) :- size(N), N > M.\n")
    (folder / "none.lp").write_text(":- size(N).\n")
    return folder


REPORTS = ("html", "csv", "junit", "json", "text")


@pytest.mark.slow
@pytest.mark.parametrize(("form", "more"), [("text", ()), ("lines", ()), ("json", ("--brief",))])
def test_merged_shares_of_check_are_the_run(programs, tmp_path, form, more):
    command = ["check", "-p", "queens", "-e", programs, "size=3", "size=4", "--no-times"]
    files, codes = shares(3, tmp_path, *command, "--points", "wrong=0.5")
    assert Counter(codes) in ({1: 3}, {1: 2, 0: 1})
    command += ["--points", "wrong=0.5"]
    reports = {}
    for name, arguments in {"whole": command, "merged": ["merge", *files]}.items():
        for kind in REPORTS:
            arguments = [*arguments, "--report", f"{kind}={tmp_path / name}.{kind}"]
        reports[name] = said(*arguments, "-f", form, *more, code=1)
    assert_same(reports["whole"], reports["merged"])
    for kind in REPORTS:
        texts = [(tmp_path / f"{name}.{kind}").read_text() for name in reports]
        assert texts[0] == texts[1], kind


def test_pictures_survive_a_share(tmp_path):
    (tmp_path / "wrong.lp").write_text("sudoku(1,1,4).\n#show sudoku/3.\n")
    command = ["check", "-e", tmp_path / "wrong.lp", "4......3...13...", "--no-times"]
    files, codes = shares(2, tmp_path, *command)
    assert sorted(codes) == [0, 1]  # there is one program, so a share is empty
    said(*command, "--report", f"html={tmp_path / 'whole.html'}", code=1)
    ended = said("merge", *files, "--report", f"html={tmp_path / 'merged.html'}", code=1)
    assert "FAILURE" in ended.stdout
    page = (tmp_path / "merged.html").read_text()
    assert "data:image/svg+xml" in page
    assert page == (tmp_path / "whole.html").read_text()


@pytest.fixture
def small(tmp_path):
    """A problem with a line that its instance does not notice, and a mutant that survives."""
    folder = tmp_path / "small"
    (folder / "instances").mkdir(parents=True)
    (folder / "small.lp").write_text(
        "{ p(1..N) } :- size(N).\n:- p(X), X > 1.\n:- p(5).\n#show p/1.\n"
    )
    (folder / "instances" / "two.lp").write_text("size(2).\n")
    (folder / "instances.lp").write_text("1 { size(1..6) } 1.\n#show size/1.\n")
    return folder


@pytest.mark.parametrize(
    ("more", "of_merge"),
    [([], []), ([], ["-f", "cobertura"]), ([], ["--suggest"]), (["--mutants", "0"], [])],
)
def test_merged_shares_of_coverage_are_the_run(small, tmp_path, more, of_merge):
    command = ["coverage", "-p", small, *more]
    files, codes = shares(2, tmp_path, *command)
    whole, merged = run(*map(str, (*command, *of_merge))), run("merge", *map(str, files), *of_merge)
    assert whole.returncode == max(codes) == 1
    if "cobertura" in of_merge:  # it has the time
        assert len(whole.stdout.splitlines()) == len(merged.stdout.splitlines()) > 10
    else:
        assert_same(whole, merged)
        assert "small.lp:3" in whole.stdout


def test_shares_of_another_program_are_not_merged_with_this_one(small, tmp_path):
    files, _ = shares(2, tmp_path, "coverage", "-p", small)
    program = small / "small.lp"
    program.write_text(program.read_text() + ":- p(6).\n")
    ended = run("merge", *map(str, files))
    assert ended.returncode == 2
    assert "small has changed since the shares ran (programs)" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("compare --shard 3/2 1...............", "'3/2' is not a share"),
        ("compare --shard 1/2 -f json 1...............", "-f does not go with --shard: give it to"),
        ("compare --shard 1/2 --fail-fast 1...............", "--fail-fast does not go with"),
        ("compare --shard 1/2 --json x 1...............", "--json does not go with --shard"),
        ("check --shard 1/2 --brief -e x.lp 1...............", "--brief does not go with"),
        ("class . -p queens --shard 1/2 --csv x", "--csv does not go with --shard"),
        ("coverage -p queens --shard 1/2 --record x", "--record does not go with --shard"),
        ("coverage -p queens --shard 1/2 --suggest", "--suggest does not go with --shard: give it"),
        ("merge none.jsonl", "'none.jsonl' does not exist"),
    ],
)
def test_what_does_not_go_with_a_share_is_refused(arguments, message):
    ended = said(*arguments.split(), code=2)
    assert message in re.sub(r"\s+", " ", ended.stderr)


def test_what_cannot_be_merged_is_refused_without_a_traceback(tmp_path):
    file = written(tmp_path, "1/1")
    text = file.read_text()
    file.write_text(text.replace('"compare"', '"certify"'))
    assert "a record of certify" in said("merge", file, code=2).stderr
    file.write_text(text)
    assert "-f html is not a format of compare" in said("merge", file, "-f", "html", code=2).stderr
    assert "--report is of check" in said("merge", file, "--report", "csv=x", code=2).stderr
    assert "not a record of compare" in said("merge", file, code=2).stderr
