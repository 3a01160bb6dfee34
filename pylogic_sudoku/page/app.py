"""The server of the page: a JSON API with one question a route, and static files.

Every question is a POST request, since puzzles are long; ``/openapi.json`` documents them. An error
is ``{"error": "what is wrong"}`` with a status of `STATUS`. Its face is `Server`, a server at a
port, and `make_app`, the application alone.
"""

from __future__ import annotations

import json
import logging
import mimetypes
import os
import secrets
import select
import signal
import socket
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from functools import cache, partial
from importlib.metadata import version
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any, Literal, NamedTuple, TypeVar
from urllib.parse import parse_qsl, urlencode, urlsplit
from weakref import WeakValueDictionary

import anyio
import uvicorn
from anyio import to_process
from fastapi import APIRouter, FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from fastapi.routing import APIRoute
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.config import LOGGING_CONFIG

from ..errors import (
    BackendFailure,
    BackendUnavailable,
    InvalidProblem,
    InvalidPuzzle,
    LogicError,
    NoSolution,
    NotGenerated,
    SolveTimeout,
)
from ..formats import FORMATS, READ_ONLY
from ..formats.fpuzzles import UnknownClues
from ..puzzle.cells import OpenShape, usual_first
from ..running import notices
from ..running.process import limit_memory
from . import BYTES, QUESTION, RULES, SIZE, SOLUTIONS, STEPS, board, problems, questions, schema
from .asked import PuzzleSource, Source
from .plain import plain, plain_message
from .problems import InstanceSource

_log = logging.getLogger(__name__)

T = TypeVar("T")

TIMEOUT = 10.0
"""Seconds for each question, unless the server is started with another limit."""
QUICK = 0.5
"""Seconds after which a question is a slow one."""
GRACE = 10.0
"""Seconds after its time limit until a question is killed: its process may have to start first."""
STARTING = 60.0
"""Seconds for the engines to start."""
WAITING = 500
"""Most requests that may wait for an engine."""


class Busy(LogicError):
    """Too many questions are waiting already."""


STATIC = Path(__file__).parent / "static"
NO_PROGRAMS = (
    "this server does not run changed programs; pylogic-sudoku serve --run-programs allows them"
)
NOT_YOURS = "this server runs changed programs only for the user who has started it"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
DOCUMENTATION = "/docs/"
"""The path of the documentation, if the server has it."""
DOCUMENTATION_POLICY = (
    "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'wasm-unsafe-eval' blob:;"
    " style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""MkDocs writes scripts and styles into its pages; the playground there compiles WebAssembly."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-cache",
}
STATUS: dict[int, tuple[str, tuple[type[LogicError], ...]]] = {
    400: ("The server does not go by this host name.", ()),
    403: ("Another site asks, the token is missing, or programs are not run.", ()),
    413: (f"The request is longer than {BYTES} bytes.", ()),
    422: (
        "The question is wrong, or the engine cannot be asked it.",
        (InvalidProblem, InvalidPuzzle, NoSolution),
    ),
    503: ("The engine is missing, or too many requests wait.", (BackendUnavailable, Busy)),
    504: ("Out of time.", (NotGenerated, SolveTimeout)),
    500: ("The engine broke, or the server.", (LogicError,)),
}
"""The meaning of each status, and the errors that have it."""


ProgramsOf = Literal["nobody", "me", "everybody"]
"""Whose changed programs the server runs."""


