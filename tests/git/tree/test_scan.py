import os
from pathlib import Path

import pytest

from jupyter_ac.errors import GitError
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.status import GitStatus, parse
from jupyter_ac.git.tree import scan
from jupyter_ac.git.tree.disk import Disk
from jupyter_ac.git.tree.scan import (
    MAX_COUNTED_BYTES,
    MAX_PATHS,
    NOTHING,
    GitAnswers,
    LineCount,
    ask,
    ask_changed_lines,
    attribute_files,
    count_lines,
    read_list,
)
from tests.support.repositories import RepositoryFolder, make_repository, scripted_git
from tests.support.swapping import exchange_before_opening, folder_and_outside


async def _made(
    root: Path, files: dict[str, str | bytes] | None = None
) -> tuple[RepositoryFolder, Repository]:
    folder = make_repository(root, files)
    return folder, await discover(folder.root)


async def test_the_names_are_asked_for_again_only_when_the_index_is_another(tmp_path: Path) -> None:
    folder, repository = await _made(tmp_path / "r", {"a": "x"})
    answers, _ = await ask(repository, GitAnswers(), ())
    assert answers.tracked == b"a\0"
    pretended = GitAnswers(answers.config, answers.index, b"pretended\0", answers.status)
    again, _ = await ask(repository, pretended, ())
    assert again.tracked == b"pretended\0"
    folder.write("b")
    folder.git("add", "b")
    assert (await ask(repository, pretended, ()))[0].tracked == b"a\0b\0"


async def test_an_index_without_a_checksum_is_not_trusted_while_it_is_new(tmp_path: Path) -> None:
    folder, repository = await _made(tmp_path / "r", {"a": "x"})
    index = folder.root / ".git" / "index"
    index.write_bytes(index.read_bytes()[:-20] + bytes(20))
    assert (await ask(repository, GitAnswers(), ()))[0].index == ()


async def test_without_an_index_nothing_is_tracked(tmp_path: Path) -> None:
    _, repository = await _made(tmp_path / "r")
    answers, disk = await ask(repository, GitAnswers(), ["gone"])
    assert (answers.index, answers.tracked) == ((), b"")
    assert disk.existing() == set()


async def test_more_changed_files_than_are_named_are_compared_as_well(tmp_path: Path) -> None:
    names = [f"d/{number}" for number in range(MAX_PATHS + 1)]
    folder, repository = await _made(tmp_path / "r", dict.fromkeys([*names, "same"], "x\n"))
    for name in names:
        folder.write(name, "x\ny\n")
    for changed in (names, names[:3]):
        folder.git("add", *(name for name in names if name not in changed))
        answers, disk = await ask(repository, GitAnswers(), sorted([*names, "same"]))
        stats = await ask_changed_lines(repository, answers, parse(answers.status), disk)
        assert stats == {name: {"additions": 1, "deletions": 0} for name in names}


@pytest.mark.parametrize("count", [2, MAX_PATHS + 1])
async def test_what_git_cant_or_shouldnt_read_keeps_no_other_from_being_compared(
    tmp_path: Path, count: int
) -> None:
    names = [f"d/{number}" for number in range(count)]
    unread = ["d/hole", "d/pipe"]
    folder, repository = await _made(tmp_path / "r", dict.fromkeys([*names, *unread], "x\n"))
    for name in names:
        folder.write(name, "x\ny\n")
    os.truncate(folder.root / "d/hole", 1 << 40)
    (folder.root / "d/pipe").unlink()
    os.mkfifo(folder.root / "d/pipe")
    answers, disk = await ask(repository, GitAnswers(), sorted([*names, *unread]))
    stats = await ask_changed_lines(repository, answers, parse(answers.status), disk)
    assert stats == {name: {"additions": 1, "deletions": 0} for name in names}


