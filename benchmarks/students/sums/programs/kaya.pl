value(Tokens, V) :- phrase(expression(V), Tokens).

expression(V) --> term(T), more_terms(T, V).

more_terms(V0, V) --> [plus], term(T), { V1 is V0+T }, more_terms(V1, V).
more_terms(V0, V) --> [minus], term(T), { V1 is V0-T }, more_terms(V1, V).
more_terms(V, V) --> [].

term(V) --> factor(F), more_factors(F, V).

more_factors(V0, V) --> [times], factor(F), { V1 is V0*F }, more_factors(V1, V).
more_factors(V, V) --> [].

factor(N) --> [N], { number(N) }.
