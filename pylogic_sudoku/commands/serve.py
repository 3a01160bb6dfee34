"""The command ``serve``: the page, on this machine or for others."""

from __future__ import annotations

import os
import re
import sys
import webbrowser
from threading import Thread
from typing import NoReturn

import click

from .._resources import install_command
from ..errors import BackendUnavailable
from ._options import Whole, timeout
from ._output import say


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=Whole(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 for any free one.",
)
@click.option("--open", "browse", is_flag=True, help="Open the page in a browser.")
@timeout("Time limit for each question.", default=10.0)
@click.option(
    "--run-programs/--no-run-programs",
    default=None,
    help="Whether the page runs programs that were changed there. They run with all your rights."
    "  [default: only for you, and only if no other machine can reach the page]",
)
@click.option(
    "--bound",
    "bounds",
    multiple=True,
    metavar="NAME=N",
    help="Set another bound on what the page accepts, such as size=25; docs/page.md lists them. May"
    " be repeated.",
)
@click.option("--verbose", is_flag=True, help="Log every request.")
def serve(
    host: str,
    port: int,
    browse: bool,
    timeout: float,
    run_programs: bool | None,
    bounds: tuple[str, ...],
    verbose: bool,
) -> NoReturn:
    """Serve a page to solve, explain and play puzzles on.

    Only this machine can reach it, unless --host says otherwise. Ctrl-C stops it.

    \b
    pylogic-sudoku serve --open
    pylogic-sudoku serve --host 0.0.0.0 --port 80   for everyone on the network
    """
    _set(bounds)
    try:
        from ..serve import Server
    except ModuleNotFoundError as error:
        raise BackendUnavailable(
            f"the page needs {error.name}, which is not installed",
            f"Install it: {install_command('serve')}",
        ) from None
    _check(bounds)
    try:
        server = Server(host, port, timeout, verbose, run_programs)
    except (OSError, UnicodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise click.UsageError(f"cannot listen at {host}, port {port}: {why}") from None
    click.echo(server.address)
    sys.stdout.flush()
    if not server.loopback:
        say("Everyone who can reach this machine can use it.")
        if run_programs:
            say("They can run programs with all your rights, too.")
    if browse:
        Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
    server.run()
    sys.exit(0)


def _set(bounds: tuple[str, ...]) -> None:
    """Put the bounds where the page and its processes read them; UsageError for a wrong one."""
    for text in bounds:
        found = re.fullmatch(r"([a-z]+)=([1-9]\d{0,8})", text, re.ASCII)
        if found is None:
            raise click.UsageError(f"--bound {text}: expected NAME=N, such as size=25")
        os.environ[f"PYLOGIC_SUDOKU_BOUND_{found[1]}"] = found[2]


def _check(bounds: tuple[str, ...]) -> None:
    """UsageError if there is no such bound."""
    from ..serve._bounds import BOUNDS

    for name in (text.partition("=")[0] for text in bounds):
        if name not in BOUNDS:
            raise click.UsageError(f"--bound {name}: choose one of {', '.join(BOUNDS)}")
