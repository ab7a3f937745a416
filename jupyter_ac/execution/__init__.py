"""Cells that the program runs in the user's kernels, after the user's approval.

Knows no kernel, page or connection: `cell_runner` calls an executor that the host provides.
"""
