"""A lock that a killed git left behind: said, with its age and the remedy; nothing changes."""

import os
import time
from pathlib import Path

import pytest

from jupyter_ac.git import write_commands
from tests.support.repositories import RepositoryFolder
from tests.support.ugly import repo_client, ugly
from tests.support.ugly_files import everything

INDEX = (
    ("stage_files", ["a"]),
    ("stage_all",),
    ("unstage_files", ["a"]),
    ("discard_changes", ["a"]),
    ("commit", "message"),
    ("reset_hard",),
    ("rename_file", "a", "new/b"),
    ("rename_directory", "d", "new/e"),
    ("checkout_branch", "other"),
)
HEAD = (("commit", "message"), ("reset_hard",), ("checkout_branch", "other"))
CALLS = [
    *(("index.lock", call) for call in INDEX),
    *(("HEAD.lock", call) for call in HEAD),
    *(("refs/heads/main.lock", call) for call in HEAD),
]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait for a lock no longer than it takes to look once more."""
    monkeypatch.setattr(write_commands, "LOCK_WAIT_S", 0.01)


def changed(root: Path, *, switching: bool) -> RepositoryFolder:
    folder = ugly(root, {"a": "1\n", "d/f": "1\n"})
    folder.git("checkout", "-q", "-b", "other")
    folder.write("o", "1\n")
    folder.commit()
    folder.git("checkout", "-q", "main")
    if not switching:
        folder.write("a", "2\n")
        folder.git("add", "a")
        folder.write("a", "3\n")
    return folder


@pytest.mark.parametrize(
    ("lock", "call"), CALLS, ids=lambda value: value if isinstance(value, str) else value[0]
)
async def test_a_lock_left_behind_is_said_and_nothing_changes_until_it_goes(
    tmp_path: Path, lock: str, call: tuple[object, ...]
) -> None:
    name, *args = call
    folder = changed(tmp_path / "r", switching=name == "checkout_branch")
    place = folder.root / ".git" / lock
    place.touch()
    os.utime(place, (time.time() - 7200,) * 2)
    before = everything(folder)
    async with repo_client(folder) as client:
        said = await client.refusal(str(name), *args)
        assert f"{place.name} for 720" in said
        assert f"if no git is running, remove .git/{lock}." in said
        assert everything(folder) == before
        place.unlink()
        await client.do(str(name), *args)


async def test_looking_and_writing_go_on_beside_a_lock(tmp_path: Path) -> None:
    folder = changed(tmp_path / "r", switching=False)
    for lock in ("index.lock", "HEAD.lock", "refs/heads/main.lock", "config.lock"):
        (folder.root / ".git" / lock).touch()
    async with repo_client(folder) as client:
        assert (await client.lists())["staged"] == ["a"]
        assert await client.call("is_clean") is False
        assert await client.text("get_staged_diff")
        await client.do("write_file", "a", "4\n")
        await client.do("create_file", "new")
        await client.do("delete_file", "d/f")
        assert client.status() == ["MM a", " D d/f", "?? new"]
