:- module(pls_loading,
          [ complaints/3, lacking/4, lacking/5, load_text/4, load_text/5, mend_clpfd/0, message_text/2,
            placed/2, shortened/3 ]).
:- autoload(dialects, [elsewhere/2]).
:- autoload(hints, [line_naming/3, slip_place/5, told/4]).
:- use_module(library(apply), [maplist/2, maplist/3, maplist/4]).
:- use_module(library(lists), [append/3, member/2, memberchk/2]).
:- autoload(library(occurs), [sub_term/2]).
:- autoload(library(readutil), [read_file_to_string/3]).
:- use_module(library(prolog_wrap), [wrap_predicate/4]).

/** <module> Loads a program, and collects what Prolog says of it

Prolog prints errors and warnings. Here the caller gets them.

A message is a list [Kind,File,Line,Column,Text,Cure]: a name for messages of its kind, what Prolog
would print, and what to do. A place that is not known is "", 0, 0; an unknown cure is "".
*/

:- dynamic
    complaint/2,        % Severity, Message of what is loaded
    loaded/2.           % File, Text

:- meta_predicate
    complaints(0, -, -).

%!  complaints(:Goal, -Errors, -Warnings) is det.
%
%   Errors and Warnings are the messages while Goal runs. None of them is printed.

complaints(Goal, Errors, Warnings) :-
    setup_call_cleanup(
        asserta((user:message_hook(Term, Severity, _) :-
                     pls_loading:complain(Severity, Term)), Hook),
        catch(Goal, Error, complain(error, Error)),
        erase(Hook)),
    findall(Message, retract(complaint(error, Message)), Errors),
    findall(Message, retract(complaint(warning, Message)), Warnings).

complain(Severity, Term) :-
    memberchk(Severity, [error, warning]),
    (   Term = error(Formal, _),
        nonvar(Formal),
        elsewhere(Formal, Text0)
    ->  true
    ;   message_text(Term, Text0)
    ),
    kind(Term, Kind),
    place(Term, Text0, File, Line, Column, Text),
    assertz(complaint(Severity, [Kind,File,Line,Column,Text,""])).

kind(error(Formal, _), Kind), callable(Formal) =>
    functor(Formal, Kind, _).
kind(Term, Kind), callable(Term) =>
    functor(Term, Kind, _).
kind(_, Kind) =>
    Kind = ''.

%   The text of a syntax error begins with its place. Any other is where a file is being loaded.

place(error(syntax_error(Kind), Context), Text0, File, Line, Column, Text),
    source_location(File0, _),
    string_concat(File0, Rest, Text0),
    split_string(Rest, ":", " ", ["",_,_|Texts]) =>
    atom_string(File0, File),
    arg(4, Context, Offset),
    text_in(File0, Whole),
    slip_place(Kind, Offset, Whole, Line, Column),
    atomic_list_concat(Texts, ': ', Joined),
    atom_string(Joined, Text).
place(_, Text0, File, Line, Column, Text), source_location(File0, Line0) =>
    atom_string(File0, File),
    Line = Line0,
    Column = 0,
    Text = Text0.
place(Term, Text0, File, Line, Column, Text), loaded(File0, Whole), line_naming(Whole, Term, Line0) =>
    atom_string(File0, File),
    Line = Line0,
    Column = 0,
    Text = Text0.
place(_, Text0, File, Line, Column, Text) =>
    File = "",
    Line = 0,
    Column = 0,
    Text = Text0.

%   Text is that of File, which may be loaded from elsewhere.

text_in(File, Text) :-
    (   loaded(File, Text)
    ->  true
    ;   catch(read_file_to_string(File, Text, [encoding(utf8)]), _, Text = "")
    ).

%!  placed(+Message, -Text) is det.
%
%   Text is the message with its place and its cure.

placed([_,File,Line,Column,Text0,Cure], Text) :-
    (   Cure == ""
    ->  Words = Text0
    ;   format(string(Words), "~s; ~s", [Text0, Cure])
    ),
    (   File == ""
    ->  Text = Words
    ;   Line == 0
    ->  format(string(Text), "~w: ~s", [File, Words])
    ;   Column == 0
    ->  format(string(Text), "~w:~d: ~s", [File, Line, Words])
    ;   format(string(Text), "~w:~d:~d: ~s", [File, Line, Column, Words])
    ).

%!  load_text(+File, +Text, +Options, -Errors) is det.
%!  load_text(+File, +Text, +Options, -Errors, -Warnings) is det.
%
%   Loads Text as if it were in File, a Module:Path. Errors are what is wrong with it; then nothing is
%   left of it. They are texts, or messages where Warnings are asked for, too.

load_text(File, Text, Options, Errors) :-
    load_text(File, Text, Options, Messages, _),
    maplist(placed, Messages, Errors).

load_text(Module:File, Text, Options, Errors, Warnings) :-
    setup_call_cleanup(
        asserta(loaded(File, Text), Loaded),
        complaints(setup_call_cleanup(
                       open_string(Text, Stream),
                       load_files(Module:File, [stream(Stream), silent(true)|Options]),
                       close(Stream)),
                   Errors0, Warnings),
        erase(Loaded)),
    (   Errors0 == []
    ->  Errors = [],
        mend_clpfd
    ;   unload_file(File),
        hinted(Errors0, File, Text, Errors)
    ).

