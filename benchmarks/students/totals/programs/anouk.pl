totals([N|Ns], Sum, Largest) :-
    add([N|Ns], 0, Sum),
    largest(Ns, N, Largest).

add([], Sum, Sum).
add([N|Ns], Acc, Sum) :-
    Acc1 is Acc + N,
    add(Ns, Acc1, Sum).

largest([], Largest, Largest).
largest([N|Ns], Best, Largest) :-
    ( N > Best -> Next = N ),
    largest(Ns, Next, Largest).
