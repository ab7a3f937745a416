"""Checkpoints of the working tree: taken before and after a step of a run, compared, restored."""
