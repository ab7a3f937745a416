"""Undo on real repositories: exact, or refused with the file's name."""

import asyncio
import os
import subprocess
from collections.abc import Awaitable, Callable, Iterable, Iterator
from pathlib import Path

import pytest

from jupyter_ac.chat.edits.undoing import undoing
from jupyter_ac.chat.edits.undoing.undo_state import read_undo_state
from jupyter_ac.chat.edits.undoing.undoing import Undone, restore, unrestore
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.errors import AcError, Conflict
from jupyter_ac.git.disk_entries import NOTHING, DiskEntry, restore_entry
from jupyter_ac.git.index_entries import Entries
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.ids import RepoPath
from tests.support.edited import (
    Editing,
    delete,
    edit,
    editing,
    editing_of,
    files_of,
    rename,
    repository_of,
    state_of,
)
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(
        tmp_path / "r",
        {
            "a.py": "one\ntwo\n",
            "b.py": b"\xef\xbb\xbfx\r\ny",
            "sub/c.py": "c\n",
            "run.sh": "#!/bin/sh\necho\n",
            ".gitignore": "*.log\n",
        },
    )


@pytest.fixture
def work(folder: RepositoryFolder) -> Iterator[Editing]:
    made, database = editing_of(folder)
    yield made
    asyncio.run(database.aclose())


def ugly(folder: RepositoryFolder) -> None:
    """Give files every state that the index and the disk can differ in."""
    root = folder.root
    (root / "link.py").symlink_to("sub/c.py")
    (root / "run.sh").chmod(0o755)
    folder.commit()
    folder.write("a.py", "one\ntwo\nstaged\n")
    folder.git("add", "a.py")
    folder.write("a.py", "one\ntwo\nstaged\nunstaged\n")
    folder.write("promised.py", "p\n")
    folder.git("add", "--intent-to-add", "promised.py")
    folder.write("empty.py", "")
    folder.git("add", "empty.py")
    folder.write("untracked.py", "u\n")
    (root / "untracked.py").chmod(0o600)
    folder.write("local.log", "l\n")
    folder.git("rm", "--cached", "--quiet", "sub/c.py")


async def test_undo_restores_exact_bytes_modes_links_and_index_entries(work: Editing) -> None:
    ugly(work.folder)
    before = state_of(work.folder)
    applied = await work.apply(
        edit("a.py", "two", "2"),
        edit("b.py", "y", "z"),
        edit("promised.py", "p", "q"),
        edit("empty.py", "", "now"),
        edit("untracked.py", "u", "v"),
        edit("local.log", "l", "m"),
        edit("sub/c.py", "c", "d"),
        edit("new/x/y.py", "", "n"),
        edit("new/z.log", "", "n"),
        rename("run.sh", "bin/run.sh"),
        delete("link.py"),
    )
    assert {each.status for each in applied.outcomes} == {BlockStatus.APPLIED}, applied.outcomes
    assert work.folder.git("diff", "--name-only") == ""
    undone = await work.undo()
    assert undone.reason == ""
    assert set(undone.files) == set(applied.modified)
    assert state_of(work.folder) == before
    assert not (work.folder.root / "new").exists()
    assert not (work.folder.root / "bin").exists()
    assert work.heard.paths[-1] == undone.files
    assert (await work.undo()).reason
    work.folder.git("fsck", "--strict")


async def test_undo_of_renames_and_deletions_of_ugly_files(work: Editing) -> None:
    ugly(work.folder)
    before = state_of(work.folder)
    applied = await work.apply(
        rename("a.py", "a2.py"),
        rename("promised.py", "p2.py"),
        rename("link.py", "deep/l2.py"),
        rename("untracked.py", "u2.py"),
        delete("empty.py"),
        delete("local.log"),
        delete("sub/c.py"),
        delete("b.py"),
        edit("sub", "", "a file in the folder's place"),
    )
    assert [each.status for each in applied.outcomes][:-1] == [BlockStatus.APPLIED] * 8
    assert (work.folder.root / "deep/l2.py").readlink() == Path("sub/c.py")
    assert (await work.undo()).reason == ""
    assert state_of(work.folder) == before


