% Lines: what the digits do from one cell to the next.

%   The digits increase from the bulb, the first cell; in a slow one they may stay
%   the same.

rule(thermometer, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    (   get(slow, Fields, true, false)
    ->  chain(Cells, #=<)
    ;   chain(Cells, #<)
    ).
