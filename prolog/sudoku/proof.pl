:- module(sudoku_proof,
          [ variable/5,         % +Size, +Row, +Column, +Digit, -Variable
            not_this_grid/3,    % +Size, +Digits, -Clause
            claim/4,            % +Shape, +Demands, +Clauses, -Claim
            first_refused/3     % +Claim, +Lemmas, -Number
          ]).
:- use_module(grid, [grid_cell/4, house_name/3, named_houses/3, shape_size/2]).
:- use_module(library(apply), [maplist/2, maplist/3]).
:- use_module(library(error), [domain_error/2, must_be/2]).
:- use_module(library(lists), [append/3, member/2, nth0/3, numlist/3]).

/** <module> Proofs by unit propagation

A claim is that clauses contradict each other. Variable n*n*(Row-1) + n*(Column-1) + Digit
says that a cell of an n x n grid holds a digit. A literal is a variable, or minus a
variable for "does not hold". A clause is a list of literals, one of which is true. Unit
propagation finds what follows from single clauses: if all literals but one are false,
that one is true.

A proof is a list of lemmas: clauses that follow one after the other. A lemma follows if
propagation finds a contradiction once the lemma is assumed to be false, in the clauses
of the claim and the lemmas before it. In the end there is a contradiction without any
assumption. This is reverse unit propagation (RUP; Goldberg and Novikov, 2003).

Nothing here is a constraint of library(clpfd). Propagation finds all that follows from
single clauses and nothing else, so each checker of such proofs gives the same verdict.
A contradiction is failure, and backtracking takes back what was assumed.
*/

:- set_prolog_flag(optimise, true).     % inline arithmetic, in this file only

%!  variable(+Size, +Row, +Column, +Digit, -Variable) is det.
%
%   Variable says that this cell holds Digit.

variable(Size, Row, Column, Digit, Variable) :-
    Variable is Size * (Size * (Row - 1) + Column - 1) + Digit.

%!  not_this_grid(+Size, +Digits, -Clause) is det.
%
%   Clause says that some cell does not hold its digit. Digits are those of the cells, row by row;
%   variables are left out.

not_this_grid(Size, Digits, Clause) :-
    findall(Literal,
            ( nth0(Index, Digits, Digit), integer(Digit), Literal is -(Size * Index + Digit) ),
            Clause).

%!  claim(+Shape, +Demands, +Clauses, -Claim) is det.
%
%   Claim is that Clauses and Demands contradict each other. Demands are as in
%   consistent/4, without rule(_); a house says nothing about cells, `cells` does. With
%   variables, house(_, _) for example, it is all of these. Claim is claim(Size, Groups,
%   AllClauses): of each of Groups, a list of variables, at most one is true.
%
%   @error domain_error if there is no such demand, or Clauses are not clauses.

claim(Shape, Demands, Clauses, claim(Size, Groups, AllClauses)) :-
    shape_size(Shape, Size),
    maplist(must_be_clause(Size), Clauses),
    numlist(1, Size, Digits),
    findall(Row, ( member(X, Digits), findall(Cell, before_cell(Size, X, Cell), Row) ), Rows),
    named_houses(Rows, Shape, Houses),
    Grid = grid(Digits, Rows, Houses),
    findall(Group, demanded(at_most_one, Demands, Grid, Group), Groups),
    findall(Group, demanded(at_least_one, Demands, Grid, Group), Least),
    append(Clauses, Least, AllClauses).

%   A cell is the number of the variable before its first one.

before_cell(Size, Row, Cell) :-
    between(1, Size, Column),
    variable(Size, Row, Column, 0, Cell).

demanded(What, Demands, Grid, Group) :-
    member(Demand, Demands),
    (   demand(Demand, _, _)
    ->  demand(Demand, What, Where)
    ;   domain_error(rule, Demand)
    ),
    group(Where, Grid, Group).

