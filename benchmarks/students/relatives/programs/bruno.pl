% sister(X, Y): the sister of X is Y
sister(X, Y) :-
    parent(P, X),
    parent(Y, P),
    woman(Y),
    X \= Y.

aunt(Aunt, Child) :-
    parent(Parent, Child),
    sister(Parent, Aunt).

ancestor(Old, Young) :-
    parent(Old, Young).
ancestor(Old, Young) :-
    parent(Middle, Young),
    ancestor(Old, Middle).
