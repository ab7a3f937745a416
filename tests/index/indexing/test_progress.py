from jupyter_ac.index.indexing.progress import RefreshProgress, ignore


def test_nobody_needs_to_be_told() -> None:
    progress = RefreshProgress(1, 2)
    ignore(progress)
    assert progress == RefreshProgress(done=1, total=2)
