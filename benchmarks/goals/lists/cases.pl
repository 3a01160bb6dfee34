case(final_of_three, final([a,b,c], X), [X = c]).
case(final_of_one, final([a], X), [X = a]).
fails(final_of_none, final([], _)).
case(size_of_three, size([a,b,c], N), [N = 3]).
case(size_of_none, size([], N), [N = 0]).
case(sizes, size(Xs, N), [(Xs = [], N = 0), (Xs = [_], N = 1), (Xs = [_,_], N = 2)], first(3)).
case(backwards_three, backwards([a,b,c], Ys), [Ys = [c,b,a]]).
fails(backwards_not, backwards([a,b], [a,b])).
case(merged_four, merged([1,4], [2,3], Zs), [Zs = [1,2,3,4]]).
case(merged_equal, merged([1], [1], Zs), [Zs = [1,1]]).
case(merged_with_none, merged([], [1,2], Zs), [Zs = [1,2]]).
throws(merged_names, merged([a], [b], _), error(type_error(_, _), _)).
case(parts, part(Xs, [a,b]), [Xs = [a], Xs = [a,b], Xs = [b]]).
case(parts_twice, part([a], [a,b,a]), [true, true]).
fails(part_of_none, part(_, [])).