%   Errors are those of Errors0 that do not follow from a syntax error, which has its cure.

hinted(Errors0, File0, Text0, Errors) :-
    (   append(Before, [First|Others], Errors0),
        First = [syntax_error,File,_,_,_,_]
    ->  findall(error(Line-Column, Words, [syntax_error,File,Line,Column,Words,Cure]),
                member([syntax_error,File,Line,Column,Words,Cure], [First|Others]),
                Of),
        (   atom_string(File0, File)
        ->  Text = Text0
        ;   text_in(File, Text)
        ),
        told(Of, Text, [error(_, _, Told0)|Told1], Hint0),
        (   memberchk([existence_error|_], Before)      % then operators are missing with it
        ->  Hint = ""
        ;   Hint = Hint0
        ),
        append(Place, [_], Told0),
        append(Place, [Hint], Told),
        findall(Message,
                ( member(error(_, _, Message), Told1)
                ; member(Message, Others), Message = [syntax_error,Other|_], Other \== File ),
                More),
        append(Before, [Told|More], Errors)
    ;   Errors = Errors0
    ).

%!  mend_clpfd is det.
%
%   From now on two defects of library(clpfd), if that is loaded, are mended.
%
%   tuples_in/2 by itself accepts some tuples that are in no row, if a variable is in one of them twice, or
%   another constraint gives a variable its value while the tuple is posted. A tuple is compared with the
%   rows when its last variable is bound; one variable alone has a domain, which is right.
%
%   A quotient by a negative number loses solutions if its domain has a hole: the domain of the dividend
%   that follows from it has its parts in the wrong order. It is that for the positive number, mirrored.

mend_clpfd :-
    (   current_module(clpfd)
    ->  pls_loading:use_module(library(when), [when/2]),
        wrap_predicate(clpfd:tuples_in(Tuples, Rows), pls_loading, Post,
                       ( Post, maplist(pls_loading:is_row(Rows), Tuples) )),
        (   current_predicate(clpfd:domain_expand_more/4)
        ->  wrap_predicate(clpfd:domain_expand_more(Quotients, By, Division, Dividends), pls_loading, Expand,
                           (   By < 0
                           ->  pls_loading:dividends(clpfd, Quotients, By, Division, Dividends)
                           ;   Expand
                           ))
        ;   true
        )
    ;   true
    ).

:- public dividends/5, is_row/2.

%   Where clpfd is not loaded, Module has no such predicates, and nothing calls this.

dividends(Module, Quotients, By, Division, Dividends) :-
    Size is -By,
    Module:domain_expand_more(Quotients, Size, Division, Mirrored),
    Module:domain_negate(Mirrored, Dividends).

is_row(Rows, Tuple) :-
    (   Tuple = [_]
    ->  true
    ;   when(ground(Tuple), memberchk(Tuple, Rows))
    ).

%!  lacking(+Module, +File, +Wanted, -Complaint) is det.
%
%   Complaint names the predicates of Module that may be meant by one of these, or else all of them.

lacking(Module, File, Wanted, Complaint) :-
    lacking(Module, File, none, Wanted, Complaint).

%!  lacking(+Module, +File, +Above, +Wanted, -Complaint) is det.
%
%   The same, without the predicates of the file Above, which is loaded into Module, too.

lacking(Module, File, Above, Wanted, Complaint) :-
    findall(Name/Arity,
            ( current_predicate(Module:Name/Arity),
              functor(Head, Name, Arity),
              \+ predicate_property(Module:Head, imported_from(_)),
              \+ predicate_property(Module:Head, file(Above)) ),
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
    (   Nears == [],
        findall(Idle-Line, idle(Module, Known, Wanted, Idle, Line), [Idle-Line])
    ->  format(atom(Place), "~w:~w", [File,Line]),
        format(atom(More), "; ~w is here, and nothing calls it: is it meant?", [Idle])
    ;   There == []
    ->  Place = File,
        More = ''
    ;   Place = File,
        format(atom(More), "; there is ~w", [ThereNames])
    ),
    format(atom(Complaint), "~w: there is no predicate ~w~w", [Place, WantedNames, More]).

%   Idle has as many arguments as one that is wanted, and no clause of another predicate calls it.

idle(Module, Known, Wanted, Name/Arity, Line) :-
    member(_/Arity, Wanted),
    member(Name/Arity, Known),
    functor(Head, Name, Arity),
    predicate_property(Module:Head, number_of_clauses(_)),
    \+ ( member(Other/Places, Known),
         Other/Places \== Name/Arity,
         functor(Caller, Other, Places),
         predicate_property(Module:Caller, number_of_clauses(_)),
         clause(Module:Caller, Body),
         sub_term(Called, Body),
         callable(Called),
         functor(Called, Name, Given),
         Given =< Arity ),
    once(( nth_clause(Module:Head, 1, Clause), clause_property(Clause, line_count(Line)) )).

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

%!  shortened(+Long, +Most, -Text) is det.
%
%   Text is Long, or the beginning of it with an ellipsis.

shortened(Long, Most, Text) :-
    (   sub_string(Long, 0, Most, After, Begin),
        After > 0
    ->  string_concat(Begin, "...", Text)
    ;   Text = Long
    ).