async def test_undo_survives_a_restart(folder: RepositoryFolder) -> None:
    before = state_of(folder)
    async with editing(folder) as first:
        await first.apply(edit("a.py", "one", "1"))
    async with editing(folder) as second:
        assert await second.applier.undoing.differing("turn") == ["a.py"]
        assert (await second.undo()).files == ["a.py"]
        assert await second.applier.undoing.differing("turn") == []
    assert state_of(folder) == before


async def test_a_later_call_adds_to_the_batch_and_the_oldest_image_stays(work: Editing) -> None:
    before = state_of(work.folder)
    await work.apply(edit("a.py", "one", "1"))
    await work.apply(edit("a.py", "1", "eins"), edit("b.py", "x", "X"))
    assert (await work.undo()).files == ["a.py", "b.py"]
    assert state_of(work.folder) == before


async def changed_on_disk(folder: RepositoryFolder) -> None:
    folder.write("a.py", "mine\ntwo\n")


async def deleted(folder: RepositoryFolder) -> None:
    (folder.root / "a.py").unlink()


async def became_a_folder(folder: RepositoryFolder) -> None:
    (folder.root / "a.py").unlink()
    folder.write("a.py/x", "x")


async def became_a_link(folder: RepositoryFolder) -> None:
    (folder.root / "a.py").rename(folder.root / "other")
    (folder.root / "a.py").symlink_to("other")


async def staged_otherwise(folder: RepositoryFolder) -> None:
    folder.write("a.py", "staged only\n")
    folder.git("add", "a.py")
    folder.write("a.py", "1\ntwo\n")


async def taken_out_of_the_index(folder: RepositoryFolder) -> None:
    folder.git("rm", "--cached", "--quiet", "a.py")


@pytest.mark.parametrize(
    "change",
    [
        changed_on_disk,
        deleted,
        became_a_folder,
        became_a_link,
        staged_otherwise,
        taken_out_of_the_index,
    ],
)
async def test_undo_is_refused_as_a_whole_when_a_file_changed_since(
    work: Editing, change: Callable[[RepositoryFolder], Awaitable[None]]
) -> None:
    blocks = edit("b.py", "x", "X"), edit("a.py", "one", "1"), edit("n.py", "", "n")
    await work.apply(*blocks)
    await change(work.folder)
    state, told = state_of(work.folder), len(work.heard.paths)
    undone = await work.undo()
    assert not undone.files
    assert "'a.py'" in undone.reason
    assert undone.possible == [blocks[0].index, blocks[2].index]
    assert state_of(work.folder) == state
    assert len(work.heard.paths) == told
    others = await work.undo("turn", blocks[0], blocks[2])
    assert (others.reason, others.clean) == ("", ["b.py", "n.py"])


async def test_what_others_changed_elsewhere_in_the_file_stays(work: Editing) -> None:
    await work.apply(edit("a.py", "one", "1"))
    work.folder.write("a.py", "1\ntwo\nmine\n")
    (work.folder.root / "a.py").chmod(0o755)
    assert (await work.undo()).reason == ""
    assert (work.folder.root / "a.py").read_bytes() == b"one\ntwo\nmine\n"
    assert os.access(work.folder.root / "a.py", os.X_OK)
    assert work.folder.git("show", ":a.py") == "one\ntwo"


async def test_undo_is_refused_when_a_created_file_changed_since(work: Editing) -> None:
    await work.apply(edit("n.py", "", "n"))
    work.folder.write("n.py", "mine\n")
    assert "'n.py'" in (await work.undo()).reason
    assert (work.folder.root / "n.py").read_text() == "mine\n"


async def test_undo_is_refused_when_a_deleted_file_is_there_again(work: Editing) -> None:
    await work.apply(delete("a.py"))
    work.folder.write("a.py", "mine\n")
    assert "'a.py'" in (await work.undo()).reason


