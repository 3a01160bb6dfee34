"""clingo on the program of any problem: `ground_per_question` asks it, `session` runs it."""
