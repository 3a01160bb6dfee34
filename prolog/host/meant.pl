:- module(pls_meant, [did_you_mean/2, meant/3]).
:- use_module(library(lists), [member/2]).

/** <module> The predicate that is meant by a name that is not known

As near in pylogic_sudoku/errors.py: one slip of the pen, or one in every four letters. A slip is a letter too
many, missing, or another, or two that are exchanged.
*/

%!  meant(+Program, +Predicate, -Near) is semidet.
%
%   Near is a predicate that Program sees: one of the same name with other arguments, or of about the same
%   name with as many.

meant(Program, Name/Arity, Near) :-
    findall(Known, visible(Program, Known), All),
    (   member(Name/Other, All)
    ->  Near = Name/Other
    ;   nearest(Name, Arity, All, Near)
    ).

visible(Program, Name/Arity) :-
    current_predicate(Program:Name/Arity).
visible(Program, Predicate) :-
    predicate_property(Program:label(_), imported_from(clpfd)),
    of_clpfd(Predicate).

%!  did_you_mean(+Predicate, -Question) is semidet.
%
%   Question names a predicate of Prolog, or of a library that it loads by itself, or of library(clpfd) if
%   that is loaded.

did_you_mean(Name/Arity, Question) :-
    findall(Known/Arity, known(Known, Arity), All),
    nearest(Name, Arity, All, Near),
    format(string(Question), "did you mean ~w?", [Near]).

known(Name, Arity) :-
    current_predicate(system:Name/Arity),
    \+ sub_atom(Name, 0, _, _, $).
known(Name, Arity) :-
    '$in_library'(Name, Arity, Path),
    \+ file_base_name(Path, backcomp).          % what is there for old programs alone
known(Name, Arity) :-
    of_clpfd(Name/Arity).

of_clpfd(Predicate) :-
    current_module(clpfd),
    module_property(clpfd, exports(Predicates)),
    member(Predicate, Predicates).

nearest(Name, Arity, All, Near/Arity) :-
    atom_chars(Name, Chars),
    length(Chars, Length),
    Length > 2,
    Most is max(1, Length//4),
    findall(Number-Known,
            ( member(Known/Arity, All),
              Known \== Name,
              atom_length(Known, Its),
              abs(Its-Length) =< Most,
              atom_chars(Known, Others),
              slips(Chars, Others, Number),
              Number =< Most ),
            Found),
    sort(Found, [_-Near|_]).

%   A row of the table has the numbers of slips from the beginning of one name to each of the other.

slips(Chars, Others, Number) :-
    findall(N, ( length(Others, Length), between(0, Length, N) ), Row),
    rows(Chars, none, Others, none, Row, Last),
    append_last(Last, Number).

append_last([Number], Number) :- !.
append_last([_|Rest], Number) :-
    append_last(Rest, Number).

rows([], _, _, _, Row, Row).
rows([Char|Chars], Before, Others, Earlier, [First|Row], Last) :-
    This is First+1,
    cells(Others, Char, Before, none, First, Row, Earlier, This, Cells),
    rows(Chars, Char, Others, [First|Row], [This|Cells], Last).

cells([], _, _, _, _, _, _, _, []).
cells([Other|Others], Char, Before, Previous, Diagonal, [Above|Row], Earlier, Left, [Cell|Cells]) :-
    (   Char == Other
    ->  Same = Diagonal
    ;   Same is Diagonal+1
    ),
    Cell0 is min(min(Above, Left)+1, Same),
    (   Earlier = [Exchanged|Rest],
        Char == Previous,
        Before == Other
    ->  Cell is min(Cell0, Exchanged+1)
    ;   Cell = Cell0,
        ( Earlier = [_|Rest] -> true ; Rest = none )
    ),
    next_earlier(Previous, Earlier, Rest, Next),
    cells(Others, Char, Before, Other, Above, Row, Next, Cell, Cells).

%   Of the row before the last, the cell two places to the left is needed.

next_earlier(none, Earlier, _, Earlier) :- !.
next_earlier(_, _, Rest, Rest).
