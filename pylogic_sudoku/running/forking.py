"""A process that forks a child for each question about a program that is not ours.

It has an engine loaded, and one thread, so that a child has the engine at once and nothing else
notices what the child does: a fact that a program asserts, a flag that it sets, its end. `foreign`
starts the process and talks to it; this module is all that runs there.

A message on the control socket is one byte with three descriptors: a *channel*, on which the child
is asked and answers, a *leash*, and what becomes its standard error. The child is killed when the
other end of its leash is closed, and the leash gets its status when it has ended. A message on a
channel is its length, a letter and pickled data; from the child these are

    w   a warning about the program
    i   items of a stream
    p   the same stream pauses until it gets a message
    v   the result, or the end of a stream
    e   an error
    b   a better answer to an optimization, and a bound of its costs, before the result
    d   the activity that begins, in words

A child can become such a server itself, whose children have what it has loaded.
"""

from __future__ import annotations

import ctypes
import gc
import os
import pickle
import select
import signal
import socket
import struct
import sys
from collections.abc import Callable, Generator
from contextlib import suppress
from functools import partial
from importlib import import_module
from threading import Event, Lock, Thread
from time import perf_counter, sleep
from types import GeneratorType
from typing import Any, NamedTuple

from ..errors import BackendFailure, LogicError
from . import notices, workers

HEADER = struct.Struct("!Qc")
BATCH = workers.BATCH
"""Seconds of work after which a stream pauses for the first time."""
LONGEST_BATCH = 20 * BATCH
AT_ONCE = 16
"""Items at the beginning of a stream that do not wait for others."""
TOGETHER = 500
"""Items that are sent together at most."""
MOMENT = 0.005
"""Seconds that an item may wait for others."""
ENDED = struct.Struct("!i")
"""The status of a child that has ended, as of ``os.waitstatus_to_exitcode``."""
_library = ctypes.CDLL(None) if sys.platform == "linux" else None
ROUND = 1_000
"""Milliseconds until the server looks for ended children even if no signal has woken it."""
PAUSE = 1
"""Milliseconds without work after which the server forks a child that will be needed."""


class Request(NamedTuple):
    """One call for a child."""

    function: Callable[..., Any]
    """Its result may be a generator: a stream of items."""
    arguments: tuple[Any, ...]
    folder: str | None
    """The working directory; None for that which the child has."""
    environment: dict[str, str] | None = None
    """The environment; None for that which the child has."""
    serves: bool = False
    """True if the child shall become a server after it."""


def main(control: int, prepare: str) -> None:
    """Serve the socket with this descriptor, after `prepare`, which is ``module:function``."""
    workers.work_inline()
    signal.pthread_sigmask(signal.SIG_SETMASK, ())  # whatever the process that asks has blocked
    module, _, name = prepare.partition(":")
    getattr(import_module(module), name)()
    gc.collect()
    gc.freeze()  # a child that collected what it has inherited would copy all of it
    serve(_blocking(control))


def serve(control: socket.socket, ahead: bool = False) -> None:
    """Fork a child for each message on the control socket, until its other end is closed.

    With `ahead`, a child is forked before it is needed, a moment after the last one has begun: if
    they began together, they would wait for a processor, and somebody for the answer.
    """
    woken, wake = os.pipe()
    for end in (woken, wake):
        os.set_blocking(end, False)
    signal.signal(signal.SIGCHLD, _nothing)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    leashes: dict[int, tuple[socket.socket, int]] = {}
    spare: tuple[socket.socket, int] | None = None
    needs_spare = False
    poll = select.poll()
    poll.register(control, select.POLLIN)
    poll.register(woken, select.POLLIN)

    def fork(*others: int) -> tuple[socket.socket, int]:
        ours, theirs = socket.socketpair()
        if (child := os.fork()) == 0:
            for end in (woken, wake, *leashes, *others, ours.detach(), control.detach()):
                os.close(end)
            _live(theirs)
        theirs.close()
        return ours, child

    def hand_over(channel: int, leash_end: int, errors: int) -> None:
        nonlocal spare, needs_spare
        new = channel, leash_end, errors
        way, child = spare or fork(*new)
        spare = None
        try:
            socket.send_fds(way, [b"+"], [channel, errors])
        except (BrokenPipeError, ConnectionResetError):  # killed while it was waiting
            way.close()
            os.waitpid(child, 0)
            way, child = fork(*new)
            socket.send_fds(way, [b"+"], [channel, errors])
        way.close()
        leash = socket.socket(fileno=leash_end)
        leashes[leash_end] = leash, child
        poll.register(leash, 0)  # only for its end
        for end in (channel, errors):
            os.close(end)
        needs_spare = ahead

    while True:
        events = poll.poll(PAUSE if needs_spare else ROUND)
        if needs_spare and not events:
            needs_spare = False
            with suppress(OSError):  # the next question needs one, not this one
                spare = fork()
        for descriptor, _ in events:
            if descriptor == woken:
                with suppress(BlockingIOError):
                    os.read(woken, 4096)
            elif descriptor != control.fileno():
                leash, child = leashes[descriptor]
                poll.unregister(leash)
                _kill(child)
            else:
                sent, descriptors, _, _ = socket.recv_fds(control, 1, 3)
                if not sent:
                    children = [child for _, child in leashes.values()]
                    children += [spare[1]] if spare else []
                    for child in children:
                        _kill(child)
                    for child in children:
                        os.waitpid(child, 0)
                    os._exit(0)
                try:
                    hand_over(*descriptors)
                except (OSError, TypeError):  # no more processes, or descriptors
                    for each in descriptors:
                        with suppress(OSError):
                            os.close(each)
        for descriptor, (leash, child) in list(leashes.items()):
            if _has_ended(child):
                _kill(child)  # what it has started
                _, status = os.waitpid(child, 0)
                with suppress(KeyError):
                    poll.unregister(leash)
                with suppress(OSError):
                    leash.send(ENDED.pack(os.waitstatus_to_exitcode(status)))
                leash.close()
                del leashes[descriptor]