async def test_what_somebody_wrote_between_two_edits_of_the_batch_stays(
    work: Editing,
) -> None:
    first, second = edit("a.py", "one", "1"), edit("a.py", "1", "eins")
    await work.apply(first)
    work.folder.write("a.py", "1\ntwo\nmine\n")
    await work.apply(second)
    assert (await work.undo("turn", second)).reason == ""
    assert (work.folder.root / "a.py").read_text() == "1\ntwo\nmine\n"
    assert (await work.undo()).reason == ""
    assert (work.folder.root / "a.py").read_text() == "one\ntwo\nmine\n"


async def test_lines_that_somebody_wrote_over_between_two_edits_are_not_taken_back(
    work: Editing,
) -> None:
    first, second = edit("a.py", "one", "1"), edit("a.py", "eins", "uno")
    await work.apply(first)
    work.folder.write("a.py", "eins\ntwo\n")
    await work.apply(second)
    undone = await work.undo()
    assert undone.reason
    assert undone.possible == [second.index]
    assert (work.folder.root / "a.py").read_text() == "uno\ntwo\n"


async def test_undo_after_unstaging_the_edits_by_hand(work: Editing) -> None:
    before = state_of(work.folder)
    await work.apply(edit("a.py", "one", "1"), edit("n.py", "", "n"))
    work.folder.git("reset", "--quiet")
    assert (await work.undo()).reason == ""
    assert state_of(work.folder) == before


async def test_undo_after_a_commit_of_the_edits_shows_as_a_staged_change_against_it(
    work: Editing,
) -> None:
    before = state_of(work.folder)
    await work.apply(edit("a.py", "one", "1"), edit("n.py", "", "n"))
    work.folder.git("commit", "--quiet", "-m", "edits")
    head = work.folder.git("rev-parse", "HEAD")
    assert (await work.undo()).reason == ""
    assert state_of(work.folder) == before
    assert work.folder.git("rev-parse", "HEAD") == head
    assert work.folder.git("status", "--porcelain").splitlines() == ["M  a.py", "D  n.py"]


async def test_undo_of_the_last_batch_leaves_the_one_before(work: Editing) -> None:
    await work.apply(edit("a.py", "one", "1"), batch="first")
    between = state_of(work.folder)
    await work.apply(edit("a.py", "1", "eins"), batch="second")
    assert (await work.undo("first")).reason
    assert (await work.undo("second")).reason == ""
    assert state_of(work.folder) == between
    assert (await work.undo("first")).reason == ""


async def test_undo_without_edits_says_so(work: Editing) -> None:
    assert "nothing is kept" in (await work.undo("never")).reason


async def test_undo_is_refused_when_git_has_thrown_the_staged_content_away(
    work: Editing,
) -> None:
    work.folder.write("a.py", "one\ntwo\nstaged\n")
    work.folder.git("add", "a.py")
    await work.apply(edit("a.py", "one", "1"))
    work.folder.git("prune", "--expire=now")
    assert "thrown away" in (await work.undo()).reason
    assert work.folder.git("status", "--porcelain") == "M  a.py"


async def test_undo_that_fails_in_the_middle_leaves_all_as_it_was(
    work: Editing, monkeypatch: pytest.MonkeyPatch
) -> None:
    await work.apply(
        edit("n.py", "", "n"), edit("a.py", "one", "1"), delete("b.py"), edit("sub/c.py", "c", "d")
    )
    state = state_of(work.folder)
    calls: list[str] = []

    def full_disk(repository: Repository, path: RepoPath, tag: str, wanted: DiskEntry) -> None:
        calls.append(path)
        if path == "sub/c.py" and len(calls) < 4:
            raise AcError("The disk is full.")
        restore_entry(repository, path, tag, wanted)

    monkeypatch.setattr(undoing, "restore_entry", full_disk)
    assert (await work.undo()).reason == "The disk is full."
    assert state_of(work.folder) == state
    monkeypatch.undo()
    assert (await work.undo()).reason == ""
    assert work.folder.git("status", "--porcelain") == ""


