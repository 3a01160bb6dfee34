"""Why not, answered by asplain: a graph of how the answer differs from one where the query is true.

asplain runs on ``encodings/explain.lp`` in a process of its own. Install it by
the extra ``asplain``; pictures also need ``dot``, which is part of Graphviz.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..engines.running import checked_timeout
from ..errors import BackendFailure, BackendUnavailable, InvalidPuzzle, SolveTimeout, counted
from ..files import install_command, resource, save
from ..formats import PuzzleLike, as_grid
from ..puzzle import Grid
from ..puzzle.cells import Placement
from .answer import json_placements

PRUNINGS = ("CHANGES", "ORPHANS", "PATHS", "PATHS_UNDIRECTED", "NONE")
"""asplain's ways to make its graph smaller: the values of its option ``--prune``."""

PICTURES = ("svg", "png", "pdf", "jpg", "gif", "dot")
"""The suffixes of picture files; each names its format."""

LARGEST = 9
"""The most rows that ``encodings/explain.lp`` can handle."""

_MEGABYTES = 16_384
_RUNNER = Path(__file__).with_name("_run_asplain.py")
_SVG = re.compile(rb'(width="([\d.]+)pt" height="([\d.]+)pt"\s+viewBox=)"[^"]*"')
_ATOM = re.compile(r"(-?)(sudoku|initial)\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)(?!\S)")


@dataclass(frozen=True, slots=True)
class Foil:
    """A grid in which the query is true, the givens that had to go, and the size of the graph."""

    grid: Grid
    removed: tuple[Placement, ...]
    """The givens that went: the fewest only with the cost encoding ``penalize-removed``."""
    nodes: int
    """Nodes of the graph after pruning."""
    edges: int
    """Edges of the graph after pruning."""
    picture: Path | None
    """The file with the drawing of the graph."""

    def __repr__(self) -> str:
        sizes = f"{self.nodes} nodes and {self.edges} edges"
        return f"<Foil: {counted(len(self.removed), 'given')} gone, {sizes}>"

    def __str__(self) -> str:
        went = ", ".join(map(str, self.removed)) or "none"
        drawn = f"\nDrawn in {self.picture}." if self.picture else ""
        size = f"The graph has {self.nodes} nodes and {self.edges} edges."
        return f"Givens that go: {went}.\n{size}{drawn}"

    def to_json(self) -> dict[str, Any]:
        """The foil as numbers, texts, lists and dicts, ready for `json.dumps`."""
        return {
            "question": "asplain",
            "foil": self.grid.to_json(),
            "remove": json_placements(self.removed),
            "nodes": self.nodes,
            "edges": self.edges,
        }


def asplain(
    puzzle: PuzzleLike,
    query: str,
    output: str | Path | None = None,
    *,
    prune: Sequence[str] = (),
    dynamic_tags: Sequence[str | Path] = (),
    cost_encoding: Sequence[str | Path] = (),
    timeout: float | None = None,
) -> Foil | None:
    """asplain's foil for the query; None if no removal of givens can make the query true.

    `query` lists atoms that must be true, or false after a ``-``, such as ``"sudoku(3,2,1)
    -sudoku(1,1,4)"``: row, column, digit. The graph is drawn to the file `output`, in the format of
    its suffix. The other options are asplain's own: `prune` names `PRUNINGS`, applied in this
    order; `dynamic_tags` are files; a `cost_encoding` is a file or a name of `cost_encodings`.
    `timeout` is in seconds.

    Raises InvalidPuzzle for an impossible question or a puzzle with regions or marks,
    BackendUnavailable without asplain or ``dot``, SolveTimeout, BackendFailure if asplain fails,
    and OSError if the picture cannot be written.
    """
    grid = as_grid(puzzle)
    if grid.size > LARGEST:
        raise InvalidPuzzle(f"asplain takes grids up to {LARGEST}x{LARGEST} only")
    if unknown := [name for name in prune if name not in PRUNINGS]:
        raise InvalidPuzzle(f"no pruning {unknown[0]!r}; choose one of {', '.join(PRUNINGS)}")
    picture = None if output is None else _drawable(Path(output))
    known = cost_encodings()
    request = {
        "query": _query(query, grid.size),
        "prune": list(prune),
        "dynamic_tags": [_file(name) for name in dynamic_tags],
        "once": str(resource("encodings/explain_once.lp")),
        "costs": [_file(known.get(str(name), name), known) for name in cost_encoding],
        "picture": picture.suffix[1:].lower() if picture else None,
    }
    with TemporaryDirectory() as folder:
        answer = _run(request, grid, Path(folder), checked_timeout(timeout))
        if not answer["found"]:
            return None
        if picture:
            drawn = Path(folder, "out", f"picture.{request['picture']}").read_bytes()
            # asplain asks for 80 dots an inch. Graphviz before version 3 then enlarges an SVG, but
            # not its view box, which cuts off the right and the lower edge.
            save(picture, _SVG.sub(rb'\1"0 0 \2 \3"', drawn, count=1))
    kept = {Placement(*placement) for placement in answer["kept"]}
    removed = tuple(given for given in grid.givens if given not in kept)
    foil = Grid.of(answer["foil"], grid.box)
    return Foil(foil, removed, answer["nodes"], answer["edges"], picture)


