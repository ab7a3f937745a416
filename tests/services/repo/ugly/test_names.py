"""Every name that git takes, by every method; no name ever means another file."""

import base64
import hashlib
from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from tests.support.repositories import RepositoryFolder
from tests.support.ugly import OK, RepoClient, repo_client, ugly
from tests.support.ugly_files import CLOSED, NAMES

ALL = sorted(NAMES)
TEXT = "1 find me\n"


def text_of(name: str) -> str:
    return f"{TEXT}{hashlib.sha256(name.encode('utf-8', 'surrogateescape')).hexdigest()}\n"


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """A repository whose files nobody has staged yet."""
    folder = ugly(tmp_path / "r")
    for name in NAMES:
        folder.write(name, text_of(name))
    return folder


async def state(client: RepoClient) -> tuple[object, ...]:
    tree = await client.fields("get_file_tree")
    return tuple(tree[key] for key in ("untracked", "staged", "modified", "deleted"))


async def test_every_name_is_listed_read_and_found(folder: RepositoryFolder) -> None:
    async with repo_client(folder) as client:
        assert await state(client) == (ALL, [], [], [])
        assert await client.leaves() == ALL
        assert await client.files() == [name for name in ALL if "\n" not in name]
        assert sorted(map(str, await client.found("find me"))) == ALL
        for name in NAMES:
            data = text_of(name).encode()
            assert await client.call("get_file_content", name) == text_of(name)
            assert await client.call("file_exists", name) is True
            assert await client.call("is_binary_file", name) is False
            assert await client.call("get_file_hash", name) == hashlib.sha256(data).hexdigest()
            uri = str((await client.fields("get_file_base64", name))["data_uri"])
            assert base64.b64decode(uri.partition(",")[2]) == data


async def test_every_name_is_staged_alone_and_read_from_its_commit(
    folder: RepositoryFolder,
) -> None:
    async with repo_client(folder) as client:
        assert await client.call("stage_files", NAMES) == OK
        assert await state(client) == ([], ALL, [], [])
        tree = await client.fields("get_file_tree")
        assert tree["diff_stats"] == {name: {"additions": 2, "deletions": 0} for name in ALL}
        assert (await client.text("get_staged_diff")).count("diff --git ") == len(ALL)
        assert await client.call("unstage_files", NAMES) == OK
        assert await state(client) == (ALL, [], [], [])
        await client.do("stage_all")
        await client.do("commit", "all")
        assert await state(client) == ([], [], [], [])
        for name in NAMES:
            assert await client.call("get_file_content", name, "HEAD") == text_of(name)


async def test_every_name_is_written_thrown_back_removed_and_restored(
    folder: RepositoryFolder,
) -> None:
    folder.commit()
    async with repo_client(folder) as client:
        for name in NAMES:
            seen = await client.text("get_file_hash", name)
            written = await client.fields("write_file", name, "2\n", seen)
            assert written["path"] == name
            assert "already" in await client.refusal("create_file", name, "3\n")
        assert await state(client) == ([], [], ALL, [])
        assert await client.call("discard_changes", NAMES) == OK
        assert await state(client) == ([], [], [], [])
        for name in NAMES:
            assert await client.call("delete_file", name) == OK
        assert await state(client) == ([], [], [], ALL)
        assert await client.call("discard_changes", NAMES) == OK
        assert await state(client) == ([], [], [], [])
        assert sorted(map(str, await client.found("find me"))) == ALL


async def test_every_name_is_renamed_and_comes_back_under_its_folder(
    folder: RepositoryFolder,
) -> None:
    folder.commit()
    plain = {name: f"moved/{at}/f" for at, name in enumerate(ALL)}
    async with repo_client(folder) as client:
        for name, new in plain.items():
            assert await client.call("rename_file", name, new) == OK
        assert await client.leaves() == sorted(plain.values())
        assert (await state(client))[1] == sorted([*ALL, *plain.values()])
        for name in ALL:  # back; a name that is gone from disk is still git's
            assert await client.call("rename_file", plain[name], name) == OK
        assert await state(client) == ([], [], [], [])


@pytest.mark.parametrize("name", ["back\\slash", "d/\\b", "\\lead", "end\\", "a:b", "..."])
async def test_a_deleted_name_never_means_another_file(tmp_path: Path, name: str) -> None:
    other = name.replace("\\", "/").strip("/").replace("//", "/")
    folder = ugly(tmp_path / "r", {name: "mine\n", "keep": "1\n"})
    if other != name:
        folder.write(other, "theirs\n")
        folder.commit()
        folder.write(other, "edited\n")
    (folder.root / name).unlink()
    edited = [f" M {other}"] if other != name else []

    async with repo_client(folder) as client:
        assert await client.text("get_file_content", name, "HEAD") == "mine\n"
        assert await client.call("file_exists", name) is False
        assert await client.call("stage_files", [name]) == OK
        assert client.status() == sorted([f"D  {name}", *edited], key=lambda line: line[3:])
        assert await client.call("unstage_files", [name]) == OK
        assert "There is no file" in await client.refusal("delete_file", name)
        assert "There is no file" in await client.refusal("rename_file", name, "new")
        assert await client.call("discard_changes", [name]) == OK
        assert client.status() == edited
        assert (folder.root / name).read_text() == "mine\n"
        (folder.root / name).unlink()
        assert (await client.fields("create_file", name, "again\n"))["path"] == name
        assert client.status() == sorted([f" M {name}", *edited], key=lambda line: line[3:])


