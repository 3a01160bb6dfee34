"""Solvers from outside: each module here has a `CONTESTANT`, and imports its solver when asked."""
