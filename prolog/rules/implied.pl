% What follows from cages and houses together. All digits of a house have a known sum. So if
% cages cover all but a few cells of some houses, the sum of these cells is known (people say
% innies), and likewise that of a few cells of cages that reach out (outies).

post_implied(Rules, Grid) :-
    findall(cage(Places, Sum), summed_cage(Rules, Places, Sum), Cages),
    findall(leftover(Weighted, Sum),
            ( Cages = [_|_], area(Grid, Area, Total), leftover(Cages, Area, Total, Weighted, Sum) ),
            Leftovers0),
    sort(Leftovers0, Leftovers),
    maplist({Grid}/[leftover(Weighted, Sum)]>>has_sum(Weighted, Sum, Grid), Leftovers).

summed_cage(Rules, Places, Sum) :-
    member(Rule, Rules),
    compound(Rule),
    Rule =.. [killer_cage|Fields],
    get(cells, Fields, Places0),
    get(sum, Fields, Sum, none),
    Sum \== none,
    sort(Places0, Places),
    same_length(Places0, Places).

%   Area has the cells of up to half of the houses of a kind that follow each other; Total is their sum.

area(Grid, Area, Total) :-
    grid_size(Grid, Size),
    grid_shape(Grid, Shape),
    findall(Row, ( between(1, Size, X), findall(X-Y, between(1, Size, Y), Row) ), Rows),
    sudoku_houses(Rows, Shape, Houses),
    Half is Size // 2,
    between(1, Half, Number),
    length(Chosen, Number),
    append(_, Rest, Houses),
    append(Chosen, _, Rest),
    append(Chosen, Places),
    sort(Places, Area),
    same_length(Places, Area),          % no cell is in two of them
    Total is Number * Size * (Size + 1) // 2.

%   The cells that the cages taken leave of the area, less their cells beyond it, have the Sum. With
%   many cells it says little, unless one of them is in no cage at all and so in no other sum.

leftover(Cages, Area, Total, Weighted, Sum) :-
    foldl(take_cage(Area), Cages, Area-[]-Total, In-Out-Sum),
    In \== Area,                        % else no cage is in it
    findall(1-Place, member(Place, In), Weighted, Negative),
    findall(-1-Place, member(Place, Out), Negative),
    length(Weighted, Length),
    (   Length =< 6
    ->  Length > 0
    ;   Length =< 9,
        member(_-Place, Weighted),
        \+ ( member(cage(Places, _), Cages), memberchk(Place, Places) )
    ->  true
    ).

%   Cages that are mostly in the area, and have no cell in common with others.

take_cage(Area, cage(Places, Sum), In0-Out0-Sum0, In-Out-Sum1) :-
    ord_intersection(Places, Area, Within),
    ord_subtract(Places, Area, Beyond),
    length(Within, Here),
    length(Beyond, There),
    (   Here > There,
        ord_subset(Within, In0),
        ord_disjoint(Beyond, Out0)
    ->  ord_subtract(In0, Within, In),
        ord_union(Out0, Beyond, Out),
        Sum1 is Sum0 - Sum
    ;   In = In0,
        Out = Out0,
        Sum1 = Sum0
    ).
