import os
from pathlib import Path

import pytest

from jupyter_ac.chat.files import RepositoryFiles
from jupyter_ac.git.excluded_paths import NONE_EXCLUDED, ExcludedPaths
from jupyter_ac.git.repository import discover
from jupyter_ac.ids import RepoPath
from tests.support.exclusions import none_excluded
from tests.support.repositories import RepositoryFolder, make_repository

OLD_NS = 1_700_000_000_000_000_000
NOTEBOOK = (
    '{"cells": [{"cell_type": "code", "execution_count": 1, "metadata": {},'
    ' "outputs": [{"output_type": "stream", "name": "stdout", "text": "PRINTED"}],'
    ' "source": "x = 1"}], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
)


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    return make_repository(tmp_path / "repo", {"a.py": "x = 1\n", "b.md": "B\n"})


async def files_of(folder: RepositoryFolder) -> RepositoryFiles:
    return RepositoryFiles(await discover(folder.root), excluded=none_excluded)


def paths(*names: str) -> list[RepoPath]:
    return [RepoPath(name) for name in names]


def write_old(folder: RepositoryFolder, path: str, text: str) -> None:
    """Write a file that has not changed for a long time."""
    os.utime(folder.write(path, text), ns=(OLD_NS, OLD_NS))


async def test_files_come_back_whole_in_the_order_asked_for(folder: RepositoryFolder) -> None:
    reading = await (await files_of(folder)).read(paths("b.md", "a.py"))
    assert [file.block.text for file in reading.files] == [
        "b.md\n```\nB\n```\n",
        "a.py\n```\nx = 1\n```\n",
    ]
    assert reading.problems == ()


async def test_an_unchanged_file_is_not_read_again(folder: RepositoryFolder) -> None:
    write_old(folder, "a.py", "1")
    files = await files_of(folder)
    first = await files.read(paths("a.py"))
    assert (await files.read(paths("a.py"))).files[0] is first.files[0]


async def test_a_changed_file_is(folder: RepositoryFolder) -> None:
    files = await files_of(folder)
    for text in ("11", "22", "333"):
        folder.write("a.py", text)
        (file,) = (await files.read(paths("a.py"))).files
        assert f"\n{text}\n" in file.block.text


async def test_a_replaced_file_of_the_same_size_and_time_is_read_again(
    folder: RepositoryFolder,
) -> None:
    write_old(folder, "a.py", "1")
    files = await files_of(folder)
    await files.read(paths("a.py"))
    write_old(folder, "new", "2")
    (folder.root / "new").replace(folder.root / "a.py")
    assert "\n2\n" in (await files.read(paths("a.py"))).files[0].block.text


async def test_a_file_rewritten_with_its_old_size_and_time_is_read_again(
    folder: RepositoryFolder,
) -> None:
    files = await files_of(folder)
    write_old(folder, "a.py", "x = 1\n")
    await files.read(paths("a.py"))
    path = folder.root / "a.py"
    inode = path.stat().st_ino
    path.write_bytes(b"x = 2\n")
    os.utime(path, ns=(OLD_NS, OLD_NS))
    assert path.stat().st_ino == inode
    (file,) = (await files.read(paths("a.py"))).files
    assert "x = 2" in file.block.text


async def test_a_notebook_goes_out_as_percent_text_without_outputs(
    folder: RepositoryFolder,
) -> None:
    folder.write("n.ipynb", NOTEBOOK)
    (file,) = (await (await files_of(folder)).read(paths("n.ipynb"))).files
    assert "# %%" in file.block.text
    assert "x = 1" in file.block.text
    assert "PRINTED" not in file.block.text


