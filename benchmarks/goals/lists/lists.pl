% final(Xs, X): X is the last element of Xs.

final([X], X).
final([_,Y|Ys], X) :-
    final([Y|Ys], X).

% size(Xs, N): N is the number of elements of Xs.

size([], 0).
size([_|Xs], N) :-
    size(Xs, M),
    N is M + 1.

% backwards(Xs, Ys): Ys has the elements of Xs in the opposite order.

backwards(Xs, Ys) :-
    onto(Xs, [], Ys).

onto([], Ys, Ys).
onto([X|Xs], Ys, Zs) :-
    onto(Xs, [X|Ys], Zs).

% merged(Xs, Ys, Zs): Zs has the elements of two sorted lists, sorted.

merged([], Ys, Ys).
merged([X|Xs], [], [X|Xs]).
merged([X|Xs], [Y|Ys], [X|Zs]) :-
    X =< Y,
    merged(Xs, [Y|Ys], Zs).
merged([X|Xs], [Y|Ys], [Y|Zs]) :-
    X > Y,
    merged([X|Xs], Ys, Zs).

% part(Xs, Ys): Xs are neighbours in Ys.

part(Xs, Ys) :-
    append(_, Rest, Ys),
    append(Xs, _, Rest),
    Xs = [_|_].
