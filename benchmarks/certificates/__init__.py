"""Certificates of whole collections, made by clingo and checked by others.

`checkers` has those that check. ``python -m benchmarks.certificates --help`` lists the options.
"""