async def test_what_cant_be_sent_is_reported_with_the_reason(folder: RepositoryFolder) -> None:
    folder.write("logo.png", b"\x89PNG\0\0")
    folder.write("broken.ipynb", "not a notebook")
    folder.write("large.txt", "x" * (10 * 1024 * 1024 + 1))
    (folder.root / "out").symlink_to("/etc/hostname")
    names = ["logo.png", "broken.ipynb", "large.txt", "out", "gone.py", ".git/config", "a.py"]
    reading = await (await files_of(folder)).read(paths(*names))
    assert [file.path for file in reading.files] == ["a.py"]
    assert [problem.path for problem in reading.problems] == names[:-1]
    assert [problem.is_binary for problem in reading.problems] == [True] + [False] * 5
    assert all(problem.message.startswith("Not sent: ") for problem in reading.problems)
    assert all(
        name in problem.message for name, problem in zip(names, reading.problems, strict=False)
    )
    assert str(folder.root) not in " ".join(problem.message for problem in reading.problems)


async def test_a_file_that_becomes_a_link_out_of_the_repository_is_not_read(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    write_old(folder, "a.py", "1")
    files = await files_of(folder)
    await files.read(paths("a.py"))
    secret = tmp_path / "secret"
    secret.write_text("2")
    os.utime(secret, ns=(OLD_NS, OLD_NS))
    (folder.root / "a.py").unlink()
    (folder.root / "a.py").symlink_to(secret)
    assert (await files.read(paths("a.py"))).files == ()


async def test_secrets_are_seen_in_name_and_text(folder: RepositoryFolder) -> None:
    folder.write(".env", "A=1\n")
    reading = await (await files_of(folder)).read(paths(".env", "a.py"))
    assert [len(file.warnings) for file in reading.files] == [1, 0]


async def test_only_files_are_known_in_one_spelling_each_once(folder: RepositoryFolder) -> None:
    folder.write("d/c.py")
    files = await files_of(folder)
    asked = ["d/c.py", "./a.py", "d", "gone", "../x", "/etc/passwd", ".git/config", 3, "a.py", ""]
    assert await files.known(asked) == ["d/c.py", "a.py"]


async def test_a_name_that_is_no_utf8_survives(folder: RepositoryFolder) -> None:
    folder.write("caf\udce9.py", "x\n")
    files = await files_of(folder)
    kept = await files.known(["caf\udce9.py"])
    assert kept == ["caf\udce9.py"]
    (file,) = (await files.read(kept)).files
    assert file.path == "caf\udce9.py"
    assert file.block.text.startswith("caf\\udce9.py\n")


async def test_the_cache_is_bounded(folder: RepositoryFolder) -> None:
    for name in ("a", "b", "c"):
        write_old(folder, name, name * 1000)
    files = RepositoryFiles(await discover(folder.root), excluded=none_excluded, cache_bytes=2500)
    first = await files.read(paths("a", "b", "c"))
    again = await files.read(paths("b", "c"))
    assert [file is known for file, known in zip(again.files, first.files[1:], strict=True)] == [
        True,
        True,
    ]
    assert (await files.read(paths("a"))).files[0] is not first.files[0]


async def test_a_link_is_warned_of_by_the_name_that_it_leads_to(folder: RepositoryFolder) -> None:
    folder.write(".env", "KEY=1\n")
    (folder.root / "notes.md").symlink_to(".env")
    (file,) = (await (await files_of(folder)).read(paths("notes.md"))).files
    assert file.warnings == ("By its name it contains environment settings.",)


async def test_links_to_excluded_files_are_known(folder: RepositoryFolder) -> None:
    folder.write("d/e.py", "1")
    for name, target in (("alias.py", "d/e.py"), ("out.py", "/etc/hostname"), ("ok.py", "a.py")):
        (folder.root / name).symlink_to(target)
    files, excluded = await files_of(folder), ExcludedPaths((RepoPath("d"),))
    asked = paths("alias.py", "out.py", "ok.py", "d/e.py", "gone.py", "review://summary", "../up")
    assert await files.links_to(asked, excluded) == ("alias.py",)
    assert await files.links_to(asked, NONE_EXCLUDED) == ()