def _has_ended(child: int) -> bool:
    """True if a child has ended; its number stays its own until it is waited for."""
    if not hasattr(os, "waitid"):  # on macOS
        return os.waitpid(child, os.WNOHANG)[0] != 0
    return os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _blocking(descriptor: int) -> socket.socket:
    """A socket that waits, even if those of the process that asks do not."""
    received = socket.socket(fileno=descriptor)
    received.setblocking(True)
    return received


def _nothing(_number: int, _frame: object) -> None:
    """Handle SIGCHLD, for the sake of the descriptor that wakes `serve`."""


def _kill(child: int) -> None:
    """Kill a child, and what it has started."""
    for kill in (os.killpg, os.kill):  # it may not yet have a group of its own
        with suppress(ProcessLookupError, PermissionError):
            kill(child, signal.SIGKILL)


def _live(way: socket.socket) -> None:
    """Be a child: answer what the channel asks that comes this way. Never returns."""
    import fcntl  # which Windows does not have; nor does it fork

    code = 1
    try:
        signal.set_wakeup_fd(-1)
        for number in (signal.SIGCHLD, *workers.STOPS):
            signal.signal(number, signal.SIG_DFL)
        os.setsid()
        _end_with(os.getppid())
        sent, descriptors, _, _ = socket.recv_fds(way, 1, 2)
        way.close()
        if sent:
            # Standard streams that were closed are numbers like others.
            channel, errors = (fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 3) for each in descriptors)
            for each in descriptors:
                os.close(each)
            nothing = os.open(os.devnull, os.O_RDONLY)
            # What a program prints is no answer, and reaches nobody who reads answers.
            for old, new in ((nothing, 0), (errors, 1), (errors, 2)):
                os.dup2(old, new)
            for end in (nothing, errors):
                os.close(end)
            answer_all(_blocking(channel))
        code = 0
    finally:
        with suppress(Exception):
            sys.stdout.flush()
        os._exit(code)


def _end_with(parent: int) -> None:
    """Let this process end with the one that forked it."""
    if _library:
        _library.prctl(1, signal.SIGKILL, 0, 0, 0)  # PR_SET_PDEATHSIG
    else:
        from threading import Thread
        from time import sleep

        def watch() -> None:
            while os.getppid() == parent:
                sleep(1)
            os._exit(1)

        Thread(target=watch, daemon=True).start()


# --- a child's half of its channel ---


def answer_all(channel: socket.socket) -> None:
    """Answer one request after the other, until the channel is closed or this becomes a server."""
    notices.send = partial(_send, channel, b"w")
    workers.report = lambda *found: _send(channel, b"b", found)
    workers.turn = partial(_send, channel, b"d")
    while (received := _receive(channel)) is not None:
        request = Request(*pickle.loads(received))
        try:
            _go_to(request)
            result = request.function(*request.arguments)
            if isinstance(result, GeneratorType | Pushes):
                _stream(channel, result)
                result = None
            _flush()
            _send(channel, b"v", result)
        except (BrokenPipeError, ConnectionResetError):
            return  # nobody waits any more
        except BaseException as error:
            with suppress(Exception):
                _flush()
            with suppress(BrokenPipeError, ConnectionResetError):
                _send(channel, b"e", _portable(error))
            continue
        if request.serves:
            gc.freeze()
            serve(channel, ahead=True)


