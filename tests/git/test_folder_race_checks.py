import os
import time
from collections.abc import Collection
from pathlib import Path

import pytest

from jupyter_ac.errors import Busy
from jupyter_ac.git.folder_race_checks import TRIES, UnchangedFolders, retry_while_changing
from jupyter_ac.git.repository import discover
from tests.support.repositories import make_repository


async def test_folders_are_calm_until_an_entry_of_theirs_changes(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/e/f": "1\n"})
    (folder.root / "link").symlink_to("d")
    repository = await discover(folder.root)
    later = UnchangedFolders(repository, time.time() + 10)
    assert all(later.has(name) for name in ("", "d", "d/e", "nothing/here"))
    assert not later.has("link")
    assert not later.has("link/e")
    earlier = UnchangedFolders(repository, time.time() - 1000)
    assert not earlier.has("d/e")
    assert not UnchangedFolders(repository, time.time() + 10, margin_s=1000).has("d")


async def test_a_folder_costs_one_look_for_each_above_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "/".join(["deep"] * 300)
    folder = make_repository(tmp_path / "r", {f"{name}/f": "1\n"})
    (folder.root / "deep/sealed").mkdir(mode=0o311)
    repository = await discover(folder.root)
    calm = UnchangedFolders(repository, time.time() + 10)
    looks: list[str] = []
    opened = os.open

    def counted(path: str, flags: int, *, dir_fd: int | None = None) -> int:
        looks.append(path)
        return opened(path, flags, dir_fd=dir_fd)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", counted)
        assert calm.has(name)
        assert calm.has("deep/deep")
    assert len(looks) == 301
    assert calm.has("deep/sealed")
    assert not UnchangedFolders(repository, time.time() - 1000).has(name)


async def test_work_is_repeated_until_it_is_calm_or_proved_and_then_refused(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/f": "1\n"})
    repository = await discover(folder.root)
    rounds: list[int] = []

    async def work(restless: int) -> int:
        rounds.append(restless)
        if len(rounds) <= restless:
            folder.write(f"d/new{restless}-{len(rounds)}")
        return len(rounds)

    async def all_of_them(_: int, names: Collection[str]) -> Collection[str]:
        return names

    async def none_of_them(_: int, names: Collection[str]) -> Collection[str]:
        assert names == ["d/f"]
        return ()

    assert (
        await retry_while_changing(repository, lambda: work(1), lambda _: ["d/f"], all_of_them) >= 2
    )
    rounds.clear()
    with pytest.raises(Busy, match="Files in 'd' keep changing"):
        await retry_while_changing(repository, lambda: work(TRIES), lambda _: ["d/f"], all_of_them)
    assert len(rounds) == TRIES
    rounds.clear()
    await retry_while_changing(repository, lambda: work(TRIES), lambda _: ["d/f"], none_of_them)
    assert len(rounds) == 1
