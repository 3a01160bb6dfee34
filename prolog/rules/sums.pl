% Sums: of a cage, of an arrow, of a line.

%   The digits are different, and their sum is the clue if there is one.

rule(killer_cage, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    get(cells, Fields, Places),
    sort(Places, Different),
    cells([cells=Different], Grid, DifferentCells),
    all_different(DifferentCells),
    get(sum, Fields, Sum, none),
    (   Sum == none
    ->  true
    ;   sum(Cells, #=, Sum)
    ).
