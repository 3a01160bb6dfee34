"""Which user of this machine a connection belongs to, if the system says so.

A page on this machine is within reach of all of its users, but a changed program runs with the
rights of the person who started the server.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

__all__ = ["is_somebody_else", "owners"]

TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""The connections of this machine; only Linux has them."""
ESTABLISHED = "01"
"""The state of a connection whose other columns can be trusted."""


def is_somebody_else(client: int, server: int) -> bool:
    """True unless the connection between these ports belongs to our own user or to root.

    False if the system does not say.
    """
    lines = [line for table in TABLES for line in _read(table)]
    if not any(port == server for port, _, _, _ in map(_columns, lines)):
        return False  # this table does not even list the server
    return not owners(lines, client, server) & {os.getuid(), 0}


def owners(lines: Iterable[str], client: int, server: int) -> set[int]:
    """The users who have an open connection from one port to the other, by number."""
    return {
        user
        for local, remote, state, user in map(_columns, lines)
        if (local, remote, state) == (client, server, ESTABLISHED)
    }


def _read(table: Path) -> list[str]:
    try:
        return table.read_text().splitlines()[1:]
    except OSError:
        return []


def _columns(line: str) -> tuple[int, int, str, int]:
    """The ports at both ends, the state, and the number of the user."""
    _, local, remote, state, _, _, _, user, *_ = line.split()
    return _port(local), _port(remote), state, int(user)


def _port(address: str) -> int:
    return int(address.rpartition(":")[2], 16)
