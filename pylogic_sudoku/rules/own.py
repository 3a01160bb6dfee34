"""A custom rule: a module for clingo and a clause for Prolog, perhaps `holds` in Python.

>>> from pylogic_sudoku import Puzzle, count
>>> Low = define("low", asp="kind(low). violated(R) :- rule(R,low), holds(R,cells,_,N), N > 2.")
>>> count(Puzzle("." * 16, rules=[Low("r1c1 r4c4")]))
72
"""

from __future__ import annotations

import pickle
import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from ..errors import InvalidPuzzle, choice, listed, shown
from ..files import encoding, resource
from ..problem.languages import ENDINGS
from ..puzzle.cells import Cells
from .base import FIELDS, KINDS, Digits, Numbers, Rule, everything, rule

LANGUAGES = {ending: language for language, ending in ENDINGS.items()}
"""The languages of the two programs of a rule, by the endings of their files."""

OPTIONAL: dict[Any, Any] = {bool: False, int | None: None, str: ""}
"""Fields of these types may be missing, and have these values then."""


class Definition(NamedTuple):
    """The definition of a kind of rule: enough to make it again in another process."""

    name: str
    asp: str
    prolog: str
    fields: tuple[tuple[str, Any], ...]
    """The name and the type of each; the optional ones are last."""
    holds: Callable[[Any, Digits], bool] | None


class Defined(Rule):
    """A rule of a kind that `define` has made."""

    __slots__ = ()

    definition: ClassVar[Definition]

    if TYPE_CHECKING:

        def __init__(self, *fields: Any, **named: Any) -> None: ...


def define(
    name: str,
    asp: Path | str | None = None,
    prolog: Path | str | None = None,
    fields: Mapping[str, Any] | None = None,
    holds: Callable[[Any, Digits], bool] | None = None,
) -> type[Defined]:
    """Define a kind of rule of your own; it replaces an earlier one of the same name.

    Each of `asp` and `prolog` is a text or a file: a Path, or a name that ends in ``.lp`` or
    ``.pl``. One of them may be missing.

    Args:
        name: The name of the kind.
        asp: A module that derives ``kind(name)`` and ``violated(R)``.
        prolog: A clause ``rule(name, Fields, Grid)``.
        fields: Names and types: ``Cells``, ``Numbers``, ``int``, ``int | None``, ``bool`` and
            others of this module; without them it has ``cells`` and ``values``, which are numbers;
            both may be missing.
        holds: A function of a rule and the digits of a full grid; without it, `Grid.is_solution_of`
            raises InvalidPuzzle.

    Raises:
        InvalidPuzzle: If the name is taken or not allowed, if a file cannot be read, if a part does
            not have the rule, or if the module uses an atom that nothing defines or a field that
            the rule does not have.
        BackendFailure: On first use: from an engine without its part, and for what Prolog finds
            wrong.
    """
    if not isinstance(name, str) or not re.fullmatch(r"[a-z]\w*", name, re.ASCII):
        raise InvalidPuzzle(f"{shown(name)} is not a name of a rule; expected one such as rising")
    if name in KINDS and not issubclass(KINDS[name], Defined):
        raise InvalidPuzzle(f"there is a rule {name!r} here already; choose another name")
    if asp is None and prolog is None:
        raise InvalidPuzzle(f"{name}: expected a module for clingo, a clause for Prolog, or both")
    types = fields or {}
    for each, kind in types.items():
        if kind not in list(FIELDS) or not re.fullmatch(r"[a-z]\w*", each, re.ASCII):
            raise InvalidPuzzle(f"{name}: {each!r}: {shown(kind)} is not a field of a rule")
    ordered = tuple(sorted(types.items(), key=lambda each: each[1] in OPTIONAL))
    module = _module(name, asp)
    if module:
        check_module(name, module, tuple(sorted(types or ("cells", "values"))))
    return _rule_class(Definition(name, module, _clauses(name, prolog), ordered, holds))


