"""Why a program refuses an answer: the lines of a program for any problem, in either language."""
