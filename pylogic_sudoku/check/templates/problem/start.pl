% @title@
%
@head@

@clpfd@% @defines@