demand(cells, at_most_one, digit(_, _)).
demand(cells, at_least_one, digit(_, _)).
demand(house(Kind,Number), at_most_one, place(Kind, Number, _)).
demand(house(Kind,Number), at_least_one, place(Kind, Number, _)).
demand(single(Row,Column), at_most_one, digit(Row, Column)).
demand(filled(Row,Column), at_least_one, digit(Row, Column)).
demand(at_most_once(Kind,Number,Digit), at_most_one, place(Kind, Number, Digit)).
demand(at_least_once(Kind,Number,Digit), at_least_one, place(Kind, Number, Digit)).

group(digit(Row, Column), grid(Digits, Rows, _), Group) :-
    grid_cell(Rows, Row, Column, Cell),
    maplist(plus(Cell), Digits, Group).
group(place(Kind, Number, Digit), grid(Digits, _, Houses), Group) :-
    member(Name-Cells, Houses),
    house_name(Kind, Number, Name),
    member(Digit, Digits),
    maplist(plus(Digit), Cells, Group).

%!  first_refused(+Claim, +Lemmas, -Number) is det.
%
%   Number, from 0, is that of the first of Lemmas that does not follow; the number of
%   Lemmas, if they all follow but do not lead to a contradiction; and `none`, if they
%   prove Claim. The first contradiction ends the check.
%
%   @error type_error or domain_error if Lemmas are not a list of clauses.

first_refused(Claim, Lemmas, Number) :-
    Claim = claim(Size, _, _),
    must_be(list, Lemmas),
    maplist(must_be_clause(Size), Lemmas),
    findall(Refused, ( state(Claim, State), refused(Lemmas, State, 0, Refused) ), Numbers),
    (   Numbers = [Number]
    ->  true
    ;   Number = none
    ).

must_be_clause(Size, Clause) :-
    must_be(list(integer), Clause),
    Last is Size ** 3,
    (   member(Literal, Clause),
        Variable is abs(Literal),
        \+ between(1, Last, Variable)
    ->  domain_error(literal(Last), Literal)
    ;   true
    ).

%   Fails if there is a contradiction.

refused([], _, Number, Number).
refused([Lemma|Lemmas], State, Number0, Number) :-
    (   \+ \+ maplist(assume_false(State), Lemma)
    ->  Number = Number0
    ;   add(State, Lemma),
        Number1 is Number0 + 1,
        refused(Lemmas, State, Number1, Number)
    ).

assume_false(State, Literal) :-
    Opposite is -Literal,
    assign(Opposite, State).

%   A state is state(Values, Groups, Watched, Zero): what follows from the clauses so far.
%   Values has for each variable the literal that is true, itself or its opposite, or is
%   unbound. Groups has for each variable the groups that it is in; at most one variable
%   of a group is true. Watched has for each literal the clauses to look at when it
%   becomes false; those of a literal are at the place Zero + Literal.

state(claim(Size, Groups, Clauses), State) :-
    State = state(Values, GroupsOf, Watched, Zero),
    Number is Size ** 3,
    functor(Values, values, Number),
    empty_lists(groups, Number, GroupsOf),
    maplist(add_group(GroupsOf), Groups),
    Zero is Number + 1,
    Places is 2 * Number + 1,
    empty_lists(watched, Places, Watched),
    maplist(add(State), Clauses).

empty_lists(Name, Arity, Term) :-
    length(Lists, Arity),
    maplist(=([]), Lists),
    compound_name_arguments(Term, Name, Lists).

add_group(GroupsOf, Group) :-
    maplist(add_to(GroupsOf, Group), Group).

add_to(Term, Element, Place) :-
    arg(Place, Term, Elements),
    setarg(Place, Term, [Element|Elements]).

%   The clause holds from now on. Of its literals that are not false, two are watched.

add(State, Clause) :-
    State = state(Values, _, _, _),
    sort(Clause, Literals),             % each once
    (   has_true(Literals, Values)
    ->  true
    ;   open_literals(Literals, Values, Open),
        watch(Open, State)
    ).

