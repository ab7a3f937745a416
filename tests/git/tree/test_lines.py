import os
from pathlib import Path

import pytest

from jupyter_ac.git.tree.lines import MAX_COUNTED_BYTES, NOTHING, LineCount, count_lines
from tests.support.swapping import exchange_before_opening, folder_and_outside


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
