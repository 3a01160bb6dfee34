"""Forty faults in small programs for queens, and what each door is to say of them."""

from __future__ import annotations

from typing import NamedTuple

ASP = """\
{ queen(X,Y) : Y = 1..N } = 1 :- X = 1..N, size(N).
:- queen(X,Y), queen(Z,Y), X < Z.
:- queen(X,Y), queen(Z,W), X < Z, |X-Z| = |Y-W|.
#show queen/2.
"""
PROLOG = """\
:- use_module(library(clpfd)).
model(Pairs) :-
    size(N),
    length(Qs, N), Qs ins 1..N,
    safe(Qs),
    findall(queen(I), between(1, N, I), Ks),
    pairs_keys_values(Pairs, Ks, Qs).
safe([]).
safe([Q|Qs]) :- none(Q, 1, Qs), safe(Qs).
none(_, _, []).
none(Q, D, [P|Ps]) :- Q #\\= P, abs(Q - P) #\\= D, D1 is D + 1, none(Q, D1, Ps).
"""


class Fault(NamedTuple):
    """A change of a program, and the line and the words that name it.

    Without words, the program loses an answer, and the line is to be the first one.
    """

    language: str
    old: str
    new: str
    line: int
    words: str

    @property
    def text(self) -> str:
        """The program with the fault."""
        program = ASP if self.language == "asp" else PROLOG
        assert program.count(self.old) >= 1, self.old
        return program.replace(self.old, self.new, 1)


_IN_ASP = [
    (":- queen(X,Y), queen(Z,Y)", "```asp\n:- queen(X,Y), queen(Z,Y)", 2, "fence of Markdown"),
    ("#show queen/2.", "#show queen/2.\n```", 5, "fence of Markdown"),
    ("X < Z.", "X \\= Z.", 2, r"if \= of Prolog is meant, write !="),
    ("X < Z.", "X =< Z, X != Z.", 2, "write <= in ASP"),
    ("X < Z.", "\\+ X = Z.", 2, "write not or != in ASP"),
    ("X < Z.", "D is Z-X, D > 0.", 2, "write = instead of Prolog's is"),
    ("X < Z.", "X < Z and X < Z.", 2, "write a comma instead of and"),
    ("X < Z.", "X < Z && X < Z.", 2, "if && is meant, write a comma"),
    ("X < Z.", "X < Z || Z < X.", 2, "if || is meant"),
    ("X < Z.", "not X => Z.", 2, "HEAD :- BODY"),
    ("X < Z.", "X < Z, !.", 2, "ASP has no cut"),
    (":- queen(X,Y), queen(Z,Y)", ":- quen(X,Y), queen(Z,Y)", 2, "did you mean queen/2?"),
    (":- queen(X,Y), queen(Z,Y)", ":- queen(X), queen(X,Y), queen(Z,Y)", 2, "mean queen/2?"),
    ("queen(Z,W), X < Z", "qeuen(Z,W), X < Z", 3, "did you mean queen/2?"),
    ("X < Z.", "X < Z, Z < V.", 2, "unsafe variables"),
    ("#show", ":- queen(1,2).\n#show", 4, ""),
    ("X < Z, |", "X <= Z, |", 3, ""),
    ("Y = 1..N }", "Y = 1..N-1 }", 1, ""),
    ("X < Z.", "X != Z+9.", 2, ""),
    ("#show", ":- { queen(X,Y) : X < Y } > 1.\n#show", 4, ""),
]
_IN_PROLOG = [
    ("safe([]).", "```\nsafe([]).", 8, "fence of Markdown"),
    (":- use", "```prolog\n:- use", 1, "fence of Markdown"),
    ("Q #\\= P", "Q != P", 11, "!= is not an operator in Prolog"),
    ("Q #\\= P", "Q <> P", 11, "<> is not an operator in Prolog"),
    ("Q #\\= P, abs", "Q #\\= P && abs", 11, "&& is not an operator in Prolog"),
    ("Q #\\= P, abs", "Q #\\= P and abs", 11, "and is of another language"),
    ("Q #\\= P", "not Q #= P", 11, "not is of another language"),
    ("Q #\\= P,", "Q #> P => true,", 11, "=> is not an operator of goals"),
    ("D1 is D", "D1 := D", 11, "write is for numbers"),
    ("length(Qs, N)", "lenght(Qs, N)", 4, "did you mean length/2?"),
    ("pairs_keys_values(", "pair_keys_values(", 7, "did you mean pairs_keys_values/3?"),
    ("    safe(Qs),", "    safe(Qs, N),", 5, "there is safe/1"),
    ("none(Q, 1, Qs), safe(Qs)", "none(Q, 1, Qt), safe(Qs)", 9, "Singleton variables: [Qt]"),
    ("safe([]).\n", "safe([]).\nnone(_, _, [_]).\n", 11, "not together"),
    (
        "safe([]).",
        "safe([]) :- extra(V).\nextra(_).\nsafe([_|_]).",
        8,
        "Singleton variables: [V]",
    ),
    ("Qs ins 1..N", "Qs ins 2..N", 4, ""),
    ("Q #\\= P", "Q #> P", 11, ""),
    ("abs(Q - P) #\\= D", "abs(Q - P) #> D", 11, ""),
    ("    safe(Qs),", "    safe(Qs), Qs = [First|_], First #> 2,", 5, ""),
    ("D1 is D + 1, none", "D1 is D + 1, Q #< 4, none", 11, ""),
]
FAULTS = [Fault("asp", *each) for each in _IN_ASP]
FAULTS += [Fault("prolog", *each) for each in _IN_PROLOG]
