"""A disk that is full, or may not be written: the old state stays, and the reason is said."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.hosts.method_table import repo_methods
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.repo.history import CommitHistoryMethods
from tests.services.llm.pages import Page, connect
from tests.support.changing import writers_of
from tests.support.repositories import RepositoryFolder
from tests.support.ugly import RepoClient, repo_client, ugly
from tests.support.ugly_files import everything, fill, make_read_only, needs_root, small_disk

pytestmark = needs_root

LARGE = "w\n" * 20_000
CALLS = (
    ("write_file", "a", LARGE),
    ("create_file", "new", LARGE),
    ("stage_files", ["a"]),
    ("stage_all",),
    ("unstage_files", ["a"]),
    ("commit", "message"),
    ("rename_file", "a", "z/b"),
    ("rename_directory", "d", "z/e"),
)
RESTORING = (("discard_changes", ["a"]), ("reset_hard",))
"""git writes the files before it writes the index; they were to go anyway."""


def changed(root: Path) -> RepositoryFolder:
    folder = ugly(root, {"a": "1\n" * 2000, "d/f": "1\n"})
    folder.write("a", "2\n" * 2000)
    folder.git("add", "a")
    folder.write("a", "3\n" * 2000)
    return folder


@asynccontextmanager
async def desk_beside(folder: RepositoryFolder, state: Path) -> AsyncIterator[RepoClient]:
    """Open a repository whose own state lies elsewhere, as of a read-only one."""
    repository = await discover(folder.root)
    parts = repo_methods(
        repository,
        writers_of(repository, state=state),
        TreeCache(repository),
        CommitHistoryMethods(repository),
    )
    connection = await connect(Page(()), MethodTable(parts))
    try:
        yield RepoClient(folder, connection.page)
    finally:
        await connection.close()


async def said_of(client: RepoClient, call: tuple[object, ...]) -> str:
    name, *args = call
    return await client.refusal(str(name), *args)


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call[0])
async def test_on_a_full_disk_the_old_state_stays(tmp_path: Path, call: tuple[object, ...]) -> None:
    with small_disk(tmp_path / "disk") as disk:
        folder = changed(disk / "r")
        async with desk_beside(folder, tmp_path) as client:
            status, before = client.status(), everything(folder)
            filler = fill(disk)
            said = await said_of(client, call)
            assert "space" in said.lower() or "full" in said
            assert everything(folder) == before
            filler.unlink()
            assert client.status() == status
            assert folder.git("fsck") == ""
            name, *args = call
            await client.do(str(name), *args)


@pytest.mark.parametrize("call", RESTORING, ids=lambda call: call[0])
async def test_what_a_full_disk_stops_can_be_done_again(
    tmp_path: Path, call: tuple[object, ...]
) -> None:
    with small_disk(tmp_path / "disk") as disk:
        folder = changed(disk / "r")
        async with desk_beside(folder, tmp_path) as client:
            filler = fill(disk)
            assert "space" in await said_of(client, call)
            filler.unlink()
            assert folder.git("fsck") == ""
            name, *args = call
            await client.do(str(name), *args)
            assert client.status() == []


@pytest.mark.parametrize(
    "call", [*CALLS, *RESTORING, ("delete_file", "a")], ids=lambda call: call[0]
)
async def test_on_a_read_only_disk_all_can_be_read_and_nothing_changes(
    tmp_path: Path, call: tuple[object, ...]
) -> None:
    with small_disk(tmp_path / "disk") as disk:
        folder = changed(disk / "r")
        make_read_only(disk)
        before = everything(folder)
        async with desk_beside(folder, tmp_path) as client:
            said = await said_of(client, call)
            assert "read-only" in said.lower() or "may not be written" in said
            assert everything(folder) == before
            assert (await client.lists())["modified"] == ["a"]
            assert await client.text("get_staged_diff")
            assert await client.found("3") == ["a"]


async def test_a_state_folder_that_may_not_be_written_is_said(tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk") as disk:
        folder = changed(disk / "r")
        (folder.root / ".git/jupyter_ac").mkdir()
        make_read_only(disk)
        async with repo_client(folder) as client:
            for call in CALLS:
                assert "in the state folder; make it writable" in await said_of(client, call)
