import hashlib
import os
from pathlib import Path

import pytest

from jupyter_ac.errors import BinaryFile, InvalidParams, NotFound, RefusedPath, TooLarge
from jupyter_ac.git.files import (
    MAX_FILE_BYTES,
    exists,
    file_hash,
    is_binary,
    read_bytes,
    read_text,
)
from jupyter_ac.git.repository import discover
from tests.support.repositories import make_repository

ODD = b"\xef\xbb\xbfone\r\ntwo\rthree\n\nlast"


async def test_text_keeps_line_ends_mark_and_missing_last_line_end(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"a": ODD}).root)
    for version in (None, "", "HEAD", "main"):
        assert (await read_text(repository, "a", version)).encode() == ODD


async def test_bytes_that_are_no_text_show_as_replacement_characters(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"a": b"caf\xe9\n"}).root)
    assert await read_text(repository, "a") == "caf\ufffd\n"
    assert await read_text(repository, "a", "HEAD") == "caf\ufffd\n"
    assert await read_bytes(repository, "a") == b"caf\xe9\n"


@pytest.mark.parametrize(
    ("content", "binary"),
    [
        (b"", False),
        (b"text", False),
        (b"\0", True),
        (b"x" * 8191 + b"\0", True),
        (b"x" * 8192 + b"\0", False),
        ("text".encode("utf-16"), True),
    ],
)
async def test_a_nul_in_the_first_8_kib_makes_a_file_binary(
    tmp_path: Path, content: bytes, *, binary: bool
) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"a": content}).root)
    assert await is_binary(repository, "a") is binary
    for version in (None, "HEAD"):
        if binary:
            with pytest.raises(BinaryFile, match="'a' is a binary file"):
                await read_text(repository, "a", version)
        else:
            assert await read_text(repository, "a", version) == content.decode()


async def test_a_version_is_read_as_it_was(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/a": "old\n"})
    first = folder.git("rev-parse", "HEAD")
    folder.git("tag", "-a", "v1", "-m", "tag")
    folder.write("d/a", "new\n")
    folder.commit()
    (folder.root / "d" / "a").unlink()
    repository = await discover(folder.root)
    for version in (first, first[:8], "v1", "HEAD~1", "main^"):
        assert await read_text(repository, "d/a", version) == "old\n"
    assert await read_text(repository, "d\\a", "HEAD") == "new\n"


async def test_every_odd_name_can_be_read(tmp_path: Path) -> None:
    names = [
        "ünï",
        "q\"uo'te",
        "new\nline",
        "-lead",
        "l\udce9",
        "a b",
        ":x",
        "b\\s",
        "*",
        "--output=x",
    ]
    folder = make_repository(
        tmp_path / "r", {name: f"{index}\n" for index, name in enumerate(names)}
    )
    repository = await discover(folder.root)
    for index, name in enumerate(names):
        assert await read_text(repository, name) == f"{index}\n"
        assert await read_text(repository, name, "HEAD") == f"{index}\n"
        assert await exists(repository, name)
    assert {place.name for place in folder.root.iterdir()} == {".git", *names}


async def test_what_is_missing_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/a": "x"})
    repository = await discover(folder.root)
    with pytest.raises(NotFound, match="no file 'nowhere'"):
        await read_text(repository, "nowhere")
    with pytest.raises(NotFound, match="not a file"):
        await read_text(repository, "d")
    with pytest.raises(NotFound, match="no file 'nowhere' in 'HEAD'"):
        await read_text(repository, "nowhere", "HEAD")
    with pytest.raises(NotFound, match="No commit is called 'unborn'"):
        await read_text(repository, "d/a", "unborn")
    with pytest.raises(NotFound):
        await read_text(repository, "d", "HEAD")


@pytest.mark.parametrize("version", ["--output=stolen", "-x"])
async def test_a_version_that_is_an_option_is_a_name_that_nothing_has(
    tmp_path: Path, version: str
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    with pytest.raises(NotFound, match=version):
        await read_text(await discover(folder.root), "a", version)
    assert sorted(path.name for path in folder.root.iterdir()) == [".git", "a"]


@pytest.mark.parametrize("version", [" ", "a\0b", "x" * 2000])
async def test_a_version_that_no_commit_can_have_is_refused(tmp_path: Path, version: str) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    with pytest.raises(InvalidParams):
        await read_text(await discover(folder.root), "a", version)
    assert sorted(path.name for path in folder.root.iterdir()) == [".git", "a"]


async def test_a_version_of_a_repository_without_commits_is_not_found(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.write("a", "x")
    with pytest.raises(NotFound):
        await read_text(await discover(folder.root), "a", "HEAD")


async def test_a_file_over_the_limit_is_refused(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"big": b"x" * (MAX_FILE_BYTES + 1)})
    repository = await discover(folder.root)
    for version in (None, "HEAD"):
        with pytest.raises(TooLarge, match="'big' is longer than 10 MiB"):
            await read_text(repository, "big", version)


async def test_paths_out_of_the_repository_are_refused(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    (folder.root / "link").symlink_to("/etc/passwd")
    (folder.root / "config").symlink_to(".git/config")
    repository = await discover(folder.root)
    for path in ("/etc/passwd", "../x", ".git/config", "link", "config"):
        for version in (None, "HEAD"):
            with pytest.raises(RefusedPath):
                await read_text(repository, path, version)


async def test_questions_about_a_path_never_raise(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"d/a": b"\0"})
    (folder.root / "link").symlink_to("/etc/passwd")
    (folder.root / "inside").symlink_to("d/a")
    os.mkfifo(folder.root / "pipe")
    repository = await discover(folder.root)
    for path in (
        "",
        "..",
        "/etc/passwd",
        ".git/config",
        "link",
        "pipe",
        "d",
        "no",
        "\0",
        "x" * 5000,
    ):
        assert await exists(repository, path) is False
        assert await is_binary(repository, path) is False
    assert await exists(repository, "inside") is True
    assert await is_binary(repository, "inside") is True


async def test_the_hash_of_a_file_is_that_of_its_bytes(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.write("a", b"\xff\r\n")
    repository = await discover(folder.root)
    assert await file_hash(repository, "a") == hashlib.sha256(b"\xff\r\n").hexdigest()
    assert await file_hash(repository, "gone") is None
    with pytest.raises(RefusedPath):
        await file_hash(repository, ".git/config")
    folder.write("large", b"x" * (MAX_FILE_BYTES + 1))
    with pytest.raises(TooLarge):
        await file_hash(repository, "large")
