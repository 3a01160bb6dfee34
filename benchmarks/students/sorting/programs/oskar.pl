sorted(L,S):-isort(L,[],S).

isort([],Acc,Acc).
isort([X|Xs],Acc,S):-
    insert(X,Acc,Acc1),
    isort(Xs,Acc1,S).

% insert(List,X,NewList): put X into the ordered list
insert([],X,[X]).
insert([Y|Ys],X,[X,Y|Ys]):- X=<Y.
insert([Y|Ys],X,[Y|Zs]):- X>Y, insert(Ys,X,Zs).
