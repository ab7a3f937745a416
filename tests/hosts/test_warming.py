"""What is loaded ahead."""

import asyncio
from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.hosts.warming import warm_notebooks
from jupyter_ac.notebook import percent
from tests.support.repositories import make_repository


@pytest.mark.parametrize(
    ("files", "loads"),
    [
        ({"a.py": "1"}, 0),
        ({"deep/down/b.ipynb": "{}"}, 1),
        ({"b.ipynb.txt": "1"}, 0),
    ],
)
async def test_only_a_repository_with_notebooks_pays_for_them(
    files: dict[str, str | bytes], loads: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[bool] = []
    monkeypatch.setattr(percent, "load", lambda: loaded.append(True))
    folder = make_repository(tmp_path / "r", files)
    await warm_notebooks(TreeCache(await discover(folder.root)))
    assert len(loaded) == loads


async def test_what_fails_is_logged_and_no_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    folder = make_repository(tmp_path / "r", {"b.ipynb": "{}"})
    tree = TreeCache(await discover(folder.root))

    def load() -> None:
        raise ImportError("no jupytext here")

    monkeypatch.setattr(percent, "load", load)
    await warm_notebooks(tree)
    assert "notebooks can't be read" in caplog.text
    await asyncio.to_thread((folder.root / ".git/HEAD").unlink)
    caplog.set_level("INFO")
    await warm_notebooks(tree)
    assert "isn't known" in caplog.text
