answer([value(Value)]) :-
    findall(Token, token(_, Token), Tokens),
    value(Tokens, Value).
