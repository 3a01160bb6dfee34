"""clingo on the program of any problem; `fresh` asks it, `session` runs its questions."""
