"""``python -m pylogic_sudoku`` is ``pylogic-sudoku``."""

# Processes that run this file again, not as a module, must find it too.
from pylogic_sudoku.cli import main

if __name__ == "__main__":
    main()
