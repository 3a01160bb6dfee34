"""The entry point: ``pylogic-sudoku`` and ``python -m pylogic_sudoku``."""

import gc
import sys


def main() -> None:
    """Run the command line."""
    gc.set_threshold(100_000)  # imports and grounding make no garbage worth looking for
    try:
        _start_early(sys.argv[1:])
        # Processes that run this file again, not as a module, must find it too.
        from pylogic_sudoku.cli import main
    except KeyboardInterrupt:  # the imports take a moment
        print("Interrupted.", file=sys.stderr)
        sys.exit(130)
    main()


def _start_early(arguments: list[str]) -> None:
    """Start the processes that will run the programs of a problem, while the rest is imported."""
    if arguments[:1] not in [["solve"], ["count"], ["compare"], ["propagate"], ["trace"]]:
        return
    if any(each.startswith(("-p", "--problem")) for each in arguments):
        from pylogic_sudoku.engines.servers import SERVERS

        both = arguments[0] in ("compare", "propagate")
        words = [each.partition(":")[0] for each in " ".join(arguments).replace("=", " ").split()]
        named = [name for name in SERVERS if name in words or f"-b{name}" in words]
        every = both or "all" in words
        try:
            for name in SERVERS if every and not named else named or ["clingo"]:
                SERVERS[name].start()
        except Exception:  # the question reports it
            return


if __name__ == "__main__":
    main()
