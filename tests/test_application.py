"""The process that runs clingo's application, when other programs send it signals."""

from __future__ import annotations

import shutil
import signal
import sys
import threading

import pytest
from helpers.processes import PATIENCE

import pylogic_sudoku as pls
from pylogic_sudoku.engines.clingo import prover as application

CAUGHT = ("INT", "TERM", "USR1", "USR2", "QUIT", "HUP", "XCPU", "XFSZ")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
def test_a_process_that_waits_is_not_hurt_by_signals():
    """Those that clingo's application catches, with a handler that it leaves behind."""
    pls.certify("." * 16)
    process = application.waiting()[-1]
    for name in CAUGHT:
        process._process.send_signal(getattr(signal, f"SIG{name}"))
    assert pls.certify("." * 16).claim == "several"
    assert process.alive()
    assert process in application.waiting()


def test_ctrl_c_while_a_process_is_dropped_comes_afterwards(monkeypatch):
    """Python ignores exceptions in finalizers, so it would be lost, and the folder left behind."""

    def remove_at_ctrl_c(folder: str, **options: bool) -> None:
        signal.raise_signal(signal.SIGINT)
        remove(folder, **options)
        removed.append(folder)

    remove, removed = shutil.rmtree, []
    monkeypatch.setattr(application.shutil, "rmtree", remove_at_ctrl_c)
    process = application.Application()
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012  # it comes somewhat later
        del process
        threading.Event().wait(PATIENCE)
    assert len(removed) == 1
