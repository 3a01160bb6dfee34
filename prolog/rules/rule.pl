:- module(sudoku_rule,
          [ post_rules/3,       % ?Rows, +Shape, +Rules
            post_rule/2,        % +Grid, +Rule
            post_rules_alone/3, % ?Rows, +Shape, +Rules
            cells/3,            % +Fields, +Grid, -Cells
            cells/4,            % +Name, +Fields, +Grid, -Cells
            get/3,              % +Name, +Fields, -Value
            get/4,              % +Name, +Fields, -Value, +Default
            flag/2,             % +Name, +Fields
            grid_size/2,        % +Grid, -Size
            grid_at/3,          % +Grid, +Place, -Cell
            grid_shape/2,       % +Grid, -Shape
            related/3           % :Test, +Pairs, +Grid
          ]).
:- use_module('../sudoku/grid', [sudoku_houses/3]).
:- autoload(library(aggregate), [aggregate_all/3]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(error), [domain_error/2, must_be/2]).
:- use_module(library(lists), [member/2, memberchk/2]).
:- use_module(library(yall)).

:- autoload(alternatives, [post_own/2]).        % plain puzzles do not load these
:- autoload(fields, [must_have_fields/3]).
:- autoload(shared, [digit_pair/4]).
:- autoload(automata, [different/3, largest_exact/1]).
:- autoload(kinds, [post_implied/2, rule_kind/1]).

/** <module> Rules beyond plain sudoku

A rule is a term whose arguments are fields, Name=Value:

    thermometer(cells=[7-1,6-1,5-1])
    killer_cage(cells=[1-1,1-2], sum=3)
    anti_knight

A cell is Row-Column. A flag is true or left out. For each kind there is one clause

    rule(Kind, Fields, Grid)

in one of the files beside this one, that constrains the cells of a grid. They are
loaded when a puzzle first has a rule. A rule of your own is such a clause in the
module user. It may use what this module exports:

    ?- [user].
    rule(rising, Fields, Grid) :-
        cells(Fields, Grid, Cells),
        chain(Cells, #<).
*/

:- multifile user:rule/3.
:- dynamic user:rule/3.

%!  post_rules(?Rows, +Shape, +Rules) is semidet.
%
%   Constrains the cells of Rows, which are in 1..n, to obey Rules. A rule
%   Module:Rule has its clause in that module.
%
%   @error existence_error(rule, Kind) if there is no such kind; those of
%   must_have_fields/3 for a field that it does not have; domain_error or type_error
%   for a rule without a field that it needs, or with a cell that Rows do not have.

post_rules(Rows, Shape, Rules) :-
    must_be(list, Rules),
    (   Rules == []
    ->  true
    ;   post_some_rules(Rows, Shape, Rules)
    ).

post_some_rules(Rows, Shape, Rules) :-
    rule_grid(rows, Rows, Shape, Grid),
    maplist(post_rule(Grid), Rules),
    sudoku_houses(Rows, Shape, Houses),
    maplist(see_house(Grid), Houses),
    post_implied(Rules, Grid).

%   In a puzzle with rules it pays to see all that follows from a single house.

see_house(Grid, House) :-
    grid_size(Grid, Size),
    (   largest_exact(Largest),
        Size =< Largest
    ->  different(House, Size, any)
    ;   true
    ).

%!  post_rules_alone(?Rows, +Shape, +Rules) is semidet.
%
%   The same, but nothing is known of the houses: digits may repeat in them. So the
%   cells obey what Rules say alone, as explanations need it.

post_rules_alone(Rows, Shape, Rules) :-
    rule_grid(rows_alone, Rows, Shape, Grid),
    maplist(post_rule(Grid), Rules).

rule_grid(Name, Rows, Shape, grid(Size, Shape, Matrix)) :-
    length(Rows, Size),
    maplist([Row,Cells]>>(Cells =.. [row|Row]), Rows, RowTerms),
    Matrix =.. [Name|RowTerms].

%!  post_rule(+Grid, +Rule) is semidet.
%
%   The cells of Grid obey Rule.

post_rule(Grid, Module:Rule) =>
    must_be(callable, Rule),
    Rule =.. [Kind|Fields],
    post_clause(Module, Kind, Fields, Grid).
