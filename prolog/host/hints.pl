:- module(pls_hints, [clpfd_hint/2, line_naming/3, of_library/2, slip_place/5, told/4]).
:- use_module(library(gensym), [gensym/2]).
:- use_module(library(lists), [append/3, member/2, memberchk/2, nth1/3, subset/2]).

/** <module> What to do about the syntax errors and missing libraries of a program

Most come from a library(clpfd) that is not loaded, or from an operator of another language.
*/

%!  told(+Errors, +Text, -Told, -Hint) is det.
%
%   Errors are the syntax errors in Text, in their order, each error(Line-Column, Words, Message). Told are
%   those of them that do not follow from another one; Hint says what mends them, or is "".

told(Errors, Text, Told, Hint) :-
    findall(Place, member(error(Place, _, _), Errors), Places),
    with_clpfd(Text, Places, Left),
    (   no_code(Text, Line, Hint0)
    ->  Errors = [error(_, Words, First)|_],
        at_line(First, Line, There),
        Told = [error(Line-1, Words, There)],   % what comes after it follows from it
        Hint = Hint0
    ;   subset(Places, Left)
    ->  Told = Errors,
        (   member(error(_, Words, _), Errors),
            member(Sort, ["perator expected","perator priority clash","quasi_quotation"]),
            sub_string(Words, _, _, _, Sort),
            of_other_language(Text, Places, Hint0)
        ->  Hint = Hint0
        ;   Hint = ""
        )
    ;   loads_clpfd(Text, Line)
    ->  (   Left = [First-_|_],
            First =< Line               % what comes after it follows from it
        ->  findall(error(Place, Words, Message),
                    ( member(error(Place, Words, Message), Errors), memberchk(Place, Left) ),
                    Told),
            Hint = ""
        ;   Told = Errors,
            format(string(Hint),
                   "the program uses operators of library(clpfd) before line ~w, which loads it: \c
                    put that line at the top of the program", [Line])
        )
    ;   Told = Errors,
        clpfd_hint("the program uses operators of", Hint)
    ).

%!  slip_place(+Kind, +Offset, +Text, -Line, -Column) is det.
%
%   The place, from 1, of a syntax error in Text. Prolog's own column counts bytes and tabs, and leaves out
%   what a line begins with; but it knows how many characters come before the place, or before the last one
%   that it accepts.

slip_place(Kind, Offset, Text, Line, Column) :-
    slip(Kind, Offset, Text, At),
    string_length(Text, Most),
    Number is min(At, Most),            % the text may be another one than Prolog has read
    sub_string(Text, 0, Number, _, Before),
    split_string(Before, "\n", "", Lines),
    length(Lines, Line),
    append(_, [Last], Lines),
    !,
    string_length(Last, Length),
    Column is Length+1.

slip(end_of_file_in_quoted(_), At, _, At) :- !.
slip(end_of_file_in_block_comment, At, _, At) :- !.
slip(undefined_char_escape(_), At, _, At) :- !.
slip(operator_clash, Offset, Text, At) :-       % within the operator
    !,
    (   Before is Offset-1,
        sub_atom(Text, Before, 1, _, Char),
        char_type(Char, prolog_symbol)
    ->  slip(operator_clash, Before, Text, At)
    ;   At = Offset
    ).
slip(cannot_start_term, Offset, Text, Offset) :-
    sub_atom(Text, Offset, 1, _, Char),
    memberchk(Char, [')',']','}']),
    !.
slip(_, Offset, _, At) :-
    At is Offset+1.

%!  line_naming(+Text, +Error, -Line) is semidet.
%
%   Line of Text is the first one that includes the missing file of Error, which has no place then.

line_naming(Text, error(existence_error(source_sink, File), _), Line) :-
    atomic(File),
    setup_call_cleanup(
        open_string(Text, In),
        including(In, File, At),
        close(In)),
    sub_string(Text, 0, At, _, Before),
    split_string(Before, "\n", "", Lines),
    length(Lines, Line).

including(In, File, At) :-
    catch(read_term(In, Term, [subterm_positions(Position)]), error(syntax_error(_), _), true),
    Term \== end_of_file,               % of a syntax error, it is a variable
    (   nonvar(Term),
        Term = (:- include(Named)),
        Position = term_position(_, _, _, _, [term_position(_, _, _, _, [Place])]),
        atomic(Named),
        atom_string(File, Text),
        atom_string(Named, Text)
    ->  arg(1, Place, At)
    ;   including(In, File, At)
    ).

%!  clpfd_hint(+Begin, -Hint) is det.

clpfd_hint(Begin, Hint) :-
    format(string(Hint),
           "~w library(clpfd): put :- use_module(library(clpfd)). at the top of the program",
           [Begin]).

%!  of_library(+Predicate, -Library) is semidet.
%
%   Library has Predicate, and a program has to name it, since nothing loads it by itself.

of_library(Predicate, clpfd) :-
    catch(load_files(library(clpfd), [if(not_loaded), imports([])]), _, fail),
    module_property(clpfd, exports(Predicates)),
    memberchk(Predicate, Predicates),
    !.
of_library(Name/Arity, clpb) :-
    memberchk(Name/Arity, [sat/1,taut/2,sat_count/2,random_labeling/2,weighted_maximum/3]).

%   Left are those of Places where Text has a syntax error even with the operators of library(clpfd). It is
%   read, and not loaded again.

with_clpfd(Text, Places, Left) :-
    gensym(pls_hinted, Module),
    set_module(Module:base(system)),
    catch(Module:use_module(library(clpfd)), _, true),
    setup_call_cleanup(
        open_string(Text, In),
        errors_in(In, Text, Module, Found),
        close(In)),
    findall(Place, ( member(Place, Places), memberchk(Place, Found) ), Left).

errors_in(In, Text, Module, Places) :-
    catch(read_term(In, Term, [module(Module), syntax_errors(error)]), Error, true),
    (   nonvar(Error)
    ->  (   Error = error(syntax_error(Kind), stream(_, _, _, Offset))
        ->  slip_place(Kind, Offset, Text, Line, Column),
            Places = [Line-Column|Rest]
        ;   Places = Rest
        ),
        errors_in(In, Text, Module, Rest)
    ;   Term == end_of_file
    ->  Places = []
    ;   ignore(operators(Term, Module)),
        errors_in(In, Text, Module, Places)
    ).

%   What a directive does to the operators.

operators((:- Directive), Module) :-
    nonvar(Directive),
    defines(Directive, Module).

defines(op(Priority, Type, Name), Module) :-
    catch(op(Priority, Type, Module:Name), _, true).
defines(module(_, Exports), Module) :-
    is_list(Exports),
    forall(( member(Export, Exports), nonvar(Export), Export = op(_, _, _) ),
           defines(Export, Module)).
defines(use_module(library(Library)), Module) :-
    catch(Module:use_module(library(Library)), _, true).
defines(use_module(library(Library), _), Module) :-
    defines(use_module(library(Library)), Module).
defines((One, Two), Module) :-
    forall(( member(Each, [One,Two]), nonvar(Each) ),
           ignore(defines(Each, Module))).

%   Line is the first one that mentions library(clpfd), outside comments.

loads_clpfd(Text, Line) :-
    code_lines(Text, Lines),
    nth1(Line, Lines, Code),
    sub_string(Code, _, _, _, "library(clpfd)"),
    !.

                /*******************************
                *       other languages        *
                *******************************/

%   The same message in another line, as loading.pl or Prolog has it.

at_line([Kind,File,_,_,Text,Cure], Line, [Kind,File,Line,1,Text,Cure]).
at_line(error(Formal, file(File, _, _, _)), Line, error(Formal, file(File, Line, 1, 0))).

%   Line is the first one that another tool has written between those of the program: it begins or ends code
%   in Markdown, or is left of a merge conflict.

no_code(Text, Line, Hint) :-
    code_lines(Text, Lines),
    nth1(Line, Lines, Other),
    written_by(Other, Format),
    !,
    format(string(Hint), Format, [Line]).

written_by(Line, "line ~d has a fence of Markdown: remove ```, and all that is not Prolog") :-
    sub_string(Line, 0, _, _, "```").
written_by(Line, "a merge conflict has left line ~d: keep one of the two sides, and remove the marks") :-
    split_string(Line, " ", "\r", [Mark|_]),
    memberchk(Mark, ["<<<<<<<","=======",">>>>>>>"]).

of_other_language(Text, Places, Hint) :-
    code_lines(Text, Lines),
    (   member(Line, Lines),
        split_string(Line, " \t", " \t", ["import",_|_]),
        sub_string(Line, _, 1, 0, ".")
    ->  Hint = "this is Picat, another language: write :- use_module(library(clpfd)) instead of import cp, \c
                X in L..H instead of X :: L..H, label(Xs) instead of solve(Xs), and rules with :- instead of =>"
    ;   member(Line, Lines),
        symbols(Line, Symbols),
        memberchk(::, Symbols)
    ->  Hint = "X :: L..H is of B-Prolog, Picat and ECLiPSe: write X in L..H, or Xs ins L..H for a list, \c
                with :- use_module(library(clpfd))"
    ;   member(Number-_, Places),
        nth1(Number, Lines, Line),
        symbols(Line, Symbols),
        member(Symbol, Symbols),
        instead(Symbol, Instead)
    ->  format(string(Hint), "~w is not an operator in Prolog: write ~w", [Symbol,Instead])
    ;   member(Number-_, Places),       % of a clash, the place is where the clause begins
        clause_lines(Number, Lines, Line),
        symbols(Line, Symbols),
        memberchk(=>, Symbols)
    ->  arrow(Instead),
        format(string(Hint), "=> is not an operator of goals: write ~w", [Instead])
    ;   member(Number-_, Places),
        nth1(Number, Lines, Line),
        split_string(Line, " \t(),.", "", Words),
        member(Text1, Words),
        atom_string(Word, Text1),
        in_place_of_word(Word, Instead)
    ->  format(string(Hint), "~w is of another language: write ~w", [Word,Instead])
    ;   member(Line, Lines),
        symbols(Line, Symbols),
        memberchk('||', Symbols)
    ->  instead('||', Instead),
        format(string(Hint), "|| is not an operator in Prolog: write ~w", [Instead])
    ).

%   Line is one of those of the clause that begins in line Number.

clause_lines(Number, Lines, Line) :-
    length(Before, Number),
    append(Before, After, [""|Lines]),
    member(Line, After),
    (   sub_string(Line, _, 1, 0, ".")
    ->  !
    ;   true
    ).

in_place_of_word(not, '\\+ before the goal').
in_place_of_word(and, 'a comma, and #/\\ between constraints').
in_place_of_word(or, 'a semicolon, and #\\/ between constraints').
in_place_of_word(if, '( Condition -> Then ; Else )').
in_place_of_word(then, '( Condition -> Then ; Else )').
in_place_of_word('#count', 'aggregate_all(count, Goal, Number), or sum/3 of library(clpfd)').
in_place_of_word('#sum', 'sum/3 of library(clpfd), or aggregate_all(sum(X), Goal, Sum)').

instead(<=, '=<, and #=< between variables').
instead('!=', Words) :- different(Words).
instead(<>, Words) :- different(Words).
instead('#<=', '#=<').
instead('#=>', '#>=, or #==> for an implication').
instead('#!=', '#\\=').
instead('#<>', '#\\=').
instead('#==', '#=').
instead('~=', Words) :- different(Words).
instead('=!', Words) :- different(Words).
instead(==>, Words) :- arrow(Words).
instead(<-, ':- for a rule').
instead(++, 'N1 is N + 1, with another variable').
instead(+=, 'N1 is N + M, with another variable').
instead(&&, 'a comma, and #/\\ between constraints').
instead('||', 'a semicolon, and #\\/ between constraints').

different('=\\= between numbers, \\== between names, and #\\= between variables').

arrow(':- for a rule, -> for if-then, and #==> between constraints').

%   Lines are those of Text, with spaces for what is in comments and quotes, and none at the ends.

code_lines(Text, Lines) :-
    string_codes(Text, Codes),
    code(Codes, Bare),
    string_codes(Code, Bare),
    split_string(Code, "\n", " \t\r", Lines).

code([], []).
code([0'/,0'*|Codes], Code) :-
    !,
    in_comment(Codes, Code).
code([0'%|Codes], [0'\s|Code]) :-
    !,
    after_quote(0'\n, Codes, Code).
code([0'0,0'',_|Codes], [0'\s|Code]) :-
    !,
    code(Codes, Code).
code([Quote|Codes], [0'\s|Code]) :-
    memberchk(Quote, [0'',0'"]),
    !,
    after_quote(Quote, Codes, Code).
code([Char|Codes], [Char|Code]) :-
    code(Codes, Code).

in_comment([], []).
in_comment([0'*,0'/|Codes], [0'\s|Code]) :-
    !,
    code(Codes, Code).
in_comment([0'\n|Codes], [0'\n|Code]) :-
    !,
    in_comment(Codes, Code).
in_comment([_|Codes], Code) :-
    in_comment(Codes, Code).

%   No quote goes on in the next line.

after_quote(_, [], []).
after_quote(_, [0'\n|Codes], [0'\n|Code]) :-
    !,
    code(Codes, Code).
after_quote(Quote, [0'\\,Char|Codes], Code) :-
    Char =\= 0'\n,
    !,
    after_quote(Quote, Codes, Code).
after_quote(Quote, [Quote|Codes], [0'\s|Code]) :-
    !,
    code(Codes, Code).
after_quote(Quote, [_|Codes], Code) :-
    after_quote(Quote, Codes, Code).

%   The symbols of a line of code.

symbols(Line, Symbols) :-
    string_codes(Line, Codes),
    symbols_in(Codes, Symbols).

symbols_in([], []).
symbols_in([Code|Codes], [Symbol|Symbols]) :-
    is_symbol(Code),
    !,
    leading(Codes, More, Rest),
    atom_codes(Symbol, [Code|More]),
    symbols_in(Rest, Symbols).
symbols_in([_|Codes], Symbols) :-
    symbols_in(Codes, Symbols).

leading([Code|Codes], [Code|More], Rest) :-
    is_symbol(Code),
    !,
    leading(Codes, More, Rest).
leading(Rest, [], Rest).

is_symbol(Code) :-
    char_code(Char, Code),
    sub_atom('-+*/\\^<>=~:.?@#&$!|', _, 1, _, Char),
    !.
