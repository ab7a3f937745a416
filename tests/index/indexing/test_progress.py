from jupyter_ac.index.indexing.progress import Progress, ignore


def test_nobody_needs_to_be_told() -> None:
    progress = Progress(1, 2)
    ignore(progress)
    assert progress == Progress(done=1, total=2)
