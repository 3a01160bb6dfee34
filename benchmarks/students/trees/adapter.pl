answer([keys(Keys), height(Height)]) :-
    root(Root),
    grown(Root, Tree),
    keys(Tree, Keys),
    height(Tree, Height).

grown(none, nil).
grown(Key, t(Left, Key, Right)) :-
    node(Key, A, B),
    grown(A, Left),
    grown(B, Right).
