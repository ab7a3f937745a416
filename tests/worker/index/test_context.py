from pathlib import Path

import pytest

from jupyter_ac.errors import NotFound, NotReady
from jupyter_ac.worker.index.context import IndexContext
from jupyter_ac.worker.jobs import Jobs
from jupyter_ac.workers import launch
from tests.support.repositories import make_repository


async def test_the_index_is_there_once_it_is_open(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "x = 1\n"})
    context = IndexContext(Jobs())
    with pytest.raises(NotReady):
        _ = context.indexer
    with pytest.raises(NotFound):
        await context.open(tmp_path, tmp_path / "c")
    await context.open(folder.root, tmp_path / "c")
    indexer = context.indexer
    await context.open(folder.root, tmp_path / "c")
    assert context.indexer is indexer
    await indexer.aclose()


def test_tokens_are_those_of_cl100k(monkeypatch: pytest.MonkeyPatch) -> None:
    variable = "TIKTOKEN_CACHE_DIR"
    monkeypatch.setenv(variable, launch.environment({}, {})[variable])
    assert IndexContext(Jobs()).count("hello world") == 2
