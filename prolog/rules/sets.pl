% Sets of cells, and moves over the whole grid, where no digit may repeat.

%   The digits of these cells are different.

rule(different, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    all_different(Cells).
