"""Files made what they were: all or none."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.chat.edits.undoing.restoring import restore, unrestore
from jupyter_ac.chat.edits.undoing.undo_state import read_undo_state
from jupyter_ac.errors import Conflict
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry
from jupyter_ac.ids import RepoPath
from tests.support.edited import Editing, edit, editing_of, files_of, repository_of
from tests.support.repositories import make_repository

A, N = RepoPath("a.py"), RepoPath("n.py")
WANTED = {A: DiskEntry(b"one\n", 0o100644), N: NOTHING}


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Editing]:
    made, database = editing_of(make_repository(tmp_path / "r", {"a.py": "one\n"}))
    yield made
    asyncio.run(database.aclose())


async def test_files_are_made_what_they_were_and_again_what_they_are(work: Editing) -> None:
    await work.apply(edit("a.py", "one", "1"), edit("n.py", "", "n"))
    repository, before = repository_of(work.folder), files_of(work.folder)
    state = await read_undo_state(repository, work.images, "turn")
    restore(repository, state, WANTED, lambda _: "tag")
    assert files_of(work.folder).keys() == {"a.py"}
    unrestore(repository, state, WANTED, lambda _: "tag")
    assert files_of(work.folder) == before


async def test_a_file_that_has_just_been_written_keeps_all_from_being_changed(
    work: Editing,
) -> None:
    await work.apply(edit("a.py", "one", "1"), edit("n.py", "", "n"))
    repository = repository_of(work.folder)
    state = await read_undo_state(repository, work.images, "turn")
    work.folder.write("a.py", "mine\n")
    before = files_of(work.folder)
    with pytest.raises(Conflict, match="just"):
        restore(repository, state, WANTED, lambda _: "tag")
    assert files_of(work.folder) == before
