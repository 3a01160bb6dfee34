% A tree is nil, or t(Left, Key, Right).

% keys(Tree, Keys): Keys are those of the tree, from left to right.

keys(Tree, Keys) :-
    keys(Tree, Keys, []).

keys(nil, Keys, Keys).
keys(t(Left, Key, Right), Keys, Rest) :-
    keys(Left, Keys, [Key|More]),
    keys(Right, More, Rest).

% height(Tree, Height): Height is the number of keys on a longest way down; that of nil is 0.

height(nil, 0).
height(t(Left, _, Right), Height) :-
    height(Left, A),
    height(Right, B),
    greater(A, B, C),
    Height is C + 1.

% greater(A, B, C): C is the greater of both numbers.

greater(A, B, A) :- A > B.
greater(A, B, B) :- A =< B.

:- include(adapter).