watch([One,Other|Others], State) =>
    State = state(_, _, Watched, Zero),
    Clause = clause(One, Other, [One,Other|Others]),
    Place is Zero + One,
    OtherPlace is Zero + Other,
    add_to(Watched, Clause, Place),
    add_to(Watched, Clause, OtherPlace).
watch(Literals, State) =>
    Literals = [Last],                  % else all are false
    assign(Last, State).

has_true([Literal|Literals], Values) :-
    Variable is abs(Literal),
    arg(Variable, Values, Value),
    (   Value == Literal
    ->  true
    ;   has_true(Literals, Values)
    ).

open_literals([], _, []).
open_literals([Literal|Literals], Values, Open) :-
    Variable is abs(Literal),
    arg(Variable, Values, Value),
    (   var(Value)
    ->  Open = [Literal|Others]
    ;   Open = Others
    ),
    open_literals(Literals, Values, Others).

%   The literal is true, with all that follows.

assign(Literal, state(Values, Groups, Watched, Zero)) :-
    Variable is abs(Literal),
    arg(Variable, Values, Value),
    (   Value == Literal
    ->  true
    ;   Value = Literal,
        propagate([Literal], Values, Groups, Watched, Zero)
    ).

propagate([], _, _, _, _).
propagate([Literal|Queue0], Values, Groups, Watched, Zero) :-
    (   Literal > 0
    ->  arg(Literal, Groups, Here),
        exclude_others(Here, Literal, Values, Queue0, Queue1)
    ;   Queue1 = Queue0
    ),
    Place is Zero - Literal,
    arg(Place, Watched, Clauses),
    (   Clauses == []
    ->  Queue = Queue1
    ;   False is -Literal,
        visit(Clauses, False, Values, Watched, Zero, Kept, Queue1, Queue),
        setarg(Place, Watched, Kept)
    ),
    propagate(Queue, Values, Groups, Watched, Zero).

exclude_others([], _, _, Queue, Queue).
exclude_others([Group|Groups], Literal, Values, Queue0, Queue) :-
    exclude_each(Group, Literal, Values, Queue0, Queue1),
    exclude_others(Groups, Literal, Values, Queue1, Queue).

exclude_each([], _, _, Queue, Queue).
exclude_each([Other|Others], Literal, Values, Queue0, Queue) :-
    arg(Other, Values, Value),
    (   var(Value)
    ->  Value is -Other,
        Queue1 = [Value|Queue0]
    ;   Value < 0
    ->  Queue1 = Queue0
    ;   Value =:= Literal,
        Queue1 = Queue0
    ),
    exclude_each(Others, Literal, Values, Queue1, Queue).

%   The literal False, which Clauses watch, has become false. Each of them watches another
%   one instead; if there is none, its other watched literal must be true. Kept are the
%   clauses that still watch False.

visit([], _, _, _, _, [], Queue, Queue).
visit([Clause|Clauses], False, Values, Watched, Zero, Kept, Queue0, Queue) :-
    Clause = clause(One, Two, Literals),
    (   One =:= False
    ->  Watch = 1,
        Other = Two
    ;   Watch = 2,
        Other = One
    ),
    Variable is abs(Other),
    arg(Variable, Values, Value),
    (   Value == Other
    ->  Kept = [Clause|MoreKept],
        Queue1 = Queue0
    ;   another(Literals, Other, Values, New)
    ->  setarg(Watch, Clause, New),
        Place is Zero + New,
        add_to(Watched, Clause, Place),
        Kept = MoreKept,
        Queue1 = Queue0
    ;   Value = Other,
        Kept = [Clause|MoreKept],
        Queue1 = [Other|Queue0]
    ),
    visit(Clauses, False, Values, Watched, Zero, MoreKept, Queue1, Queue).

another([Literal|Literals], Other, Values, New) :-
    Variable is abs(Literal),
    arg(Variable, Values, Value),
    (   Literal =\= Other,
        ( var(Value) -> true ; Value =:= Literal )
    ->  New = Literal
    ;   another(Literals, Other, Values, New)
    ).