def define_files(files: list[Path]) -> None:
    """Define the rules of these files, ``.lp`` and ``.pl``, each under the stem of its name."""
    parts_by_name: dict[str, dict[str, Path]] = {}
    for file in files:
        part = LANGUAGES.get(file.suffix.lower())
        if part is None:
            raise InvalidPuzzle(f"{file}: expected a file that ends in {' or '.join(LANGUAGES)}")
        if part in parts_by_name.setdefault(file.stem, {}):
            raise InvalidPuzzle(f"{file}: there are two {file.suffix} files for one rule")
        parts_by_name[file.stem][part] = file
    for name, parts in parts_by_name.items():
        define(name, parts.get("asp"), parts.get("prolog"))


def is_program(each: Rule) -> bool:
    """True if the rule, or a part of it, is written for clingo or Prolog but not in Python."""
    definitions = (getattr(part, "definition", None) for part in everything([each]))
    return any(definition is not None and definition.holds is None for definition in definitions)


def module_of(rule_class: type[Rule]) -> str:
    """The Prolog module that has these clauses."""
    text = f"{rule_class.kind}\n{rule_class.prolog}"
    return f"own_{sha256(text.encode()).hexdigest()[:16]}"


def _rule_class(definition: Definition) -> type[Defined]:
    """The kind of rule; the one that there is if it was made from the same definition."""
    known = KINDS.get(definition.name)
    if known is not None and issubclass(known, Defined) and known.definition == definition:
        return known
    fields = dict(definition.fields) or {"cells": Cells, "values": Numbers}
    optional = OPTIONAL if definition.fields else {Cells: (), Numbers: ()}
    body: dict[str, Any] = {
        each: optional[kind] for each, kind in fields.items() if kind in optional
    }

    def holds(self: Any, digits: Digits) -> bool:
        if definition.holds is None:
            raise InvalidPuzzle(
                f"{self}: this rule is not written in Python, so only an engine can check it"
            )
        return definition.holds(self, digits)

    def reduced(self: Any) -> tuple[Any, ...]:
        values = tuple(getattr(self, each) for each in type(self).types)
        return _again, (_portable(definition), values)

    camel = "".join(part.capitalize() for part in definition.name.split("_"))
    body |= {
        "__module__": __name__,
        "__doc__": f"The rule {definition.name}, which is not one of this package.",
        "__annotations__": fields,
        "__reduce__": reduced,
        "kind": definition.name,
        "definition": definition,
        "asp": definition.asp,
        "prolog": definition.prolog,
        "least": 0,
        "holds": holds,
    }
    return rule(type(camel, (Defined,), body))


def _portable(definition: Definition) -> Definition:
    """Without `holds` if that is a function that cannot go to another process."""
    try:
        pickle.dumps(definition.holds)
    except (pickle.PicklingError, AttributeError, TypeError):
        return definition._replace(holds=None)
    return definition


def _again(definition: Definition, values: tuple[Any, ...]) -> Rule:
    """The rule in another process, or the same one."""
    known = getattr(KINDS.get(definition.name), "definition", None)
    if known is not None and known._replace(holds=None) == definition._replace(holds=None):
        definition = known
    return _rule_class(definition)(*values)


def _text(name: str, part: Path | str | None, ending: str) -> tuple[str, Path | None]:
    """The text, and the folder if it is in a file."""
    if isinstance(part, str) and part.endswith(ending) and "\n" not in part:
        part = Path(part)
    if not isinstance(part, Path):
        return part or "", None
    try:
        return part.read_text(encoding="utf-8-sig"), part.resolve().parent
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or "it is not UTF-8"
        raise InvalidPuzzle(f"{name}: {part} cannot be read: {why}") from None


