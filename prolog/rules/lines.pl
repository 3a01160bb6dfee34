% Lines: what the digits do from one cell to the next. A line may be a loop that comes
% back to its first cell, which it then has twice.

%   The digits increase from the bulb, the first cell; in a slow one they may stay
%   the same.

rule(thermometer, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    (   flag(slow, Fields)
    ->  chain(Cells, #=<)
    ;   chain(Cells, #<)
    ).

%   Neighbours on the line differ by at least 5, or another difference.

rule(whispers, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    get(difference, Fields, Least, 5),
    close_pairs(2, Cells, Pairs),
    related(apart(Least), Pairs, Grid).

%   The digits are consecutive and all different, in any order.

rule(renban, Fields, Grid) :-
    different_cells(Fields, Grid, Cells),
    length(Cells, Length),
    all_pairs(Cells, Pairs),
    related(closer(Length), Pairs, Grid).

%   No two digits are the same or consecutive, wherever they are on the line.

rule(nabner, Fields, Grid) :-
    different_cells(Fields, Grid, Cells),
    all_pairs(Cells, Pairs),
    related(apart(2), Pairs, Grid).

%   The digits are the same from both ends.

rule(palindrome, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    reverse(Cells, Cells).

%   Two digits at the same distance from the middle of the line are both even or both odd.

rule(parity_palindrome, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    reverse(Cells, Reversed),
    transpose([Cells,Reversed], Pairs),
    related(same_parity, Pairs, Grid).

same_parity(N, M) :-
    N mod 2 =:= M mod 2.

%   The digits on the line are greater than that of one end and less than that of the
%   other.

rule(between_line, Fields, Grid) :-
    line_ends(Fields, Grid, First, Inner, Last),
    Low #= min(First, Last),
    High #= max(First, Last),
    maplist(#<(Low), Inner),
    maplist(#>(High), Inner).

%   The two ends differ by at least 4, or another difference, and no digit on the line is
%   one of theirs or between them.

rule(lockout_line, Fields, Grid) :-
    line_ends(Fields, Grid, First, Inner, Last),
    get(difference, Fields, Least, 4),
    locked_out(First, Last, Inner, Least).

%   Of any three successive cells, one is low, one in the middle and one high. If there
%   are no equal thirds, as many digits are low as high.

rule(entropic_line, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    grid_size(Grid, Size),
    close_pairs(3, Cells, Pairs),
    related(other_third(Size), Pairs, Grid).

other_third(Size, N, M) :-
    third(Size, N, Third),
    third(Size, M, Other),
    Third \== Other.

third(Size, N, Third) :-
    thirds(Size, Thirds),
    member(Third, Thirds),
    Third = Low..High,
    between(Low, High, N).

%   The digits are accepted by a finite automaton. Its arcs are lists of a state, a digit
%   and the next state; the digit 0 stands for every digit that no other arc from its
%   state has.

rule(automaton, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    get(start, Fields, Starts),
    get(accepting, Fields, Accepting),
    get(arcs, Fields, Arcs),
    grid_size(Grid, Size),
    findall(source(State), member(State, Starts), Sources),
    findall(sink(State), member(State, Accepting), Sinks),
    append(Sources, Sinks, Nodes),
    findall(arc(From,Digit,To), leads(Size, Arcs, From, Digit, To), Leads),
    automaton(Cells, Nodes, Leads).

leads(Size, Arcs, From, Digit, To) :-
    member([From,Named,To], Arcs),
    (   Named =:= 0
    ->  between(1, Size, Digit),
        \+ memberchk([From,Digit,_], Arcs)
    ;   Digit = Named
    ).

%   Any three successive cells have different remainders by 3; another modulus
%   works likewise.

rule(modular_line, Fields, Grid) :-
    cells(Fields, Grid, Cells),
    get(modulus, Fields, Modulus, 3),
    close_pairs(Modulus, Cells, Pairs),
    related(other_remainder(Modulus), Pairs, Grid).

other_remainder(Modulus, N, M) :-
    N mod Modulus =\= M mod Modulus.

%   Cells are those of the line, each once.

different_cells(Fields, Grid, Cells) :-
    get(cells, Fields, Places),
    sort(Places, Different),
    cells([cells=Different], Grid, Cells).

%   The line is First, Inner and Last; of one cell, First is Last.

line_ends(Fields, Grid, First, Inner, Last) :-
    cells(Fields, Grid, Cells),
    ends(Cells, First, Inner, Last).

ends([Only], Only, [], Only) :- !.
ends([First|Others], First, Inner, Last) :-
    append(Inner, [Last], Others),
    !.

%   Pairs are two cells each, of any Width successive ones.

close_pairs(Width, Cells, Pairs) :-
    length(Cells, Length),
    findall([N,M],
            ( between(1, Length, N), between(1, Length, M), N < M, M < N + Width ),
            Numbers),
    maplist(maplist({Cells}/[Number,Cell]>>nth1(Number, Cells, Cell)), Numbers, Pairs).

all_pairs(Cells, Pairs) :-
    length(Cells, Length),
    close_pairs(Length, Cells, Pairs).
