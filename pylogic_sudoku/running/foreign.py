"""Programs that are not ours, each question in a process of its own.

A foreign program may end its process, assert facts, set flags, ground for ever. So an engine that
runs one asks a `ForkServer` (see `forking`) for a child, and the child does the work. Killing it is
the time limit, and its end is an error here.

In such a child the same functions run `inline`. On a system without fork, such as Windows, they run
in this process, in threads, as our own programs do everywhere.
"""

from __future__ import annotations

import atexit
import os
import pickle
import select
import signal
import socket
import sys
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from io import BytesIO
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from ..errors import BackendFailure
from . import notices, workers
from .forking import ENDED, HEADER, Request, message
from .workers import POLLING, Budget, check_stop, defer_signals

if TYPE_CHECKING:
    import subprocess

_MAIN = (
    "import sys; sys.path[:] = sys.argv[3:]\n"
    "from pylogic_sudoku.running.forking import main; main(int(sys.argv[1]), sys.argv[2])"
)
FORKS = hasattr(os, "fork") and hasattr(socket, "send_fds") and sys.platform != "emscripten"
"""True if this system can fork a child for a question."""
PREPARED = 4
"""Programs that a server has loaded for later questions."""
IDLE = 4
"""Children that wait for another question."""
_VALUES = {"builtins": {"frozenset", "set", "complex", "bytearray", "range", "slice"}}


def is_possible() -> bool:
    """True if questions can be answered in processes of their own, and this is none of them."""
    return FORKS and not workers.inline


