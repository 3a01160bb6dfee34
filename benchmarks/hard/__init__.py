"""Hard puzzles of 16x16 and 25x25 cells, made from seeds, and a race of clingo and CaDiCaL."""