async def test_of_many_long_files_the_lines_of_the_shortest_are_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "MAX_COMPARED_BYTES", 1000)
    names = [f"d/{number}" for number in range(9)]
    folder, repository = await _made(tmp_path / "r", dict.fromkeys(names, ""))
    for number, name in enumerate(names):
        folder.write(name, "y\n" * (number * 10))
    answers, disk = await ask(repository, GitAnswers(), names)
    stats = await ask_changed_lines(repository, answers, parse(answers.status), disk)
    assert stats is not None
    assert stats.keys() == set(names[1:10])
    folder.write("d/1", "y\n" * 300)
    answers, disk = await ask(repository, GitAnswers(), names)
    stats = await ask_changed_lines(repository, answers, parse(answers.status), disk)
    assert stats is not None
    assert stats.keys() == set(names[2:])


async def test_a_comparison_that_takes_too_long_doesnt_hide_the_tree(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scan, "_LINES_S", 0.1)
    folder, repository = await _made(tmp_path / "r", {"a": "x\n"})
    folder.write("a", "y\n")
    answers, disk = await ask(repository, GitAnswers(), ["a"])
    scripted_git(tmp_path / "bin", monkeypatch, "exec sleep 60")
    assert await ask_changed_lines(repository, answers, parse(answers.status), disk) is None


async def test_a_clean_tree_needs_no_comparison(tmp_path: Path) -> None:
    _, repository = await _made(tmp_path / "r", {"a": "x\n"})
    assert await ask_changed_lines(repository, GitAnswers(), GitStatus(), Disk()) == {}


async def test_the_attributes_of_a_changed_file_stand_in_known_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", "/x")
    _, repository = await _made(tmp_path / "r")
    config = b"global\0file:x\0core.attributesfile\n~/mine\0local\0file:y\0core.bare\nfalse\0"
    files = attribute_files(repository, GitAnswers(config), GitStatus(modified=["d/e/f", "g"]))
    assert files == [
        str(repository.git_dir / "info/attributes"),
        "/etc/gitattributes",
        "/x/git/attributes",
        f"{Path.home()}/mine",
        ".gitattributes",
        "d/.gitattributes",
        "d/e/.gitattributes",
    ]


async def test_what_git_refuses_is_said(tmp_path: Path) -> None:
    _, repository = await _made(tmp_path / "r")
    with pytest.raises(GitError, match="can't list"):
        await read_list(repository, ("ls-files", "--no-such-option"))


@pytest.mark.parametrize(
    ("content", "lines"),
    [(b"", 0), (b"x", 0), (b"x\n", 1), (b"x\r\n\ny", 2), (b"\n" * 3_000_000, 3_000_000)],
    ids=["empty", "no end", "one", "CRLF", "many"],
)
def test_line_ends_are_counted(tmp_path: Path, content: bytes, lines: int) -> None:
    place = tmp_path / "a"
    place.write_bytes(content)
    assert count_lines(str(tmp_path), "a") == LineCount(lines, is_binary=False)


def test_a_binary_file_has_no_lines(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\n\n\0")
    assert count_lines(str(tmp_path), "a") == LineCount(0, is_binary=True)


def test_links_pipes_folders_and_what_is_gone_have_no_lines(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("x\n")
    (tmp_path / "link").symlink_to("target")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/file").write_text("x\n")
    (tmp_path / "linked").symlink_to("folder")
    for name in ("link", "pipe", ".", "gone", "linked/file"):
        assert count_lines(str(tmp_path), name) == NOTHING


def test_a_very_long_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "long").open("wb") as file:
        file.write(b"x\n" * 10000)
        file.truncate(MAX_COUNTED_BYTES + 1)
        file.seek(0)
    assert count_lines(str(tmp_path), "long").lines == 0


def test_a_file_that_does_not_tell_its_size_is_read_to_its_end() -> None:
    lines = count_lines("/proc", f"{os.getpid()}/status")
    assert lines.lines > 10


def test_a_folder_that_is_exchanged_with_a_link_leads_nowhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, outside = folder_and_outside(tmp_path)
    exchange_before_opening(monkeypatch, folder, outside)
    assert count_lines(str(folder.parent), "folder/file.py") == NOTHING
