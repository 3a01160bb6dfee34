:- module(pls_submitted, [goal_in/3, named/3, submitted/5, text_in/3, without_module/3]).
:- use_module(loading, [load_text/4, load_text/5, placed/2]).
:- use_module(raised, [keep_text/2]).
:- use_module(library(apply), [maplist/3]).
:- use_module(library(lists), [append/3, member/2]).
:- use_module(library(readutil), [read_file_to_string/3]).

/** <module> Loads what somebody has handed in, and the file of the teacher above it

Each file is loaded under a name of its own, which has the module, so that the same file can be in several
modules. No message shows that.
*/

%!  submitted(+Module, +Program, +Adapter, -Messages, -Complaint) is det.
%
%   Complaint is "" if Module has the program and, unless Adapter is none, the file of the teacher. Messages
%   are what Prolog says of the program, each Severity-Message.

submitted(Module, Program, Adapter, Messages, Complaint) :-
    read_file_to_string(Program, Text, [encoding(utf8)]),
    named(Program, Module, File),
    keep_text(Module, Text),
    load_text(Module:File, Text, [module(Module)], Errors0, Warnings),
    findall(Severity-Message,
            ( member(Severity-All, [error-Errors0,warning-Warnings]),
              member(Message0, All),
              of_program(Module, Message0, Message) ),
            Messages),
    (   Errors0 \== []
    ->  maplist(placed, Errors0, Errors)
    ;   Adapter == none
    ->  Errors = []
    ;   text_in(Adapter, Module, Errors)
    ),
    atomic_list_concat(Errors, '\n', Joined),
    without_module(Joined, Module, Complaint).

of_program(Module, [Kind,File0,Line,Column,Text0,Cure], [Kind,File,Line,Column,Text,Cure]) :-
    without_module(File0, Module, File),
    without_module(Text0, Module, Text).

%!  without_module(+Text0, +Module, -Text) is det.
%
%   The module is part of the name under which a file is loaded, and of predicates in messages.

without_module(Text0, Module, Text) :-
    atom_concat(#, Module, Added),
    atomic_list_concat(Parts, Added, Text0),
    atomic_list_concat(Parts, Text1),
    atom_concat(Module, :, Qualified),
    atomic_list_concat(Others, Qualified, Text1),
    atomic_list_concat(Others, Text2),
    atom_string(Text2, Text).

%!  text_in(+Path, +Module, -Errors) is det.
%
%   Loads a file into Module; Errors are texts.

text_in(Path, Module, Errors) :-
    read_file_to_string(Path, Text, [encoding(utf8)]),
    named(Path, Module, File),
    load_text(Module:File, Text, [module(Module)], Errors).

%!  named(+Path, +Module, -File) is det.

named(Path, Module, File) :-
    atomic_list_concat([Path, #, Module], File).

%!  goal_in(+Module, +Body, -Goal) is nondet.
%
%   Goal is one that Body calls, as far as Body shows it.

goal_in(Module, Body, Goal) :-
    callable(Body),
    Body \= _:_,
    (   predicate_property(Module:Body, meta_predicate(Spec))
    ->  arg(Place, Spec, More),
        arg(Place, Body, Closure),
        called(More, Closure, Called),
        goal_in(Module, Called, Goal)
    ;   Goal = Body
    ).

called(^, Closure, Goal) :-
    strip_quantified(Closure, Goal).
called(More, Closure, Goal) :-
    integer(More),
    callable(Closure),
    Closure \= _>>_,
    Closure =.. Parts0,
    length(Others, More),
    append(Parts0, Others, Parts),
    Goal =.. Parts.

strip_quantified(Goal0, Goal) :-
    (   nonvar(Goal0),
        Goal0 = _^Goal1
    ->  strip_quantified(Goal1, Goal)
    ;   Goal = Goal0
    ).
