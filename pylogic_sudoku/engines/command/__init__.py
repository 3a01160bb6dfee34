"""Engines that are commands: another version of a solver, with other options, or another one."""
