"""Every program of both paradigms, and solvers from outside, on the same instances.

`families` has the instances. `ours` has our programs, `outsiders` solvers of other packages, and
`ingredients` our programs with another search; `contestants` lists all. `run` asks them in turns in
a `worker` process and checks every answer; `report` makes tables of the file that a run writes, and
`charts` draws it. ``python -m benchmarks.study --help`` lists the options.
"""
