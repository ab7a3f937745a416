"""Addresses that are mapped from files."""

import mmap
from pathlib import Path

import numpy as np

from jupyter_ac.inspection.mapped_memory import is_file_mapped


def address(array: object) -> int:
    return int(np.asarray(array).ctypes.data)


def test_a_mapped_file_is_told_from_other_memory(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(bytes(2 * mmap.PAGESIZE))
    mapped = np.memmap(tmp_path / "file", dtype="u1", mode="r")
    anonymous = np.frombuffer(mmap.mmap(-1, mmap.PAGESIZE), dtype="u1")
    assert is_file_mapped(address(mapped)) is True
    assert is_file_mapped(address(mapped[mmap.PAGESIZE + 5 :])) is True
    assert is_file_mapped(address(np.zeros(10**6))) is False
    assert anonymous.size
    assert is_file_mapped(0) is False


def test_without_a_list_it_is_not_known(tmp_path: Path) -> None:
    assert is_file_mapped(0, tmp_path / "missing") is None


def test_a_line_of_the_list(tmp_path: Path) -> None:
    maps = tmp_path / "maps"
    maps.write_text(
        "1000-2000 rw-p 00000000 00:00 0 \n2000-3000 r--s 00000000 08:01 77   /a b/c (deleted)\n"
    )
    found = [is_file_mapped(at, maps) for at in (0x1FFF, 0x2000, 0x2FFF, 0x3000)]
    assert found == [False, True, True, False]