class Door(NamedTuple):
    """The requests that the server answers."""

    hosts: frozenset[str] | None = None
    """The host names to which it answers; any if None."""
    addresses: bool = False
    """True if it answers to any IP address as well: no site can make its own name one."""
    token: str = ""
    """The token that each request must have; empty for none."""

    def knows(self, host: str) -> bool:
        """True if the server answers to the host name of a request, which may have a port."""
        if self.hosts is None:
            return True
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        return name in self.hosts or (self.addresses and _is_address(name))


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def make_app(
    timeout: float = TIMEOUT,
    door: Door | None = None,
    programs_of: ProgramsOf = "nobody",
    documentation: str | None = None,
) -> FastAPI:
    """Return the application, which answers the requests that its door lets in: all without one.

    `programs_of` selects whose changed programs run, with the rights of its user. For ``"me"``, it
    refuses those of other users of this machine, where the system tells whose a connection is.
    `documentation` is the folder of the site that the page links to.
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
        description="State a problem in ASP and in Prolog: this runs both, checks that they agree,"
        " and names the line that is wrong if they do not. The description of a question"
        " says what its answer holds. It has `warnings` about programs, too, if there are any. An"
        " error is an object whose `error` says it.",
        docs_url=None,  # they load scripts from other sites
        redoc_url=None,
        lifespan=lifespan,
        exception_handlers=dict.fromkeys(
            (LogicError, RequestValidationError, HTTPException, Exception), _refuse
        ),
    )
    app.state.programs_of = programs_of
    app.state.documentation = DOCUMENTATION if documentation else ""
    app.include_router(router)
    if documentation:
        app.mount(DOCUMENTATION.rstrip("/"), StaticFiles(directory=documentation, html=True))
    app.mount("/", StaticFiles(directory=STATIC, html=True))
    app.add_middleware(Guard, door=door or Door())
    return app


class Server:
    """A server that listens at its port, and answers once it runs.

    Changed programs run with the rights of the user who starts it. `run_programs` runs those of
    everybody or of nobody. By default it runs those of that user alone, and none if other machines
    can reach the page. Raises OSError if it cannot listen.

    The `token` is part of the address. By default there is a random one if programs of everybody
    run or other machines can reach the page, and else none. The server goes by the names of this
    machine, and by `hosts`.
    """

    def __init__(
        self,
        host: str,
        port: int,
        timeout: float,
        verbose: bool = False,
        run_programs: bool | None = None,
        token: str | None = None,
        hosts: Sequence[str] = (),
        documentation: str | None = None,
    ) -> None:
        family, *_, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        self._socket = socket.create_server(address[:2], family=family, backlog=1024)
        bound, self.port = self._socket.getsockname()[:2]
        self.loopback = ip_address(bound.partition("%")[0]).is_loopback
        name = f"[{host}]" if ":" in host else host
        if token is None:
            token = secrets.token_urlsafe(24) if run_programs or not self.loopback else ""
        query = f"?{urlencode({'token': token})}" if token else ""
        self.address = f"http://{name}:{self.port}/{query}"
        # A site may let a name of its own lead to this machine, so only known names pass.
        names = {"localhost", "127.0.0.1", "::1", host, *hosts}
        if not self.loopback:
            own = socket.gethostname()
            names |= {own, f"{own}.local", socket.getfqdn()}
        known = frozenset(each.lower().strip("[]") for each in names)
        door = Door(known, not self.loopback, token)
        programs_of: ProgramsOf = "everybody" if run_programs else "nobody"
        if run_programs is None and self.loopback:
            programs_of = "me"
        self._server = uvicorn.Server(
            uvicorn.Config(
                make_app(timeout, door, programs_of, documentation),
                log_level="info" if verbose else "critical",
                log_config=LOGGING_CONFIG if verbose else None,
                server_header=False,
                timeout_graceful_shutdown=1,
            )
        )

    def run(self) -> None:
        """Serve until a signal stops it, then call the handler of that signal.

        uvicorn does that for Ctrl-C and TERM; here also for SIGHUP, the end of the terminal.
        """
        # At the end Python may ask twice how a worker ended, and then warns that it is unknown.
        logging.getLogger("asyncio").setLevel(logging.ERROR)
        hang_up = getattr(signal, "SIGHUP", None)
        if hang_up and callable(signal.getsignal(hang_up)):  # the command handles it
            uvicorn.server.HANDLED_SIGNALS = (signal.SIGINT, signal.SIGTERM, hang_up)  # type: ignore[assignment]
        self._server.run(sockets=[self._socket])


# --- the questions ------------------------------------------------------------------------


router = APIRouter(
    prefix="/api", responses={status: {"description": text} for status, (text, _) in STATUS.items()}
)


@router.get("")
async def about(request: Request) -> dict[str, Any]:
    """The engines, the kinds of rules, the limits of this server, and what can be asked."""
    paths = [route.path for route in router.routes if isinstance(route, APIRoute)]
    return {
        "engines": await _ask(request, None, questions.engines),
        "formats": list(FORMATS),
        "readable": [*FORMATS, *READ_ONLY],
        "timeout": request.app.state.lanes.timeout,
        "solutions": SOLUTIONS,
        "steps": STEPS,
        "size": SIZE,
        "rules": RULES,
        "kinds": board.kinds(),
        "programs": request.app.state.programs_of != "nobody",
        "documentation": request.app.state.documentation,
        "questions": sorted({path.rpartition("/")[2] for path in paths} - {"api"}),
    }


_THOROUGH = {questions.refusal, questions.blame, questions.run, questions.diagnose}
"""Questions whose answer names fewer lines, or others, if there is less time for it."""


def _offer(question: Callable[..., Any]) -> None:
    """Add the route of a question, with its own description."""
    names = schema.arguments(question)

    async def answer(body: schema.Asked, request: Request) -> Any:
        _must_be_text(body)
        values = {name: getattr(body, name) for name in names}
        place = request.app.state.folder
        if schema.has_place(question):
            _allow_programs(request)
            values["place"] = place
        quick = question not in _THOROUGH or bool(values.get("soon"))
        match body:
            case schema.Either():
                if body.texts:
                    _allow_programs(request)
                asked = question, _source(body), body.engine, place, values
                return await _ask(request, body.timeout, questions.ask_about, *asked, quick=quick)
            case schema.Puzzle():
                about = question, _puzzle(body), values
                ask = questions.ask_about_puzzle
                return await _ask(request, body.timeout, ask, *about, quick=quick)
        return await _ask(request, None, partial(question, **values))

    answer.__annotations__["body"] = schema.request(question)
    answer.__name__, answer.__doc__ = question.__name__, question.__doc__
    router.post(f"/{question.__name__.replace('_', '-')}")(answer)


for _question in (
    *(questions.read, questions.write, questions.generate),
    *(board.rules, board.rule_sets),
    *(questions.solve, questions.confirm, questions.refusal, questions.blame, questions.count),
    *(questions.candidates, questions.candidate_counts, questions.redundant),
    *(questions.propagate, questions.measure, questions.trace),
    *(questions.steps, questions.steps_to),
    *(questions.programs, questions.run, questions.diagnose),
    *(questions.why, questions.why_not, questions.conflicts, questions.ambiguity),
    *(problems.problems, problems.facts),
):
    _offer(_question)


def _must_be_text(body: schema.Asked) -> None:
    """Refuse half a character, which an escape of JSON may stand for: no text has one."""
    try:
        json.dumps(body.model_dump(), ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = error.object[error.start]
        raise HTTPException(422, f"{half!r} is half a character, which no text has") from None
    except RecursionError:  # which others report
        pass


def _source(body: schema.Either) -> Source:
    """The subject of a question to a program."""
    if "puzzle" in body.model_fields_set:
        return _puzzle(body)
    return InstanceSource(body.problem, body.instance, body.texts)


def _puzzle(body: schema.Puzzle | schema.Either) -> PuzzleSource:
    """The text of the puzzle; InvalidPuzzle if it is too deep to be written."""
    if isinstance(body.puzzle, str):
        return PuzzleSource(body.puzzle, None, body.box)
    try:
        return PuzzleSource(json.dumps(body.puzzle), "json", body.box)
    except RecursionError:
        raise InvalidPuzzle("the puzzle holds too many lists within lists") from None


def _allow_programs(request: Request) -> None:
    """Refuse to run a changed program for those who may not run any."""
    whose = request.app.state.programs_of
    client, server = request.client, request.scope.get("server")
    if whose == "nobody":
        raise HTTPException(403, NO_PROGRAMS)
    if whose == "me" and client and server and is_somebody_else(client.port, int(server[1])):
        raise HTTPException(403, NOT_YOURS)


async def _ask(
    request: Request,
    timeout: float | None,
    question: Callable[..., Any],
    *arguments: Any,
    quick: bool = True,
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
            answer = await lanes.ask(client, timeout, question, *arguments, quick=quick)
        except Exception as error:
            failure = error  # raised here, it would become an exception group
        group.cancel_scope.cancel()
    if answer is None:
        raise failure
    return answer


# --- errors, and requests that are refused ------------------------------------------------


async def _refuse(_request: Request, error: Exception) -> JSONResponse:
    """Answer with the message of any error."""
    status, message, headers = 500, str(error), None
    more: dict[str, Any] = {}
    match error:
        case RequestValidationError():
            first = error.errors()[0]
            says = first["msg"].removeprefix("Value error, ")
            status, message = 422, ": ".join(map(str, (*first["loc"][1:2], says)))
            if first["type"] == "json_invalid":
                message = "the request is not JSON"
        case HTTPException():
            status, message, headers = error.status_code, error.detail, error.headers
        case LogicError():
            status = next(code for code, (_, kinds) in STATUS.items() if isinstance(error, kinds))
            if error.messages:
                more["messages"] = [plain_message(each).to_json() for each in error.messages]
            if error.warnings:
                more["warnings"] = [plain_message(each).to_json() for each in error.warnings]
            if isinstance(error, OpenShape):
                more["boxes"] = usual_first(error.size)
            if isinstance(error, UnknownClues):
                more["without"] = json.dumps(error.without)
        case _:
            _log.error("a request failed", exc_info=error)
            message = "internal server error; see the server log"
    return JSONResponse({"error": plain(message), **more}, status, headers)


class Guard:
    """Refuse requests of other sites, without the token, and long ones.

    Our page runs nothing from elsewhere.
    """

    def __init__(self, app: ASGIApp, door: Door) -> None:
        self._app = app
        self._door = door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        in_documentation = scope["path"].startswith(DOCUMENTATION)
        policy = {"Content-Security-Policy": DOCUMENTATION_POLICY} if in_documentation else {}
        length = 0

        async def received() -> Message:
            nonlocal length
            message = await receive()
            length += len(message.get("body", b""))
            if length > BYTES:
                raise HTTPException(413, f"the request is longer than {BYTES} bytes")
            return message

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS | policy)
            await send(message)

        refusal = self._refusal(scope, headers)
        if refusal is not None:
            await refusal(scope, receive, sent)
        else:
            await self._app(scope, received, sent)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        """Return the answer to a request that is not let in; None for one that is."""
        host, origin = headers.get("host", ""), headers.get("origin")
        if not self._door.knows(host):
            message = f"this server does not go by the name {host!r}; serve --allow-host allows one"
            return JSONResponse({"error": message}, 400)
        # Browsers say whose page asks, even where they leave out its origin.
        from_other = origin is None and headers.get("sec-fetch-site") in ("cross-site", "same-site")
        elsewhere = from_other and scope["method"] not in ("GET", "HEAD")
        if elsewhere or (origin and urlsplit(origin).netloc != host):
            return JSONResponse({"error": "requests from other sites are refused"}, 403)
        return self._without_token(scope, headers) if self._door.token else None

    def _without_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Return None for a request with the token.

        A page whose address has it is sent on to the same address without it, and gets a cookie.
        """
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        # Browsers send the cookies of all ports of a host.
        cookie = f"pylogic-sudoku-{(scope.get('server') or ('', 0))[1]}"
        request = Request(scope)
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        if self._is_token(request.cookies.get(cookie, "")):
            return None
        if kind.lower() == "bearer" and self._is_token(bearer.strip()):
            return None
        if not any(name == "token" and self._is_token(value) for name, value in query):
            message = "the token is missing: use the address that the server has printed"
            return JSONResponse({"error": message}, 403)
        if scope["method"] != "GET":
            return None
        rest = urlencode([(name, value) for name, value in query if name != "token"])
        answer = RedirectResponse(f"{request.url.path}{'?' if rest else ''}{rest}", 303)
        answer.set_cookie(cookie, self._door.token, httponly=True, samesite="lax")
        return answer

    def _is_token(self, text: str) -> bool:
        return secrets.compare_digest(text.encode(), self._door.token.encode())


