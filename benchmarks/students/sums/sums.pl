% value(Tokens, Value): the value of an expression of numbers, plus, minus, times, open and close.
% times binds more than plus and minus, and of these the left one is first.

value(Tokens, Value) :-
    phrase(expression(Value), Tokens).

expression(Value) -->
    term(Value0),
    more_terms(Value0, Value).

more_terms(Value, Value) --> [].
more_terms(Value0, Value) -->
    [plus],
    term(More),
    { Value1 is Value0 + More },
    more_terms(Value1, Value).
more_terms(Value0, Value) -->
    [minus],
    term(Less),
    { Value1 is Value0 - Less },
    more_terms(Value1, Value).

term(Value) -->
    factor(Value).
term(Value) -->
    factor(Value0),
    [times],
    term(Value1),
    { Value is Value0 * Value1 }.

factor(Number) -->
    [Number],
    { integer(Number) }.
factor(Value) -->
    [open],
    expression(Value),
    [close].

:- include(adapter).
