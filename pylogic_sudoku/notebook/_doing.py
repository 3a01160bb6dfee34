"""What a cell is doing, below it, while that takes long."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from ..commands._waiting import Waiting

__all__ = ["follow_cells"]


class _Cell(Waiting):
    """A display of the cell that runs."""

    def __init__(self, shell: Any) -> None:
        super().__init__()
        self._shell = shell
        self._place = self._said = ""

    def show(self, first: bool) -> None:
        if first:
            self._place = uuid4().hex
        if (text := self.text()) != self._said:
            self._publish(text, not first)

    def hide(self) -> None:
        self._publish("", update=True)

    def _publish(self, text: str, update: bool) -> None:
        self._said = text
        place = {"display_id": self._place}
        self._shell.display_pub.publish({"text/plain": text}, transient=place, update=update)


def follow_cells(shell: Any) -> None:
    """From now on, a cell that takes long says what it does; only in Jupyter, not in a terminal."""
    if getattr(shell, "kernel", None) is None:
        return
    cell = _Cell(shell)
    shell.events.register("pre_run_cell", lambda _info: cell.enter(""))
    shell.events.register("post_run_cell", lambda _result: cell.leave())
    cell.enter("")  # the cell that loads the extension may go on