async def test_a_backslash_separates_where_no_file_has_one(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"d/e/f": "1\n"})
    async with repo_client(folder) as client:
        assert await client.call("get_file_content", "d\\e\\f") == "1\n"
        assert await client.call("get_file_content", "d\\e\\f", "HEAD") == "1\n"
        assert (await client.fields("write_file", "d\\new", "x"))["path"] == "d/new"
        assert await client.call("rename_file", "d\\new", "d\\newer") == OK
        assert await client.call("discard_changes", ["d\\newer"]) == OK
        assert client.status() == []


SHAPES = (
    *("", ".", "./", "/", "//", "..", "../r/a", "x/../a", "/a", "\\a", "C:/a", "c:a", "c:"),
    *("a\0b", "\ud800", "x/\udfff", ".git", ".git/HEAD", "./.git/config", "x/.git/y", *CLOSED),
    "x/" * 3000,
)
PATHS_ALONE = (
    *("get_file_content", "get_file_hash", "get_file_base64", "write_file", "create_file"),
    *("delete_file", "stage_files", "unstage_files", "discard_changes", "get_review_file_diff"),
    *("rename_file", "rename_directory"),
)


async def refused(client: RepoClient, name: str, *args: object) -> None:
    with pytest.raises(RemoteError) as caught:
        await client.call(name, *args)
    assert caught.value.remote_type == "refused_path", (name, args)


async def test_a_path_that_leads_nowhere_is_refused_by_every_method(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n", "x/b": "1\n"})
    async with repo_client(folder) as client:
        for path in SHAPES:
            for name in PATHS_ALONE:
                more = {"write_file": ["x"], "rename_file": ["new"], "rename_directory": ["new"]}
                lists = name.endswith(("_files", "_changes"))
                await refused(client, name, [path] if lists else path, *more.get(name, []))
            await refused(client, "rename_file", "a", path)
            await refused(client, "get_file_content", path, "HEAD")
            assert await client.call("file_exists", path) is False
            assert await client.call("is_binary_file", path) is False
        assert client.status() == []
        assert sorted(child.name for child in folder.root.iterdir()) == [".git", "a", "x"]


@pytest.mark.parametrize("path", ["./a", ".//a", "a/", "././a/."])
async def test_a_path_has_many_spellings_and_one_file(tmp_path: Path, path: str) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    async with repo_client(folder) as client:
        assert await client.call("get_file_content", path) == "1\n"
        assert await client.call("get_file_content", path, "HEAD") == "1\n"
        folder.write("a", "2\n")
        assert await client.call("stage_files", [path, "a"]) == OK
        assert client.status() == ["M  a"]
        assert await client.call("discard_changes", [path]) == OK
        assert "already" in await client.refusal("rename_file", "a", path)
        assert await client.call("delete_file", path) == OK
        assert client.status() == [" D a"]


async def test_what_git_does_not_take_spares_the_others(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    for name in (".GIT", ".git ", "git~1"):
        folder.write(name, "x\n")
    folder.write("b", "1\n")
    async with repo_client(folder) as client:
        await client.do("stage_all")
        await client.do("commit", "b")
        assert folder.git("ls-files").split("\n") == ["a", "b"]


async def test_a_long_name_a_long_path_and_a_deep_one(tmp_path: Path) -> None:
    room = 4095 - len(str(tmp_path / "r/"))
    deep, long = "/".join(["d"] * 200), "/".join(["n" * 99] * (room // 100))
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    async with repo_client(folder) as client:
        for path in (f"{deep}/f", long):
            assert (await client.fields("create_file", path, "find me\n"))["path"] == path
            assert await client.call("get_file_content", path) == "find me\n"
            assert await client.call("stage_files", [path]) == OK
        assert await client.leaves() == sorted(["a", f"{deep}/f", long])
        assert await client.files() == sorted(["a", f"{deep}/f", long])
        await client.do("commit", "deep")
        assert sorted(map(str, await client.found("find me"))) == sorted([f"{deep}/f", long])
        assert await client.call("rename_directory", "d", "e") == OK
        assert await client.call("rename_file", long, "short") == OK
        assert not (folder.root / ("n" * 99)).exists()
        assert await client.call("rename_file", "short", long) == OK
        assert await client.call("discard_changes", ["e"]) == OK
        assert client.status() == []
        assert await client.call("file_exists", f"{long}/{'x' * 99}") is False
        await refused(client, "create_file", f"{long}/{'x' * 99}")  # with the folders above it
        for name in ("create_file", "rename_file", "get_file_content", "delete_file"):
            first = ["a"] if name == "rename_file" else []
            said = await client.refusal(name, *first, "y" * 256)
            assert "too long" in said or "There is no file" in said, said
        assert client.status() == []
