import os
import shutil
import time
from pathlib import Path

import pytest

from jupyter_ac.git.tree.disk import (
    COARSE_GRAIN_S,
    GRAIN_S,
    Disk,
    changed,
    is_unsettled,
    stat_files,
    with_names,
)


def _fill(root: Path, count: int) -> list[str]:
    names = [f"{number:04d}" for number in range(count)]
    for name in names:
        (root / name).write_text(name)
    return names


def test_what_lstat_says_is_found_under_each_name(tmp_path: Path) -> None:
    names = [*_fill(tmp_path, 2), "gone", "link"]
    (tmp_path / "link").symlink_to("0000")
    disk = stat_files(tmp_path, names)
    for at, name in enumerate(names):
        if name == "gone":
            assert disk[at].mode == 0
            continue
        found = (tmp_path / name).lstat()
        assert disk[at] == (
            found.st_mtime,
            found.st_ctime,
            found.st_size,
            found.st_ino,
            found.st_mode,
        )
    assert disk.existing() == {"0000", "0001", "link"}


def test_times_and_sizes_of_every_size_are_kept(tmp_path: Path) -> None:
    for name, seconds in (("past", -1), ("future", 2**35)):
        (tmp_path / name).write_text("x")
        os.utime(tmp_path / name, (seconds, seconds))
    with (tmp_path / "long").open("wb") as file:
        file.truncate(2**40)
    disk = stat_files(tmp_path, ["past", "long", "future"])
    assert disk[0].mtime == (tmp_path / "past").stat().st_mtime
    assert disk[1].size == 2**40
    assert disk[2].mtime == (tmp_path / "future").stat().st_mtime


def test_a_folder_that_is_gone_holds_nothing(tmp_path: Path) -> None:
    (tmp_path / "r").mkdir()
    names = _fill(tmp_path / "r", 3)
    shutil.rmtree(tmp_path / "r")
    assert stat_files(tmp_path / "r", names).existing() == set()


@pytest.mark.parametrize("count", [1, 255, 256, 257, 1000])
def test_exactly_what_differs_is_named(tmp_path: Path, count: int) -> None:
    names = _fill(tmp_path, count)
    before = stat_files(tmp_path, names)
    assert changed(before, stat_files(tmp_path, names)) == set()
    picked = {names[0], names[count // 2], names[-1]}
    for name in picked:
        (tmp_path / name).write_text("another size")
    assert changed(before, stat_files(tmp_path, names)) == picked


def test_names_that_came_and_went_differ(tmp_path: Path) -> None:
    names = _fill(tmp_path, 10)
    before = stat_files(tmp_path, names)
    (tmp_path / names[3]).write_text("another size")
    after = with_names(tmp_path, stat_files(tmp_path, names), [*names[2:], "new"])
    assert changed(before, after) == {names[0], names[1], names[3], "new"}
    assert changed(Disk(), before) == set(names)


def test_only_names_that_are_new_are_looked_at_when_they_are_rearranged(tmp_path: Path) -> None:
    names = _fill(tmp_path, 3)
    disk = stat_files(tmp_path, names)
    for name in names:
        (tmp_path / name).unlink()
    (tmp_path / "new").write_text("x")
    assert with_names(tmp_path, disk, ["0001", "new"]).existing() == {"0001", "new"}


def test_a_file_is_restless_for_one_grain_of_the_clock(tmp_path: Path) -> None:
    names = _fill(tmp_path, 1)
    now = (tmp_path / names[0]).stat().st_ctime
    assert is_unsettled(now, now + GRAIN_S / 2)
    assert not is_unsettled(1000.5, 1000.5 + 2 * GRAIN_S)
    assert is_unsettled(1000.0, 1000.0 + COARSE_GRAIN_S / 2)
    assert not is_unsettled(1000.0, 1000.0 + 2 * COARSE_GRAIN_S)
    assert is_unsettled(now + 1000, now)


def test_the_restless_are_those_that_have_just_changed(tmp_path: Path) -> None:
    names = _fill(tmp_path, 2)
    while stat_files(tmp_path, names).unsettled:
        assert time.time() - (tmp_path / names[1]).stat().st_ctime < 2 * COARSE_GRAIN_S
    (tmp_path / names[0]).write_text("again")
    assert stat_files(tmp_path, names).unsettled == {names[0]}
