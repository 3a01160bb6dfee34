"""Published puzzles with rules: how many both engines solve, and how fast beside OR-tools.

`corpus` reads the puzzles, `cpsat` has the rival. ``python -m benchmarks.variants --help`` lists
the options.
"""
