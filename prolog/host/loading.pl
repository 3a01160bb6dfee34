:- module(sudoku_loading, [complaints/3, hold_tuples/0, lacking/4, load_text/4, message_text/2]).
:- use_module(library(apply), [maplist/2, maplist/4]).
:- use_module(library(lists), [member/2, memberchk/2]).
:- use_module(library(prolog_wrap), [wrap_predicate/4]).
:- use_module(library(when), [when/2]).

/** <module> Loads a program, and collects what Prolog says of it

Prolog prints errors and warnings. Here the caller gets them as texts.
*/

:- dynamic
    complaint/1.        % Text of an error or a warning while loading

:- meta_predicate
    complaints(+, 0, -).

%!  complaints(+Kinds, :Goal, -Complaints) is det.
%
%   Complaints are the texts of the messages of these Kinds while Goal runs. Of errors and warnings
%   nothing is printed.

complaints(Kinds, Goal, Complaints) :-
    setup_call_cleanup(
        asserta((user:message_hook(Term, Kind, _) :-
                     sudoku_loading:complain(Kinds, Kind, Term)), Hook),
        catch(Goal, Error, complain(Kinds, error, Error)),
        erase(Hook)),
    findall(Text, retract(complaint(Text)), Complaints).

complain(Kinds, Kind, Term) :-
    memberchk(Kind, [error, warning]),
    (   memberchk(Kind, Kinds)
    ->  message_text(Term, Text0),
        placed(Text0, Text),
        assertz(complaint(Text))
    ;   true
    ).

%   Text says where it is about, if a file is being loaded.

placed(Text0, Text) :-
    (   source_location(File, Line),
        \+ sub_string(Text0, 0, _, _, File)
    ->  format(string(Text), "~w:~d: ~s", [File, Line, Text0])
    ;   Text = Text0
    ).

%!  load_text(+File, +Text, +Options, -Errors) is det.
%
%   Loads Text as if it were in File, a Module:Path. Errors are what is wrong with it; then nothing is left of it.

load_text(Module:File, Text, Options, Errors) :-
    complaints([error],
               setup_call_cleanup(
                   open_string(Text, Stream),
                   load_files(Module:File, [stream(Stream), silent(true)|Options]),
                   close(Stream)),
               Errors),
    (   Errors == []
    ->  hold_tuples
    ;   unload_file(File)
    ).

%!  hold_tuples is det.
%
%   From now on tuples_in/2 of library(clpfd), if that is loaded, holds: by itself it accepts some tuples
%   that are in no row, if a variable is in one of them twice, or another constraint gives a variable its
%   value while the tuple is posted. A tuple is compared with the rows when its last variable is bound;
%   one variable alone has a domain, which is right.

hold_tuples :-
    (   current_module(clpfd)
    ->  wrap_predicate(clpfd:tuples_in(Tuples, Rows), sudoku_loading, Post,
                       ( Post, maplist(sudoku_loading:is_row(Rows), Tuples) ))
    ;   true
    ).

:- public is_row/2.

is_row(Rows, Tuple) :-
    (   Tuple = [_]
    ->  true
    ;   when(ground(Tuple), memberchk(Tuple, Rows))
    ).

%!  lacking(+Module, +File, +Wanted, -Complaint) is det.
%
%   Complaint names the predicates of Module that may be meant by one of these, or else all of them.

lacking(Module, File, Wanted, Complaint) :-
    findall(Name/Arity,
            ( current_predicate(Module:Name/Arity),
              functor(Head, Name, Arity),
              \+ predicate_property(Module:Head, imported_from(_)) ),
            Known),
    findall(Near,
            ( member(Near, Known), Near = Name/_, member(Meant/_, Wanted), once(same(Name, Meant)) ),
            Nears0),
    sort(Nears0, Nears),
    (   Nears == []
    ->  sort(Known, There)
    ;   There = Nears
    ),
    maplist(names, [Wanted,There], [' or ',' and '], [WantedNames,ThereNames]),
    (   There == []
    ->  More = ''
    ;   format(atom(More), "; there is ~w", [ThereNames])
    ),
    format(atom(Complaint), "~w: there is no predicate ~w~w", [File, WantedNames, More]).

same(Name, Name).
same(Name, Meant) :-
    dwim_match(Name, Meant).

names(Predicates, Between, Names) :-
    findall(Name, ( member(Each, Predicates), format(atom(Name), "~w", [Each]) ), All),
    atomic_list_concat(All, Between, Names).

%!  message_text(+Message, -Text) is det.
%
%   Text is what Prolog would print.

message_text(Error, Text) :-
    phrase(prolog:translate_message(Error), Lines),
    with_output_to(string(Text0), print_message_lines(current_output, '', Lines)),
    split_string(Text0, "", "\n ", [Text]).
