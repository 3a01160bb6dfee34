parent(ann, bob).
parent(ann, cid).
parent(bob, dan).
parent(cid, eve).
parent(cid, fay).
woman(ann).
woman(eve).
woman(fay).

% ancestor(A, B): A is a parent of B, or of an ancestor of B.

ancestor(A, B) :-
    parent(A, B).
ancestor(A, B) :-
    parent(A, C),
    ancestor(C, B).

% sister(A, B): A is another child, a woman, of a parent of B.

sister(A, B) :-
    parent(P, A),
    parent(P, B),
    woman(A),
    A \== B.

% cousin(A, B): parents of A and B are different children of one parent.

cousin(A, B) :-
    parent(P, A),
    parent(Q, B),
    sibling(P, Q).

sibling(A, B) :-
    parent(P, A),
    parent(P, B),
    dif(A, B).

% childless(A): A is somebody's child, and nobody's parent.

childless(A) :-
    parent(_, A),
    \+ parent(A, _).

% depth(A, B, N): N steps lead from A down to B.

depth(A, A, 0).
depth(A, B, N) :-
    parent(A, C),
    depth(C, B, M),
    N is M + 1.
