"""Whatever is in a file comes back as it is, or is refused; what is beside its content stays."""

import base64
import os
import stat
from pathlib import Path

import pytest

from tests.support.ugly import OK, repo_client, ugly
from tests.support.ugly_files import BINARY, DAMAGED, TEXTS


async def test_every_text_comes_back_byte_for_byte(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", dict(TEXTS))
    async with repo_client(folder) as client:
        for name, data in TEXTS.items():
            text = await client.text("get_file_content", name)
            assert text.encode() == data, name
            assert await client.call("get_file_content", name, "HEAD") == text, name
            assert await client.call("is_binary_file", name) is False, name
            uri = str((await client.fields("get_file_base64", name))["data_uri"])
            assert base64.b64decode(uri.partition(",")[2]) == data, name
            seen = await client.text("get_file_hash", name)
            written = await client.fields("write_file", name, text, seen)
            assert written["hash"] == seen, name
            assert (folder.root / name).read_bytes() == data, name
            if name != "largest":
                await client.do("write_file", name, f"{text}é", seen)
                assert (folder.root / name).read_bytes() == data + "é".encode(), name
        assert client.status() == [f" M {name}" for name in sorted(TEXTS) if name != "largest"]
        assert await client.call("discard_changes", list(TEXTS)) == OK
        for name, data in TEXTS.items():
            assert (folder.root / name).read_bytes() == data, name


async def test_what_is_no_utf8_is_shown_as_far_as_it_goes_and_never_written(
    tmp_path: Path,
) -> None:
    files = DAMAGED | BINARY
    folder = ugly(tmp_path / "r", dict(files))
    async with repo_client(folder) as client:
        for name, data in DAMAGED.items():
            text = await client.text("get_file_content", name)
            assert text == data.decode("utf-8", "replace")
            assert "\ufffd" in text
            assert await client.call("get_file_content", name, "HEAD") == text
            assert await client.call("is_binary_file", name) is False
            said = await client.refusal("write_file", name, text)
            assert "not valid UTF-8" in said
        for name in BINARY:
            assert "binary" in await client.refusal("get_file_content", name)
            assert "binary" in await client.refusal("get_file_content", name, "HEAD")
            assert await client.call("is_binary_file", name) is True
        for name, data in files.items():
            seen = await client.text("get_file_hash", name)
            for args in (("text\n",), ("text\n", seen)):
                said = await client.refusal("write_file", name, *args)
                assert "UTF-8" in said or "binary" in said
            assert (folder.root / name).read_bytes() == data
            uri = str((await client.fields("get_file_base64", name))["data_uri"])
            assert base64.b64decode(uri.partition(",")[2]) == data
        assert client.status() == []


async def test_every_content_can_be_staged_committed_and_thrown_back(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    files = TEXTS | DAMAGED | BINARY
    for name, data in files.items():
        folder.write(name, data)
    async with repo_client(folder) as client:
        assert await client.call("stage_files", list(files)) == OK
        await client.do("commit", "all")
        for name in files:
            folder.write(name, b"other\n")
        assert await client.call("discard_changes", list(files)) == OK
        assert {name: (folder.root / name).read_bytes() for name in files} == files
        assert client.status() == []


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o444, 0o640, 0o700])
async def test_a_file_keeps_its_mode_when_it_is_written_or_renamed(
    tmp_path: Path, mode: int
) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    place = folder.root / "a"
    place.chmod(mode)
    if not os.access(place, os.W_OK):
        place.chmod(mode | stat.S_IWUSR)
        mode |= stat.S_IWUSR
    async with repo_client(folder) as client:
        await client.do("write_file", "a", "2\n")
        assert stat.S_IMODE(place.stat().st_mode) == mode
        await client.do("rename_file", "a", "b/c")
        assert stat.S_IMODE((folder.root / "b/c").stat().st_mode) == mode
        await client.do("stage_files", ["b/c"])
        expected = "100755" if mode & 0o100 else "100644"
        assert folder.git("ls-files", "--stage", "b/c").startswith(expected)


async def test_a_mode_that_was_changed_is_staged_alone_and_thrown_back(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n", "b": "1\n"})
    for name in ("a", "b"):
        (folder.root / name).chmod(0o755)
    async with repo_client(folder) as client:
        await client.do("stage_files", ["a"])
        assert client.status() == ["M  a", " M b"]
        await client.do("discard_changes", ["a", "b"])
        assert client.status() == []
        assert not os.access(folder.root / "a", os.X_OK)


async def test_another_name_of_the_same_file_keeps_the_old_bytes(tmp_path: Path) -> None:
    """A write puts a new file in the place of one name; hard links are copies from then on."""
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    (folder.root / "same").hardlink_to(folder.root / "a")
    async with repo_client(folder) as client:
        await client.do("write_file", "a", "2\n")
        assert await client.call("get_file_content", "same") == "1\n"
        assert await client.call("get_file_content", "a") == "2\n"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
async def test_a_file_stays_its_owners(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    os.chown(folder.root / "a", 12345, 23456)
    async with repo_client(folder) as client:
        await client.do("write_file", "a", "2\n")
    found = (folder.root / "a").stat()
    assert (found.st_uid, found.st_gid) == (12345, 23456)


async def test_content_that_is_no_text_is_refused_before_anything_is_made(tmp_path: Path) -> None:
    folder = ugly(tmp_path / "r", {"a": "1\n"})
    async with repo_client(folder) as client:
        for content in ("\0", "half \ud800", "x" * (10 * 1024 * 1024 + 1)):
            for name, path in (("write_file", "a"), ("create_file", "new/b")):
                assert await client.refusal(name, path, content)
        assert client.status() == []
        assert not (folder.root / "new").exists()
