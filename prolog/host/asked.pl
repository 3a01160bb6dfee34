:- module(pls_asked, []).
:- use_module(bridge, []).
:- use_module(instances,
              [ answer/5, candidates/4, confirmed/4, costs/5, each_pushed/3, number_of_answers/5,
                rejected/5, states_constraints/1 ]).
:- use_module(pairs, [output/3]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [member/2]).

/** <module> What Python asks about an instance of a problem

It is instance(Program, Facts, Outputs, Search), as in instances.pl. Search are options of labeling/2. A
solution is [Costs,Atoms]. An atom is a list of its name and its arguments, where a term is a list too.
*/

:- multifile
    pls_bridge:posed/4,
    pls_bridge:pairs/3,
    pls_bridge:left_list/3,
    pls_bridge:placement/2,
    pls_bridge:counted/3,
    pls_bridge:each_pushed/1,
    pls_bridge:asked/2.

pls_bridge:posed(instance(P, F, O, S), pairs(Pairs, Outputs), Goal, Answer) :-
    instance(instance(P, F, O, S), Program, Facts, Outputs),
    Goal = pls_asked:answer(Program, Facts, Outputs, Pairs, Answer).

pls_bridge:pairs(pairs(Pairs, _), Pairs, unknown).

%   [Atoms,Certain], where Certain are in every solution.

pls_bridge:left_list(pairs(_, Outputs), Left, [Atoms,Certain]) :-
    findall(Atom,
            ( member(Key-Values, Left), member(Value, Values), Value \== '$no_value',
              output(Outputs, Key-Value, Atom) ),
            Atoms),
    findall(Atom,
            ( member(Key-[Value], Left), output(Outputs, Key-Value, Atom) ),
            Certain).

%   A key of a pair is a callable term. Those of others that are watched are pairs of numbers.

pls_bridge:placement(Key-Value, List) :-
    Key \== none,
    \+ ( Key = A-B, integer(A), integer(B) ),
    output([], Key-Value, List).

pls_bridge:counted(instance(P, F, O, S), Limit, Count) :-
    instance(instance(P, F, O, S), Program, Facts, Outputs),
    number_of_answers(Program, Facts, Outputs, Limit, Count).

pls_bridge:each_pushed(Instance) :-
    instance(Instance, Program, Facts, Outputs),
    each_pushed(Program, Facts, Outputs).

%   - candidates(Instance)
%     Answer is [Atoms]: those of at least one answer.
%   - confirms(Instance, Atoms)
%     Answer is [1] if these are an answer. Fails if not.
%   - enumerates(Instance)
%     Answer is [1] if only a search through all answers shows whether something is one of them. Fails
%     if not.
%   - rejected(Instance, Lists)
%     Answer is [Numbers]: the numbers, from 0, of those Lists of atoms that are not an answer. Fails
%     if only a search through all answers shows it.
%   - costs(Instance, Lists)
%     Answer is [Costs]: for each list of atoms [Least] with the least costs at which these are an
%     answer, whether or not others cost less, or [] if they are none.
%   - refusal(Instance, Atoms)
%     Answer is the reason for refusing these atoms, as in refusal.pl. Only this question loads that file.

pls_bridge:asked(candidates(Instance), [Atoms]) :-
    instance(Instance, Program, Facts, Outputs),
    candidates(Program, Facts, Outputs, Atoms).
pls_bridge:asked(confirms(Instance, Atoms), [1]) :-
    instance(Instance, Program, Facts, Outputs),
    confirmed(Program, Facts, Outputs, Atoms).
pls_bridge:asked(enumerates(Instance), [1]) :-
    instance(Instance, Program, _, _),
    \+ states_constraints(Program).
pls_bridge:asked(rejected(Instance, Wanted), [Numbers]) :-
    instance(Instance, Program, Facts, Outputs),
    states_constraints(Program),
    rejected(Program, Facts, Outputs, Wanted, Numbers).
pls_bridge:asked(costs(Instance, Wanted), [Costs]) :-
    instance(Instance, Program, Facts, Outputs),
    costs(Program, Facts, Outputs, Wanted, Costs).
pls_bridge:asked(refusal(Instance, Atoms), Answer) :-
    instance(Instance, Program, Facts, Outputs),
    pls_refusal:refusal(Program, Facts, Outputs, Atoms, Answer).

instance(instance(Program0, Facts0, Outputs0, Search0), Program, Facts, Outputs) :-
    atom_string(Program, Program0),
    maplist(atom_string, Search, Search0),
    nb_setval(pls_labeling, Search),
    maplist(text_term, [Facts0,Outputs0], [Facts,Outputs]).

text_term(Text, Term) :-
    term_to_atom(Term, Text).
