"""A workspace over standard input and output: one connection, or many over the same pipes."""
