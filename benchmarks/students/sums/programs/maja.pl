% sum = product + product - ..., product = term * term * ..., term = number or ( sum )

value(Tokens, V) :- phrase(sum(V), Tokens).

sum(V) --> product(P), sum_rest(P, V).

sum_rest(Acc, V) --> [plus], product(P), { Acc1 is Acc + P }, sum_rest(Acc1, V).
sum_rest(Acc, V) --> [minus], product(P), { Acc1 is Acc - P }, sum_rest(Acc1, V).
sum_rest(V, V) --> [].

product(V) --> term(T), product_rest(T, V).

product_rest(Acc, V) -->
    [times],
    term(T),
    { Acc1 is Acc * T },
    product_rest(Acc, V).
product_rest(V, V) --> [].

term(N) --> [N], { integer(N) }.
term(V) --> [open], sum(V), [close].
