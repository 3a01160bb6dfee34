height(nil, 0).
height(t(Left, _Key, Right), H) :-
    height(Left, H1),
    height(Right, H2),
    greater(Max, H1, H2),
    H is Max + 1.

greater(X, X, Y) :- X >= Y.
greater(Y, X, Y) :- Y > X.

keys(nil, []).
keys(t(Left, Key, Right), Keys) :-
    keys(Left, LeftKeys),
    keys(Right, RightKeys),
    append(RightKeys, [Key|LeftKeys], Keys).
