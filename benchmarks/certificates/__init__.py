"""Certificates of whole collections: made by clingo, checked by others, and tampered with.

`checkers` has those that check, `tampering` the wrong proofs.
``python -m benchmarks.certificates --help`` lists the options.
"""
