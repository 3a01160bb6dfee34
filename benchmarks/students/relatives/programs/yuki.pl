aunt(A, C) :-
    sister(A, P),
    parent(P, C).

sister(A, B) :-
    woman(A),
    parent(P, A),
    parent(P, B).

ancestor(A, B) :- parent(A, B).
ancestor(A, B) :- parent(A, C), ancestor(C, B).
