"""The JSON API, and the static files of the page.

Every question is a POST, as puzzles are long; ``/openapi.json`` documents them. An error is
``{"error": "what is wrong"}`` with a status of `_STATUS`, or 413 for a request that is too long.
"""

from __future__ import annotations

import logging
import mimetypes
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anyio
from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.staticfiles import StaticFiles

from ..errors import BackendUnavailable, InvalidPuzzle, SolveTimeout, SudokuError
from ..formats import FORMATS
from . import _limits as limits
from . import _questions as questions
from . import _schema as schema
from ._guard import Guard
from ._lanes import Busy, Lanes

__all__ = ["make_app"]

_log = logging.getLogger(__name__)

STATIC = Path(__file__).parent / "static"

_STATUS = {InvalidPuzzle: 422, BackendUnavailable: 503, Busy: 503, SolveTimeout: 504}
_RESPONSES: dict[int | str, dict[str, Any]] = {
    413: {"model": schema.Error, "description": f"Longer than {limits.BODY} bytes."},
    422: {"model": schema.Error, "description": "No puzzle, or another bad input."},
    500: {"model": schema.Error, "description": "The engine broke."},
    503: {"model": schema.Error, "description": "The engine is missing, or too many are asking."},
    504: {"model": schema.Error, "description": "Out of time."},
}

router = APIRouter(prefix="/api", responses=_RESPONSES)


def make_app(seconds: float = limits.SECONDS, hosts: Sequence[str] | None = None) -> FastAPI:
    """The application; `hosts` are the names that it answers to, any if None."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        app.state.lanes = lanes = Lanes(seconds, prepare=questions.start)
        try:
            await lanes.start()
        except Exception as error:
            _log.error("the engines do not start: %r", error)
            raise
        yield

    mimetypes.add_type("text/javascript", ".js")  # some systems have it wrong
    app = FastAPI(
        title="pylogic_sudoku",
        version=version("pylogic-sudoku"),
        description="Sudoku on two logic engines, SWI-Prolog and clingo.",
        docs_url=None,  # these would load from outside
        redoc_url=None,
        lifespan=lifespan,
        exception_handlers={
            SudokuError: _failed,
            RequestValidationError: _invalid,
            HTTPException: _refused,
            Exception: _broken,
        },
    )
    app.include_router(router)
    app.mount("/", StaticFiles(directory=STATIC, html=True))
    app.add_middleware(Guard)
    if hosts:
        app.add_middleware(TrustedHostMiddleware, allowed_hosts=list(hosts))
    return app


async def _ask(
    request: Request, seconds: float | None, question: Callable[..., Any], *arguments: Any
) -> Any:
    """What the question answers; it is dropped where whoever asked has gone."""
    lanes: Lanes = request.app.state.lanes
    client = request.client.host if request.client else ""
    answer: Any = None
    failure: Exception = HTTPException(499, "nobody waits for the answer any more")
    async with anyio.create_task_group() as group:

        async def watch() -> None:
            while (await request.receive())["type"] != "http.disconnect":
                pass
            group.cancel_scope.cancel()

        group.start_soon(watch)
        try:
            answer = await lanes.ask(client, seconds, question, *arguments)
        except Exception as error:
            failure = error  # raised here, it would arrive as a group of errors
        group.cancel_scope.cancel()
    if answer is None:
        raise failure
    return answer


@router.get("", response_model=schema.About)
async def about(request: Request) -> Any:
    """Which engines are here, and what the limits are."""
    return {
        "engines": await _ask(request, None, questions.engines),
        "formats": list(FORMATS),
        "seconds": request.app.state.lanes.seconds,
        "solutions": limits.SOLUTIONS,
        "steps": limits.STEPS,
        "size": limits.SIZE,
    }


@router.post("/read", response_model=schema.Puzzles)
async def read(asked: schema.Text, request: Request) -> Any:
    """The puzzles of a text in any format."""
    return await _ask(request, None, questions.read, asked.text, asked.format, asked.box)


@router.post("/write", response_model=schema.Written)
async def write(asked: schema.Write, request: Request) -> Any:
    """A puzzle as text in some format."""
    return await _ask(request, None, questions.write, asked.source(), asked.format)


@router.post("/solve", response_model=schema.Solutions)
async def solve(asked: schema.Solve, request: Request) -> Any:
    """Solutions, up to a limit; those found so far where time runs out."""
    puzzle, engine = asked.source(), asked.engine
    return await _ask(request, asked.seconds, questions.solve, puzzle, engine, asked.limit)


@router.post("/count", response_model=schema.Count)
async def count(asked: schema.CountUpTo, request: Request) -> Any:
    """The number of solutions, up to a limit."""
    puzzle, engine = asked.source(), asked.engine
    return await _ask(request, asked.seconds, questions.count, puzzle, engine, asked.limit)


@router.post("/candidates", response_model=schema.Candidates)
async def candidates(asked: schema.Asked, request: Request) -> Any:
    """For every cell the digits that it has in at least one solution."""
    puzzle, engine = asked.source(), asked.engine
    return await _ask(request, asked.seconds, questions.candidates, puzzle, engine)


@router.post("/steps", response_model=schema.Steps)
async def steps(asked: schema.StepsUpTo, request: Request) -> Any:
    """The next steps that a person would take, up to a limit; the first is a hint."""
    return await _ask(request, asked.seconds, questions.steps, asked.source(), asked.limit)


async def _explain(request: Request, kind: str, asked: schema.Puzzle, *about: str | int) -> Any:
    return await _ask(request, asked.seconds, questions.explain, kind, asked.source(), about)


@router.post("/why", response_model=schema.Explained)
async def why(asked: schema.AtCell, request: Request) -> Any:
    """Why a cell has its digit."""
    return await _explain(request, "why", asked, asked.cell)


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
    return JSONResponse({"error": str(error)}, status)


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return JSONResponse({"error": "the request is no JSON"}, 422)
    where = first["loc"][1:2]
    return JSONResponse({"error": ": ".join(map(str, (*where, first["msg"])))}, 422)


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return JSONResponse({"error": error.detail}, error.status_code, error.headers)


async def _broken(_request: Request, error: Exception) -> JSONResponse:
    _log.error("a request failed", exc_info=error)
    return JSONResponse({"error": "something is wrong here; the server's log says what"}, 500)