def _module(name: str, part: Path | str | None) -> str:
    """The module for clingo, checked, with whole paths of the files that it includes."""
    text, folder = _text(name, part, ".lp")
    if part is None:
        return ""
    ours = resource("encodings").resolve()

    def whole(match: re.Match[str]) -> str:
        for place in filter(None, (folder, ours, ours / "rules")):
            if (place / match[1]).is_file():
                return f'#include "{(place / match[1]).resolve()}".'
        raise InvalidPuzzle(f"{name}: the module includes {match[1]}, which is not there")

    text = re.sub(r'^#include\s+"([^"]+)"\s*\.', whole, text, flags=re.MULTILINE)
    bare = re.sub(r"%\*.*?\*%|%[^\n]*", "", text, flags=re.DOTALL)
    if not re.search(rf"\bkind\(\s*{name}\s*[;)]", bare):
        fact = f"kind({name})."
        raise InvalidPuzzle(f"{name}: the module for clingo does not have the fact {fact}")
    if "broken(" in bare and "violated(" not in bare:
        raise InvalidPuzzle(f"{name}: the module derives broken(R); expected violated(R)")
    return text


@lru_cache(256)
def check_module(name: str, text: str, fields: tuple[str, ...]) -> None:
    """Raise InvalidPuzzle, with clingo's message, if the module does not fit these fields."""
    import clingo
    from clingo.ast import ASTType, parse_string

    messages: list[tuple[Any, str]] = []

    def logged(code: Any, message: str) -> None:
        messages.append((code, message))

    def refused(why: str, line: int | None = None) -> InvalidPuzzle:
        where = "the module" if line is None else f"line {line} of the module"
        return InvalidPuzzle(f"{name}: {where} {why}")

    constants: set[str] = set()
    atoms: list[Any] = []

    def look(statement: Any) -> None:
        if statement.ast_type == ASTType.Definition:
            constants.add(statement.name)
        if statement.ast_type == ASTType.Rule and str(statement.head) == "#false":
            raise refused(
                "is a constraint; derive violated(R) instead, so that the rule can be switched off",
                statement.location.begin.line,
            )
        atoms.extend(_atoms_of(statement))

    try:
        bare = re.sub(r"^#include[^\n]*", "", text, flags=re.MULTILINE)
        parse_string(bare, look, logger=logged)
        for atom in atoms:
            if wrong := _wrong_name(atom, name, fields, constants):
                raise refused(wrong, atom.location.begin.line)
        control = clingo.Control(["-cbox_rows=2", "-cbox_columns=2"], logger=logged)
        control.add("base", [], encoding("sudoku", "rules"))
        control.add("base", [], encoding(own=frozenset({bare})))
        control.ground()
        # Once more with what it includes, which may define what it uses.
        messages.clear()
        control = clingo.Control(["-cbox_rows=2", "-cbox_columns=2"], logger=logged)
        control.add("base", [], encoding("sudoku", "rules", own=frozenset({text})))
        control.ground()
    except RuntimeError as error:
        why = "\n".join(message for _, message in messages) or str(error)
        # clingo has no name for a text.
        why = re.sub(r"<(?:string|block)>:(\d+):(\d+)[-\d:]*:", r"line \1, column \2:", why)
        raise InvalidPuzzle(f"{name}: clingo does not take the module: {why.strip()}") from None
    undefined = []
    for code, message in messages:
        if code == clingo.MessageCode.AtomUndefined:
            shown_atom = message.partition("\n")[2].strip()
            undefined += [atom for atom in atoms if str(atom) == shown_atom]
        else:
            warnings.warn(f"{name}: clingo says of the module: {message.strip()}", stacklevel=3)
    if undefined:
        signatures = {(each, arity) for each, arity, _ in control.symbolic_atoms.signatures}
        signatures -= {(atom.name, len(atom.arguments)) for atom in undefined}
        raise refused(_undefined(undefined[0], signatures), undefined[0].location.begin.line)


def _atoms_of(statement: Any) -> Iterator[Any]:
    """The functions of all symbolic atoms in a statement."""
    from clingo.ast import AST, ASTSequence, ASTType

    for key in statement.child_keys if isinstance(statement, AST) else ():
        child = getattr(statement, key)
        for each in child if isinstance(child, ASTSequence) else [child]:
            if isinstance(each, AST):
                if each.ast_type == ASTType.SymbolicAtom:
                    yield from _functions(each.symbol)
                yield from _atoms_of(each)


