"""The folder of the playground: what is in it, as far as no browser is needed."""

from __future__ import annotations

import json
import re
import shutil

from helpers.programs import resource

STATIC = resource("pylogic_sudoku/serve/static")
SOURCE = resource("playground")


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def texts(name, pattern):
    folder = resource(name)
    return {path.relative_to(folder).as_posix(): path.read_text() for path in folder.rglob(pattern)}


def test_the_programs_are_those_of_the_repository(playground):
    programs = json.loads((playground / "programs.json").read_text())
    encodings = texts("encodings", "*.lp")
    assert programs["encodings"] == {name: encodings[name] for name in ("sudoku.lp", "houses.lp")}
    assert programs["prolog"] == texts("prolog", "*.pl")
    for version in programs["versions"].values():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)


def test_the_page_is_that_of_the_server(playground, playground_script):
    theirs = files(STATIC) - {*playground_script.OF_THE_SERVER, "index.html"}
    assert theirs <= files(playground)
    for name in theirs - {"answerer.js", "editor.js"}:  # which the playground has in its own way
        assert (playground / name).read_bytes() == (STATIC / name).read_bytes(), name
    page = (playground / "index.html").read_text().splitlines()
    lines = (STATIC / "index.html").read_text().splitlines()
    other = [line for line in lines if line not in page]
    assert len(other) == 2  # what can be read, and the link to the API
    added = [line.strip() for line in page if line not in lines]
    scripts = [line for line in added if "modulepreload" in line or "<script" in line]
    policy = [line for line in added if "Content-Security-Policy" in line]
    assert len(added) == len(scripts) + len(policy) + len(other)


def test_every_script_is_fetched_at_once(playground):
    page = (playground / "index.html").read_text()
    fetched = set(re.findall(r'modulepreload" href="([^"]+)"', page))
    assert {"main.js", "answerer.js", "answers/engines.js", "puzzle.js"} <= fetched
    assert fetched <= files(playground)


def test_the_page_works_offline_with_all_files_of_the_folder(playground):
    worker = (playground / "offline.js").read_text()
    names = json.loads(re.search(r"FILES = (\[.*\]);", worker)[1])
    assert len(names) == len(set(names))
    assert {*names, "index.html", "offline.js"} == files(playground) | {"./"}


def test_the_version_of_the_folder_changes_with_any_file(playground_script, tmp_path):
    def version():
        shutil.copy(SOURCE / "offline.js", tmp_path)
        playground_script.keep_offline(tmp_path)
        return re.search(r'VERSION = "(\w{16})"', (tmp_path / "offline.js").read_text())[1]

    (tmp_path / "a.js").write_text("1")
    first = version()
    assert version() == first
    (tmp_path / "a.js").write_text("2")
    second = version()
    (tmp_path / "a.js").rename(tmp_path / "b.js")
    assert len({first, second, version()}) == 3


def test_what_it_is_built_with_is_pinned():
    wanted = json.loads((SOURCE / "package.json").read_text())["dependencies"]
    assert {"clingo-wasm", "swipl-wasm"} <= set(wanted)
    for name, version in wanted.items():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version), name


def test_the_folder_is_small_and_has_all_licences(playground, playground_script):
    assert playground_script.compressed(playground) < 4_000_000
    page = (playground / "licences.html").read_text()
    wanted = json.loads((SOURCE / "package.json").read_text())["dependencies"]
    for name in {*wanted} - {*playground_script.TOOLS}:
        assert f"<h2>{name} {wanted[name]}: " in page
    for part in ("clasp", "Lua", "LibBF", "zlib", "PCRE2"):
        assert part in page


def test_without_npm_the_reason_is_said(playground_script, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(playground_script, "PACKAGES", tmp_path / "packages")
    monkeypatch.setattr(playground_script, "LOG", tmp_path / "log")
    monkeypatch.setattr(playground_script.shutil, "which", lambda name: None)
    assert playground_script.main([str(tmp_path / "out")]) == 1
    assert "npm, which is not here: install Node.js" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()
