"""The page on a port of this machine."""

from __future__ import annotations

import logging
import signal
import socket
from ipaddress import ip_address
from types import FrameType

import uvicorn
from uvicorn.config import LOGGING_CONFIG

from ._app import ProgramsOf, make_app

__all__ = ["Server"]


class Server:
    """A server that listens at its port, and answers once it runs.

    Changed programs run with the rights of the user who starts it. `run_programs` runs those of
    everybody or of nobody. By default it runs those of that user alone, and none if other machines
    can reach the page. Raises OSError if it cannot listen.
    """

    def __init__(
        self,
        host: str,
        port: int,
        timeout: float,
        verbose: bool = False,
        run_programs: bool | None = None,
    ) -> None:
        family, *_, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        self._socket = socket.create_server(address[:2], family=family, backlog=1024)
        bound, self.port = self._socket.getsockname()[:2]
        self.loopback = ip_address(bound.partition("%")[0]).is_loopback
        name = f"[{host}]" if ":" in host else host
        self.address = f"http://{name}:{self.port}/"
        # On loopback, refuse other host names: a site may point one at this machine.
        names = ["localhost", "127.0.0.1", "[::1]", "::1", name] if self.loopback else None
        programs_of: ProgramsOf = "everybody" if run_programs else "nobody"
        if run_programs is None and self.loopback:
            programs_of = "me"
        self._server = uvicorn.Server(
            uvicorn.Config(
                make_app(timeout, names, programs_of),
                log_level="info" if verbose else "critical",
                log_config=LOGGING_CONFIG if verbose else None,
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )

    def run(self) -> None:
        """Serve until a signal stops it, then call the handler of that signal.

        uvicorn does that for Ctrl-C and TERM; this does it for SIGHUP, the end of the terminal.
        """
        # At the end Python may ask twice how a worker ended, and then warns that it is unknown.
        logging.getLogger("asyncio").setLevel(logging.ERROR)
        hang_up = getattr(signal, "SIGHUP", None)
        handler = signal.getsignal(hang_up) if hang_up else None
        if not hang_up or not callable(handler):
            self._server.run(sockets=[self._socket])
            return
        came: list[int] = []

        def stop(number: int, frame: FrameType | None) -> None:
            came.append(number)
            self._server.handle_exit(number, frame)

        signal.signal(hang_up, stop)
        try:
            self._server.run(sockets=[self._socket])
        finally:
            signal.signal(hang_up, handler)
        if came:
            signal.raise_signal(hang_up)