def _functions(symbol: Any) -> Iterator[Any]:
    """The functions of an atom, several if it is a pool."""
    from clingo.ast import ASTType

    if symbol.ast_type == ASTType.Pool:
        for each in symbol.arguments:
            yield from _functions(each)
    elif symbol.ast_type == ASTType.UnaryOperation:
        yield from _functions(symbol.argument)
    elif symbol.ast_type == ASTType.Function:
        yield symbol


_NAMING = {
    ("on", 5): (1,),
    ("holds", 4): (1,),
    ("length", 3): (1,),
    ("value", 4): (1,),
    ("different", 2): (1,),
    ("pair", 5): (1, 3),
    ("pair", 6): (1, 3),
}
"""The predicates of ``rules.lp`` and ``shared/`` with the names of fields, and their places."""


def _wrong_name(atom: Any, kind: str, fields: tuple[str, ...], constants: set[str]) -> str | None:
    """The fault in the name of a kind or a field in an atom; None if there is none."""
    signature = atom.name, len(atom.arguments)
    if signature == ("rule", 2):
        constant = _constant(atom.arguments[1])
        if constant is None or constant in {kind, *KINDS, *constants}:
            return None
        return (
            f"speaks of the rule {constant!r}: {choice(constant, {kind, *KINDS}, f'it is {kind}')}"
        )
    for place in _NAMING.get(signature, ()):
        constant = _constant(atom.arguments[place])
        if constant is not None and constant not in {*fields, *constants}:
            near = choice(constant, fields) if fields else "it has none"
            return f"names a field {constant!r}, which the rule does not have: {near}"
    return None


def _constant(term: Any) -> str | None:
    """The name that this term is, or that the first term of a tuple is."""
    from clingo.ast import ASTType

    if term.ast_type == ASTType.Function and not term.name and term.arguments:
        return _constant(term.arguments[0])
    if term.ast_type == ASTType.SymbolicTerm and re.fullmatch(r"[a-z]\w*", str(term)):
        return str(term)
    return None


def _undefined(atom: Any, signatures: set[tuple[str, int]]) -> str:
    """The message about an atom that no rule derives."""
    others = sorted(arity for each, arity in signatures if each == atom.name)
    if others:
        return f"uses {atom}; {atom.name} has {listed(others, 'or')} arguments"
    near = choice(atom.name, {each for each, _ in signatures}, "no rule has it in its head")
    return f"uses {atom}, which is not defined: {near}"


def _clauses(name: str, part: Path | str | None) -> str:
    """The clauses for Prolog."""
    text, _folder = _text(name, part, ".pl")
    if part is not None and not re.search(rf"^rule\(\s*{name}\s*,", text, re.MULTILINE):
        raise InvalidPuzzle(f"{name}: there is no clause rule({name}, Fields, Grid) for Prolog")
    return text


# --- the programs of our kinds of rules, as people read them ---

_MODULE = re.compile(r"^kind\((\w+)\)\.$", re.MULTILINE)
_CLAUSE = re.compile(r"^rule\((\w+), ", re.MULTILINE)
_DEFINED = re.compile(r"^([a-z]\w*)\(", re.MULTILINE)
_CALLED = re.compile(r"\b([a-z]\w*)\b")
_ATOM = re.compile(r"\b([a-z]\w*)\(")


class _Parts(NamedTuple):
    """A file with the programs of several kinds of rules."""

    head: str
    kinds: dict[str, str]
    """The program of each, with its comment and what follows up to the next one."""
    shared: str
    """The text after a line ``% ---``."""


def family(rule: type[Rule]) -> str:
    """The name of its files in ``encodings/rules/`` and ``prolog/rules/``, and in this folder."""
    return rule.__module__.rpartition(".")[2]


def ours(rules: Iterable[Rule]) -> list[str]:
    """The kinds of these rules, and of those within them, that are ours, in alphabetical order."""
    kinds = {type(rule) for rule in everything(rules)}
    return sorted(kind.kind for kind in kinds if kind.asp is None and kind.prolog is None)


