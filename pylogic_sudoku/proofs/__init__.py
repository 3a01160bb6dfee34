"""Answers with a proof: certificates that a program without a solver can check."""

from ._certificate import Certificate, certify

__all__ = ["Certificate", "certify"]