async def test_undo_waits_for_nobody_who_left_a_lock_and_says_so(work: Editing) -> None:
    await work.apply(edit("a.py", "one", "1"))
    state = state_of(work.folder)
    lock = work.folder.root / ".git/index.lock"
    lock.touch()
    os.utime(lock, (1, 1))
    assert "index.lock" in (await work.undo()).reason
    lock.unlink()
    assert state_of(work.folder) == state


async def test_undo_in_a_repository_of_another_hash(tmp_path: Path) -> None:
    root = tmp_path / "r"
    root.mkdir()
    subprocess.run(["git", "init", "-q", "--object-format=sha256", root], check=True)
    folder = make_repository(root, {"a.py": "one\n", "e.py": ""})
    folder.write("p.py", "")
    folder.git("add", "-N", "p.py")
    before = state_of(folder)
    async with editing(folder) as work:
        applied = await work.apply(edit("a.py", "one", "1"), edit("p.py", "", "2"), delete("e.py"))
        assert not any(each.notes for each in applied.outcomes[:1])
        assert (await work.undo()).reason == ""
    assert state_of(folder) == before


async def test_undo_when_a_retry_put_a_folder_in_a_files_place_and_a_file_in_a_folders(
    work: Editing,
) -> None:
    before = state_of(work.folder)
    await work.apply(delete("a.py"), delete("sub/c.py"))
    await work.apply(edit("a.py/x.py", "", "x"), edit("sub", "", "s"))
    assert (work.folder.root / "sub").read_text() == "s\n"
    assert work.folder.git("diff", "--name-only") == ""
    assert (await work.undo()).reason == ""
    assert state_of(work.folder) == before


async def test_undo_on_a_file_system_that_says_of_every_file_that_it_can_be_executed(
    work: Editing,
) -> None:
    work.folder.git("config", "core.fileMode", "false")
    for place in work.folder.root.glob("*.py"):
        place.chmod(0o755)
    before = state_of(work.folder)
    applied = await work.apply(edit("a.py", "one", "1"), edit("n.py", "", "n"))
    assert not applied.outcomes[0].notes
    (work.folder.root / "n.py").chmod(0o755)
    assert (await work.undo()).reason == ""
    assert state_of(work.folder) == before


