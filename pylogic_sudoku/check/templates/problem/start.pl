% @title@
%
@head@

:- use_module(library(clpfd)).

% @defines@
