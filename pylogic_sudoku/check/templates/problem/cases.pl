% @title@
%
@head@

@clpfd@% Your predicates:
