"""Threads with limits of time for our programs, processes in bounds for those of others.

`workers` has the threads, `foreign` the processes that fork for questions, `children` and `runs`
those in a `sandbox`, and `process` what they share.
"""
