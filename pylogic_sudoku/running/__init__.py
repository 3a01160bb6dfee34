"""Threads with limits of time for our programs, processes in bounds for those of others."""
