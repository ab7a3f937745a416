"""Links, in and out, and what else stands in a folder without being a file."""

import os
import socket
from pathlib import Path

import pytest

from jupyter_ac.git.discarding import remove_files
from jupyter_ac.git.repository import discover
from tests.support.repositories import RepositoryFolder
from tests.support.ugly import OK, RepoClient, repo_client, ugly
from tests.support.ugly_files import everything

OUT = {
    "passwd": "/etc/passwd",
    "parent": "..",
    "beside": "../nowhere",
    "git": ".git",
    "config": ".git/config",
    "chain": "passwd",
}


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    folder = ugly(tmp_path / "r", {"a": "1\n", "d/f": "1\n"})
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/f").write_text("secret\n")
    return folder


async def test_a_link_inside_reads_as_its_target_and_stays_a_link(
    folder: RepositoryFolder,
) -> None:
    (folder.root / "link").symlink_to("a")
    (folder.root / "chain").symlink_to("link")
    (folder.root / "dangling").symlink_to("d/new")
    folder.commit()
    async with repo_client(folder) as client:
        assert await client.leaves() == ["a", "chain@", "d/f", "dangling@", "link@"]
        assert await client.call("get_file_content", "chain") == "1\n"
        assert await client.call("get_file_content", "chain", "HEAD") == "link"
        assert await client.call("file_exists", "link") is True
        assert await client.call("file_exists", "dangling") is False
        assert "There is no file" in await client.refusal("get_file_content", "dangling")
        await client.do("write_file", "chain", "2\n")
        await client.do("write_file", "dangling", "new\n")
        assert "already" in await client.refusal("create_file", "link")
        assert (folder.root / "a").read_text() == "2\n"
        assert client.status() == [" M a", "?? d/new"]
        assert await client.call("rename_file", "link", "e/link") == OK
        assert (folder.root / "e/link").readlink() == Path("a")
        assert "a folder" in await client.refusal("rename_directory", "chain", "z")
        assert await client.call("delete_file", "chain") == OK
        assert await client.call("discard_changes", ["chain", "e/link", "a"]) == OK
        assert client.status() == ["?? d/new"]


async def test_links_in_a_circle_are_shown_and_never_followed(folder: RepositoryFolder) -> None:
    (folder.root / "one").symlink_to("two")
    (folder.root / "two").symlink_to("one")
    async with repo_client(folder) as client:
        assert await client.leaves() == ["a", "d/f", "one@", "two@"]
        for name in ("get_file_content", "write_file", "create_file", "get_file_base64"):
            said = await client.refusal(name, "one", *(["x"] if name == "write_file" else []))
            assert "'one'" in said
        await client.do("stage_all")
        assert await client.call("discard_changes", ["one", "two"]) == OK
        assert client.status() == []


@pytest.mark.parametrize("link", OUT)
async def test_a_link_out_can_be_listed_moved_and_staged_and_is_never_looked_through(
    folder: RepositoryFolder, link: str
) -> None:
    for name, target in OUT.items():
        (folder.root / name).symlink_to(target)
    outside = Path(folder.root.parent / "outside")
    async with repo_client(folder) as client:
        for method in ("get_file_content", "get_file_base64", "get_file_hash", "write_file"):
            for path in (link, f"{link}/below"):
                said = await client.refusal(
                    method, path, *(["x"] if method == "write_file" else [])
                )
                assert "leads" in said
        assert await client.call("file_exists", link) is False
        assert await client.call("is_binary_file", link) is False
        assert f"{link}@" in await client.leaves()
        for method in ("stage_files", "discard_changes", "unstage_files"):
            assert "leads" in await client.refusal(method, [f"{link}/outside/f"])
        assert "leads" in await client.refusal("delete_file", f"{link}/outside/f")
        assert "leads" in await client.refusal("rename_file", "a", f"{link}/a")
        assert await client.call("stage_files", [link]) == OK
        assert client.status()[:1] != []
        assert await client.call("rename_file", link, "elsewhere") == OK
        assert (folder.root / "elsewhere").readlink() == Path(OUT[link])
        assert await client.call("delete_file", "elsewhere") == OK
    assert (outside / "f").read_text() == "secret\n"
    assert (folder.root / ".git/config").exists()


async def linked(folder: RepositoryFolder) -> None:
    (folder.root / "link").symlink_to("d")
    folder.commit()
    folder.write("d/f", "2\n")