def families(rules: Iterable[Rule]) -> list[str]:
    """The names of the files with these kinds, in alphabetical order."""
    return sorted({family(KINDS[kind]) for kind in ours(rules)})


def asp_module(kind: str) -> str:
    """The text of its module in ``encodings/rules/``."""
    return _asp(family(KINDS[kind])).kinds[kind].strip() + "\n"


def asp_modules(kinds: Iterable[str]) -> Iterator[str]:
    """The files of ``encodings/rules/`` with these kinds, without the modules of all others."""
    wanted = sorted(kinds)
    for name in sorted({family(KINDS[kind]) for kind in wanted}):
        parts = _asp(name)
        modules = (parts.kinds[kind] for kind in wanted if kind in parts.kinds)
        yield "".join((parts.head, *modules, parts.shared))


def asp_shared(kind: str) -> dict[str, list[str]]:
    """The predicates that its module has in common with others, by the file that reads them."""
    names = _atoms(asp_module(kind))
    for base in ("rules", "sudoku", "houses"):  # what every module may use
        names -= _atoms(resource(f"encodings/{base}.lp").read_text(encoding="utf-8"))
    own = family(KINDS[kind])
    texts = _texts("encodings/shared") | {f"encodings/rules/{own}.lp": _asp(own).shared}
    return _named(names, {name: _atoms(text) for name, text in texts.items()})


def prolog_clause(kind: str) -> str:
    """Its clause in ``prolog/rules/`` with its comment and what follows up to the next one."""
    file = resource(f"prolog/rules/{family(KINDS[kind])}.pl")
    return _parts(file, _CLAUSE).kinds[kind].strip() + "\n"


def helpers(kind: str) -> dict[str, list[str]]:
    """The predicates of ``prolog/rules/`` that its clause calls, by the file that has them."""
    text = prolog_clause(kind)
    calls = set(_CALLED.findall(_bare(text))) - set(_DEFINED.findall(text))
    texts = _texts("prolog/rules").items()
    return _named(calls, {name: set(_DEFINED.findall(text)) for name, text in texts})


def _texts(folder: str) -> dict[str, str]:
    """The programs of a folder, by their paths."""
    files = sorted(each for each in resource(folder).iterdir() if each.suffix in LANGUAGES)
    return {f"{folder}/{file.name}": file.read_text(encoding="utf-8") for file in files}


def _named(names: set[str], files: dict[str, set[str]]) -> dict[str, list[str]]:
    """For each file its names, if it has any."""
    return {file: sorted(common) for file, has in files.items() if (common := names & has)}


def _atoms(text: str) -> set[str]:
    return set(_ATOM.findall(_bare(text)))


def _asp(name: str) -> _Parts:
    return _parts(resource(f"encodings/rules/{name}.lp"), _MODULE)


@cache
def _parts(file: Path, first: re.Pattern[str]) -> _Parts:
    """The parts of a file: each kind has one line that `first` matches, with its name."""
    whole = file.read_text(encoding="utf-8")
    text, mark, shared = whole.partition("\n% ---")
    starts = [(each[1], _comment_before(text, each.start())) for each in first.finditer(text)]
    ends = [*(start for _, start in starts[1:]), len(text)]
    kinds = {kind: text[start:end] for (kind, start), end in zip(starts, ends, strict=True)}
    return _Parts(text[: starts[0][1]], kinds, mark + shared)


def _comment_before(text: str, at: int) -> int:
    """The offset of the comment right before this line; a blank line may follow it."""
    comment = re.search(r"(?:^%.*\n)+\n?\Z", text[:at], re.MULTILINE)
    return comment.start() if comment else at


def _bare(text: str) -> str:
    """Without comments."""
    return re.sub(r"%.*", "", text)


def meaning(rule: type[Rule]) -> str:
    """The meaning of the rule: its docstring on one line."""
    return " ".join((rule.__doc__ or "").split())
