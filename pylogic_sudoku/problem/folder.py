"""Problems as folders.

``queens/queens.lp`` states it for clingo and ``queens/queens.pl`` for Prolog,
``queens/instances/`` has its instances, which are facts, and ``queens/problem.toml`` whatever these
do not say. `Problem` reads such a folder, and knows no engine. `bundled` lists the problems that
come with the package.

>>> queens = Problem("queens")
>>> print(queens.instance("size(8)."))
size(8).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property, lru_cache
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InvalidProblem, choice, listed, shown
from ..files import located
from . import Instance
from .atoms import Signature, signature_of
from .clauses import read_clauses
from .facts import Constants, InstanceFacts, checked_constants, read_facts
from .languages import COMMANDS, DIALECTS, Dialect, checked_commands
from .search import checked_search, split_name
from .text import check_program, plain, read_text

if TYPE_CHECKING:
    from clingo.ast import AST

__all__ = ["Problem", "bundled", "declared", "inputs_of", "loaded_by"]
__all__ += ["pair_predicates", "template_words", "terms_in", "whole_text", "with_loaded"]

RESERVED = ("instances.lp", "draw.lp", "check.lp", "adapter.pl", "cases.pl")
"""Files of a problem's folder that do not state the problem."""
_THEORY = re.compile(r'"(?:\\.|[^"\\])*"|%\*.*?\*%|%[^\n]*|(&)', re.DOTALL)
_VALUES = re.compile(r"([a-z]\w*)=([^\s,=]+)(?:[,\s]+|$)", re.ASCII)


