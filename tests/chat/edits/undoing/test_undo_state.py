"""What an undo has to do with."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.chat.edits.undoing.undo_state import disk_of, read_undo_state, whole_changes
from jupyter_ac.chat.history.before_images import BeforeImage, Fresh
from jupyter_ac.errors import Conflict
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry
from jupyter_ac.ids import RepoPath
from jupyter_ac.store.sqlite import Database
from tests.support.edited import Editing, edit, editing_of, repository_of, state_of
from tests.support.repositories import make_repository


@pytest.fixture
def found(tmp_path: Path) -> Iterator[tuple[Editing, Database]]:
    made, database = editing_of(make_repository(tmp_path / "r", {"a.py": "one\ntwo\n"}))
    yield made, database
    asyncio.run(database.aclose())


async def test_what_was_kept_without_single_changes_is_taken_back_as_a_whole(
    found: tuple[Editing, Database],
) -> None:
    work, database = found
    before = state_of(work.folder)
    first = edit("a.py", "one", "1")
    await work.apply(first, edit("a.py", "two", "2"), edit("n.py", "", "n"))
    await database.run(lambda db: db.execute("DELETE FROM edit_journals").close())
    state = await read_undo_state(repository_of(work.folder), work.images, "turn")
    assert state.is_whole
    assert "all together" in (await work.undo("turn", first)).reason
    assert await work.applier.undoing.standings("turn", [first.index]) == {}
    work.folder.write("a.py", "1\n2\nmine\n")
    assert "'a.py' has changed" in (await work.undo()).reason
    work.folder.write("a.py", "1\n2\n")
    assert (await work.undo()).reason == ""
    assert state_of(work.folder) == before


async def test_a_journal_that_others_wrote_is_none(found: tuple[Editing, Database]) -> None:
    work, database = found
    await work.apply(edit("a.py", "one", "1"))
    await database.run(lambda db: db.execute("UPDATE edit_journals SET mark = x'00'").close())
    assert await work.images.journal("turn") == ()


async def test_files_that_others_put_into_the_history_keep_all_from_being_undone(
    found: tuple[Editing, Database],
) -> None:
    work, _ = found
    await work.apply(edit("a.py", "one", "1"))
    extra = BeforeImage(RepoPath("b.py"), DiskEntry(b"evil\n", 0o100755))
    await work.images.keep("turn", [Fresh(extra)])
    assert (await work.undo()).reason
    assert not (work.folder.root / "b.py").exists()


def test_a_folder_in_a_files_place_counts_as_nothing() -> None:
    images = [BeforeImage(RepoPath(path), NOTHING) for path in ("a", "a/b", "c")]
    assert disk_of(images, {}) == {"a": NOTHING, "a/b": NOTHING}


def test_files_that_somebody_changed_between_two_edits_are_refused() -> None:
    image = BeforeImage(RepoPath("a"), DiskEntry(b"x", 0o100644), is_foreign=True)
    with pytest.raises(Conflict, match="between"):
        whole_changes([image], {image.path: image.disk})