post_rule(Grid, Rule) =>
    must_be(callable, Rule),
    Rule =.. [Kind|Fields],
    (   rule_kind(Kind)
    ->  Module = sudoku_kinds
    ;   Module = user
    ),
    post_clause(Module, Kind, Fields, Grid).

post_clause(Module, Kind, Fields, Grid) :-
    (   \+ clause(Module:rule(Kind, _, _), _)
    ->  unknown_kind(Kind)
    ;   must_have_fields(Module, Kind, Fields),
        Module \== sudoku_kinds,
        ground(Fields)
    ->  post_own(sudoku_rule:obeys(Module, Kind, Fields), Grid)
    ;   Module:rule(Kind, Fields, Grid)
    ).

unknown_kind(Kind) :-
    (   ( rule_kind(Known) ; clause(user:rule(Known, _, _), _) ),
        dwim_match(Known, Kind)
    ->  format(atom(Text), "did you mean ~w?", [Known])
    ;   Text = 'there is no clause rule(Kind, Fields, Grid) for it'
    ),
    throw(error(existence_error(rule, Kind), context(_, Text))).

:- public obeys/4.

obeys(Module, Kind, Fields, Grid) :-
    Module:rule(Kind, Fields, Grid).

%!  get(+Name, +Fields, -Value) is det.
%!  get(+Name, +Fields, -Value, +Default) is det.
%
%   Value is that of the field Name, or Default if it is missing.
%
%   @error domain_error(fields_with(Name), Fields) if it is missing without Default.

get(Name, Fields, Value) :-
    (   memberchk(Name=Found, Fields)
    ->  Value = Found
    ;   domain_error(fields_with(Name), Fields)
    ).

get(Name, Fields, Value, Default) :-
    (   memberchk(Name=Found, Fields)
    ->  Value = Found
    ;   Value = Default
    ).

%!  flag(+Name, +Fields) is semidet.
%
%   The field Name is true; it may also be false, or missing.
%
%   @error type_error(boolean, Value) if it is anything else.

flag(Name, Fields) :-
    get(Name, Fields, Value, false),
    must_be(boolean, Value),
    Value == true.

%!  cells(+Fields, +Grid, -Cells) is det.
%!  cells(+Name, +Fields, +Grid, -Cells) is det.
%
%   Cells are the variables or digits of the cells in a field, `cells` by default.

cells(Fields, Grid, Cells) :-
    cells(cells, Fields, Grid, Cells).

cells(Name, Fields, Grid, Cells) :-
    get(Name, Fields, Places),
    must_be(list, Places),
    maplist(grid_at(Grid), Places, Cells).

%!  grid_at(+Grid, +Place, -Cell) is det.
%
%   Cell is what Place, Row-Column, holds.

grid_at(grid(Size, _, Rows), Place, Cell) :-
    (   nonvar(Place),
        Place = Row-Column
    ->  must_be(between(1, Size), Row),
        must_be(between(1, Size), Column),
        arg(Row, Rows, Cells),
        arg(Column, Cells, Cell)
    ;   domain_error(cell, Place)
    ).

%!  grid_size(+Grid, -Size) is det.
%!  grid_shape(+Grid, -Shape) is det.
%
%   Grid has Size rows, and houses of this Shape.

grid_size(grid(Size, _, _), Size).
grid_shape(grid(_, Shape, _), Shape).

%!  related(:Test, +Pairs, +Grid) is semidet.
%
%   Each of Pairs, a list of two cells, holds two digits for which Test is true. As
%   a table, this sees all that a pair excludes; arithmetic would see only bounds.

:- meta_predicate related(2, +, +).

related(Test, Pairs, Grid) :-
    grid_size(Grid, Size),
    findall(One-Other,
            ( between(1, Size, One), between(1, Size, Other), call(Test, One, Other) ),
            Table),
    findall(Set, ( between(1, Size, One), partners(One-Other, Other, Table, Set) ), Sets),
    Masks =.. [masks|Sets],
    findall(Set, ( between(1, Size, Other), partners(One-Other, One, Table, Set) ), BackSets),
    BackMasks =.. [masks|BackSets],
    maplist(related_pair(Masks, BackMasks), Pairs).

partners(Pair, Partner, Table, Set) :-
    aggregate_all(sum(1 << Partner), member(Pair, Table), Set).

related_pair(Masks, BackMasks, [One,Other]) :-
    digit_pair(One, Other, Masks, BackMasks).