class Problem:
    """A folder with programs that state the same problem, and instances.

    >>> import pylogic_sudoku as pls
    >>> board = Problem("queens").instance("size(6).")
    >>> pls.count(board), pls.compare(board).agree
    (4, True)

    Two problems are equal if they are the same folder with the same search. Programs and instances
    are read whenever they are needed, so they may change.

    Args:
        where: A folder, or the name of a bundled problem.
        search: Options of the search, by the name of an engine or a program, which count instead of
            those that ``problem.toml`` has for it: ``{"prolog": ["ffc"], "clingo":
            ["--configuration=handy"]}``.

    Raises:
        InvalidProblem: If there is no such folder, if its ``problem.toml`` cannot be read, if it
            has no program and that file does not say what answers consist of either, or if an
            engine does not take an option.
    """

    def __init__(
        self, where: str | os.PathLike[str], search: Mapping[str, Sequence[str]] = {}
    ) -> None:
        self.folder = _folder(where)
        self.name = self.folder.name
        self.chosen_search = checked_search(search, "search")
        """The options of the search that were given, by the name of an engine or a program."""
        outputs = self._settings.get("output")  # an error in the file is raised now
        if not self.paths and not outputs and not self.cases:
            raise InvalidProblem(
                f"{self.folder} has no program; expected {self.name}.lp for clingo, or"
                f" {self.name}.pl for Prolog"
            )
        for where, choices in self._choices.items():
            for name in choices:
                try:
                    _ = ":" in name and self.path(name)
                except InvalidProblem as error:
                    raise InvalidProblem(f"{where}: {error}") from None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Problem):
            return False
        return self.folder == other.folder and self.chosen_search == other.chosen_search

    def __hash__(self) -> int:
        return hash(self.folder)

    def __repr__(self) -> str:
        return f"Problem({self.name!r})"

    # --- programs ---

    @property
    def paths(self) -> dict[str, Path]:
        """The file of each program, by the name of the backend that runs it.

        The main program of an engine has the engine's name; others are called
        ``"prolog:queens_dual"``.
        """
        files = sorted(self.folder.glob("*.[lp][pl]"))
        files = [each for each in files if each.suffix in (".lp", ".pl") and each.is_file()]
        paths: dict[str, Path] = {}
        for engine, dialect in DIALECTS.items():
            own = [each for each in files if each.name not in RESERVED and _is_for(dialect, each)]
            own = _without_helpers(own, self._names(engine))
            if main := self._main(engine, own):
                paths[engine] = main
            paths |= {f"{engine}:{each.stem}": each for each in own if each != main}
        return paths

    @property
    def cases(self) -> Path | None:
        """The file of the goals that programs are graded on: ``cases.pl``, or tests of plunit.

        None if answers to instances are compared.
        """
        named = self.folder / "cases.pl"
        tests = sorted(self.folder.glob("*.plt"))
        return named if named.is_file() else tests[0] if len(tests) == 1 else None

    @property
    def references(self) -> dict[str, Path]:
        """The programs that say what is right: those of `paths` without templates for students.

        If the main program of an engine is a template, other files of its language do not count
        either: they may draw answers, say.
        """
        paths = self.paths
        begun = {name for name, path in paths.items() if template_words(path)}
        return {
            name: path
            for name, path in paths.items()
            if begun.isdisjoint({name, name.partition(":")[0]})
        }

    def _names(self, engine: str) -> tuple[str, str]:
        """The names that the main program of an engine may have."""
        return self.name, f"{self.name}_{engine}"

    def _main(self, engine: str, files: list[Path]) -> Path | None:
        """The program that is called as the folder is, or the only one there is."""
        named = [each for each in files if each.stem in self._names(engine)]
        if named:
            return named[0]
        if len(files) > 1:
            files = [each for each in files if not template_words(each)]
        return files[0] if len(files) == 1 else None

    def path(self, backend: str) -> Path:
        """The file of a program.

        An engine of another package runs the programs of ours for its language.

        Args:
            backend: The name of the backend that runs it; ``"prolog:my.pl"`` is any other file.

        Raises:
            InvalidProblem: If there is no such program.
        """
        known = self.paths
        backend, _ = split_name(backend)
        engine, _, which = backend.partition(":")
        there = ", ".join(known) or "none"
        if engine not in DIALECTS:
            runs = import_module(Instance.choice).runs_as(engine)
            if runs is None:
                raise InvalidProblem(f"there is no engine {engine!r}; choose one of {there}")
            engine, backend = runs, f"{runs}:{which}" if which else runs
        if backend in known:
            return known[backend]
        if engine not in DIALECTS:
            raise InvalidProblem(f"{engine} takes sudokus only; choose one of {there}")
        ending = DIALECTS[engine].ending
        if which.endswith(ending):
            path = Path(which) if Path(which).is_file() else self.folder / which
            if path.is_file():
                return path
            raise InvalidProblem(f"there is no file {which}")
        others = [name for name in known if name.partition(":")[0] == engine]
        if which or not others:
            missing = backend if which else f"for {engine}{self._instead(engine)}"
            raise InvalidProblem(f"{self.folder} has no program {missing}; there is {there}")
        names = " and ".join(known[name].name for name in others)
        raise InvalidProblem(
            f"{self.folder} has {names}, and it is not clear which of them is meant by {engine};"
            f" call one of them {self.name}{ending}, or ask for {others[0]}"
        )

    def _instead(self, engine: str) -> str:
        """The file that seems to be for an engine, and is for another one."""
        if engine == "prolog":
            return f", {self.name}.pl"
        main = self.folder / f"{self.name}.lp"
        if not main.is_file():
            return f", {self.name}.lp"
        has = "no theory atoms, such as &sum" if engine == "clingcon" else "theory atoms"
        return f": {main.name} has {has}"

    # --- the description of the problem, and its sources ---

    @cached_property
    def _settings(self) -> dict[str, Any]:
        file = self.folder / "problem.toml"
        if not file.is_file():
            return {}
        import tomllib

        try:
            settings = tomllib.loads(read_text(file))
        except ValueError as error:
            if isinstance(error, InvalidProblem):
                raise
            raise InvalidProblem(f"{file}: {error}") from None
        known: dict[str, type] = {"title": str, "output": list, "input": list}
        known |= {"search": dict, "commands": dict, "description": str, "show_comments": bool}
        known |= {"first": str}
        for name, value in settings.items():
            if name not in known:
                raise InvalidProblem(f"{file}: there is no setting {name!r}; {choice(name, known)}")
            if not isinstance(value, known[name]):
                raise InvalidProblem(f"{file}: {name} is {shown(value)}; {_EXPECTED[name]}")
        for name in ("output", "input"):
            try:
                settings[name] = tuple(map(signature_of, settings.get(name, ())))
            except (ValueError, AttributeError) as error:
                raise InvalidProblem(f"{file}: {name}: {error}") from None
        settings["search"] = checked_search(settings.get("search", {}), f"{file}: search")
        checked_commands(settings.get("commands", {}), f"{file}: commands")
        return settings

    @property
    def commands(self) -> Mapping[str, str]:
        """The commands that ``problem.toml`` suggests as engines, by name; none of them runs.

        A folder may be somebody else's, so only its user can name a command.
        """
        commands: Mapping[str, str] = self._settings.get("commands", {})
        return commands

    def search(self, backend: str) -> tuple[str, ...]:
        """The options with which a program searches; those for the program itself come first.

        Without any, the search is that of the engine.

        Args:
            backend: The name of the backend that runs the program. Options in it count instead of
                any others: ``"clingo --configuration=handy"``.
        """
        backend, options = split_name(backend)
        if options:
            return options
        engine = backend.partition(":")[0]
        for choices in self._choices.values():
            for name in (backend, engine):
                if name in choices:
                    return choices[name]
        return ()

    @property
    def _choices(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """The options of the search by where they stand, those that count first."""
        in_file = self._settings.get("search", {})
        return {
            "search": self.chosen_search,
            f"{self.folder / 'problem.toml'}: search": in_file,
        }

    @property
    def title(self) -> str:
        """The title in ``problem.toml``, or the first line of a program's head.

        With cases it is the name, since the head of a reference may give it away.
        """
        if title := self._settings.get("title"):
            return str(title)
        if self.cases:
            return self.name
        for path in self.references.values():
            first = path.read_text(encoding="utf-8", errors="replace").partition("\n")[0]
            if first.startswith("%") and first.lstrip("% "):
                return first.lstrip("% ").strip()
        return self.name

    @property
    def description(self) -> str:
        """The text for students on what a program is to do; empty if ``problem.toml`` has none."""
        return str(self._settings.get("description", ""))

    @property
    def shows_comments(self) -> bool:
        """True if students may see the comments at the predicates of the reference."""
        return bool(self._settings.get("show_comments", False))

    @property
    def outputs(self) -> frozenset[Signature]:
        """The predicates that answers consist of; none if nothing names them.

        ``problem.toml`` names them, or else the ``#show`` statements of the program for clingo,
        unless they show terms.
        """
        if outputs := self._settings.get("output"):
            return frozenset(outputs)
        path = self.paths.get("clingo")
        about = declared(path) if path else Declared()
        return frozenset() if about.terms else about.shown  # terms are shown as well

    @property
    def inputs(self) -> frozenset[Signature]:
        """The predicates of instances, which may have no fact.

        ``problem.toml`` names them, or else they are those that the program for clingo names by
        ``#defined``, those of the instances in the folder, and those that ``instances.lp`` shows.
        """
        if inputs := self._settings.get("input"):
            return frozenset(inputs)
        path = self.paths.get("clingo")
        signatures = set(declared(path).inputs) if path else set()
        signatures |= declared(self.folder / "instances.lp").shown
        for path in instance_files(self.folder / "instances"):
            with suppress(InvalidProblem):  # the error is for those who ask about this instance
                facts = contents_of(read_text(path), str(path)).facts
                signatures |= {fact.signature for fact in facts}
        return frozenset(signatures)

    # --- instances ---

    @property
    def instances(self) -> Mapping[str, Instance]:
        """The instances in the folder ``instances``, by name; the shortest name first."""
        return _Instances(self)

    @property
    def first(self) -> str:
        """The name of the instance to begin with; empty if there are no instances.

        ``problem.toml`` names it, or else it is the fourth, which is neither trivial nor large.

        Raises:
            InvalidProblem: If there is no instance of this name.
        """
        names = list(self.instance_paths)
        wanted = self._settings.get("first")
        if wanted is None:
            return names[min(3, len(names) - 1)] if names else ""
        if wanted not in names:
            file = self.folder / "problem.toml"
            raise InvalidProblem(
                f"{file}: first: there is no instance {wanted!r}; {choice(wanted, names)}"
            )
        return str(wanted)

    def instance(
        self, which: str | os.PathLike[str] = "", constants: Mapping[str, int | str] = {}
    ) -> Instance:
        """An instance: facts as text, a file, or the name of one in the folder ``instances``.

        Args:
            which: The facts, the file or the name. The fact ``size(8).`` may be written
                ``"size=8"``.
            constants: The values that constants have whatever ``#const`` says, as by ``-c`` of
                clingo: ``{"n": 8}``. A text is a name or a term of ASP.

        Raises:
            InvalidProblem: If the file does not exist, if something in it is not a fact, or if
                neither it nor any program has one of the constants.
        """
        given = checked_constants(constants)
        if not isinstance(which, str | os.PathLike):
            raise TypeError(f"{shown(which)} is not an instance; expected a file, or {_FACTS}")
        text = os.fspath(which)
        if isinstance(which, str) and text in self.instances:
            return self._of_file(self.instance_paths[text], given)
        if isinstance(which, os.PathLike) or text.endswith(INSTANCES):
            near = Path(text) if Path(text).exists() else self.folder / text
            return self._of_file(near if near.exists() else Path(text), given)
        if _VALUES.match(text):
            pairs = _VALUES.findall(text)
            if _VALUES.sub("", text):
                raise InvalidProblem(f"{text!r} is not an instance; expected size=8, or {_FACTS}")
            text = " ".join(f"{name}({value})." for name, value in pairs)
        elif re.fullmatch(r"[\w./-]*\w", text):
            known = ", ".join(self.instances) or "none"
            raise InvalidProblem(
                f"{self.name} has no instance {text!r}; there is {known}. Expected one of these, a"
                f" file, or {_FACTS}"
            )
        return self._read(text, "instance", constants=given)

    @property
    def instance_paths(self) -> dict[str, Path]:
        """The files in the folder ``instances`` by the names of the instances."""
        return {each.stem: each for each in instance_files(self.folder / "instances")}

    def _of_file(self, path: Path, constants: Constants = ()) -> Instance:
        return self._read(read_text(path), str(path), path.stem, constants)

    def _read(self, text: str, where: str, name: str = "", constants: Constants = ()) -> Instance:
        """The instance in a text; InvalidProblem if a fact stands there instead of an input."""
        instance = read_instance(self, text, where, name, constants)
        for constant, _ in constants:
            if not re.search(rf"(?<!\w){constant}(?!\w|\s*\()", _NO_TERM.sub("", text)):
                self._must_mention(constant)
        for unread in self._unread(instance):
            there = {fact.signature for fact in instance.facts}
            if _is_near(unread, [each for each in self._wanted() if each not in there]):
                raise self._not_an_input(unread, where)
        return instance  # other facts may be notes

    def _must_mention(self, constant: str) -> None:
        """InvalidProblem if no program of the folder has the constant."""
        if (constant, 0) not in _mentioned(self._stamps):
            raise InvalidProblem(
                f"-c {constant}: neither the instance nor a program of {self.name} has such a"
                " constant"
            )

    def must_read(self, instance: Instance, where: str = "instance") -> None:
        """Raise an error for a fact that no program reads, if it is known what they read.

        Args:
            instance: The instance.
            where: The name of the instance in the message.

        Raises:
            InvalidProblem: If there is such a fact.
        """
        if (unread := self._unread(instance)) and self._wanted():
            raise self._not_an_input(unread[0], where)

    def _unread(self, instance: Instance) -> list[Signature]:
        """The predicates of facts that no program of the folder mentions."""
        signatures = {fact.signature for fact in instance.facts}
        texts = self._stamps
        if not texts or signatures <= (read := _mentioned(texts)):
            return []
        return sorted(signatures - read - frozenset(self._settings.get("input", ())))

    @property
    def _stamps(self) -> tuple[Stamp, ...]:
        """The programs of the folder, as they are now."""
        paths = (path for end in ("lp", "pl") for path in sorted(self.folder.glob(f"*.{end}")))
        return tuple(map(_stamp, paths))

    def _wanted(self) -> frozenset[Signature]:
        """The inputs, without those that only some instance has."""
        path = self.paths.get("clingo")
        about = declared(path) if path else Declared()
        named = frozenset(self._settings.get("input", ()))
        return named or about.inputs | about.uses or self.inputs

    def _not_an_input(self, predicate: Signature, where: str) -> InvalidProblem:
        inputs = listed(f"{name}/{arity}" for name, arity in sorted(self._wanted()))
        unread = f"{predicate[0]}/{predicate[1]}"
        return InvalidProblem(f"{where}: {self.name} takes {inputs}, not {unread}")


def inputs_of(problem: Problem | None) -> frozenset[Signature]:
    """The inputs of the problem; none if there is none."""
    return problem.inputs if problem else frozenset()


def read_instance(
    problem: Problem, text: str, where: str, name: str = "", constants: Constants = ()
) -> Instance:
    """The instance that a text states, with the values of some constants.

    InvalidProblem, with the line, for a statement from which no fact follows; `where` is the name
    of the text in errors.
    """
    contents = contents_of(text, where, constants)
    return Instance(problem, contents.facts, name, contents.constants)


INSTANCES = (".lp", ".pl")
"""The endings of files of instances: facts of ASP, or of Prolog."""


def contents_of(text: str, where: str, constants: Constants = ()) -> InstanceFacts:
    """The facts of a text, in the syntax that the ending of its name says."""
    if where.endswith(".pl"):
        return InstanceFacts(read_clauses(text, where), constants)
    return read_facts(text, where, constants)


def instance_files(folder: Path) -> list[Path]:
    """The files of instances in a folder, the shortest name first, and one for each name.

    InvalidProblem if a name has two.
    """
    files = [each for each in folder.glob("*") if each.suffix in INSTANCES]
    files.sort(key=lambda each: (len(each.stem), each.stem, each.suffix))
    for one, other in pairwise(files):
        if one.stem == other.stem:
            raise InvalidProblem(
                f"{one} and {other.name} are two instances of one name; rename one"
            )
    return files


_EXPECTED = {
    "title": "expected a text",
    "description": "expected a text",
    "show_comments": "expected true or false",
    "first": "expected the name of an instance",
    "output": 'expected a list of predicates: ["queen/2"]',
    "input": 'expected a list of predicates: ["size/1"]',
    "search": 'expected a table of lists: prolog = ["ffc"]',
    "commands": COMMANDS,
}
_FACTS = "facts such as 'size(8).'"


class _Instances(Mapping[str, Instance]):
    """The instances in a problem's folder, each read on demand."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    @cached_property
    def _files(self) -> dict[str, Path]:
        return self.problem.instance_paths

    def __getitem__(self, name: str) -> Instance:
        return self.problem._of_file(self._files[name])

    def __contains__(self, name: object) -> bool:
        return name in self._files

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def __repr__(self) -> str:
        return f"<instances of {self.problem.name}: {', '.join(self)}>"


def bundled() -> tuple[Problem, ...]:
    """The problems that are part of the package, by name."""
    return tuple(map(Problem, _bundled_folders()))


def _folder(where: str | os.PathLike[str]) -> Path:
    path = Path(where)
    if path.is_dir() and (any(path.glob("*.lp")) or any(path.glob("*.pl"))):
        return path.resolve()
    ours = Path(located("problems"))
    if isinstance(where, str) and re.fullmatch(r"\w+", where) and (ours / where).is_dir():
        return (ours / where).resolve()
    if path.is_dir():
        return path.resolve()
    if path.is_file():
        raise InvalidProblem(f"{path} is a file; name the folder that it is in")
    known = [each.name for each in _bundled_folders()]
    which = f"{choice(where, known)}; or " if known else ""
    raise InvalidProblem(f"there is no problem {os.fspath(where)!r}; {which}name a folder")


def _bundled_folders() -> list[Path]:
    """The folders of the problems that are part of the package, by name."""
    ours = Path(located("problems"))
    return sorted(each for each in ours.iterdir() if each.is_dir()) if ours.is_dir() else []


_ANSWERS = re.compile(r"^(?:model|answer)\(", re.MULTILINE)
_LOADS = re.compile(
    r"^:-\s*(?:use_module|ensure_loaded|consult|include|load_files|reexport)\(\s*([^)]*)"
    r"|^:-\s*\[([^]]*)|^#include\s*\"([^\"]+)",
    re.MULTILINE,
)


_TEST = re.compile(r"(?:^|_)tests?(?:_|$)")
"""The name of a file with tests of a program."""


def _without_helpers(paths: list[Path], names: Sequence[str]) -> list[Path]:
    """The programs of a language, without files that others load and that define no answers.

    Nor with files of tests, if there are others. A file of one of these names is always a program.
    """
    if len(paths) < 2:
        return paths
    own = [each for each in paths if each.stem in names or not _TEST.search(each.stem)] or paths
    loaded = {each.resolve() for path in own for each in loaded_by(path) if each != path}
    return [
        path
        for path in own
        if path.stem in names
        or path.resolve() not in loaded
        or (path.suffix == ".pl" and _ANSWERS.search(_readable(path)))
    ]


def _readable(path: Path) -> str:
    """The text of a file, whatever its bytes are."""
    return path.read_text(encoding="utf-8-sig", errors="replace")


def _is_for(dialect: Dialect, path: Path) -> bool:
    if path.suffix != dialect.ending:
        return False
    return dialect.language != "asp" or has_theory(path) == dialect.theory


# --- what an ASP program declares ---


class Declared(NamedTuple):
    """Properties of an ASP program that are known without grounding it."""

    shown: frozenset[Signature] = frozenset()
    """The predicates that ``#show`` names."""
    inputs: frozenset[Signature] = frozenset()
    """The predicates that ``#defined`` names."""
    uses: frozenset[Signature] = frozenset()
    """The predicates of atoms for which no rule has a head."""
    heads: frozenset[Signature] | None = None
    """The predicates of the atoms in heads of rules; None if that is not known."""
    terms: bool = False
    """True if ``#show`` has a term that is shown under a condition."""
    optimizes: bool = False
    """True if something is minimized or maximized."""
    theory: bool = False
    """True if there are theory atoms, such as ``&sum``, which clingo alone cannot read."""
    lacks: str = ""
    """The rules that it lacks to state anything, such as "no rule"; empty if it has some."""


_TERM = re.compile(r"(?<![\w'])([a-z]\w*)(\()?", re.ASCII)
_VARIABLE = re.compile(r"\s*(?:-|(#<==>))\s*[A-Z_]")
_NO_TERM = re.compile(
    r"'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|/\*.*?\*/|%\*.*?\*%|%[^\n]*", re.DOTALL
)


def _terms(path: Path) -> Iterator[tuple[Signature, str]]:
    """The terms that a program writes down, and the text after each."""
    with suppress(InvalidProblem):  # the engine reports it, as soon as it is asked
        yield from terms_in(read_text(path))


def terms_in(program: str) -> Iterator[tuple[Signature, str]]:
    """The predicates of the terms in a text, and the text after each; strings are left out."""
    text = _NO_TERM.sub('""', program)
    for match in _TERM.finditer(text):
        end, commas, depth, pool = match.end(), 0, 1 if match[2] else 0, False
        while depth and end < len(text):
            depth += (text[end] in "([{") - (text[end] in ")]}")
            pool = pool or (depth == 1 and text[end] == ";")  # each part has all arguments
            commas += depth == 1 and text[end] == "," and not pool
            end += 1
        yield (match[1], commas + 1 if match[2] else 0), text[end : end + 40]


def _is_near(predicate: Signature, others: list[Signature]) -> bool:
    """True if one of the others has the same name, or about the same and as many arguments."""
    name, arity = predicate
    if name in {known for known, _ in others}:
        return True
    from difflib import get_close_matches  # seldom needed, and slow to import

    return bool(get_close_matches(name, [known for known, number in others if number == arity]))


Stamp = tuple[Path, int, int]
"""A file, when it was changed, and its size."""


def _stamp(path: Path) -> Stamp:
    status = path.stat()
    return path, status.st_mtime_ns, status.st_size


@lru_cache(64)
def _mentioned(files: tuple[Stamp, ...]) -> frozenset[Signature]:
    """The predicates that are mentioned in files, and in what these load."""
    waiting, seen = [path for path, _, _ in files], set[Path]()
    signatures: set[Signature] = set()
    while waiting:
        path = waiting.pop()
        if path.resolve() in seen:
            continue
        seen.add(path.resolve())
        signatures.update(signature for signature, _ in _terms(path))
        waiting += loaded_by(path)
    return frozenset(signatures)


def loaded_by(path: Path) -> Iterator[Path]:
    """The files that a program loads or includes."""
    yield from _loaded_in(_readable(path), path.parent)


def _loaded_in(text: str, folder: Path) -> Iterator[Path]:
    """The files of a folder that the directives in a text load."""
    for match in _LOADS.finditer(text):
        for name in re.findall(r"[\w./-]+", next(filter(None, match.groups()), "")):
            for file in (folder / name, folder / f"{name}.pl"):
                if file.is_file():
                    yield file


def with_loaded(program: Path) -> list[Path]:
    """The file of a program, and those that it loads or includes, at any depth."""
    waiting, files = [program], dict[Path, None]()
    while waiting:
        path = waiting.pop(0).resolve()
        if path not in files:
            files[path] = None
            waiting += loaded_by(path)
    return list(files)


_LOADING = re.compile(
    r"^:-\s*(?:(?:use_module|ensure_loaded|consult|include|reexport)\(.*?\)|\[.*?\])\s*\.[^\S\n]*$",
    re.MULTILINE | re.DOTALL,
)
_MODULE = re.compile(r"^:-\s*module\(.*?\)\s*\.[^\S\n]*$", re.MULTILINE | re.DOTALL)


def whole_text(program: Path) -> str:
    """The text of a Prolog program, with each local file in place of the directive that loads it.

    No file is there twice, and none is a module.
    """
    known = set[Path]()

    def of(path: Path) -> str:
        known.add(path.resolve())

        def put(match: re.Match[str]) -> str:
            files = list(_loaded_in(match[0], path.parent))
            return "".join(of(each) for each in files if each.resolve() not in known) or (
                "" if files else match[0]
            )

        text = _LOADING.sub(put, _readable(path))
        return _MODULE.sub("", text) if path != program else text

    return of(program)


def template_words(path: Path) -> str:
    """The words on what a file lacks that students are to complete; empty for a whole program.

    An ASP program lacks any rule, or a rule for what it shows; one for Prolog has no clause.
    """
    if path.suffix != ".pl":
        lacks = declared(path).lacks
    else:
        lacks = "" if any(map(_has_clause, with_loaded(path))) else "no clause"
    return f"{path.name} holds {lacks}" if lacks else ""


def _has_clause(path: Path) -> bool:
    """True if a Prolog program has more than directives and comments."""

    def without(match: re.Match[str]) -> str:
        return " " if match[0][0] in "/%" else "a"

    statements = re.split(r"\.(?=\s|$)", _NO_TERM.sub(without, _readable(path)))
    return any(re.match(r"\s*(?![:?]-|\s)", each) and each.strip() for each in statements)


def pair_predicates(path: Path) -> frozenset[Signature]:
    """The predicates of the pairs ``Name(Arguments…)-Variable`` that a Prolog program writes down.

    And those of ``Atom #<==> Variable``. None unless it defines a model. The text is read, and
    nothing of it is run.
    """
    terms = list(_terms(path))
    if not any(name == "model" for (name, _), _ in terms):
        return frozenset()
    found = ((name, arity, _VARIABLE.match(after)) for (name, arity), after in terms)
    return frozenset((name, arity + (not pair[1])) for name, arity, pair in found if pair)


def has_theory(path: Path) -> bool:
    """True if an ASP program has theory atoms, such as ``&sum``, which clingo alone cannot read."""
    return declared(path).theory


def declared(path: Path) -> Declared:
    """The declarations of an ASP program; if it cannot be read, whether it seems to be a theory."""
    try:
        status = path.stat()
        return _declared_in(path, (status.st_mtime_ns, status.st_size))
    except OSError:
        return Declared()


@lru_cache(64)
def _declared_in(path: Path, _changed: object) -> Declared:
    from clingo.ast import ASTType, parse_files

    shown_: set[Signature] = set()
    inputs: set[Signature] = set()
    atoms: set[Signature] = set()
    heads: set[Signature] = set()
    theory = terms = optimizes = states = is_open = False

    def take(statement: AST) -> None:
        nonlocal theory, terms, optimizes, states, is_open
        kind = statement.ast_type
        if kind == ASTType.ShowSignature and statement.name:
            sign = "" if statement.positive else "-"
            shown_.add((sign + statement.name, statement.arity))
        elif kind == ASTType.ShowTerm:
            terms = True
        elif kind == ASTType.Minimize:
            optimizes = True
        elif kind == ASTType.Defined:
            inputs.add((statement.name, statement.arity))
        elif kind == ASTType.External:
            heads.update(_predicates(statement.atom))
            states = True
        elif kind == ASTType.Script:
            is_open = True
        elif kind == ASTType.Rule:
            states = True
            parts = [statement.head, *(getattr(each, "atom", each) for each in statement.body)]
            theory = theory or any(each.ast_type == ASTType.TheoryAtom for each in parts)
            heads.update(_predicates(statement.head, conditions=False))
            atoms.update(_predicates(statement))

    try:
        check_program(path)
        with plain(path) as name:
            parse_files([name], take, logger=lambda *_: None)
    except (RuntimeError, InvalidProblem):  # the engine reports the line, as soon as it is asked
        text = path.read_text(encoding="utf-8", errors="replace")
        return Declared(theory=any(match[1] for match in _THEORY.finditer(text)))
    shows = frozenset(shown_)
    lacks = ""
    if not (states or is_open):
        lacks = "no rule"
    elif shows and shows.isdisjoint(heads) and not (terms or theory or is_open):
        lacks = f"no rule for {listed(f'{name}/{arity}' for name, arity in sorted(shows))}"
    return Declared(
        shows,
        frozenset(inputs),
        frozenset(atoms - heads),
        frozenset(heads),
        terms,
        optimizes,
        theory,
        lacks,
    )


def _predicates(part: AST, conditions: bool = True) -> set[Signature]:
    """The predicates of all atoms in a head or a rule, with or without those of conditions."""
    from clingo.ast import Transformer

    signatures: set[Signature] = set()

    class Atoms(Transformer):
        def visit_SymbolicAtom(self, atom: AST) -> AST:
            signatures.update(_signatures(atom.symbol))
            return atom

        def visit_ConditionalLiteral(self, literal: AST) -> AST:
            if conditions:
                return literal.update(**self.visit_children(literal))
            self.visit(literal.literal)
            return literal

    Atoms().visit(part)
    return signatures


def _signatures(symbol: AST) -> Iterator[Signature]:
    from clingo.ast import ASTType

    if symbol.ast_type == ASTType.Pool:
        for each in symbol.arguments:
            yield from _signatures(each)
    elif symbol.ast_type == ASTType.UnaryOperation:
        yield from ((f"-{name}", arity) for name, arity in _signatures(symbol.argument))
    elif symbol.ast_type == ASTType.Function:
        yield symbol.name, len(symbol.arguments)
    elif symbol.ast_type == ASTType.SymbolicTerm:
        yield symbol.symbol.name, len(symbol.symbol.arguments)
