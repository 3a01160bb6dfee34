"""``python -m pylogic_sudoku`` is ``pylogic-sudoku``."""

from .cli import main

if __name__ == "__main__":
    main()
