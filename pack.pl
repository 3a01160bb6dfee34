name(pylogic_sudoku).
version('0.1.0').
title('Sudoku as a constraint problem, for every size of grid').
keywords([sudoku, clpfd, constraints, puzzle]).
author('The pylogic_sudoku authors', 'pylogic_sudoku@example.invalid').
requires(prolog >= '9.1.12').
