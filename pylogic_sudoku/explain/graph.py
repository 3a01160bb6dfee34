"""asplain's answers to "why not": graphs of the difference from an answer where the query is true.

asplain runs on ``encodings/explaining/explain.lp`` in a process of its own, which does what the
command ``asplain`` does, but draws only the answer: the command also draws the whole ground
program, twice, and spends nearly all of its time on that. Install it by the extra ``asplain``;
pictures also need ``dot``, which is part of Graphviz."""

from __future__ import annotations

import json
import math
import re
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..errors import BackendFailure, BackendUnavailable, InvalidPuzzle, SolveTimeout
from ..files import install_command, resource, save
from ..formats import PuzzleLike, as_grid
from ..puzzle import Grid
from ..puzzle.cells import Placement
from ..running.process import Limits, run
from ..running.workers import checked_timeout
from .answer import json_placements

PRUNINGS = ("CHANGES", "ORPHANS", "PATHS", "PATHS_UNDIRECTED", "NONE")
"""asplain's ways to make its graph smaller: the values of its option ``--prune``."""
_SVG = re.compile(rb'(width="([\d.]+)pt" height="([\d.]+)pt"\s+viewBox=)"[^"]*"')
_ATOM = re.compile(r"(-?)((?:sudoku|initial)\(([1-9]),([1-9]),([1-9])\))")


@dataclass(frozen=True, slots=True)
class Foil:
    """A grid in which the query is true, the givens that had to go, and the size of the graph."""

    grid: Grid = field(repr=False)
    removed: tuple[Placement, ...]
    """The givens that went: the fewest only with the cost encoding ``penalize-removed``."""
    nodes: int
    edges: int
    """Of the graph after pruning."""

    def __str__(self) -> str:
        went = ", ".join(map(str, self.removed)) or "none"
        sizes = f"{self.nodes} nodes and {self.edges} edges"
        return f"Givens that go: {went}.\nThe graph has {sizes}."

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
    """asplain's foil for the query, or None if no removal of givens can make the query true.

    `query` lists atoms that must be true, or false after a ``-``, such as ``"sudoku(3,2,1)
    -sudoku(1,1,4)"``: row, column, digit. The graph is drawn to the file `output`, in the format of
    its suffix. The other options are asplain's own: `prune` names `PRUNINGS`, applied in this
    order; `dynamic_tags` are files; a `cost_encoding` is a file or a name of `cost_encodings`.
    `timeout` is in seconds.

    Raises InvalidPuzzle for an impossible question or a puzzle with regions or marks,
    BackendUnavailable without asplain or ``dot``, SolveTimeout, BackendFailure if asplain fails,
    and OSError if the picture cannot be written.
    """
    grid, known = as_grid(puzzle), cost_encodings()
    if grid.size > 9:  # as encodings/explaining/explain.lp
        raise InvalidPuzzle("asplain takes grids up to 9x9 only")
    if unknown := [name for name in prune if name not in PRUNINGS]:
        raise InvalidPuzzle(f"no pruning {unknown[0]!r}; choose one of {', '.join(PRUNINGS)}")
    costs = [known.get(str(name), name) for name in cost_encoding]
    for name in (*costs, *dynamic_tags):
        if not Path(name).is_file():
            raise InvalidPuzzle(f"{name}: no such file, nor one of {', '.join(known)}")
    if output and not shutil.which("dot"):
        raise BackendUnavailable(
            "asplain's graphs are drawn by Graphviz, which is not installed",
            "Install it, or do without a picture: apt-get or brew install graphviz",
        )
    request = {
        "query": _query(query, grid.size),
        "files": [str(resource("encodings/explaining/explain.lp")), "given.lp"],
        "once": str(resource("encodings/explaining/explain_once.lp")),
        "costs": [str(Path(name).resolve()) for name in costs],
        "dynamic_tags": [str(Path(name).resolve()) for name in dynamic_tags],
        "prune": list(prune),
        "picture": Path(output).suffix[1:].lower() if output else "",
    }
    with TemporaryDirectory() as name:
        folder, most = Path(name), checked_timeout(timeout) or math.inf
        (folder / "given.lp").write_text(grid.format("facts", removable=True) + "\n", "utf-8")
        # -P: no module of this folder hides another of the same name.
        code = f"from {__name__} import work; work()"
        work = [sys.executable, "-P", "-c", code, json.dumps(request)]
        ended = run(work, Limits(most, 16_384), folder, folder / "errors.txt")
        if ended.code is None:
            raise SolveTimeout("asplain", most)
        if ended.code != 0:
            # clingo's own message if it rejected a file, else the end of a traceback.
            *lines, last = ended.errors.splitlines() or [f"it ended with {ended.code}"]
            message = next((line for line in lines if " error: " in line), last)
            raise BackendFailure(f"asplain failed: {message}")
        answer = json.loads((folder / "answer.json").read_text("utf-8"))
        if answer and output:
            picture = Path(folder, "out", f"picture.{request['picture']}").read_bytes()
            # asplain asks for 80 dots an inch. Graphviz before version 3 then enlarges an SVG, but
            # not its view box, which cuts off the right and the lower edge.
            save(Path(output), _SVG.sub(rb'\1"0 0 \2 \3"', picture, count=1))
    if not answer:
        return None
    atoms = answer["atoms"]
    digits = " ".join(each for each in atoms if each.startswith("sudoku"))
    removed = (each for each in grid.givens if "initial({},{},{})".format(*each) not in atoms)
    foil = Grid.parse(digits, "facts", grid.box)
    return Foil(foil, tuple(removed), answer["nodes"], answer["edges"])


