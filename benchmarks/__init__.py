"""Figures beside their rivals; `make bench` prints a table of them.

Each module measures one thing: it prints JSON lines (`benchmarks.figure.Figure`), at least five
rounds in alternation with its rival, medians. Machines are noisy: only the ratios hold.
"""
