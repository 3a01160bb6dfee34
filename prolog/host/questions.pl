:- module(pls_questions, []).
:- use_module(bridge, [improved/2, pushed/1]).
:- use_module(instances,
              [ answer/2, candidates/2, confirmed/2, costs/3, each_pushed/2, instance/5,
                instance_outputs/2, instance_program/2,
                number_of_answers/3, rejected/3, stated_pairs/2, states_constraints/1 ]).
:- use_module(pairs, [output/3]).
:- use_module(raised, [keep_text/2, wrong_answer/4]).
:- autoload(refusal, [refusal/3]).      % loaded before that question
:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [member/2]).

/** <module> What Python asks about an instance of a problem

It is instance(Program, Facts, Outputs, Search), as for instance/5 of instances.pl, with Facts and Outputs
as texts. A solution is [Costs,Atoms]. An atom is a list of its name and its arguments, where a term is a
list too.
*/

:- multifile
    pls_bridge:posed/4,
    pls_bridge:shown/1,
    pls_bridge:pairs/3,
    pls_bridge:left_list/3,
    pls_bridge:placement/2,
    pls_bridge:counted/3,
    pls_bridge:each_pushed/1,
    pls_bridge:asked/2,
    pls_bridge:program/3,
    pls_bridge:noted/3,
    pls_instances:told/2.

pls_bridge:program(problem, [model/1, model/2, answer/1, answer/2], none).

pls_bridge:noted(problem, Module, Text) :-
    keep_text(Module, Text).

pls_instances:told(What, Data) :-
    improved(What, Data).

pls_bridge:posed(Posed, pairs(Pairs, Outputs), Goal, Answer) :-
    posed_instance(Posed, Instance),
    stated_pairs(Instance, Pairs),
    instance_outputs(Instance, Outputs),
    Goal = pls_questions:answer(Instance, Answer).

pls_bridge:pairs(pairs(Pairs, _), stated(Pairs), unknown).

pls_bridge:shown(Posed) :-
    posed_instance(Posed, Instance),
    (   states_constraints(Instance)
    ->  true
    ;   instance_program(Instance, Program),
        wrong_answer(Program, own_search, "searches on its own, which cannot be watched"-[],
                     "ask a program with model/1")
    ).

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

pls_bridge:counted(Posed, Limit, Count) :-
    posed_instance(Posed, Instance),
    number_of_answers(Instance, Limit, Count).

pls_bridge:each_pushed(Posed) :-
    posed_instance(Posed, Instance),
    each_pushed(Instance, pushed).

%   - candidates(Posed)
%     Answer is [Atoms]: those of at least one answer.
%   - confirms(Posed, Atoms)
%     Answer is [1] if these are an answer. Fails if not.
%   - enumerates(Posed)
%     Answer is [1] if only a search through all answers shows whether something is one of them. Fails
%     if not.
%   - rejected(Posed, Lists)
%     Answer is [Numbers]: the numbers, from 0, of those Lists of atoms that are not an answer. Fails
%     if only a search through all answers shows it.
%   - costs(Posed, Lists)
%     Answer is [Costs]: for each list of atoms [Least] with the least costs at which these are an
%     answer, whether or not others cost less, or [] if they are none.
%   - refusal(Posed, Atoms)
%     Answer is the reason for refusing these atoms, as in refusal.pl. Only this question loads that file.

pls_bridge:asked(candidates(Posed), [Atoms]) :-
    posed_instance(Posed, Instance),
    candidates(Instance, Atoms).
pls_bridge:asked(confirms(Posed, Atoms), [1]) :-
    posed_instance(Posed, Instance),
    confirmed(Instance, Atoms).
pls_bridge:asked(enumerates(Posed), [1]) :-
    posed_instance(Posed, Instance),
    \+ states_constraints(Instance).
pls_bridge:asked(rejected(Posed, Wanted), [Numbers]) :-
    posed_instance(Posed, Instance),
    states_constraints(Instance),
    rejected(Instance, Wanted, Numbers).
pls_bridge:asked(costs(Posed, Wanted), [Costs]) :-
    posed_instance(Posed, Instance),
    costs(Instance, Wanted, Costs).
pls_bridge:asked(refusal(Posed, Atoms), Answer) :-
    posed_instance(Posed, Instance),
    refusal(Instance, Atoms, Answer).

posed_instance(instance(Program0, Facts0, Outputs0, Search0), Instance) :-
    atom_string(Program, Program0),
    maplist(atom_string, Search, Search0),
    maplist(text_term, [Facts0,Outputs0], [Facts,Outputs]),
    instance(Program, Facts, Outputs, Search, Instance).

text_term(Text, Term) :-
    term_to_atom(Term, Text).
