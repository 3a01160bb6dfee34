answer([sorted(Sorted)]) :-
    findall(Number, item(_, Number), Numbers),
    sorted(Numbers, Sorted).
