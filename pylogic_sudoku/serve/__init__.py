"""The page: a small JSON API over the package, and plain HTML and JavaScript that use it.

It needs the extra ``serve`` (FastAPI and uvicorn); only ``pylogic-sudoku serve`` imports it.
"""

from ._app import make_app
from ._server import Server

__all__ = ["Server", "make_app"]