def cost_encodings() -> dict[str, Path]:
    """asplain's own cost encodings by name, such as ``penalize-removed``."""
    spec = find_spec("asplain")  # asplain itself is not imported
    if spec is None or not spec.submodule_search_locations:
        raise BackendUnavailable(
            "asplain is not installed", f"Install it: {install_command('asplain')}"
        )
    folder = Path(spec.submodule_search_locations[0], "encodings", "costs")
    return {path.stem: path for path in sorted(folder.glob("*.lp")) if path.stem != "docs"}


def _run(
    request: dict[str, Any], grid: Grid, folder: Path, timeout: float | None
) -> dict[str, Any]:
    """The answer of the runner, which works in this folder."""
    from ..engines.process import Limits, run

    asked, instance = folder / "request.json", folder / "given.lp"
    instance.write_text(grid.format("facts", removable=True) + "\n", "utf-8")
    files = [str(resource("encodings/explain.lp")), str(instance)]
    asked.write_text(json.dumps({**request, "files": files}), "utf-8")
    # -P keeps the runner's folder off the path: its modules might hide others of the same name.
    command = [sys.executable, "-P", str(_RUNNER), str(asked)]
    most = math.inf if timeout is None else timeout
    ended = run(command, Limits(most, _MEGABYTES), folder, folder / "errors.txt")
    if ended.code is None:
        raise SolveTimeout("asplain", most)
    if ended.code != 0:
        lines = ended.errors.splitlines() or [f"it ended with {ended.code}"]
        # clingo's own message if it rejected a file, else the end of a traceback.
        said = next((line for line in lines if " error: " in line), lines[-1])
        raise BackendFailure(f"asplain failed: {said}")
    return dict(json.loads((folder / "answer.json").read_text("utf-8")))


def _query(query: str, size: int) -> str:
    """The query as facts for asplain's encodings, one for each atom."""
    if not query.strip() or _ATOM.sub("", query).strip():
        raise InvalidPuzzle(
            f"cannot read the query {query!r}; expected atoms such as sudoku(3,2,1)"
        )
    facts = []
    for minus, name, *numbers in _ATOM.findall(query):
        atom = f"{name}({','.join(numbers)})"
        if not all(1 <= int(number) <= size for number in numbers):
            raise InvalidPuzzle(f"{atom}: row, column and digit go from 1 to {size} here")
        facts.append(f"query({atom},{0 if minus else 1}).")
    return " ".join(facts)


def _drawable(picture: Path) -> Path:
    """The same path, once it is sure that a picture can be drawn and saved there."""
    if picture.suffix[1:].lower() not in PICTURES:
        raise InvalidPuzzle(f"{picture} should end in one of .{', .'.join(PICTURES)}")
    if not picture.parent.is_dir():
        raise InvalidPuzzle(f"there is no folder {picture.parent}")
    if not shutil.which("dot"):
        raise BackendUnavailable(
            "asplain's graphs are drawn by Graphviz, which is not installed",
            "Install it: apt-get install graphviz, brew install graphviz, or see"
            " https://graphviz.org/download. Without a picture it is not needed.",
        )
    return picture


def _file(name: str | Path, known: Iterable[str] = ()) -> str:
    """The whole path of a file; InvalidPuzzle, with what else could be named, if it is missing."""
    if not Path(name).is_file():
        others = f", nor is it one of {', '.join(known)}" if known else ""
        raise InvalidPuzzle(f"{name}: there is no such file{others}")
    return str(Path(name).resolve())
