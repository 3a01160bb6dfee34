% totals(Numbers, Sum, Largest): the sum and the largest of a list of numbers, which is not empty.

totals(Numbers, Sum, Largest) :-
    add(Numbers, 0, Sum),
    Numbers = [First|Rest],
    largest(Rest, First, Largest).

% add(Numbers, Sum0, Sum): Sum is the sum of Sum0 and the numbers.

add([], Sum, Sum).
add([Number|Numbers], Sum0, Sum) :-
    Sum1 is Sum0 + Number,
    add(Numbers, Sum1, Sum).

% largest(Numbers, Largest0, Largest): Largest is the largest of Largest0 and the numbers.

largest([], Largest, Largest).
largest([Number|Numbers], Largest0, Largest) :-
    larger(Number, Largest0, Largest1),
    largest(Numbers, Largest1, Largest).

larger(A, B, A) :- A >= B.
larger(A, B, B) :- A < B.

:- include(adapter).