moved: list[Callable[[str], object]] = []
"""Called with the working directory of a question, for engines that have one of their own."""
flushed: list[Callable[[], object]] = []
"""Called at the end of a question, for engines that have streams of their own."""


def _go_to(request: Request) -> None:
    """Take over the working directory and the environment of the process that asks."""
    if request.environment is not None:
        os.environ.clear()
        os.environ.update(request.environment)
    if request.folder is None:  # where the program has loaded, or wherever it went
        return
    try:
        os.chdir(request.folder)
    except OSError as error:
        raise BackendFailure(f"{request.folder}: {error.strerror}") from None
    for move in moved:
        move(request.folder)


def _flush() -> None:
    """Let all appear that a program has printed: the process may be killed at any time."""
    for stream in (sys.stdout, sys.stderr):
        if stream:
            stream.flush()
    for flush in flushed:
        flush()


class Pushes(NamedTuple):
    """A stream whose items are passed to a function: those of an engine that calls back."""

    run: Callable[[Callable[[Any], object]], object]


def _stream(channel: socket.socket, items: Generator[Any] | Pushes) -> None:
    """Send the items; the stream pauses ever more rarely, as long as all of them are wanted."""
    outbox = _Outbox(channel)
    start, seconds = perf_counter(), BATCH

    def pause() -> None:
        nonlocal start, seconds
        if perf_counter() - start > seconds:
            outbox.send()
            _send(channel, b"p", None)
            if _receive(channel) is None:
                raise BrokenPipeError
            start, seconds = perf_counter(), min(2 * seconds, LONGEST_BATCH)

    def push(item: Any) -> None:
        _send(channel, b"i", [item])
        pause()

    if isinstance(items, Pushes):
        items.run(push)
        return
    try:
        for item in items:
            outbox.put(item)
            pause()
    finally:
        outbox.close()


class _Outbox:
    """Items that wait for others, for a moment, even if the search for the next takes long."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._items: list[Any] = []
        self._lock = Lock()
        self._some = Event()
        self._thread: Thread | None = None
        self._number = 0
        self._open = True
        self._error: Exception | None = None

    def put(self, item: Any) -> None:
        """Send an item soon."""
        with self._lock:
            self._items.append(item)
            waiting = len(self._items)
        self._number += 1
        if self._number <= AT_ONCE or waiting >= TOGETHER:
            self.send()
        elif waiting == 1:
            if self._thread is None:
                self._thread = Thread(target=self._work, daemon=True)
                self._thread.start()
            self._some.set()

    def send(self) -> None:
        """Send what waits."""
        with self._lock:
            if self._items and not self._error:
                items, self._items = self._items, []
                try:
                    _send(self._channel, b"i", items)
                except Exception as error:
                    self._error = error
        if self._error:
            raise self._error

    def close(self) -> None:
        """Send what is left."""
        self._open = False
        self._some.set()
        if self._thread:
            self._thread.join()
        self.send()

    def _work(self) -> None:
        with suppress(Exception):  # which the next call raises
            while self._open:
                self._some.wait()
                self._some.clear()
                sleep(MOMENT)
                self.send()


_sending = Lock()


def _send(channel: socket.socket, kind: bytes, data: Any) -> None:
    packed = message(kind, data)
    with _sending:
        channel.sendall(packed)


def message(kind: bytes, data: Any) -> bytes:
    """Pack data for a channel."""
    pickled = pickle.dumps(data, pickle.HIGHEST_PROTOCOL)
    return HEADER.pack(len(pickled), kind) + pickled


def _receive(channel: socket.socket) -> bytes | None:
    """The data of the next message; None at the end."""
    header = _bytes(channel, HEADER.size)
    return None if header is None else _bytes(channel, HEADER.unpack(header)[0])


def _bytes(channel: socket.socket, number: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < number:
        with suppress(ConnectionResetError):
            if part := channel.recv(min(number - len(parts), 1 << 20)):
                parts += part
                continue
        return None
    return bytes(parts)


def _portable(error: BaseException) -> LogicError:
    """The error as one of ours."""
    if isinstance(error, LogicError):
        error.__cause__ = error.__context__ = None
        return error
    if isinstance(error, MemoryError):
        return BackendFailure("out of memory")
    return BackendFailure(f"{type(error).__name__}: {error}")