# --- the user of this machine to whom a connection belongs, if the system reveals it -------
#
# A page on this machine is within reach of all of its users, but a changed program runs with the
# rights of the person who started the server.

TABLES = (Path("/proc/net/tcp"), Path("/proc/net/tcp6"))
"""The connections of this machine; only Linux has them."""
ESTABLISHED = "01"
"""The state of a connection whose other columns can be trusted."""


def is_somebody_else(client: int, server: int) -> bool:
    """True unless the connection between these ports belongs to our own user or to root.

    False if the system does not reveal it: if its tables do not even list the server.
    """
    owners, listed = set(), False
    for table in TABLES:
        with suppress(OSError):
            for line in table.read_text().splitlines()[1:]:
                _, local, remote, state, _, _, _, user, *_ = line.split()
                ports = [int(address.rpartition(":")[2], 16) for address in (local, remote)]
                listed |= ports[0] == server
                if (*ports, state) == (client, server, ESTABLISHED):
                    owners.add(int(user))
    return listed and not owners & {os.getuid(), 0}


# --- the processes that answer questions, in two lanes: quick questions never wait for slow ones
#
# A question starts in the quick lane. If it takes longer than `QUICK`, it starts again in the slow
# lane, in which the clients take turns; one whose answer depends on its time starts there. A
# process is killed if its question overruns its time, or if no client waits for it any more.


