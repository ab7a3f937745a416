import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from jupyter_ac.events import Event, FilesModified
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.index_parts import IndexParts, index_parts
from jupyter_ac.settings.app import PromptSettings
from jupyter_ac.settings.paths import CACHE_VARIABLE
from tests.index.navigation.trees import DOCUMENTS, PYTHON
from tests.support.repositories import make_repository

LIMIT_S = 60.0


class Pages:
    """Remembers what they are told."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def publish(self, event: Event) -> None:
        self.events.append(event)


@asynccontextmanager
async def parts_of(root: Path, cache: Path) -> AsyncIterator[IndexParts]:
    repository = await discover(root)
    parts = index_parts(repository, {CACHE_VARIABLE: str(cache)}, PromptSettings, Pages())
    try:
        yield parts
    finally:
        await parts.aclose()


async def test_an_edit_is_in_the_index_before_the_next_prompt(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repo", {**PYTHON, **DOCUMENTS}).root
    async with parts_of(root, tmp_path / "cache") as parts:
        parts.indexing.start()
        assert await parts.indexing.settled(LIMIT_S)
        assert [row["name"] for row in await parts.navigator.symbols("Client", 1)] == ["Client"]
        (root / "new.py").write_text("class BrandNew:\n    pass\n", encoding="utf-8")
        (root / "main.py").unlink()
        parts.indexing.files_modified(FilesModified(["new.py", "main.py"]))
        assert await parts.indexing.settled(LIMIT_S)
        [row] = await parts.navigator.symbols("BrandNew", 5)
        assert row["file"] == "new.py"
        assert "new.py" in (await parts.navigator.block("new.py"))["content"]
        documents = await parts.maps.head("doc", LIMIT_S)
        assert documents is not None
        assert "guide.md" in documents.text


async def test_a_folder_that_can_not_be_a_cache_costs_nothing_but_time(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repo", {**PYTHON}).root
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    async with parts_of(root, tmp_path / "cache") as parts:
        parts.indexing.start()
        assert await parts.indexing.settled(LIMIT_S)
        assert await parts.navigator.symbols("Client", 1) != []


async def test_the_end_ends_the_workers(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repo", {**PYTHON}).root
    before = set(_children())
    async with parts_of(root, tmp_path / "cache") as parts:
        parts.indexing.start()
        assert await parts.indexing.settled(LIMIT_S)
        begun = set(_children()) - before
        assert begun
    async with asyncio.timeout(LIMIT_S):
        while begun & set(_children()):
            await asyncio.sleep(0.05)


def _children() -> list[int]:
    """The ids of this process's children."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            fields = stat.rpartition(")")[2].split()
            if fields[0] != "Z" and int(fields[1]) == os.getpid():
                found.append(int(entry.name))
    return found
