"""The statements of an ASP program that keep an answer out, the most likely first, with words.

The program is relaxed (see `relaxed`). A statement that excludes the answer may be right, and a
definition that it uses wrong. So the predicates of a statement are followed to where they are
defined, and a `Judge` says which definitions are wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from functools import partial
from types import MappingProxyType

from clingo import parse_term
from clingo.ast import AST, ASTType, Sign
from clingo.symbol import Symbol

from ..problem import Atom, Signature
from ..problem.atoms import from_symbol
from .lines import Line, Refusal
from .relaxed import (
    DERIVED,
    Binding,
    Model,
    Relaxed,
    Statement,
    arguments,
    chosen,
    fits,
    line_of,
    literals,
    signature,
)
from .wording import Gap, Wording

Extensions = Mapping[Signature, frozenset[Atom]]
"""The atoms of predicates."""
_WORDED = 8
"""Lines that are told with words, at most: no report shows more."""
_Told = tuple[Line, Callable[[], str]]
"""A line, and what tells its effect."""


class Rank(IntEnum):
    """The likelihood that a definition is a mistake, the likeliest first."""

    WRONG = 0
    """It derives what it must not."""
    EMPTY = 1
    """It derives nothing, and its predicate lacks atoms."""
    LACKING = 2
    """Its predicate lacks atoms."""
    UNKNOWN = 3
    RIGHT = 4


class Judge:
    """A judge of the definitions of a relaxed program, who knows none of them."""

    chosen: Extensions = MappingProxyType({})
    """The atoms that a right program chooses beside the answer."""

    def rank(self, definition: Statement) -> Rank:
        """The rank of a rule that defines a predicate."""
        return Rank.UNKNOWN

    def should_hold(self, gap: Gap) -> bool | None:
        """True for an atom that should be derived, False for one that should not; None: unknown."""
        return None


Judging = Callable[[Relaxed, Model], Judge]
Worded = Callable[[Relaxed, Model], Wording]


class Blame:
    """The statements to blame, of a relaxed program that refuses an answer.

    Each of `sets` are demands that refuse it together, and no two have a demand in common. If one
    statement is wrong, it is in each of them, or behind each of them as a definition.
    """

    def __init__(
        self,
        relaxed: Relaxed,
        sets: Sequence[Sequence[int]],
        judging: Judging = lambda _relaxed, _model: Judge(),
        worded: Worded = Wording,
    ) -> None:
        self._relaxed = relaxed
        self._worded = worded
        self._of = {each.number: each for each in relaxed.statements}
        self._constants = {each.constant: each for each in relaxed.statements if each.constant}
        self._dropped = [number for members in sets for number in members]
        self._model = relaxed.without(self._dropped)
        self._wording = worded(relaxed, self._model)
        self._judge = judging(relaxed, self._model)
        self._lost = [DERIVED] in sets
        self._sets = [
            sorted((self._of[each] for each in members if each != DERIVED), key=_likely)
            for members in sets
            if members != [DERIVED]
        ]

    # --- an answer that is excluded, or lacks an atom ---

    def refusal(self, backend: str) -> Refusal:
        """The refusal, with the most likely statement first."""
        alone = [members[0] for members in self._sets if len(members) == 1]
        if self._lost:
            atom = self._model.lost()[0]
            return self._underived(backend, from_symbol(atom), self._deriving(atom, alone))
        lacking, guess = self._guess()
        if lacking is not None:
            told = [(each.line, lambda: f"does not derive {lacking}") for each in guess]
            told += self._definitions([*self._sets[0], *self._followed([*guess, *self._sets[0]])])
            return self._underived(backend, lacking, told)
        blamed = alone or guess or self._sets[0]
        together = 1 if alone or guess else len(blamed)
        first = [each for each in blamed if self._is_alone_to_blame(each)]
        behind = [] if first or len(self._sets) == 1 else self._behind_all()
        keeping = [*self._keeping_any(blamed[0])] if together == 1 else []
        only_demands = self._only_demands(blamed[0])
        told = [*(keeping if only_demands else ()), *self._definitions(behind)]
        for each in dict.fromkeys((*first, *blamed)):
            told += self._excluding(each, blamed if together > 1 else ())
        told += keeping
        told += self._definitions(self._followed(blamed))
        return Refusal(backend, "excluded", _lines(told), together=together)

    def _underived(self, backend: str, atom: Atom, told: Iterable[_Told]) -> Refusal:
        why = f"no rule derives {atom}"
        return Refusal(backend, "underived", _lines(told), why=why, atom=atom)

    def _excluding(self, statement: Statement, together: Sequence[Statement]) -> Iterator[_Told]:
        """A violated statement, after what is likely to be wrong behind it.

        It may be violated only if all others hold that exclude the answer together with it. Of very
        many, no report shows all, and to look at each takes time.
        """
        model, wording = self._model, self._wording
        others = {each.number for each in together} - {statement.number}
        if 0 < len(others) < _WORDED:
            model = self._relaxed.without(set(self._dropped) - others)
            wording = self._worded(self._relaxed, model)
        missing = (self._gap(literal, values) for literal, values in _negative(statement, model))
        gaps = [gap for gap in missing if self._judge.should_hold(gap)]
        yield from self._with_causes(statement, gaps, partial(wording.violated, statement))

    def _deriving(self, atom: Symbol, alone: Sequence[Statement]) -> Iterator[_Told]:
        """The rules that should derive an atom, and then what else the answer violates."""
        gaps = {
            rule: [
                found
                for head in rule.derives
                if (found := self._gaps(rule, *head, atom)) is not None
            ]
            for rule in self._relaxed.statements
            if rule.derives and not rule.ours
        }

        def unlikely(rule: Statement) -> tuple[bool, bool, bool, int, bool]:
            derives_another = rule in alone and rule.is_single
            least = min(gaps[rule], key=len, default=[])
            outside = any(name in self._relaxed.inputs for name, _ in least)
            return not gaps[rule], not derives_another, outside, len(least), not rule.is_choice

        rules = sorted(gaps, key=unlikely)
        for rule in rules:
            least = min(gaps[rule], key=len, default=[])
            if rule in alone and rule.is_single:
                words = partial(self._wording.violated, rule)
            else:
                words = partial(self._wording.derives_not, rule, atom, least)
            wanted = [gap for gap in least if self._judge.should_hold(gap) is not False]
            yield from self._with_causes(rule, wanted, words, self._failing(rule, atom))
        for each in alone:
            yield from self._excluding(each, ())
        yield from self._definitions(self._followed([*rules, *alone]))

    def _guess(self) -> tuple[Atom | None, list[Statement]]:
        """The only statement that is violated by what a right program chooses beside the answer.

        Or an atom of that which nothing can derive, though all else agrees with it, and the
        statements that should.
        """
        names = chosen(self._relaxed.statements)
        right = self._judge.chosen
        if not names or not names <= set(right):
            return None, []
        possible = {
            name: {from_symbol(each): each for each in self._model.possible.get(name, ())}
            for name in names
        }
        lacking = sorted(
            (atom, name) for name in names for atom in right[name] - set(possible[name])
        )
        for atom, name in lacking:
            possible[name][atom] = parse_term(str(atom), lambda _code, _message: None)
        mine = {each.number for members in self._sets for each in members}
        relaxed = self._relaxed.with_choice(possible[name][atom] for atom, name in lacking)
        violated = relaxed.violated(
            {name: {possible[name][atom] for atom in right[name]} for name in names}
        )
        if lacking and violated is not None:
            definers = self._relaxed.definers.get(lacking[0][1], [])
            if violated & mine <= {each.number for each in definers}:
                return lacking[0][0], definers
        found = [self._of[number] for number in (violated or set()) & mine]
        return None, found if len(found) == len(self._sets) == 1 and not lacking else []

    # --- an answer that no statement excludes ---

    def costing(self, own: Sequence[int], right: Sequence[int]) -> tuple[Line, ...]:
        """The statements that make the cost of the answer, first those of a wrong part of it."""
        minimize = [
            each for each in self._relaxed.statements if each.ast.ast_type == ASTType.Minimize
        ]
        levels = sorted({str(each.ast.priority) for each in minimize}, key=_number, reverse=True)
        if len(levels) == len(own) == len(right):
            wrong = {
                level for level, *both in zip(levels, own, right, strict=True) if both[0] != both[1]
            }
            minimize.sort(key=lambda each: str(each.ast.priority) not in wrong)
        told = [
            *(each for statement in minimize for each in self._with_causes(statement, (), str)),
            *self._definitions(self._followed(minimize)),
        ]
        return _lines(told)

    def unfounded(self) -> tuple[tuple[Line, ...], int, str]:
        """The lines to blame if nothing founds an answer, their number, and why."""
        deriving = [each for each in self._relaxed.statements if each.derives and not each.ours]
        disjunctions = [each for each in deriving if not (each.is_single or each.is_choice)]
        if disjunctions:
            why = "a disjunction derives no more atoms than it needs; { … } chooses any of them"
        else:
            why = "its atoms are derived only from each other"
        return _lines((each.line, str) for each in disjunctions or deriving), 1, why

    def placing(self, atom: Atom) -> tuple[Line, ...]:
        """The statements that derive an atom, each after what is likely to be wrong behind it."""
        model = self._model
        own = (each for each in self._relaxed.statements if each.derives and not each.ours)
        placing = (each for each in own if atom in map(from_symbol, model.placed_by(each)))
        words = f"derives {atom}"
        return _lines(
            told for each in placing for told in self._with_causes(each, (), lambda: words)
        )

    # --- what is behind a statement ---

    def _with_causes(
        self,
        statement: Statement,
        gaps: Sequence[Gap],
        words: Callable[[], str],
        inner: Iterable[_Told] = (),
    ) -> Iterator[_Told]:
        """The definitions behind a statement that are likely to be wrong, and then itself.

        The `gaps` are atoms that it needs and nothing derives; `inner` is told just before it.
        """
        causes = self._detectors(statement)
        known = {statement, *causes}
        for name, _ in gaps:
            if name not in self._relaxed.outputs:
                definers = self._relaxed.definers.get(name, ())
                for each in sorted(definers, key=self._judge.rank):
                    if each not in known:
                        known.add(each)
                        causes += self._wrong_behind(each, known) or [each]
        causes += self._wrong_behind(statement, known)
        yield from self._definitions(dict.fromkeys(causes))
        yield from inner
        if not statement.ours:
            yield statement.line, words

    def _detectors(self, statement: Statement) -> list[Statement]:
        """The rules that find something wrong, if a constraint only forbids that they do."""
        relaxed = self._relaxed
        names = statement.uses & relaxed.from_answer - relaxed.outputs - relaxed.from_choices
        if not statement.is_constraint or len(statement.body) != 1 or len(names) != 1:
            return []
        (name,) = names
        rules = (each for each in relaxed.definers.get(name, ()) if each.is_plain)
        return [each for each in rules if self._model.derived_by(each)]

    def _wrong_behind(self, statement: Statement, known: set[Statement]) -> list[Statement]:
        """The definitions that a statement uses and that are wrong, not because of others.

        The likeliest first; none of those that are known.
        """
        found: list[Statement] = []
        own = {signature(term) for term, _ in statement.heads}
        for name in sorted(statement.uses - self._relaxed.outputs - own):
            for each in self._relaxed.definers.get(name, ()):
                if each not in known:
                    known.add(each)
                    rank = self._judge.rank(each)
                    behind = self._wrong_behind(each, known) if rank < Rank.RIGHT else []
                    found += behind or ([each] if rank < Rank.UNKNOWN else [])
        return sorted(found, key=self._judge.rank)

    def _followed(self, blamed: Sequence[Statement]) -> list[Statement]:
        """The definitions behind statements, direct ones first, and constants; no right ones."""
        statements = dict.fromkeys(blamed)
        queue = list(statements)
        while queue:
            statement = queue.pop(0)
            for name in sorted(
                statement.uses - self._relaxed.outputs, key=_missing_first(statement)
            ):
                for each in self._relaxed.definers.get(name, ()):
                    if each not in statements:
                        statements[each] = None
                        queue.append(each)
        names = {name for each in statements for name in each.constants} & set(self._constants)
        rank = self._judge.rank
        behind = sorted((each for each in statements if each not in blamed), key=rank)
        behind += (self._constants[name] for name in sorted(names))
        return [each for each in behind if rank(each) < Rank.RIGHT]

    def _is_alone_to_blame(self, statement: Statement) -> bool:
        """True if the answer is accepted without the statement."""
        others = [each for each in self._relaxed.demands if each != statement.number]
        return self._relaxed.unsat_core([DERIVED, *others]) is None

    def _behind_all(self) -> list[Statement]:
        """The definitions that all sets use; no constants, which many use."""
        behind = [[*members, *self._followed(members)] for members in self._sets]
        common = set.intersection(*map(set, behind))
        return [each for each in behind[0] if each in common and not each.constant]

    # --- what keeps a rule from deriving an atom ---

    def _only_demands(self, constraint: Statement) -> bool:
        """True if a constraint has no atom of the answer but those that it demands.

        One that relates atoms of the answer may be wrong itself.
        """
        positive = (each for each in literals(constraint.body) if each.sign == Sign.NoSign)
        names = {signature(each.atom.symbol) for each in positive}
        return not names & (self._relaxed.from_answer | self._relaxed.outputs)

    def _keeping_any(self, constraint: Statement) -> Iterator[_Told]:
        """The literals that keep rules from deriving what a violated constraint demands."""
        for literal, values in _negative(constraint, self._model):
            yield from self._keeping(literal.atom.symbol, values, frozenset())

    def _keeping(self, term: AST, values: Binding, above: frozenset[Signature]) -> Iterator[_Told]:
        """The literals without which the only rule of a predicate would derive an atom."""
        name = signature(term)
        rules = self._relaxed.definers.get(name, ())
        if name in above | self._relaxed.outputs or len(rules) != 1 or not rules[0].is_plain:
            return
        (rule,) = rules
        wanted = name, self._relaxed.filled(term, values)
        pairs = zip(arguments(rule.heads[0][0]), wanted[1], strict=False)
        own = {
            part.name: value
            for part, value in pairs
            if part.ast_type == ASTType.Variable and value is not None
        }
        failing = self._without_which(rule, range(len(rule.body)), own)
        # Of several, one that compares or relates comes before one that fetches.
        for literal in sorted(failing, key=_fetches):
            if _fetches(literal):
                yield from self._keeping(literal.atom.symbol, own, above | {name})
            line = line_of(literal, str(literal))
            yield line, partial(self._wording.without, wanted)

    def _failing(self, rule: Statement, atom: Symbol) -> Iterator[_Told]:
        """The literals without which a rule would derive an atom, if they have their own lines."""
        for term, _ in rule.derives if rule.is_single and not rule.ours else ():
            values = self._relaxed.matched(term, atom)
            if values is None:
                continue
            first = rule.line.number
            below = [at for at, each in enumerate(rule.body) if each.location.begin.line > first]
            wanted = signature(term), self._relaxed.filled(term, values)
            for literal in self._without_which(rule, below, values):
                yield line_of(literal, str(literal)), partial(self._wording.without, wanted)

    def _without_which(self, rule: Statement, some: Iterable[int], values: Binding) -> list[AST]:
        """Those of some literals of a body without which it would hold.

        A literal stays if a variable would be unsafe without it.
        """
        relaxed, body = self._relaxed, rule.body
        texts = [relaxed.with_values(each, values) for each in body]
        rests = {at: "; ".join(texts[:at] + texts[at + 1 :]) or "#true" for at in some}
        safe = {at: rest for at, rest in rests.items() if relaxed.holding([rest]) is not None}
        facts = [fact for name in rule.uses for fact in self._model.of.get(name, ())]
        holding = relaxed.holding(list(safe.values()), facts) if safe else []
        return [body[at] for at, holds in zip(safe, holding or (), strict=False) if holds]

    def _gaps(
        self, rule: Statement, term: AST, condition: Sequence[AST], atom: Symbol
    ) -> list[Gap] | None:
        """The atoms that a rule lacks to derive this one; None if it cannot."""
        values = self._relaxed.matched(term, atom)
        if values is None:
            return None
        positive = (each for each in literals([*rule.body, *condition]) if each.sign == Sign.NoSign)
        return [gap for each in positive if self._cannot_hold(gap := self._gap(each, values))]

    def _gap(self, literal: AST, values: Binding) -> Gap:
        return signature(literal.atom.symbol), self._relaxed.filled(literal.atom.symbol, values)

    def _cannot_hold(self, gap: Gap) -> bool:
        """True if nothing derives the atom, whatever is chosen beside the answer."""
        name, pattern = gap
        guessed = name in self._relaxed.from_choices
        there = (self._model.possible if guessed else self._model.of).get(name, ())
        return not any(fits(pattern, each.arguments) for each in there)

    # --- lines ---

    def _definitions(self, statements: Iterable[Statement]) -> Iterator[_Told]:
        """Definitions of the program, with their atoms."""
        for each in statements:
            if not each.ours:
                yield each.line, partial(self._wording.described, each)


def _lines(told: Iterable[_Told]) -> tuple[Line, ...]:
    """Different lines of the program, the first ones with words."""
    different: dict[Line, Callable[[], str]] = {}
    for line, words in told:
        different.setdefault(line, words)
    return tuple(
        line._replace(words=words() if at < _WORDED else "")
        for at, (line, words) in enumerate(different.items())
    )


def _negative(statement: Statement, model: Model) -> list[tuple[AST, Binding]]:
    """The negated atoms of a violated constraint, each with the values of its variables."""
    return [
        (literal, values)
        for values in (model.hits(statement)[:1] if statement.is_constraint else ())
        for literal in literals(statement.body)
        if literal.sign == Sign.Negation
    ]


def _missing_first(statement: Statement) -> Callable[[Signature], tuple[bool, Signature]]:
    """A key for predicates: those of which a violated statement lacks an atom are first."""
    negative = {
        signature(literal.atom.symbol)
        for literal in literals(statement.body)
        if literal.sign == Sign.Negation
    }
    return lambda name: (name not in negative, name)


def _fetches(literal: AST) -> bool:
    """True for an atom that is not negated."""
    is_atom = getattr(literal, "atom", None) is not None
    return is_atom and literal.sign == Sign.NoSign and literal.atom.ast_type == ASTType.SymbolicAtom


def _number(text: str) -> tuple[int, str]:
    """A key for texts of which most are numbers."""
    return (int(text), "") if text.removeprefix("-").isdecimal() else (0, text)


def _likely(statement: Statement) -> tuple[bool, bool]:
    return not statement.is_constraint, statement.is_choice
