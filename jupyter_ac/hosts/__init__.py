"""The programs that people start: the only place that constructs and wires the layers below.

`workspace` builds what one repository needs, `registry` keeps one of them per repository;
`server`, `kernel` and `cli` are the entry points. Only this package imports Jupyter's libraries.
"""
