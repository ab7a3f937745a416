"""Bytes outside the memory."""

import os
from array import array
from pathlib import Path

import pytest

from jupyter_ac.index.graph import spill_file
from jupyter_ac.index.graph.spill_file import SpillFile


@pytest.fixture(params=["memory", "disk", "broken"])
def kept(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> SpillFile:
    monkeypatch.setattr(spill_file, "_TAIL_BYTES", 8)
    (tmp_path / "file").write_text("")
    folder = {"memory": None, "disk": tmp_path / "new", "broken": tmp_path / "file"}
    return SpillFile(folder[request.param])


def test_pieces_come_back_as_they_were_put_last(kept: SpillFile) -> None:
    for number, data in ((0, b"fern"), (2, b"a garden bed"), (1, b"moss"), (0, b"other")):
        kept.put(number, data)
    kept.put(1, b"")
    assert list(kept.pieces()) == [b"other", b"", b"a garden bed"]
    assert kept.read(2, 2, 8) == b"garden"
    assert kept.read(2, 9) == b"bed"
    assert kept.read(7) == b""
    kept.close()


def test_it_goes_on_in_another_file(kept: SpillFile, tmp_path: Path) -> None:
    kept.put(0, b"old")
    (tmp_path / "base").write_bytes(b"fernmoss and more")
    kept.move(os.open(tmp_path / "base", os.O_RDONLY), array("I", (4, 0, 4)))
    kept.put(1, b"a garden bed")
    kept.put(0, b"new")
    assert list(kept.pieces()) == [b"new", b"a garden bed", b"moss"]
    kept.close()


def test_a_file_that_is_too_short_is_an_error(kept: SpillFile, tmp_path: Path) -> None:
    (tmp_path / "base").write_bytes(b"fer")
    kept.move(os.open(tmp_path / "base", os.O_RDONLY), array("I", (4,)))
    with pytest.raises(OSError, match="missing"):
        kept.read(0)
    kept.close()
