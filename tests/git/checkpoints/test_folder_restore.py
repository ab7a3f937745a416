from pathlib import Path

from jupyter_ac.git.checkpoints.comparison import read_notes
from jupyter_ac.git.checkpoints.folder_restore import folder_changes, restore_folders
from tests.support.checkpoint_runs import begin_run
from tests.support.repositories import make_repository


async def test_folders_that_steps_made_or_removed(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "d/x": "1\n"})
    (folder.root / "empty").mkdir()
    run = await begin_run(folder)

    def act() -> None:
        (folder.root / "d/x").rename(folder.root / "x")
        (folder.root / "d").rmdir()
        (folder.root / "empty").rmdir()
        folder.write("new/deep/y")
        (folder.root / "passing").mkdir()

    await run.step(act)
    await run.step((folder.root / "passing").rmdir)
    notes = await read_notes(run.store, [each for pair in run.intervals for each in pair])
    assert await folder_changes(run.store, run.intervals, notes) == {
        "d": (True, False),
        "empty": (True, False),
        "new": (False, True),
        "new/deep": (False, True),
    }


async def test_only_empty_folders_are_removed_and_nothing_is_replaced(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"taken": "1\n", "made/mine": "1\n"})
    (folder.root / "made/inner").mkdir()
    (tmp_path / "outside/empty").mkdir(parents=True)
    (folder.root / "link").symlink_to(tmp_path / "outside")
    run = await begin_run(folder)
    changes = {
        **dict.fromkeys(("taken", "taken/x", "back/deep", "link/x"), (True, False)),
        **dict.fromkeys(("made", "made/inner", "missing", "link", "link/empty"), (False, True)),
    }
    restore_folders(run.store.repository, changes)
    assert (folder.root / "taken").read_text() == "1\n"
    assert (folder.root / "back/deep").is_dir()
    assert [place.name for place in (folder.root / "made").iterdir()] == ["mine"]
    assert (folder.root / "link").is_symlink()
    assert [place.name for place in (tmp_path / "outside").iterdir()] == ["empty"]
