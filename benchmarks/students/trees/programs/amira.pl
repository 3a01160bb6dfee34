keys(Tree, Keys) :- collect(Tree, [], Keys).

collect(nil, Acc, Acc).
collect(t(L,K,R), Acc, Keys) :-
    collect(R, Acc, Acc1),
    collect(L, [K|Acc1], Keys).

height(nil, 1).
height(t(L,_,R), H) :-
    height(L, A),
    height(R, B),
    greater(A, B, M),
    H is M+1.

greater(A, B, A) :- A > B.
greater(A, B, B) :- A =< B.
