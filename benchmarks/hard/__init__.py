"""Hard puzzles of 16x16 and 25x25 cells, made from seeds, and the race of clingo and CaDiCaL on them."""
