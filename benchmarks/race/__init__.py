"""The engines and their peers side by side, each in a process of its own.

`sets` has the puzzles, `solvers` the contestants, `measure` takes the time in a `process`,
`report` shows the result. ``python -m benchmarks.race --help`` lists the options.
"""
