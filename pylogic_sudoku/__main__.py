"""The entry point: ``pylogic-sudoku`` and ``python -m pylogic_sudoku``."""

import gc
import sys


def main() -> None:
    """Run the command line."""
    gc.set_threshold(100_000)  # imports and grounding make no garbage worth looking for
    try:
        # Processes that run this file again, not as a module, must find it too.
        from pylogic_sudoku.cli import main
    except KeyboardInterrupt:  # the imports take a moment
        print("Interrupted.", file=sys.stderr)
        sys.exit(130)
    main()


if __name__ == "__main__":
    main()