async def test_undo_in_a_linked_worktree_and_before_the_first_commit(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    folder.git("worktree", "add", "--quiet", str(tmp_path / "linked"))
    fresh = make_repository(tmp_path / "fresh")
    fresh.write("a.py", "one\n")
    for root in (tmp_path / "linked", tmp_path / "fresh"):
        here = RepositoryFolder(Path(os.path.realpath(root)))
        before = state_of(here)
        async with editing(here, await discover(here.root)) as work:
            await work.apply(edit("a.py", "one", "1"), edit("n.py", "", "n"))
            assert here.git("diff", "--cached", "--name-only").splitlines() == ["a.py", "n.py"]
            assert (await work.undo()).reason == ""
        assert state_of(here) == before
    async with editing(folder) as work:
        await work.apply(edit("a.py", "one", "1"))
    async with editing(here, await discover(tmp_path / "linked")) as work:
        assert not await work.applier.undoing.differing("turn")


async def test_undo_does_not_mind_what_git_itself_changes_in_a_sparse_checkout(
    work: Editing,
) -> None:
    work.folder.git("update-index", "--skip-worktree", "sub/c.py")
    bytes_before = files_of(work.folder)
    await work.apply(edit("sub/c.py", "c", "d"))
    work.folder.git("update-index", "--no-skip-worktree", "sub/c.py")  # as `git status` does
    await work.apply(edit("sub/c.py", "d", "e"))
    assert (await work.undo()).reason == ""
    assert files_of(work.folder) == bytes_before
    assert not work.folder.git("diff", "--cached", "--name-only")


async def test_undo_removes_the_folders_that_later_edits_of_the_turn_used(work: Editing) -> None:
    await work.apply(edit("new/x/a.py", "", "a"))
    await work.apply(edit("new/y/b.py", "", "b"), edit("new/c.py", "", "c"))
    assert (await work.undo()).reason == ""
    assert not (work.folder.root / "new").exists()


async def test_undo_names_the_files_that_are_back(work: Editing) -> None:
    await work.apply(
        *(rename("a.py", "z.py"), delete("b.py"), edit("n.py", "", "n"), edit("sub/c.py", "c", "d"))
    )
    assert (await work.undo()).back == ["a.py", "b.py"]


async def test_what_could_be_undone_is_told_by_the_disk(work: Editing) -> None:
    await work.apply(edit("a.py", "one", "1"), edit("n.py", "", "n"), delete("b.py"))
    assert await work.applier.undoing.differing("turn") == ["a.py", "n.py", "b.py"]
    work.folder.write("a.py", "one\ntwo\n")
    assert await work.applier.undoing.differing("turn") == ["n.py", "b.py"]
    (work.folder.root / "n.py").unlink()
    work.folder.git("checkout", "HEAD", "b.py")
    assert await work.applier.undoing.differing("turn") == []
    assert await work.applier.undoing.differing("never") == []


async def test_undo_that_an_editor_overtakes_leaves_all_as_it_was(
    work: Editing, monkeypatch: pytest.MonkeyPatch
) -> None:
    await work.apply(edit("n.py", "", "n"), edit("a.py", "one", "1"), edit("sub/c.py", "c", "d"))
    note_index = work.images.note_index

    async def overtaken(batch: str, found: Iterable[tuple[RepoPath, Entries]]) -> None:
        work.folder.write("sub/c.py", "mine\n")
        await note_index(batch, found)

    monkeypatch.setattr(work.images, "note_index", overtaken)
    assert "'sub/c.py'" in (await work.undo()).reason
    assert (work.folder.root / "sub/c.py").read_text() == "mine\n"
    assert (work.folder.root / "a.py").read_text() == "1\ntwo\n"
    assert (work.folder.root / "n.py").exists()


async def test_undo_is_done_when_only_its_record_can_not_be_forgotten(
    work: Editing, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = state_of(work.folder)
    await work.apply(edit("n.py", "", "n"), edit("a.py", "one", "1"))

    async def full(_batch: str) -> None:
        raise AcError("The disk is full.")

    monkeypatch.setattr(work.images, "forget", full)
    assert (await work.undo()).reason == ""
    assert (await work.undo()).reason == ""
    assert state_of(work.folder) == before


def test_nothing_is_said_where_nothing_was_done() -> None:
    nothing = Undone()
    assert (nothing.reason, list(nothing.blocks), list(nothing.files)) == ("", [], [])


A, N = RepoPath("a.py"), RepoPath("n.py")
WANTED = {A: DiskEntry(b"one\n", 0o100644), N: NOTHING}


@pytest.fixture
def restoring_work(tmp_path: Path) -> Iterator[Editing]:
    made, database = editing_of(make_repository(tmp_path / "r", {"a.py": "one\n"}))
    yield made
    asyncio.run(database.aclose())


async def test_files_are_made_what_they_were_and_again_what_they_are(
    restoring_work: Editing,
) -> None:
    await restoring_work.apply(edit("a.py", "one", "1"), edit("n.py", "", "n"))
    repository, before = repository_of(restoring_work.folder), files_of(restoring_work.folder)
    state = await read_undo_state(repository, restoring_work.images, "turn")
    restore(repository, state, WANTED, lambda _: "tag")
    assert files_of(restoring_work.folder).keys() == {"a.py"}
    unrestore(repository, state, WANTED, lambda _: "tag")
    assert files_of(restoring_work.folder) == before


async def test_a_file_that_has_just_been_written_keeps_all_from_being_changed(
    restoring_work: Editing,
) -> None:
    await restoring_work.apply(edit("a.py", "one", "1"), edit("n.py", "", "n"))
    repository = repository_of(restoring_work.folder)
    state = await read_undo_state(repository, restoring_work.images, "turn")
    restoring_work.folder.write("a.py", "mine\n")
    before = files_of(restoring_work.folder)
    with pytest.raises(Conflict, match="just"):
        restore(repository, state, WANTED, lambda _: "tag")
    assert files_of(restoring_work.folder) == before
