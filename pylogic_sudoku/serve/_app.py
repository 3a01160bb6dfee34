"""The JSON API, and the static files of the page.

Every question is a POST request, since puzzles are long; ``/openapi.json`` documents them. An error
is ``{"error": "what is wrong"}`` with a status of `_STATUS`, 413 for a long request, or 500.
"""

from __future__ import annotations

import logging
import mimetypes
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal
from urllib.parse import urlsplit

import anyio
from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import APIRoute
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .._layout import OpenShape, usual_first
from ..errors import BackendUnavailable, InvalidPuzzle, NoSolution, SolveTimeout, SudokuError
from ..formats import FORMATS, READ_ONLY
from . import _checking as checking
from . import _questions as questions
from . import _rules as rules
from . import _schema as schema
from ._bounds import BYTES, RULES, SIZE, SOLUTIONS, STEPS
from ._lanes import TIMEOUT, Busy, Lanes
from ._people import is_somebody_else
from ._pictures import Drawn, ToDraw, drawn

__all__ = ["ProgramsOf", "make_app"]

_log = logging.getLogger(__name__)

STATIC = Path(__file__).parent / "static"
TOO_LONG = f"the request is longer than {BYTES} bytes"
NO_PROGRAMS = (
    "this server does not run changed programs; pylogic-sudoku serve --run-programs allows them"
)
NOT_YOURS = "this server runs changed programs only for the user who has started it"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
_STATUS = {
    InvalidPuzzle: 422,
    NoSolution: 422,
    BackendUnavailable: 503,
    Busy: 503,
    SolveTimeout: 504,
}
_RESPONSES: dict[int | str, dict[str, Any]] = {
    413: {"model": schema.Error, "description": f"The request is longer than {BYTES} bytes."},
    422: {"model": schema.Error, "description": "Not a puzzle, or other bad input."},
    500: {"model": schema.Error, "description": "The engine broke, or the server."},
    503: {
        "model": schema.Error,
        "description": "The engine is missing, or too many requests are waiting.",
    },
    504: {"model": schema.Error, "description": "Out of time."},
}

router = APIRouter(prefix="/api", responses=_RESPONSES)


ProgramsOf = Literal["nobody", "me", "everybody"]
"""Whose changed programs the server runs."""


def make_app(
    timeout: float = TIMEOUT,
    hosts: Sequence[str] | None = None,
    programs_of: ProgramsOf = "nobody",
) -> FastAPI:
    """The application; `hosts` are the host names that it answers to, any if None.

    `programs_of` says whose changed programs run, with the rights of its user. For ``"me"``, it
    refuses those of other users of this machine, where the system tells whose a connection is.
    """

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.lanes = lanes = Lanes(timeout, prepare=questions.start)
        try:
            await lanes.start()
        except Exception as error:
            _log.error("the engines cannot start: %r", error)
            raise
        # A process that is killed leaves its files; they go with the server.
        with TemporaryDirectory(prefix="pylogic-sudoku-", ignore_cleanup_errors=True) as folder:
            app.state.folder = folder
            yield

    mimetypes.add_type("text/javascript", ".js")  # wrong on some systems
    app = FastAPI(
        title="pylogic_sudoku",
        version=version("pylogic-sudoku"),
        description="Sudoku on two logic engines, SWI-Prolog and clingo.",
        docs_url=None,  # they load scripts from other sites
        redoc_url=None,
        lifespan=lifespan,
        exception_handlers={
            SudokuError: _failed,
            RequestValidationError: _invalid,
            HTTPException: _refused,
            Exception: _broken,
        },
    )
    app.state.programs_of = programs_of
    app.include_router(router)
    app.mount("/", StaticFiles(directory=STATIC, html=True))
    app.add_middleware(Guard)
    if hosts:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    return app


async def _ask(
    request: Request, timeout: float | None, question: Callable[..., Any], *arguments: Any
) -> Any:
    """Answer the question; cancel it if the client disconnects."""
    lanes: Lanes = request.app.state.lanes
    client = request.client.host if request.client else ""
    answer: Any = None
    failure: Exception = HTTPException(499, "the client has disconnected")
    async with anyio.create_task_group() as group:

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()

        group.start_soon(watch)
        try:
            answer = await lanes.ask(client, timeout, question, *arguments)
        except Exception as error:
            failure = error  # raised here, it would become an exception group
        group.cancel_scope.cancel()
    if answer is None:
        raise failure
    return answer


