import os
import time
from pathlib import Path

from jupyter_ac.git.lines import MAX_COUNTED_BYTES, LineCount, LineCounts


def a_minute_later() -> int:
    return time.time_ns() + 60_000_000_000


def _count(counts: LineCounts, place: Path) -> LineCount:
    return counts.count(str(place), place.lstat())


def test_line_ends_are_counted(tmp_path: Path) -> None:
    place = tmp_path / "a"
    for content, lines in (
        (b"", 0),
        (b"x", 0),
        (b"x\n", 1),
        (b"x\r\n\ny", 2),
        (b"\n" * 3000000, 3000000),
    ):
        place.write_bytes(content)
        assert _count(LineCounts(), place) == LineCount(lines, is_binary=False)


def test_a_binary_file_has_no_lines(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"\n\n\0")
    assert _count(LineCounts(), tmp_path / "a") == LineCount(0, is_binary=True)


def test_links_pipes_and_what_is_gone_have_no_lines(tmp_path: Path) -> None:
    (tmp_path / "target").write_text("x\n")
    (tmp_path / "link").symlink_to("target")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "gone").write_text("x\n")
    found = (tmp_path / "gone").lstat()
    (tmp_path / "gone").unlink()
    counts = LineCounts()
    assert _count(counts, tmp_path / "link").lines == 0
    assert _count(counts, tmp_path / "pipe").lines == 0
    assert counts.count(str(tmp_path / "gone"), found).lines == 0


def test_a_very_long_file_is_not_read(tmp_path: Path) -> None:
    with (tmp_path / "long").open("wb") as file:
        file.write(b"x\n" * 10000)
        file.truncate(MAX_COUNTED_BYTES + 1)
    assert _count(LineCounts(), tmp_path / "long").lines == 0


def test_a_file_that_stays_the_same_is_read_once(tmp_path: Path) -> None:
    place = tmp_path / "a"
    place.write_bytes(b"x\n")
    found = place.lstat()
    counts = LineCounts(a_minute_later)
    assert counts.count(str(place), found).lines == 1
    place.unlink()
    assert counts.count(str(place), found).lines == 1
    counts.keep_only(set())
    assert counts.count(str(place), found).lines == 0


def test_a_change_is_seen_however_quickly_it_follows(tmp_path: Path) -> None:
    place = tmp_path / "a"
    counts = LineCounts()
    for content, lines in ((b"a\nb\n", 2), (b"abc\n", 1), (b"\n\n\n\n", 4), (b"abcd", 0)):
        place.write_bytes(content)
        assert _count(counts, place).lines == lines


def test_what_is_still_wanted_is_kept(tmp_path: Path) -> None:
    counts = LineCounts(a_minute_later)
    found = {}
    for name in "ab":
        (tmp_path / name).write_text("x\n")
        found[name] = (tmp_path / name).lstat()
        counts.count(str(tmp_path / name), found[name])
        (tmp_path / name).unlink()
    counts.keep_only({str(tmp_path / "a")})
    assert counts.count(str(tmp_path / "a"), found["a"]).lines == 1
    assert counts.count(str(tmp_path / "b"), found["b"]).lines == 0