class _Forks(ABC):
    """Answers questions in children, which `_borrowed` lends."""

    @abstractmethod
    def _borrowed(self) -> AbstractContextManager[Child]:
        """A child for the length of the block, which is dead after an error in it."""

    def call(self, budget: Budget, function: Callable[..., Any], *arguments: Any) -> Any:
        """The result of a function, computed in a child."""
        if not is_possible():
            return function(*arguments)
        with self._borrowed() as child:
            return child.ask(budget, self._request(function, arguments))

    def stream(
        self, budget: Budget, function: Callable[..., Any], *arguments: Any
    ) -> Generator[Any]:
        """The items of a generator that runs in a child, found on demand."""
        if not is_possible():
            yield from function(*arguments)
            return
        with self._borrowed() as child:
            yield from child.items(budget, self._request(function, arguments))

    @abstractmethod
    def _request(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Request:
        """The request of a child for a call."""


class ForkServer(_Forks):
    """A process that forks: `prepare`, ``module:function``, loads what its children need.

    `reuses` says that a child may answer more than one question, since none leaves a trace.
    """

    def __init__(self, name: str, prepare: str, reuses: bool = False) -> None:
        self.name = name
        self._prepare = prepare
        self._reuses = reuses
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._idle: list[Child] = []
        self._prepared: OrderedDict[Hashable, Prepared] = OrderedDict()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)
        atexit.register(self.end)

    def _request(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Request:
        return Request(function, arguments, _folder(), dict(os.environ))

    @contextmanager
    def _borrowed(self) -> Iterator[Child]:
        child = self._waiting() or self.new_child()
        try:
            yield child
        except BaseException:
            child.kill()
            raise
        if self._reuses and len(self._idle) < IDLE:
            self._idle.append(child)
        else:
            child.kill()

    def _waiting(self) -> Child | None:
        """A child that waits for another question."""
        with suppress(IndexError):
            while True:
                child = self._idle.pop()
                if child.lives():
                    return child
                child.kill()
        return None

    def prepared(
        self,
        key: Hashable,
        is_current: Callable[[Any], bool],
        budget: Budget,
        function: Callable[..., Any],
        *arguments: Any,
    ) -> Prepared:
        """A server whose children have what a function loads; one that is kept, if it is current.

        `key` stands for the function with its arguments. `is_current` is asked with the result of
        the function.
        """
        key = (key, _folder(), frozenset(os.environ.items()))
        with self._lock:
            known = self._prepared.pop(key, None)
            if known and known.lives() and is_current(known.result):
                self._prepared[key] = known
                return known
        server = Prepared(self, budget, function, arguments)
        with self._lock:
            self._prepared[key] = server
            if len(self._prepared) > PREPARED:
                self._prepared.popitem(last=False)
        return server

    # --- the process ---

    def new_child(self) -> Child:
        """Fork a child."""
        check_stop()
        for _ in range(2):  # the process may have been killed since the last question
            with self._lock:
                control = self._control or defer_signals(self._start)
                with suppress(BrokenPipeError, ConnectionResetError):
                    return Child(self.name, control)
                self._stop()
        raise BackendFailure(f"{self.name}: {_NO_SERVER}")

    def _start(self) -> socket.socket:
        import subprocess  # which a process that forks does without

        ours, theirs = _pair()
        command = [sys.executable, "-I", "-S", "-c", _MAIN, str(theirs.fileno()), self._prepare]
        try:
            self._process = subprocess.Popen(
                [*command, *(os.path.join(_folder(), each) for each in sys.path)],
                stdin=subprocess.DEVNULL,
                cwd=_folder(),
                pass_fds=(theirs.fileno(),),
                stdout=None if _is_open(1) else subprocess.DEVNULL,
                stderr=None if _is_open(2) else subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for this process
            )
        except (OSError, TypeError) as error:  # there may be no sys.executable
            ours.close()
            raise BackendFailure(f"{self.name}: cannot start {sys.executable}: {error}") from error
        finally:
            theirs.close()
        self._control = ours
        return ours

    def start(self) -> None:
        """Start the process, if it does not run: later questions need not wait for it."""
        if is_possible():
            with self._lock:
                if self._control is None:
                    defer_signals(self._start)

    def _stop(self) -> None:
        control, self._control = self._control, None
        process, self._process = self._process, None
        if control:
            control.close()
        if process:
            try:
                process.wait(0.2)  # it ends its children when the socket is closed
            except Exception:  # it has none yet, or is too busy
                process.kill()
                process.wait()

    def end(self) -> None:
        """End the process and all its children."""
        with self._lock:
            self._idle.clear()
            self._prepared.clear()
            self._stop()

    def _forget(self) -> None:
        """Leave the process to the one that has started it: this one is its fork."""
        self._lock = threading.Lock()
        for each in list(_open):
            each.close()
        _open.clear()
        self._idle.clear()
        self._prepared.clear()
        if self._control:
            self._control.close()
        if self._process:
            self._process.returncode = 0  # or its end would be waited for here
        self._control = self._process = None


_open: WeakSet[socket.socket] = WeakSet()
"""The sockets of all children. They close with the last reference, and so the children end."""


class Prepared(_Forks):
    """A child that has become a server: its children have what it has loaded."""

    def __init__(
        self, server: ForkServer, budget: Budget, function: Callable[..., Any], arguments: Any
    ) -> None:
        self._name = server.name
        self._lock = threading.Lock()
        self._as_child = server.new_child()
        try:
            request = Request(function, arguments, _folder(), dict(os.environ), serves=True)
            self.result = self._as_child.ask(budget, request)
        except BaseException:
            self._as_child.kill()
            raise

    def lives(self) -> bool:
        """True unless it has ended."""
        return self._as_child.lives()

    def _request(self, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Request:
        return Request(function, arguments, None)  # where the program was loaded

    @contextmanager
    def _borrowed(self) -> Iterator[Child]:
        check_stop()
        with self._lock:
            try:
                child = Child(self._name, self._as_child.channel)
            except (BrokenPipeError, ConnectionResetError):
                raise BackendFailure(f"{self._name}: {_NO_SERVER}") from None
        child.server = self  # which must live as long
        try:
            yield child
        finally:
            child.kill()

    def __del__(self) -> None:
        if child := getattr(self, "_as_child", None):
            child.kill()


class Child:
    """A child of a server, with its channel and its leash."""

    server: Any = None

    def __init__(self, name: str, control: socket.socket) -> None:
        self._name = name
        with ExitStack() as sent:
            try:
                errors = 2
                if not _is_open(2):
                    errors = os.open(os.devnull, os.O_WRONLY)
                    sent.callback(os.close, errors)
                self.channel, theirs = _pair()
                sent.callback(theirs.close)
                self._leash, its = _pair()
                sent.callback(its.close)
                socket.send_fds(control, [b"+"], [theirs.fileno(), its.fileno(), errors])
            except (BrokenPipeError, ConnectionResetError):
                raise
            except OSError as error:
                raise BackendFailure(f"{name}: no process for a question: {error}") from error
        _open.update((self.channel, self._leash))
        self._poll = select.poll()
        self._poll.register(self.channel, select.POLLIN)
        self._poll.register(self._leash, select.POLLIN)
        self._buffer = bytearray()
        self._environment: dict[str, str] | None = None
        self._status: int | None = None

    def ask(self, budget: Budget, request: Request) -> Any:
        """The result of a function, or its error."""
        self._request(budget, request)
        kind, data = self._receive(budget)
        if kind == b"e":
            raise data
        return data

    def items(self, budget: Budget, request: Request) -> Generator[Any]:
        """The items of a generator, found on demand."""
        self._request(budget, request)
        while True:
            kind, data = self._receive(budget)
            if kind == b"i":
                yield from data
            elif kind == b"p":
                self._send(budget, message(b"n", None))
            elif kind == b"e":
                raise data
            else:
                return

    def _request(self, budget: Budget, request: Request) -> None:
        """Send a request, with the environment unless the child has it already."""
        if request.environment is not None:
            if request.environment == self._environment:
                request = request._replace(environment=None)
            else:
                self._environment = request.environment
        self._send(budget, message(b"q", tuple(request)))

    def lives(self) -> bool:
        """True unless it has ended."""
        return not any(fd == self._leash.fileno() for fd, _ in self._poll.poll(0))

    def kill(self) -> None:
        """End the child, whatever it does. Does not wait for it."""
        with suppress(OSError):
            self._leash.shutdown(socket.SHUT_RDWR)  # even if a fork of this process has it, too
        for each in (self._leash, self.channel):
            _open.discard(each)
            each.close()
        self.server = None

    def _send(self, budget: Budget, data: bytes) -> None:
        self._must_be_ours()
        self.channel.setblocking(False)
        view = memoryview(data)
        while view:
            try:
                view = view[self.channel.send(view) :]
            except BlockingIOError:
                self._wait(budget, select.POLLOUT)
            except (BrokenPipeError, ConnectionResetError):
                self._collect()
                raise self._death() from None

    def _must_be_ours(self) -> None:
        if self.channel.fileno() < 0:
            raise BackendFailure("this process was forked in the middle of a search")

    def _receive(self, budget: Budget) -> tuple[bytes, Any]:
        while True:
            if len(self._buffer) >= HEADER.size:
                length, kind = HEADER.unpack_from(self._buffer)
                end = HEADER.size + length
                if len(self._buffer) >= end:
                    data = _Values(BytesIO(self._buffer[HEADER.size : end])).load()
                    del self._buffer[:end]
                    if kind == b"w":
                        notices.report([data])
                    elif kind == b"b":
                        budget.improve(*data)
                    elif kind == b"d":
                        budget.turn_to(data)
                    else:
                        return kind, data
                    continue
            if self._status is not None:
                raise self._death()
            self._wait(budget, select.POLLIN)

    def _wait(self, budget: Budget, what: int) -> None:
        """Wait until the channel is ready, or the child has ended; read what there is."""
        check_stop()
        self._must_be_ours()
        with budget:
            left = budget.remaining()
            self._poll.modify(self.channel, what)
            milliseconds = 1e3 * (POLLING if left is None else min(POLLING, left))
            ready = self._poll.poll(max(1, round(milliseconds + 0.5)))
        for descriptor, event in ready:
            if descriptor == self._leash.fileno():
                self._collect()
            elif event & select.POLLIN:
                self._read()
            elif event & (select.POLLHUP | select.POLLERR):
                self._collect()
        if not ready:
            budget.remaining()

    def _read(self) -> None:
        try:
            data = self.channel.recv(1 << 18)
        except BlockingIOError:
            return
        except ConnectionResetError:
            data = b""
        if data:
            self._buffer += data
        else:
            self._collect()

    def _collect(self) -> None:
        """Read the last words of a child that has ended, and its status."""
        if self._status is not None:
            return
        self._leash.settimeout(1)
        try:
            status = self._leash.recv(ENDED.size)
        except OSError:
            status = b""
        self._status = ENDED.unpack(status)[0] if len(status) == ENDED.size else _NO_STATUS
        self.channel.setblocking(False)
        with suppress(OSError):
            while data := self.channel.recv(1 << 18):
                self._buffer += data

    def _death(self) -> BackendFailure:
        return _death(self._name, self._status or 0)


def _death(name: str, status: int) -> BackendFailure:
    """The error of a program whose process ended before it had answered."""
    if status == _NO_STATUS:
        return BackendFailure(f"{name}: {_NO_SERVER}")
    if status < 0:
        try:
            how = signal.Signals(-status).name
        except ValueError:
            how = f"signal {-status}"
        reason = "; perhaps it took too much memory" if -status == signal.SIGKILL else ""
        return BackendFailure(f"{name}: the program was ended by {how}{reason}")
    ended = f" with exit code {status}" if status else ""
    why = notices.HALTED if name == "prolog" else ""
    return BackendFailure(f"{name}: the program ended its process{ended}{why}")


_NO_STATUS = 1 << 20
_NO_SERVER = "the process that runs programs has ended, or does not start"


def _pair() -> tuple[socket.socket, socket.socket]:
    """Connected sockets that wait, whatever the default is, with no number of a standard stream."""
    pairs = []
    try:
        while True:
            pair = socket.socketpair()
            pairs.append(pair)
            if min(each.fileno() for each in pair) > 2:
                break
    finally:
        for each in (each for pair in pairs[:-1] for each in pair):
            each.close()
    for each in pair:
        each.setblocking(True)
    return pair


def _folder() -> str:
    try:
        return os.getcwd()
    except OSError:  # it was removed
        return os.sep


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


class _Values(pickle.Unpickler):
    """Reads what a child sends: values of ours, and no other objects, whatever the program did."""

    def find_class(self, module: str, name: str) -> Any:
        ours = module.startswith("pylogic_sudoku.") and "." not in name
        if ours or name in _VALUES.get(module, ()):
            value = super().find_class(module, name)
            if isinstance(value, type) and value.__module__ == module:
                return value
        raise pickle.UnpicklingError(f"{module}.{name} is no value")
