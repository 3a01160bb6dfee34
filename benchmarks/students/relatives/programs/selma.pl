aunt(A, B) :- parent(P, B), siblings(P, A), woman(A).

siblings(X, Y) :- parent(P, X), parent(P, Y), X \== Y.

ancestor(A, B) :-
    parent(A, C),
    ancestor(C, B).
