answer([aunt(A, B)]) :-
    aunt(A, B).
answer([ancestor(A, B)]) :-
    ancestor(A, B).
