route(A, B, [A|Rest]) :- visit(B, [A], Rest).

visit(B, [B|_], []).
visit(B, [A|Old], [C|Rest]) :-
    A \== B,
    linked(A, C),
    nonmember(C, [A|Old]),
    visit(B, [C,A|Old], Rest).

linked(A, B) :- road(A, B).

nonmember(_, []).
nonmember(X, [Y|Ys]) :- X \== Y, nonmember(X, Ys).
