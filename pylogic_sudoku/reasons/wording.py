"""The effect of the statements of an ASP program on an answer that they keep out, in words.

A `Wording` writes the atoms of any problem as they are; a subclass may know better what they mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from clingo.ast import AST, ASTType, Sign
from clingo.symbol import Symbol, SymbolType

from ..errors import listed
from ..problem import Signature
from .relaxed import (
    Binding,
    Model,
    Pattern,
    Relaxed,
    Statement,
    arguments,
    literals,
    signature,
    signature_of,
)

Gap = tuple[Signature, Pattern]
"""An atom that does not hold."""
SHOWN = 6
"""Variables and atoms that are shown."""
_NUMBERS = 12
"""Values of an argument that are shown."""
ORDINALS = ("first", "second", "third", *(f"{at}th" for at in range(4, 100)))


class Wording:
    """Words about the statements of a relaxed program, from what holds in a model of it."""

    answer: ClassVar[str] = "the answer"
    """The name of what is kept out."""

    def __init__(self, relaxed: Relaxed, model: Model) -> None:
        self.relaxed = relaxed
        self.model = model
        self._there = {(signature_of(each), each) for each in relaxed.answer}

    # --- atoms, which a subclass may know better ---

    def held(self, atom: Gap) -> str:
        """An atom of the answers."""
        return shown(atom)

    def instead(self, atom: Gap) -> str:
        """An atom of the answers that this one lacks, and that it does."""
        return f"{self.held(atom)}, which is not in {self.answer}"

    def has(self, atom: Gap) -> bool:
        """True if it is an atom of the answer."""
        name, pattern = atom
        return any(there == name and [*each.arguments] == pattern for there, each in self._there)

    def odd(self, atoms: Sequence[Symbol]) -> str:
        """Words about the atoms of a definition that are odd; empty if none are known to be."""
        return ""

    def arguments(self, term: AST) -> tuple[str, Sequence[str]]:
        """An atom of the answers with a name for each argument, and these names."""
        name, _ = signature(term)
        names = [
            part.name if part.ast_type == ASTType.Variable else f"its {ORDINALS[at]} argument"
            for at, part in enumerate(arguments(term))
        ]
        return f"{name}({','.join(map(str, arguments(term)))})", names

    # --- statements ---

    def violated(self, statement: Statement) -> str:
        """The effect of a violated statement, by an example."""
        if statement.is_edge:
            return f"finds a cycle in {self.answer}"
        hits = self.model.hits(statement)
        if not hits:
            return f"excludes {self.answer}"
        values = hits[0]
        number = self.model.count(statement, values)
        if number is not None:
            return f"counts {number} in the braces{_values(values, ' where ')}"
        if statement.is_plain:
            words = f"derives {self.relaxed.with_values(statement.heads[0][0], values)}"
        elif statement.is_single:
            atoms = [
                (signature(term), self.relaxed.filled(term, values))
                for term, _ in statement.derives
            ]
            other = next((each for each in atoms if not self.has(each)), atoms[0])
            words = f"derives {self.instead(other)}"
        elif statement.derives:
            words = f"derives atoms that are not in {self.answer}"
        else:
            words = self._forbids(statement, values)
        return f"{words}{_values(values, ': ')}"

    def _forbids(self, statement: Statement, values: Binding) -> str:
        """The effect of a constraint: the atoms that it forbids, or demands."""
        atoms = [
            (
                each.sign,
                (signature(each.atom.symbol), self.relaxed.filled(each.atom.symbol, values)),
            )
            for each in literals(statement.body)
        ]
        outputs = self.relaxed.outputs
        positive = [atom for sign, atom in atoms if sign == Sign.NoSign]
        negative = [atom for sign, atom in atoms if sign == Sign.Negation]
        missing = [shown(atom) for atom in negative if atom[0] not in outputs]
        why = f", as nothing derives {missing[0]}" if missing else ""
        first, second, *_ = *(atom for atom in positive if atom[0] in outputs), None, None
        if first:
            beside = "itself" if first == second else second and self.held(second)
            return f"forbids {self.held(first)}{f' beside {beside}' if beside else ''}{why}"
        if len(missing) < len(negative):
            return f"demands {self.instead(next(atom for atom in negative if atom[0] in outputs))}"
        if missing:
            return f"demands {missing[0]}, which nothing derives"
        derived = [shown(atom) for atom in positive if atom[0] in self.relaxed.definers]
        return (
            f"forbids {' beside '.join(dict.fromkeys(derived[:2]))}" if derived else "is violated"
        )

    def described(self, definition: Statement) -> str:
        """The atoms of a definition, and what is odd about them."""
        if not definition.is_plain:
            return ""
        atoms = sorted(self.model.derived_by(definition))
        if not atoms:
            return "derives nothing"
        if all(map(_is_numbered, atoms)):
            numbers = [each.arguments[0] for each in atoms]
            return f"derives {atoms[0].name}(N) for N {_range(numbers)}"
        if words := self.odd(atoms):
            return words
        rest = f" and {len(atoms) - SHOWN} more" if len(atoms) > SHOWN else ""
        return f"derives {', '.join(map(str, atoms[:SHOWN]))}{rest}"

    def derives_not(self, rule: Statement, atom: Symbol, gaps: Sequence[Gap]) -> str:
        """The reason why a rule does not derive an atom of the answer, for which the gaps lack."""
        if gaps:
            is_input = gaps[0][0] in self.relaxed.inputs
            lacks = "which is not a fact of the instance" if is_input else "which nothing derives"
            return f"derives {atom} only if {shown(gaps[0])} holds, {lacks}"
        placed = self.model.placed_by(rule)
        fitting = [term for term, _ in rule.derives if signature(term) == signature_of(atom)]
        there = [each for each in placed if signature_of(each) == signature_of(atom)]
        if not there or not fitting:
            name, arity = signature_of(atom)
            return f"derives no {name}/{arity}"
        written, names = self.arguments(fitting[0])
        columns = ({each.arguments[at] for each in there} for at in range(len(names)))
        parts = [
            f"{name} {_range(values)}"
            for name, value, values in zip(names, atom.arguments, columns, strict=True)
            if value not in values
        ]
        if parts:
            return f"derives {written} only with {listed(parts)}"
        return f"does not derive {atom}"

    def without(self, atom: Gap) -> str:
        """The effect of a literal without which a rule would derive an atom."""
        return f"does not hold; without it, the rule would derive {shown(atom)}"


def shown(atom: Gap) -> str:
    """An atom, with ``_`` for what is not known."""
    (name, _), pattern = atom
    return f"{name}({','.join(texts(pattern))})" if pattern else name


def texts(pattern: Pattern) -> list[str]:
    """The arguments of an atom."""
    return ["_" if each is None else str(each) for each in pattern]


def _is_numbered(atom: Symbol) -> bool:
    """True if its only argument is a number."""
    return len(atom.arguments) == 1 and atom.arguments[0].type == SymbolType.Number


def _range(values: Iterable[Symbol]) -> str:
    ordered = sorted(set(values))
    numbers = [each.number for each in ordered if each.type == SymbolType.Number]
    whole = len(numbers) == len(ordered)
    if whole and len(ordered) > 2 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"in {numbers[0]}..{numbers[-1]}"
    first = ", ".join(map(str, ordered[:_NUMBERS])) + (", ..." if len(ordered) > _NUMBERS else "")
    return f"= {first}" if len(ordered) == 1 else f"in {first}"


def _values(binding: Binding, before: str) -> str:
    values = ", ".join(f"{name}={value}" for name, value in [*binding.items()][:SHOWN])
    return values and before + values
