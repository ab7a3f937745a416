import asyncio
import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, InvalidParams, RemoteError
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import ConversationKey, Identity
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.repo.writes import MoveMethods, WriteMethods
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.memory import ADA
from tests.services.llm.pages import Page, connect
from tests.support.changing import writers_of
from tests.support.repositories import RepositoryFolder, make_repository

LISTED = ("AcApp.filesModified",)


@dataclass
class Scene:
    """Two persons' pages on one repository."""

    folder: RepositoryFolder
    ada: Page
    bob: Page


@asynccontextmanager
async def staged(tmp_path: Path) -> AsyncIterator[Scene]:
    folder = make_repository(tmp_path / "r", {"a.py": "old\n"})
    audience = Subscribers()
    part = WriteMethods(writers_of(await discover(folder.root)).files, audience)
    table = MethodTable(Namespace("Repo", part))
    pages = [(Page(LISTED), ADA), (Page(LISTED), Identity("bob"))]
    connections = [await connect(page, table, identity) for page, identity in pages]
    for connection, (_, identity) in zip(connections, pages, strict=True):
        audience.join(connection.host, ConversationKey(identity))
    try:
        yield Scene(folder, pages[0][0], pages[1][0])
    finally:
        await audience.aclose()
        for connection in connections:
            await connection.close()


async def test_a_write_answers_with_the_hash_and_everybody_hears_of_it(tmp_path: Path) -> None:
    async with staged(tmp_path) as scene:
        answer = await scene.ada.peer.call("Repo.write_file", "./a.py", "new\n")
        sha256 = hashlib.sha256(b"new\n").hexdigest()
        assert answer == {"status": "ok", "path": "a.py", "hash": sha256}
        again = await scene.ada.peer.call("Repo.write_file", "a.py", "newer\n", sha256)
        assert isinstance(again, dict)
        assert (scene.folder.root / "a.py").read_text() == "newer\n"
        await scene.ada.peer.call("Repo.write_file", "a.py", "newer\n", "")
        await scene.ada.peer.call("Repo.create_file", "b/c.py")
        for page in (scene.ada, scene.bob):
            await page.until(lambda page: len(page.named("filesModified")) >= 3)
            assert page.named("filesModified") == [(["a.py"],), (["a.py"],), (["b/c.py"],)]


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (("Repo.write_file", "a.py", "x", "0" * 64), "conflict"),
        (("Repo.write_file", ".git/hooks/x", "x"), "refused_path"),
        (("Repo.write_file", "a.py", "\0"), "binary"),
        (("Repo.create_file", "a.py", "x"), "exists"),
        (("Repo.create_file", "../x"), "refused_path"),
    ],
)
async def test_a_refusal_is_typed_and_nobody_hears_of_it(
    tmp_path: Path, call: tuple[str, ...], kind: str
) -> None:
    async with staged(tmp_path) as scene:
        with pytest.raises(RemoteError) as caught:
            await scene.ada.peer.call(*call)
        assert caught.value.remote_type == kind
        assert (scene.folder.root / "a.py").read_text() == "old\n"
        await scene.ada.peer.call("Repo.create_file", "last")
        await scene.bob.until(lambda page: bool(page.named("filesModified")))
        assert scene.bob.named("filesModified") == [(["last"],)]


async def test_arguments_are_checked(tmp_path: Path) -> None:
    async with staged(tmp_path) as scene:
        for call in (("a.py", None), ("a.py", "x", 5), (3, "x")):
            with pytest.raises(RemoteError) as caught:
                await scene.ada.peer.call("Repo.write_file", *call)
            assert caught.value.remote_code == InvalidParams.code


async def test_of_two_who_rename_to_one_name_one_is_refused(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "a\n", "b": "b\n"})
    repository = await discover(folder.root)
    part = MoveMethods(repository, writers_of(repository))
    results = await asyncio.gather(
        part.rename_file("a", "c"), part.rename_file("b", "c"), return_exceptions=True
    )
    assert sorted(type(result).__name__ for result in results) == ["AlreadyExists", "dict"]
    assert len(folder.git("ls-files").split("\n")) == 2


async def test_two_files_swap_their_names_without_a_deadlock(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "a\n", "b": "b\n"})
    repository = await discover(folder.root)
    part = MoveMethods(repository, writers_of(repository))
    async with asyncio.timeout(30):
        await asyncio.gather(
            part.rename_file("a", "b"), part.rename_file("b", "a"), return_exceptions=True
        )
    assert (folder.root / "a").read_text() + (folder.root / "b").read_text() == "a\nb\n"


async def test_a_write_to_a_new_name_is_not_overwritten_by_a_rename(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"tracked": "t\n"})
    folder.write("untracked", "u\n")
    repository = await discover(folder.root)
    writers = writers_of(repository)
    part = MoveMethods(repository, writers)
    for name in ("tracked", "untracked"):
        await writers.files.create("taken", "mine\n")
        with pytest.raises(AcError):
            await part.rename_file(name, "taken")
        assert (folder.root / "taken").read_text() == "mine\n"
        await part.delete_file("taken")
