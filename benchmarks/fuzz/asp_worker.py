"""Programs in, answers out: a line of JSON each. Any Python with any clingo 5 runs this file.

A request is [program, options, seconds]; a reply is a list of answers, each a list of atoms, or
"no end", or {"error": words}.
"""

import json
import resource
import sys
from typing import Any

import clingo


def ask(program: str, options: list[str], seconds: float) -> Any:
    control = clingo.Control(["0", *options], logger=lambda *_: None)
    control.add("base", [], program)
    control.ground([("base", [])])
    answers: list[list[str]] = []

    def keep(model: clingo.Model) -> None:
        if not model.cost or model.optimality_proven:
            answers.append(sorted(map(str, model.symbols(shown=True))))

    with control.solve(on_model=keep, async_=True) as handle:
        if not handle.wait(seconds):
            handle.cancel()
            return "no end"
        handle.get()
    return answers


# Some searches that do not end take all memory in seconds.
resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31))
print(json.dumps(clingo.__version__), flush=True)
for line in sys.stdin:
    try:
        reply = ask(*json.loads(line))
    except Exception as error:  # the other side shows it
        reply = {"error": f"{type(error).__name__}: {error}"}
    print(json.dumps(reply), flush=True)
