"""The engines and their peers side by side: every contestant in a process of its own, in turns.

`sets` says what is solved, `contestants` who solves it, `measure` how it is timed, `report` what
comes of it.
"""