def cost_encodings() -> dict[str, Path]:
    """asplain's own cost encodings by name, such as ``penalize-removed``."""
    spec = find_spec("asplain")  # asplain itself is not imported
    if spec is None or not spec.submodule_search_locations:
        raise BackendUnavailable(
            "asplain is not installed", f"Install it: {install_command('asplain')}"
        )
    folder = Path(spec.submodule_search_locations[0], "encodings", "costs")
    return {path.stem: path for path in sorted(folder.glob("*.lp")) if path.stem != "docs"}


def _query(query: str, size: int) -> str:
    """The query as facts for asplain's encodings, one for each atom."""
    atoms = [_ATOM.fullmatch(each) for each in re.sub(r",\s+", ",", query).split()]
    matches = [each for each in atoms if each and max(each.groups()[2:]) <= str(size)]
    if not atoms or len(matches) < len(atoms):
        raise InvalidPuzzle(
            f"cannot read the query {query!r}; expected atoms such as sudoku(3,2,1), up to {size}"
        )
    return " ".join(f"query({each[2]},{int(not each[1])})." for each in matches)


def work() -> None:
    """Answer the request in the command by ``answer.json``, which is empty if nothing helps."""
    from asplain import construct_program_graph, set_foil_ctl, set_model_subgraphs_ctl
    from asplain.pruning.pruners import PruningMethod, prune_explanation_graph
    from asplain.utils.clingo import symbols_to_prg
    from asplain.utils.viz import viz_graph
    from clingo import Control
    from clingo.script import enable_python

    request = json.loads(sys.argv[1])
    enable_python()  # parts of asplain's own encodings are Python
    graph = construct_program_graph(request["files"], dynamic_tags_files=request["dynamic_tags"])
    once, *costs = (Path(name).read_text("utf-8") for name in (request["once"], *request["costs"]))
    control = Control(["-c", "graph=ref"])
    control.add("base", [], once)
    if reference := _last_model(set_model_subgraphs_ctl(graph, control)):
        graph = symbols_to_prg(reference)
    foil = _last_model(set_foil_ctl(graph, request["query"], "\n".join([once, *costs])))
    pruned = foil
    for name in request["prune"] if foil else ():
        pruned = prune_explanation_graph(pruned, PruningMethod[name])
    if foil and (form := request["picture"]):
        viz_graph(symbols_to_prg(pruned), "Why not", name="picture", format=form)
    answer = foil and {
        "atoms": re.findall(r"model\((\w+\([\d,]+\)),foil\)", " ".join(map(str, foil))),
        "nodes": sum(each.match("node", 2) for each in pruned),
        "edges": sum(each.match("edge", 2) for each in pruned),
    }
    Path("answer.json").write_text(json.dumps(answer), "utf-8")


def _last_model(control: Any) -> list[Any]:
    """The best model if there are costs, else the first; empty if there is none."""
    symbols: list[Any] = []
    control.configuration.asp.eq = 0  # see EXACT in engines/clingo/session.py
    with control.solve(yield_=True) as models:
        for model in models:
            symbols = list(model.symbols(shown=True))
            if not model.cost or model.optimality_proven:
                break
    return symbols
