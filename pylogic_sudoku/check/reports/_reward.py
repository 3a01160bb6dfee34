"""A reward for reinforcement learning: ``reward.json``."""

from __future__ import annotations

from json import dumps

from .._result import Report

__all__ = ["reward"]


def reward(report: Report) -> str:
    """Return the part of the points that was earned, from 0 to 1."""
    return dumps({"reward": report.fraction})
