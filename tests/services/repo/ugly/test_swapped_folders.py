"""A folder is exchanged with a link while it is used: nothing goes out, nothing comes in."""

from contextlib import suppress
from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from tests.support.repositories import RepositoryFolder
from tests.support.swapping import needs_exchange, swapping
from tests.support.ugly import RepoClient, repo_client, ugly
from tests.support.ugly_files import everything

pytestmark = needs_exchange

CANARY = "canary of the outside"
ROUNDS = [12, pytest.param(200, marks=pytest.mark.soak)]
"""Of several calls each, 200 in all."""


@pytest.fixture
def outside(tmp_path: Path) -> RepositoryFolder:
    """A folder beside the repository, with the names that the swapped one has."""
    made = ugly(tmp_path / "outside", {"f": f"{CANARY}\n", "sub/g": f"{CANARY}\n"})
    made.write("movable", f"{CANARY}\n")
    (made.root / "empty").mkdir()
    return made


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return ugly(tmp_path / "r", {"a": "1\n", "d/f": "1\n", "d/sub/g": "1\n"})


async def tried(client: RepoClient, name: str, *args: object) -> str:
    """Call a method that may be refused; returns all that it says."""
    with suppress(RemoteError):
        return str(await client.call(name, *args))
    return ""


@pytest.mark.parametrize("rounds", ROUNDS)
async def test_nothing_is_renamed_out_of_or_into_the_repository(
    folder: RepositoryFolder, outside: RepositoryFolder, rounds: int
) -> None:
    before = everything(outside)
    folder.write("d/movable", "mine\n")
    folder.write("e/inner/x", "mine\n")
    async with repo_client(folder) as client:
        with swapping(folder.root / "d", outside.root):
            for at in range(rounds):
                for old, new in (("a", f"d/a{at}"), (f"d/a{at}", "a"), ("d/movable", "came")):
                    await tried(client, "rename_file", old, new)
                await tried(client, "rename_directory", "e", f"d/e{at}")
                await tried(client, "rename_directory", f"d/e{at}", "e")
                await tried(client, "rename_directory", "d/empty", "came-too")
    assert everything(outside) == before
    assert CANARY not in str(everything(folder))


@pytest.mark.parametrize("rounds", ROUNDS)
async def test_no_text_of_the_outside_is_read_found_or_compared(
    folder: RepositoryFolder, outside: RepositoryFolder, rounds: int
) -> None:
    for name in ("f", "sub/g"):
        folder.write(f"d/{name}", "2\n")
    before = everything(outside)
    calls: tuple[tuple[object, ...], ...] = (
        ("get_file_content", "d/f"),
        ("get_file_base64", "d/sub/g"),
        ("search_files", "canary"),
        ("search_files", "canar.", False, True),
        ("get_unstaged_diff",),
        ("get_file_tree",),
        ("get_flat_file_list",),
    )
    told = ""
    async with repo_client(folder) as client:
        with swapping(folder.root / "d", outside.root):
            for _ in range(rounds):
                for call in calls:
                    told += await tried(client, str(call[0]), *call[1:])
    assert CANARY not in told
    assert everything(outside) == before


@pytest.mark.parametrize("rounds", ROUNDS)
async def test_nothing_of_the_outside_is_written_removed_staged_or_restored(
    folder: RepositoryFolder, outside: RepositoryFolder, rounds: int
) -> None:
    before = everything(outside)
    async with repo_client(folder) as client:
        with swapping(folder.root / "d", outside.root):
            for at in range(rounds):
                await tried(client, "write_file", "d/f", f"{at}\n")
                await tried(client, "create_file", f"d/new{at}", "new\n")
                await tried(client, "delete_file", "d/sub/g")
                await tried(client, "stage_files", ["d/f"])
                await tried(client, "discard_changes", ["d/f", "d/sub/g"])
                await tried(client, "write_file", "d/f", f"{at} again\n")
                await tried(client, "reset_hard")
    assert everything(outside) == before
    folder.git("add", "-A")
    assert CANARY not in folder.git("diff", "--cached")
    objects = folder.git("cat-file", "--batch-all-objects", "--batch-check", "--unordered")
    for line in objects.splitlines():
        name, kind, _ = line.split()
        assert kind != "blob" or CANARY not in folder.git("cat-file", "blob", name)
