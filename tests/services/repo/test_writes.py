import hashlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from jupyter_ac.errors import InvalidParams, RemoteError
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import ConversationKey, Identity
from jupyter_ac.rpc.methods import MethodTable, Namespace
from jupyter_ac.services.repo.writes import WriteMethods
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