async def test_what_is_done_behind_a_linked_folder_is_done_to_the_file_itself(
    folder: RepositoryFolder,
) -> None:
    await linked(folder)
    async with repo_client(folder) as client:
        assert await client.call("get_file_content", "link/f") == "2\n"
        assert await client.call("stage_files", ["link/f"]) == OK
        assert client.status() == ["M  d/f"]
        assert await client.call("unstage_files", ["link/f"]) == OK
        assert client.status() == [" M d/f"]
        assert await client.call("discard_changes", ["link/f"]) == OK
        assert client.status() == []
        assert await client.call("rename_file", "link/f", "link/g") == OK
        assert client.status() == ["D  d/f", "A  d/g"]
        assert await client.call("rename_file", "a", "link/sub/a") == OK
        assert client.status() == ["D  a", "D  d/f", "A  d/g", "A  d/sub/a"]
        assert await client.call("delete_file", "link/g") == OK
        assert client.status()[2] == "AD d/g"


async def test_discarding_behind_a_linked_folder_does_not_remove_a_tracked_file(
    folder: RepositoryFolder,
) -> None:
    await linked(folder)
    async with repo_client(folder) as client:
        await client.do("discard_changes", ["link/f"])
        assert (folder.root / "d/f").read_text() == "1\n"


async def test_a_folder_that_became_a_link_out_hides_nothing_and_shows_nothing(
    folder: RepositoryFolder,
) -> None:
    (folder.root / "d/f").unlink()
    (folder.root / "d").rmdir()
    (folder.root / "d").symlink_to("../outside")
    outside = folder.root.parent / "outside/f"
    async with repo_client(folder) as client:
        assert (await client.lists())["deleted"] == ["d/f"]
        for name in ("get_file_content", "delete_file", "write_file"):
            said = await client.refusal(name, "d/f", *(["x"] if name == "write_file" else []))
            assert "leads out" in said
        assert await client.found("secret") == []
        assert await client.call("stage_files", ["d/f"]) == OK
        assert client.status() == ["?? d", "D  d/f"]
        assert await client.call("unstage_files", ["d/f"]) == OK
        assert client.status() == ["?? d", " D d/f"]
        await client.do("stage_all")
        assert client.status() == ["A  d", "D  d/f"]
    assert outside.read_text() == "secret\n"


async def test_a_link_put_in_between_is_not_followed_when_files_are_removed(
    folder: RepositoryFolder,
) -> None:
    repository = await discover(folder.root)
    (folder.root / "link").symlink_to("../outside")
    (folder.root / "round").symlink_to("round")
    remove_files(repository, ["link/f", "round/f", "d", "a/b", "gone"])
    assert (folder.root.parent / "outside/f").read_text() == "secret\n"
    assert folder.git("status", "--porcelain") == "?? link\n?? round"


async def opened_socket(place: Path) -> socket.socket:
    here = os.open(place.parent, os.O_RDONLY)
    opened = socket.socket(socket.AF_UNIX)
    try:
        opened.bind(f"/proc/self/fd/{here}/{place.name}")  # a short name for a long place
    finally:
        os.close(here)
    return opened


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="names the place by /proc")
async def test_pipes_sockets_and_devices_are_no_files_and_nobody_waits_for_them(
    folder: RepositoryFolder,
) -> None:
    os.mkfifo(folder.root / "pipe")
    with await opened_socket(folder.root / "socket"):
        async with repo_client(folder) as client:
            await refuses_all(client, ["pipe", "socket"])
            assert await client.leaves() == ["a", "d/f"]
            await client.do("stage_all")
            assert client.status() == []
            assert await client.call("rename_file", "pipe", "p") == OK
            assert await client.call("delete_file", "p") == OK


async def refuses_all(client: RepoClient, names: list[str]) -> None:
    before = everything(client.folder)
    for name in names:
        for method in ("get_file_content", "get_file_base64", "write_file", "create_file"):
            said = await client.refusal(method, name, *(["x"] if method == "write_file" else []))
            assert f"'{name}'" in said
        assert await client.call("file_exists", name) is False
        assert await client.call("is_binary_file", name) is False
        assert await client.call("get_file_hash", name) is None
        assert "not a regular file" in await client.refusal("write_file", name, "x")
        assert "git knows no file" in await client.refusal("stage_files", [name])
    assert everything(client.folder) == before
