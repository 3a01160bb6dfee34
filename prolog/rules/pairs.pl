% Pairs of cells: dots, letters and signs between two cells, copies, cells beside their
% neighbours. Neighbours here share a side.

%   One of the two digits is greater by 1, or another value, than the other.

rule(difference, Fields, Grid) :-
    cells(Fields, Grid, Pair),
    get(value, Fields, Value, 1),
    related(difference(Value), [Pair], Grid).

%   One of the two digits is 2 times, or another value times, the other.

rule(ratio, Fields, Grid) :-
    cells(Fields, Grid, Pair),
    get(value, Fields, Value, 2),
    related(ratio(Value), [Pair], Grid).

%   The two digits add up to a value.

rule(pair_sum, Fields, Grid) :-
    cells(Fields, Grid, Pair),
    get(value, Fields, Value),
    related(pair_sum(Value), [Pair], Grid).

%   The digit of each cell is greater than that of the next.

rule(greater, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    chain(Cells, #>).

%   No two neighbours have one of these differences, ratios or sums, but for the exempt
%   pairs.

rule(negative, Fields, Grid) :-
    get(differences, Fields, Differences, []),
    get(ratios, Fields, Ratios, []),
    get(sums, Fields, Sums, []),
    get(exempt, Fields, Exempt, []),
    maplist(sort, Exempt, ExemptPairs),
    findall([Place,Other],
            ( beside(Grid, Place, Other),
              Place @< Other,
              \+ memberchk([Place,Other], ExemptPairs) ),
            Sides),
    maplist(maplist(grid_at(Grid)), Sides, Pairs),
    related(none_of(Differences, Ratios, Sums), Pairs, Grid).

%   Each pair of cells holds one of the pairs of digits that are allowed, in this order.

rule(pair_table, Fields, Grid) :-
    get(pairs, Fields, Places),
    get(allowed, Fields, Allowed),
    maplist(maplist(grid_at(Grid)), Places, Pairs),
    related(one_of(Allowed), Pairs, Grid).

%   The copies hold the same digits as the cells, in the same order.

rule(clone, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    cells(copies, Fields, Grid, Cells).

%   Each of the cells is less than its neighbours that are not among the cells.

rule(minimum, Fields, Grid) :-
    other_neighbours(Fields, Grid, Cells, Neighbours),
    maplist(#<, Cells, Neighbours).

%   Each of the cells is greater than its neighbours that are not among the cells.

rule(maximum, Fields, Grid) :-
    other_neighbours(Fields, Grid, Cells, Neighbours),
    maplist(#>, Cells, Neighbours).

%   Neighbours are the neighbours of Cells, one for one, that are not among the cells.

other_neighbours(Fields, Grid, Cells, Neighbours) :-
    get(cells, Fields, Places),
    findall(Place-Other,
            ( member(Place, Places),
              beside(Grid, Place, Other),
              \+ memberchk(Other, Places) ),
            Sides),
    pairs_keys_values(Sides, Here, There),
    maplist(grid_at(Grid), Here, Cells),
    maplist(grid_at(Grid), There, Neighbours).

%   Place and Other are cells that share a side.

beside(Grid, X-Y, X1-Y1) :-
    grid_size(Grid, Size),
    places(Size, Places),
    member(X-Y, Places),
    member(X1-Y1, Places),
    1 =:= abs(X1 - X) + abs(Y1 - Y).

%   Relations of the digits N and M.

difference(Value, N, M) :- abs(N-M) =:= Value.

apart(Least, N, M) :- abs(N-M) >= Least.

closer(Limit, N, M) :- N =\= M, abs(N-M) < Limit.

ratio(Value, N, M) :- ( N =:= Value*M -> true ; M =:= Value*N ).

pair_sum(Value, N, M) :- N+M =:= Value.

one_of(Allowed, N, M) :- memberchk([N,M], Allowed).

none_of(Differences, Ratios, Sums, N, M) :-
    \+ ( member(Value, Differences), difference(Value, N, M) ),
    \+ ( member(Value, Ratios), ratio(Value, N, M) ),
    \+ ( member(Value, Sums), pair_sum(Value, N, M) ).