def _routes() -> list[APIRoute]:
    return [route for route in router.routes if isinstance(route, APIRoute)]


@router.get("", response_model=schema.About)
async def about(request: Request) -> Any:
    """The engines, the kinds of rules, and the limits of this server."""
    return {
        "engines": await _ask(request, None, questions.engines),
        "formats": list(FORMATS),
        "readable": [*FORMATS, *READ_ONLY],
        "timeout": request.app.state.lanes.timeout,
        "solutions": SOLUTIONS,
        "steps": STEPS,
        "size": SIZE,
        "rules": RULES,
        "kinds": rules.kinds(),
        "programs": request.app.state.programs_of != "nobody",
        "questions": sorted({route.path.rpartition("/")[2] for route in _routes()} - {"api"}),
    }


@router.post("/read", response_model=schema.Puzzles, response_model_exclude_unset=True)
async def read(asked: schema.Text, request: Request) -> Any:
    """The puzzles of a text in any format."""
    form = asked.format and asked.format.value
    return await _ask(request, None, questions.read, asked.text, form, asked.box)


@router.post("/write", response_model=schema.Written)
async def write(asked: schema.Write, request: Request) -> Any:
    """A puzzle as text in a format."""
    return await _ask(request, None, questions.write, asked.source(), asked.format.value)


@router.post("/rules", response_model=schema.Rules)
async def shown_rules(asked: schema.Puzzle, request: Request) -> Any:
    """The rules beyond plain sudoku: in words, which the digits break, and drawn."""
    return await _ask(request, asked.timeout, questions.rules, asked.source())


@router.post("/rule-sets", response_model=schema.RuleSets)
async def rule_sets(asked: schema.Puzzle, request: Request) -> Any:
    """Rules for the whole grid that a person switches on together, such as those of a diagonal."""
    return await _ask(request, asked.timeout, questions.rule_sets, asked.source())


@router.post("/solve", response_model=schema.Solutions)
async def solve(asked: schema.Solve, request: Request) -> Any:
    """Solutions, up to a limit; those found so far if time runs out."""
    puzzle, engine = asked.source(), asked.engine
    return await _ask(request, asked.timeout, questions.solve, puzzle, engine, asked.limit)


@router.post("/confirm", response_model=schema.Confirmed)
async def confirm(asked: schema.Confirm, request: Request) -> Any:
    """Which of these solutions of another engine this engine rejects."""
    puzzle, engine = asked.source(), asked.engine
    return await _ask(request, asked.timeout, questions.confirm, puzzle, engine, asked.grids)


@router.post("/picture", response_model=Drawn)
async def picture(asked: ToDraw, request: Request) -> Any:
    """A board as an SVG image: its digits and pencil marks, and what is highlighted."""
    board = asked.model_dump(exclude={"puzzle", "box", "timeout"})
    return await _ask(request, asked.timeout, drawn, asked.source(), board)


@router.post("/check", response_model=schema.Checked)
async def check(asked: schema.Check, request: Request) -> Any:
    """Whether the digits that a person has filled in lead to a solution, and which do not."""
    more = asked.entries, [each.named() for each in asked.removed]
    return await _ask(request, asked.timeout, checking.check, asked.source(), *more)


@router.post("/count", response_model=schema.Count)
async def count(asked: schema.CountUpTo, request: Request) -> Any:
    """The number of solutions, up to a limit."""
    puzzle, engine = asked.source(), asked.engine
    return await _ask(request, asked.timeout, questions.count, puzzle, engine, asked.limit)


@router.post("/candidates", response_model=schema.Candidates)
async def candidates(asked: schema.Asked, request: Request) -> Any:
    """For every cell the digits that it has in at least one solution."""
    puzzle, engine = asked.source(), asked.engine
    return await _ask(request, asked.timeout, questions.candidates, puzzle, engine)


