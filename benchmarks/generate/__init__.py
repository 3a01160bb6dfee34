"""How fast puzzles are made, whether they are right, and how their numbers of givens spread."""
