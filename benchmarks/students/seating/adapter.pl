answer([row(Row)]) :-
    findall(Guest, guest(Guest), Guests),
    seating(Guests, Row).