@router.post("/steps", response_model=schema.Steps)
async def steps(asked: schema.StepsUpTo, request: Request) -> Any:
    """The next steps that a person would take, up to a limit; the first is a hint."""
    removed = [each.named() for each in asked.removed]
    more = asked.limit, removed, asked.soon, asked.taken
    return await _ask(request, asked.timeout, questions.steps, asked.source(), *more)


@router.post("/programs", response_model=schema.Programs)
async def programs(asked: schema.Puzzle, request: Request) -> Any:
    """The ASP and the Prolog program that solve this puzzle."""
    return await _ask(request, asked.timeout, questions.programs, asked.source())


@router.post("/run", response_model=schema.Ran, responses={403: {"model": schema.Error}})
async def run(asked: schema.Changed, request: Request) -> Any:
    """Run a changed program on this puzzle, and compare its answers with clingo's."""
    whose = request.app.state.programs_of
    if whose == "nobody" or (whose == "me" and _by_somebody_else(request)):
        raise HTTPException(403, NO_PROGRAMS if whose == "nobody" else NOT_YOURS)
    more = asked.engine, asked.files, request.app.state.folder
    return await _ask(request, asked.timeout, questions.run, asked.source(), *more)


def _by_somebody_else(request: Request) -> bool:
    server = request.scope.get("server")
    return bool(request.client and server and is_somebody_else(request.client.port, int(server[1])))


async def _explain(request: Request, kind: str, asked: schema.Puzzle, *about: str | int) -> Any:
    return await _ask(request, asked.timeout, questions.explain, kind, asked.source(), about)


@router.post("/why", response_model=schema.Explained)
async def why(asked: schema.AtCell, request: Request) -> Any:
    """Why a cell has its digit."""
    return await _explain(request, "why", asked, asked.cell)


@router.post("/steps-to", response_model=schema.Steps)
async def steps_to(asked: schema.AtCell, request: Request) -> Any:
    """The steps that lead to the digit of a cell, each in the position after those before it."""
    return await _ask(request, asked.timeout, questions.steps_to, asked.source(), asked.cell)


@router.post("/why-not", response_model=schema.Explained)
async def why_not(asked: schema.AtDigit, request: Request) -> Any:
    """Why a digit is impossible in a cell."""
    return await _explain(request, "why_not", asked, asked.cell, asked.digit)


@router.post("/conflicts", response_model=schema.Explained)
async def conflicts(asked: schema.Puzzle, request: Request) -> Any:
    """Why there is no solution."""
    return await _explain(request, "conflicts", asked)


@router.post("/ambiguity", response_model=schema.Explained)
async def ambiguity(asked: schema.Puzzle, request: Request) -> Any:
    """Where solutions differ."""
    return await _explain(request, "ambiguity", asked)


async def _failed(_request: Request, error: Exception) -> JSONResponse:
    status = next((code for kind, code in _STATUS.items() if isinstance(error, kind)), 500)
    more = {"boxes": usual_first(error.size)} if isinstance(error, OpenShape) else {}
    return JSONResponse({"error": str(error), **more}, status)


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return JSONResponse({"error": "the request is not JSON"}, 422)
    where = first["loc"][1:2]
    return JSONResponse({"error": ": ".join(map(str, (*where, first["msg"])))}, 422)


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def _broken(_request: Request, error: Exception) -> JSONResponse:
    _log.error("a request failed", exc_info=error)
    return JSONResponse({"error": "internal server error; see the server log"}, 500)


class Guard:
    """Refuse requests of other sites and long ones; let our page run nothing from elsewhere."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        length = 0

        async def received() -> Message:
            nonlocal length
            message = await receive()
            length += len(message.get("body", b""))
            if length > BYTES:
                raise HTTPException(413, TOO_LONG)
            return message

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        origin = headers.get("origin")
        if origin and urlsplit(origin).netloc != headers.get("host"):
            refusal = JSONResponse({"error": "requests from other sites are refused"}, 403)
            await refusal(scope, receive, sent)
        elif int(headers.get("content-length") or 0) > BYTES:
            await JSONResponse({"error": TOO_LONG}, 413)(scope, receive, sent)
        else:
            await self._app(scope, received, sent)
