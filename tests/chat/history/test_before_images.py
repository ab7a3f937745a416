"""Before-images in a real database."""

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from jupyter_ac.chat.history import before_images
from jupyter_ac.chat.history.before_images import BeforeImage, BeforeImages, Fresh
from jupyter_ac.git.disk_entries import DiskEntry
from jupyter_ac.git.index_entries import IndexEntry
from jupyter_ac.ids import RepoPath
from jupyter_ac.store.sqlite import Database
from tests.support.histories import history_in

ENTRY = IndexEntry("100644", "a" * 40)
OTHER = IndexEntry("100755", "b" * 40, 2, is_promise=True, is_overlooked=True)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    database = history_in(tmp_path)
    yield database
    asyncio.run(database.aclose())


def image(path: str, data: bytes = b"x", *signs: str) -> BeforeImage:
    return BeforeImage(RepoPath(path), DiskEntry(data, 0o100644), (ENTRY,), signs=signs)


def fresh(path: str, data: bytes = b"x", *signs: str, is_staged: bool = True) -> Fresh:
    return Fresh(image(path, data, *signs), is_staged)


async def test_images_come_back_as_they_were_kept(database: Database) -> None:
    images = BeforeImages(database, "")
    kept = [
        BeforeImage(
            path=RepoPath("d/\udcff\n.py"),
            disk=DiskEntry(b"\0\xff", 0o100600),
            entries=(ENTRY, OTHER),
            made="d",
            signs=("s",),
            entries_after=((OTHER,), ()),
        ),
        BeforeImage(RepoPath("new"), DiskEntry(), signs=("t",), entries_after=()),
    ]
    fresh_paths, first = await images.keep("b", [Fresh(each) for each in kept])
    assert (fresh_paths, first) == ({each.path for each in kept}, 0)
    assert await images.of("b") == kept
    assert await images.paths_of("b") == [each.path for each in kept]
    assert await images.of("other") == []
    assert await BeforeImages(database, "linked").of("b") == []


async def test_the_oldest_image_stays_and_signs_are_added(database: Database) -> None:
    images = BeforeImages(database, "")
    first = fresh("a", b"1", "made")
    await images.keep("b", [first])
    made = DiskEntry(b"2", 0o100644)
    later = BeforeImage(RepoPath("a"), made, signs=["more"], entries_after=[(OTHER,)])
    await images.drop("b", [RepoPath("none")])
    await images.keep("b", [Fresh(image("a", b"1", made.sign))])
    assert await images.keep("b", [Fresh(later)]) == (set(), 0)
    (found,) = await images.of("b")
    assert found.disk.data == b"1"
    assert list(found.signs) == ["made", made.sign, "more"]
    assert list(found.entries_after) == [(OTHER,)]
    assert not found.is_foreign


@pytest.mark.parametrize(
    ("data", "entries", "is_staged", "is_foreign"),
    [
        (b"1", (ENTRY,), True, False),
        (b"1", (ENTRY,), False, False),
        (b"1", (OTHER,), True, False),
        (b"1", (OTHER,), False, True),
        (b"somebody else's", (ENTRY,), True, True),
    ],
)
async def test_a_change_by_somebody_else_between_two_edits_is_noted(
    database: Database,
    data: bytes,
    entries: tuple[IndexEntry, ...],
    is_staged: bool,
    is_foreign: bool,
) -> None:
    images = BeforeImages(database, "")
    await images.keep("b", [fresh("a", b"1", "made")])
    again = BeforeImage(RepoPath("a"), DiskEntry(data, 0o100644), entries)
    await images.keep("b", [Fresh(again, is_staged)])
    assert [each.is_foreign for each in await images.of("b")] == [is_foreign]


async def test_what_the_index_holds_at_an_undo_is_added(database: Database) -> None:
    images = BeforeImages(database, "")
    await images.keep("b", [fresh("a"), fresh("c")])
    await images.note_index("b", [(RepoPath("a"), (OTHER,))])
    assert [list(each.entries_after) for each in await images.of("b")] == [[(OTHER,)], []]
    await images.drop("b", [RepoPath("a")])
    assert await images.paths_of("b") == ["c"]
    await images.forget("b")
    assert await images.of("b") == []


async def test_only_so_many_batches_and_bytes_are_kept_the_last_one_always(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(before_images, "MOST_BATCHES", 3)
    monkeypatch.setattr(before_images, "MOST_BYTES", 100)
    images = BeforeImages(database, "")
    for number in range(5):
        await images.keep(f"b{number}", [fresh("a", b"x")])
    kept = [bool(await images.of(f"b{number}")) for number in range(5)]
    assert kept == [False, False, True, True, True]
    await images.keep("middle", [fresh("a", b"x" * 60)])
    await images.keep("long", [fresh("a", b"x" * 60)])
    assert [bool(await images.of(name)) for name in ("b4", "middle", "long")] == [
        False,
        False,
        True,
    ]
    await images.keep("longer", [fresh("a", b"x" * 600)])
    assert [bool(await images.of(name)) for name in ("long", "longer")] == [False, True]


async def test_images_go_with_their_turn(database: Database) -> None:
    images = BeforeImages(database, "")

    def add_turn(db: sqlite3.Connection) -> None:
        db.execute(
            "INSERT INTO sessions (session_id, identity, worktree, created_ms, updated_ms)"
            " VALUES ('s', 'i', '', 0, 0)"
        )
        db.execute(
            "INSERT INTO turns (turn_id, session_id, number, request_id, state, created_ms,"
            " owner, alive_ms) VALUES ('t', 's', 1, 'r', 'done', 0, 'o', 0)"
        )

    await database.run(add_turn)
    await images.keep("t", [fresh("a")])
    await images.keep("other", [fresh("a")])
    await database.run(lambda db: db.execute("DELETE FROM sessions").close())
    assert await images.of("t") == []
    assert await images.paths_of("other") == ["a"]


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO sqlite_sequence (name, seq) VALUES ('edited_files', 9223372036854775807)",
        "INSERT INTO sqlite_sequence (name, seq) VALUES ('edited_files', 'x')",
        (
            "INSERT INTO edited_files (number, worktree, batch, path, data, mode, entries, made,"
            " signs, entries_after)"
            " VALUES (9223372036854775807, '', 'o', '\"q\"', x'', 0, '', '', '', '')"
        ),
    ],
)
async def test_a_file_that_has_used_up_all_numbers_takes_images(
    database: Database, statement: str
) -> None:
    images = BeforeImages(database, "")
    await database.run(lambda db: db.execute(statement).close())
    for batch in ("a", "b"):
        await images.keep(batch, [fresh("f.py")])
        assert await images.paths_of(batch) == ["f.py"]
