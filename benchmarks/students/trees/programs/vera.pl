keys(nil, []).
keys(t(L, K, R), Keys) :-
    keys(L, Ls),
    keys(R, Rs),
    append(Ls, [K|Rs], Keys).

height([], 0).
height(t(L, _, R), H) :-
    height(L, HL),
    height(R, HR),
    greater(HL, HR, M),
    H is M + 1.

greater(A, B, A) :- A >= B.
greater(A, B, B) :- B > A.
