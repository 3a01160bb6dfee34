% aunt(A, B): A is a sister of a parent of B.

aunt(A, B) :-
    parent(P, B),
    sister(A, P).

% sister(S, P): S is a woman other than P who has a parent of P.

sister(S, P) :-
    parent(Q, P),
    parent(Q, S),
    woman(S),
    S \== P.

% ancestor(A, B): A is a parent of B, or of an ancestor of B.

ancestor(A, B) :-
    parent(A, B).
ancestor(A, B) :-
    parent(A, P),
    ancestor(P, B).

:- include(adapter).
