"""The programs that people start: the only place that constructs and wires the layers below.

`workspace` builds what one repository needs, `registry` keeps one of them per repository;
`server`, `kernel` and `cli` are the doors. Jupyter's own libraries are imported here only.
"""
