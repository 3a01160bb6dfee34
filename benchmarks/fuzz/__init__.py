"""Random programs through engines, options and versions, beside answers by the definition.

`programs` makes answer set programs and `conjunctions` constraints of clpfd; both have their
answers by trying everything. `contestants` asks engines in processes of their own, `search` looks
for differences and makes them small, and `report` shows them. ``python -m benchmarks.fuzz --help``
lists the options.
"""
