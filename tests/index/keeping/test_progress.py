from jupyter_ac.index.keeping.progress import Progress, ignore


def test_nobody_needs_to_be_told() -> None:
    ignore(Progress(1, 2))
