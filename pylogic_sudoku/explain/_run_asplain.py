"""Runs asplain, stage by stage: the only part of the package that imports it.

A script for a process of its own; it imports nothing from this package. It does what the command
``asplain`` does, with asplain's functions, but draws only the answer: the command also draws the
whole ground program, twice, and spends nearly all of its time on that.

It reads a JSON object from the file named on its command line, and writes its answer beside it as
``answer.json``. asplain writes its own files to the folder ``out``.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any


def main(request: dict[str, Any]) -> dict[str, Any]:
    """The answer; ``found`` is False if no removal of facts can make the query true."""
    from asplain import construct_program_graph, set_foil_ctl, set_model_subgraphs_ctl
    from asplain.pruning.pruners import PruningMethod, prune_explanation_graph
    from asplain.utils.clingo import symbols_to_prg
    from asplain.utils.viz import viz_graph
    from clingo import Control
    from clingo.script import enable_python

    enable_python()  # parts of asplain's own encodings are Python
    graph = construct_program_graph(request["files"], dynamic_tags_files=request["dynamic_tags"])
    once, *costs = (Path(name).read_text("utf-8") for name in (request["once"], *request["costs"]))
    control = Control(["-c", "graph=ref"])
    control.add("base", [], once)
    answer = _last_model(set_model_subgraphs_ctl(graph, control))
    if answer is not None:
        graph = symbols_to_prg(answer)
    foil = _last_model(set_foil_ctl(graph, request["query"], "\n".join([once, *costs])))
    if foil is None:
        return {"found": False}
    pruned = foil
    for name in request["prune"]:
        pruned = prune_explanation_graph(pruned, PruningMethod[name])
    if request["picture"]:
        viz_graph(symbols_to_prg(pruned), "Why not", name="picture", format=request["picture"])
    return {
        "found": True,
        "foil": _cells("sudoku", foil),
        "kept": _cells("initial", foil),
        "nodes": sum(symbol.match("node", 2) for symbol in pruned),
        "edges": sum(symbol.match("edge", 2) for symbol in pruned),
    }


def _last_model(control: Any) -> list[Any] | None:
    """The best model if there are costs, else the first; None if there is none."""
    found = None
    with control.solve(yield_=True) as models:
        for model in models:
            found = list(model.symbols(shown=True))
            if not model.cost or model.optimality_proven:
                break
    return found


def _cells(name: str, symbols: list[Any]) -> list[list[int]]:
    """The arguments of every atom of this name that is true in the foil."""
    atoms = (
        symbol.arguments[0]
        for symbol in symbols
        if symbol.match("model", 2) and symbol.arguments[1].match("foil", 0)
    )
    return [[part.number for part in atom.arguments] for atom in atoms if atom.match(name, 3)]


if __name__ == "__main__":
    file = Path(sys.argv[1])
    answer = main(json.loads(file.read_text("utf-8")))
    file.with_name("answer.json").write_text(json.dumps(answer), "utf-8")
