"""The objects of a workspace, put together."""

import asyncio
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from jupyter_ac.errors import AccessDenied, AcError, Unsupported
from jupyter_ac.events import FilesModified
from jupyter_ac.execution.cell_runs import CellRequest
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.composition import Composition, is_file
from jupyter_ac.hosts.live_model import LiveModel
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.hosts.resources import HostResources
from jupyter_ac.ids import ConversationKey, Identity
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.paths import CACHE_VARIABLE
from jupyter_ac.store.state_paths import state_folder
from tests.index.navigation.trees import DOCUMENTS, PYTHON
from tests.support.histories import history_in
from tests.support.repositories import make_repository

LIMIT_S = 90.0


@asynccontextmanager
async def composed(
    root: Path, cache: Path, admin: JupyterAC | None = None
) -> AsyncIterator[Composition]:
    repository = await discover(root)
    environ = {CACHE_VARIABLE: str(cache)}
    planner = ModelPlanner(environ, root.parent / "config", admin or JupyterAC(), lambda: False)
    resources = HostResources()
    database = history_in(state_folder(repository.common_dir).directory)
    made = Composition(repository, resources, planner, LiveModel(planner), database)
    try:
        yield made
    finally:
        await made.maps.aclose()
        await made.indexing.aclose()
        await made.python.aclose()
        await database.aclose()
        await resources.aclose()


async def test_the_objects_work_on_one_repository_and_one_history(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "garden", {"a.py": "x\n"}).root
    async with composed(root, tmp_path / "cache") as made:
        conversation = await made.book.open(ConversationKey(Identity("ada")))
        assert await made.book.select(conversation, ["a.py", "gone"]) == ["a.py"]
        (root / "a.py").write_text("y\n", encoding="utf-8")
        assert made.ports.edits.applier is not None
        assert made.ports.edits.exists("a.py")
        assert not made.ports.edits.is_reviewing()
        assert await made.own.others(["a.py"]) == ["a.py"]
        made.writers.audience.publish(FilesModified(["a.py"]))
        assert await made.own.others(["a.py"]) is None
        made.outside_changes.publish(FilesModified(["b.py"]))
        assert await made.own.others(["b.py"]) == ["b.py"]
        assert [path.name for path in made.state_files()] == [
            "history.sqlite",
            "history.sqlite-wal",
            "review.json",
        ]


@pytest.mark.parametrize(
    ("path", "is_there"),
    [
        ("my file.txt", True),
        ("docs", False),
        ("no file.txt", False),
        ("../repo/my file.txt", False),
        (".git/config", False),
        ("", False),
        ("a\0b", False),
        ("x" * 5000, False),
    ],
)
async def test_only_a_file_of_the_repository_exists(
    tmp_path: Path, path: str, *, is_there: bool
) -> None:
    folder = make_repository(tmp_path / "repo", {"my file.txt": "x\n", "docs/a": "x\n"})
    assert is_file(await discover(folder.root), path) is is_there


async def test_an_edit_is_in_the_index_before_the_next_prompt(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repo", {**PYTHON, **DOCUMENTS}).root
    async with composed(root, tmp_path / "cache") as made:
        made.indexing.start()
        assert await made.indexing.settled(LIMIT_S)
        assert [row["name"] for row in await made.navigator.symbols("Client", 1)] == ["Client"]
        (root / "new.py").write_text("class BrandNew:\n    pass\n", encoding="utf-8")
        (root / "main.py").unlink()
        made.indexing.files_modified(FilesModified(["new.py", "main.py"]))
        assert await made.indexing.settled(LIMIT_S)
        [row] = await made.navigator.symbols("BrandNew", 5)
        assert row["file"] == "new.py"
        assert "new.py" in (await made.navigator.block("new.py"))["content"]
        documents = await made.maps.head("doc", LIMIT_S)
        assert documents is not None
        assert "guide.md" in documents.text


async def test_a_folder_that_can_not_be_a_cache_costs_nothing_but_time(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repo", {**PYTHON}).root
    (tmp_path / "cache").write_text("a file", encoding="utf-8")
    async with composed(root, tmp_path / "cache") as made:
        made.indexing.start()
        assert await made.indexing.settled(LIMIT_S)
        assert await made.navigator.symbols("Client", 1) != []


async def test_the_end_ends_the_workers(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "repo", {**PYTHON}).root
    before = set(_children())
    async with composed(root, tmp_path / "cache") as made:
        made.indexing.start()
        assert await made.indexing.settled(LIMIT_S)
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


@pytest.mark.parametrize(
    ("locked", "refusal", "message"),
    [
        ([], Unsupported, "this host has no kernels"),
        (["app.kernel.run_cells"], AccessDenied, "ask your administrator if it is locked"),
        (["app"], AccessDenied, "run_cells is false"),
    ],
)
async def test_cells_are_refused_without_kernels_and_where_the_administrator_has_locked_it(
    tmp_path: Path, locked: list[str], refusal: type[AcError], message: str
) -> None:
    root = make_repository(tmp_path / "garden", {"a.py": "x\n"}).root
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / "app.json").write_text('{"kernel": {"run_cells": true}}')
    admin = JupyterAC(locked_settings=locked)
    async with composed(root, tmp_path / "cache", admin) as made:
        made.planner.settings.refresh()
        with pytest.raises(refusal, match=message):
            made.cell_runner.request(CellRequest("a.ipynb", "k1", "1"), Identity("ada"))
        await made.cell_runner.aclose()