class Lanes:
    """Both lanes; they belong to one event loop.

    A question is a function that can be pickled; its last argument is its time limit in seconds.
    `prepare` is called once in each process, before its first question.
    """

    def __init__(
        self,
        timeout: float = TIMEOUT,
        places: int | None = None,
        prepare: Callable[[], object] | None = None,
    ) -> None:
        self.timeout = timeout
        self.places = places or max(2, os.cpu_count() or 1)
        self._prepare = prepare
        self._quick = anyio.CapacityLimiter(self.places)
        self._slow = anyio.CapacityLimiter(self.places)
        self._processes = anyio.CapacityLimiter(2 * self.places)
        self._turns: WeakValueDictionary[str, anyio.Semaphore] = WeakValueDictionary()
        self._waiting = 0

    async def start(self) -> None:
        """Start the processes of the quick lane; others start as they are needed."""
        async with anyio.create_task_group() as group:
            for _ in range(self.places):
                group.start_soon(self._run, STARTING, _nothing)

    async def ask(
        self,
        client: str,
        timeout: float | None,
        question: Callable[..., T],
        *arguments: Any,
        quick: bool = True,
    ) -> T:
        """Return the answer; `timeout` counts if it is shorter than the limit of these lanes.

        A question that is not `quick` has all its time at once.

        Raises Busy, SolveTimeout, BackendFailure if the process ends, and the question's errors.
        """
        limit = min(timeout or self.timeout, self.timeout)
        if self._waiting >= WAITING:
            raise Busy("too many questions are waiting already; try again in a moment")
        self._waiting += 1
        try:
            if quick:
                with suppress(SolveTimeout):
                    async with self._quick:
                        answer = await self._run(min(QUICK, limit), question, *arguments)
                    if not (isinstance(answer, dict) and answer.get("stopped") == "time"):
                        return answer
            # At most `places` questions of a client queue for the slow lane; its others wait.
            turn = self._turns.setdefault(client, anyio.Semaphore(self.places))
            async with turn, self._slow:
                return await self._run(limit, question, *arguments)
        finally:
            self._waiting -= 1

    async def _run(self, timeout: float, question: Callable[..., T], *arguments: Any) -> T:
        with anyio.move_on_after(timeout + GRACE):
            try:
                ask = partial(_answer, self._prepare, question, *arguments, timeout)
                return await to_process.run_sync(ask, cancellable=True, limiter=self._processes)
            except anyio.BrokenWorkerProcess:
                raise BackendFailure("the engine's process ended without an answer") from None
        raise SolveTimeout("the engine", timeout)


def _answer(prepare: Callable[[], object] | None, question: Callable[..., T], *arguments: Any) -> T:
    """Runs in the process."""
    _begin(prepare)
    try:
        with notices.collected() as warned:
            answer = question(*arguments)
    except LogicError as error:
        error.warnings = warned
        raise
    if isinstance(answer, dict) and warned:
        answer["warnings"] = [plain_message(each).to_json() for each in warned]
    return answer


@cache
def _begin(prepare: Callable[[], object] | None) -> None:
    """Once in each process: it ends as soon as the server does, and its memory has a limit."""
    limit_memory(QUESTION)
    if hasattr(select, "poll"):
        pipe = select.poll()
        pipe.register(0, 0)  # reads nothing; the end is reported in any case

        def watch() -> None:
            pipe.poll()
            os._exit(0)

        Thread(target=watch, daemon=True).start()
    if prepare:
        prepare()


def _nothing(_timeout: float) -> None:
    pass
