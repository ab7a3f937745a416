import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.ids import ConversationKey, Identity
from jupyter_ac.services.llm.unsaved_documents import QUESTION, OpenDocuments
from jupyter_ac.services.subscribers import Subscribers
from tests.chat.memory import ADA
from tests.services.llm.pages import WITH_DELTAS, Connection, Page, connect, never_answer

BOB = Identity("bob")
SEAT = ConversationKey(ADA)


def _saying(answer: object) -> Page:
    async def answers(_: str) -> object:
        return answer

    return Page((*WITH_DELTAS, QUESTION), answers)


@asynccontextmanager
async def _asking(
    root: Path, *pages: Page, identity: Identity = ADA, aside: str = ""
) -> AsyncIterator[OpenDocuments]:
    audience = Subscribers()
    connections: list[Connection] = []
    for page in pages:
        connection = await connect(page, {}, identity)
        audience.join(connection.host, ConversationKey(identity, aside))
        connections.append(connection)
    try:
        yield OpenDocuments(audience, root)
    finally:
        await audience.aclose()
        for connection in connections:
            await connection.close()


async def test_a_page_in_jupyterlab_names_its_unsaved_files(tmp_path: Path) -> None:
    async with _asking(tmp_path, _saying(["a.py", f"{tmp_path}/src/b c.py"])) as documents:
        assert await documents.unsaved(SEAT) == {"a.py", "src/b c.py"}


async def test_names_below_the_home_folder_are_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    async with _asking(tmp_path / "work", _saying(["~/work/a.py", "~/other.py"])) as documents:
        assert await documents.unsaved(SEAT) == {"a.py"}


async def test_files_outside_of_the_repository_are_none(tmp_path: Path) -> None:
    names = ["/etc/hosts", "../x", str(tmp_path), "", "a\0b", "~nobody-here/x", 3, None, ["a"]]
    async with _asking(tmp_path / "repo", _saying(names)) as documents:
        assert await documents.unsaved(SEAT) == frozenset()


async def test_a_link_names_itself_and_its_file(tmp_path: Path) -> None:
    repo = tmp_path / "repo"
    repo.mkdir()
    (repo / "link.py").symlink_to("real.py")
    (tmp_path / "way").symlink_to(repo)
    async with _asking(repo, _saying([f"{tmp_path}/way/link.py"])) as documents:
        assert await documents.unsaved(SEAT) == {"link.py", "real.py"}


async def test_pages_that_cannot_tell_are_not_asked(tmp_path: Path) -> None:
    page = Page(answer=never_answer)
    async with _asking(tmp_path, page) as documents:
        assert await documents.unsaved(SEAT) == frozenset()
        assert page.events == []


async def test_all_pages_of_the_person_are_asked_and_nobody_elses(tmp_path: Path) -> None:
    pages = _saying(["a.py"]), _saying(["b.py"])
    async with _asking(tmp_path, *pages) as documents:
        assert await documents.unsaved(ConversationKey(ADA, "a notebook's cells")) == {
            "a.py",
            "b.py",
        }
        assert await documents.unsaved(ConversationKey(BOB)) == frozenset()


async def test_a_page_that_does_not_answer_counts_as_none(tmp_path: Path) -> None:
    async def fails(_: str) -> object:
        raise NotReady("broken")

    pages = (
        Page([QUESTION], never_answer),
        Page([QUESTION], fails),
        _saying({"not": "a list"}),
        _saying(["a.py"]),
    )
    async with _asking(tmp_path, *pages) as documents, asyncio.timeout(30):
        assert await documents.unsaved(SEAT) == {"a.py"}
