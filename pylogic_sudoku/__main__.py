"""The entry point: ``pylogic-sudoku`` and ``python -m pylogic_sudoku``."""

import sys


def main() -> None:
    """Run the command line."""
    try:
        # Processes that run this file again, not as a module, must find it too.
        from pylogic_sudoku.commands._app import main
    except KeyboardInterrupt:  # the imports take a moment
        print("Interrupted.", file=sys.stderr)
        sys.exit(130)
    main()


if __name__ == "__main__":
    main()
