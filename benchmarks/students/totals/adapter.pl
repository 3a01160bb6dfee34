answer([totals(Sum, Largest)]) :-
    findall(Number, item(_, Number), Numbers),
    totals(Numbers, Sum, Largest).
