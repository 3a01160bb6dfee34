"""The engines and their peers side by side: each contestant in a process of its own, in turns.

`sets` has the puzzles, `solvers` and `peers` the contestants, `measure` takes the time, `report`
and `chart` show the result. ``python -m benchmarks.race --help`` lists the options.
"""
