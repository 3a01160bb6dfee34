"""Sudoku's engines: what `Backend` asks beyond any problem, and each engine's answer to it."""
