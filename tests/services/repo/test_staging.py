from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError, InvalidParams, RemoteError
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import ConversationKey
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.activity_log import Note
from jupyter_ac.services.repo.staging import StagingMethods
from jupyter_ac.services.repo.writes import MoveMethods
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.memory import ADA
from tests.services.llm.pages import Page, connect
from tests.support.changing import writers_of
from tests.support.repositories import RepositoryFolder, make_repository


@asynccontextmanager
async def page_on(tmp_path: Path) -> AsyncIterator[tuple[RepositoryFolder, Page]]:
    """A page that may change a repository and hears of what has changed."""
    folder = make_repository(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    repository, audience = await discover(folder.root), Subscribers()
    writers = writers_of(repository, audience)
    parts = StagingMethods(repository, writers), MoveMethods(repository, writers)
    page = Page(("AcApp.filesModified",))
    connection = await connect(page, MethodTable(Namespace("Repo", *parts)), ADA)
    audience.join(connection.host, ConversationKey(ADA))
    try:
        yield folder, page
    finally:
        await audience.aclose()
        await connection.close()


async def test_a_change_is_staged_committed_and_heard_of(tmp_path: Path) -> None:
    async with page_on(tmp_path) as (folder, page):
        folder.write("a", "2\n")
        folder.write("b", "2\n")
        assert await page.peer.call("Repo.stage_files", ["./a", "b"]) == {"status": "ok"}
        assert await page.peer.call("Repo.unstage_files", ["b"]) == {"status": "ok"}
        made = await page.peer.call("Repo.commit", "second")
        assert made == {
            "sha": folder.git("rev-parse", "HEAD"),
            "message": "second",
            "hooks": [],
            "hooks_folder": "",
        }
        assert await page.peer.call("Repo.discard_changes", ["b"]) == {"status": "ok"}
        folder.write("c", "1\n")
        assert await page.peer.call("Repo.stage_all") == {"status": "ok"}
        assert folder.git("status", "--porcelain") == "A  c"
        assert await page.peer.call("Repo.reset_hard") == {"status": "ok"}
        assert folder.git("status", "--porcelain") == ""
        await page.until(lambda page: len(page.named("filesModified")) >= 6)
        heard = [paths for (paths,) in page.named("filesModified")]
        assert heard == [["a", "b"], ["b"], [], ["b"], [], []]


async def test_files_are_renamed_and_deleted(tmp_path: Path) -> None:
    async with page_on(tmp_path) as (folder, page):
        assert await page.peer.call("Repo.rename_file", "a", "d/c") == {"status": "ok"}
        assert await page.peer.call("Repo.rename_directory", "d", "e") == {"status": "ok"}
        assert await page.peer.call("Repo.delete_file", "b") == {"status": "ok"}
        assert folder.git("status", "--porcelain") == " D b\nR  a -> e/c"
        await page.until(lambda page: len(page.named("filesModified")) >= 3)
        heard = [paths for (paths,) in page.named("filesModified")]
        assert heard == [["a", "d/c"], ["d", "e"], ["b"]]


async def test_a_discarded_rename_is_heard_of_under_both_names(tmp_path: Path) -> None:
    """The old file comes back; without its name the watch would tell of it once more."""
    async with page_on(tmp_path) as (folder, page):
        folder.git("mv", "a", "c")
        assert await page.peer.call("Repo.discard_changes", ["c"]) == {"status": "ok"}
        assert folder.git("status", "--porcelain") == ""
        await page.until(lambda page: bool(page.named("filesModified")))
        assert [paths for (paths,) in page.named("filesModified")] == [["c", "a"]]


@pytest.mark.parametrize("paths", [None, "a", [1], ["a", None], {"a": 1}])
@pytest.mark.parametrize("method", ["stage_files", "unstage_files", "discard_changes"])
async def test_paths_are_a_list_of_texts(tmp_path: Path, method: str, paths: object) -> None:
    async with page_on(tmp_path) as (_, page):
        with pytest.raises(RemoteError) as caught:
            await page.peer.call(f"Repo.{method}", paths)
        assert caught.value.remote_code == InvalidParams.code


async def test_one_bad_path_and_nothing_is_done(tmp_path: Path) -> None:
    async with page_on(tmp_path) as (folder, page):
        folder.write("a", "2\n")
        for method in ("stage_files", "discard_changes"):
            with pytest.raises(RemoteError) as caught:
                await page.peer.call(f"Repo.{method}", ["a", "../b"])
            assert caught.value.remote_type == "refused_path"
        assert await page.peer.call("Repo.stage_files", []) == {"status": "ok"}
        assert folder.git("status", "--porcelain") == " M a"


class Notes:
    """A diary that remembers what is noted."""

    def __init__(self) -> None:
        self.noted: list[tuple[str, str]] = []

    async def open(self) -> Note:
        return self._note

    async def _note(self, kind: str, text: str) -> None:
        self.noted.append((kind, text))


async def test_a_commit_and_a_reset_are_noted_a_refused_one_is_not(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    repository, notes = await discover(folder.root), Notes()
    part = StagingMethods(repository, replace(writers_of(repository), open_note=notes.open))
    with pytest.raises(GitError):
        await part.commit("nothing is staged")
    assert notes.noted == []
    folder.write("a", "2\n")
    await part.stage_all()
    made = await part.commit("Water the garden\n\nBecause it is dry.")
    await part.reset_hard()
    assert notes.noted == [
        ("commit", f"Committed {made['sha'][:7]}: Water the garden"),
        ("reset", "All changes to tracked files since the last commit were discarded."),
    ]
