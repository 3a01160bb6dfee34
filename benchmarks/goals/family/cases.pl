case(descendants, ancestor(ann, X), [X = bob, X = cid, X = dan, X = eve, X = fay]).
case(ancestors, ancestor(X, eve), [X = ann, X = cid]).
fails(no_ancestor, ancestor(dan, _)).
case(all_sisters, sister(A, B), [(A = eve, B = fay), (A = fay, B = eve)]).
fails(no_sister, sister(_, bob)).
case(cousins, cousin(dan, X), [X = eve, X = fay]).
case(all_cousins, cousin(A, eve), [A = dan]).
fails(no_cousin, cousin(bob, _)).
case(childless, childless(A), [A = dan, A = eve, A = fay]).
fails(has_children, childless(cid)).
case(depths, depth(ann, X, 2), [X = dan, X = eve, X = fay]).
case(depth_of_self, depth(bob, bob, N), [N = 0]).
case(depth_below, depth(ann, fay, N), [N = 2]).
