"""What the index holds when edits have been taken back, in real repositories."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.edited import Editing, delete, edit, editing_of, rename, state_of
from tests.support.repositories import make_repository

TEXT = "one\ntwo\nthree\nfour\nfive\n"
FIRST, LAST = edit("a.py", "one", "1"), edit("a.py", "five", "5")


@pytest.fixture
def work(tmp_path: Path) -> Iterator[Editing]:
    folder = make_repository(tmp_path / "r", {"a.py": TEXT, "b.py": TEXT, ".gitignore": "*.log\n"})
    made, database = editing_of(folder)
    yield made
    asyncio.run(database.aclose())


def staged(work: Editing, path: str = "a.py") -> str:
    return work.folder.git("show", f":{path}") + "\n"


async def test_a_staged_file_stays_staged_as_it_stands(work: Editing) -> None:
    await work.apply(FIRST, LAST)
    assert (await work.undo("turn", FIRST)).reason == ""
    assert staged(work) == TEXT.replace("five", "5")
    assert work.folder.git("status", "--porcelain") == "M  a.py"
    assert (await work.undo("turn", LAST)).clean == ["a.py"]
    assert work.folder.git("status", "--porcelain") == ""


async def test_a_file_that_was_unstaged_since_stays_so(work: Editing) -> None:
    await work.apply(FIRST, LAST)
    work.folder.git("reset", "--quiet")
    assert (await work.undo("turn", FIRST)).reason == ""
    assert staged(work) == TEXT
    assert (work.folder.root / "a.py").read_text() == TEXT.replace("five", "5")


async def test_the_edit_is_taken_out_of_what_is_staged_beside_unstaged_changes(
    work: Editing,
) -> None:
    await work.apply(FIRST, LAST)
    work.folder.write("a.py", "1\ntwo\nthree\nstaged\nfour\n5\n")
    work.folder.git("add", "a.py")
    work.folder.write("a.py", "1\ntwo\nunstaged\nthree\nstaged\nfour\n5\n")
    assert (await work.undo("turn", FIRST)).reason == ""
    assert staged(work) == "one\ntwo\nthree\nstaged\nfour\n5\n"
    assert (work.folder.root / "a.py").read_text() == (
        "one\ntwo\nunstaged\nthree\nstaged\nfour\n5\n"
    )


async def test_an_edit_that_is_staged_otherwise_is_refused_and_the_others_are_offered(
    work: Editing,
) -> None:
    other = edit("b.py", "one", "1")
    await work.apply(FIRST, LAST, other)
    work.folder.write("a.py", "uno\ntwo\nthree\nfour\n5\n")
    work.folder.git("add", "a.py")
    work.folder.write("a.py", "1\ntwo\nthree\nfour\n5\n")
    before = state_of(work.folder)
    undone = await work.undo()
    assert "staged of 'a.py'" in undone.reason
    assert list(undone.possible) == [other.index]
    assert state_of(work.folder) == before


async def test_changes_that_were_not_staged_before_come_back_unstaged(work: Editing) -> None:
    work.folder.write("a.py", TEXT + "mine\n")
    before = state_of(work.folder)
    await work.apply(FIRST, LAST)
    assert (await work.undo("turn", LAST)).reason == ""
    assert (await work.undo("turn", FIRST)).reason == ""
    assert state_of(work.folder) == before


async def test_single_files_that_came_went_and_moved(work: Editing) -> None:
    before = state_of(work.folder)
    blocks = edit("n/x.py", "", "n"), delete("b.py"), rename("a.py", "c.py"), edit("l.log", "", "l")
    await work.apply(*blocks)
    for block in (blocks[1], blocks[3], blocks[0], blocks[2]):
        assert (await work.undo("turn", block)).reason == ""
    assert state_of(work.folder) == before
    assert not (work.folder.root / "n").exists()


async def test_a_renamed_file_keeps_the_edits_that_stay(work: Editing) -> None:
    moved, changed = rename("a.py", "c.py"), edit("c.py", "one", "1")
    await work.apply(moved, changed)
    assert (await work.undo("turn", moved)).reason == ""
    assert (work.folder.root / "a.py").read_text() == TEXT.replace("one", "1")
    assert work.folder.git("status", "--porcelain") == "M  a.py"
    assert (await work.undo("turn", changed)).reason == ""
    assert work.folder.git("status", "--porcelain") == ""
