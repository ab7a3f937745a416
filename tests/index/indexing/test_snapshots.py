import os
import pickle
import struct
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.record_codec import seal
from jupyter_ac.index.graph.state import LoadedIndex
from jupyter_ac.index.indexing import snapshots
from jupyter_ac.index.indexing.ingest import IngestTarget
from jupyter_ac.index.indexing.scan import ScannedFile
from jupyter_ac.index.indexing.snapshots import UNUSED_DAYS, Snapshots
from jupyter_ac.index.parsing import parse

A, B = RepoPath("garden/bed.py"), RepoPath("garden/fern.py")


def small_index() -> IngestTarget:
    state = LoadedIndex()
    for path, text in ((A, b"class Bed: ...\n"), (B, b"from garden.bed import Bed\nBed()\n")):
        state.put(path, path, seal(parse("python", text)))
    state.update()
    return IngestTarget(
        state, {A: ScannedFile("1", "python", 2), B: ScannedFile("2", "python", 3, (4, 5))}
    )


def snapshots_in(folder: Path, root: str = "/tree") -> Snapshots:
    return Snapshots(folder / "index-1.sqlite", root)


def test_an_index_is_what_it_was_and_goes_on(tmp_path: Path) -> None:
    index = small_index()
    snapshots_in(tmp_path).save(index)
    found = snapshots_in(tmp_path).load()
    assert found is not None
    assert found.seen == index.seen
    assert found.state.generation == index.state.generation
    assert found.state.sources(A) == index.state.sources(A) != {}
    assert found.state.record(A) == index.state.record(A)
    found.state.remove(B)
    found.state.update()
    assert not found.state.sources(A)


def test_another_tree_has_another_snapshot(tmp_path: Path) -> None:
    snapshots_in(tmp_path).save(small_index())
    assert snapshots_in(tmp_path, "/other").load() is None
    assert snapshots_in(tmp_path).path.stat().st_mode & 0o077 == 0


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def emptied(path: Path) -> None:
    path.write_bytes(b"")


def foreign(path: Path) -> None:
    path.write_text("a diary, by mistake")


def whole(data: bytes) -> bytes:
    return data + struct.pack("=QI", 0, zlib.crc32(data))


def of_other_things(path: Path) -> None:
    path.write_bytes(whole(pickle.dumps({"no": "index"})))


@pytest.mark.parametrize("harm", [cut, flipped, emptied, foreign, of_other_things])
def test_a_damaged_snapshot_is_none(tmp_path: Path, harm: Callable[[Path], None]) -> None:
    kept = snapshots_in(tmp_path)
    kept.save(small_index())
    harm(kept.path)
    assert kept.load() is None
    kept.save(small_index())
    assert kept.load() is not None


class Trap:
    def __reduce__(self) -> tuple[object, ...]:
        return os.mkdir, ("trapped",)


class Winding:
    def __reduce__(self) -> tuple[object, ...]:
        return snapshots.Snapshots._remove, (Path("trapped"),)


@pytest.mark.parametrize("trap", [Trap(), Winding()])
def test_a_snapshot_makes_nothing_but_an_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trap: object
) -> None:
    monkeypatch.chdir(tmp_path)
    kept = snapshots_in(tmp_path)
    data = pickle.dumps(trap)
    kept.path.write_bytes(whole(data))
    (tmp_path / "kept").mkdir()
    assert kept.load() is None
    assert not kept.path.exists()
    assert not (tmp_path / "trapped").exists()


def test_a_place_that_takes_nothing_costs_only_the_snapshot(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    kept = snapshots_in(tmp_path / "file")
    kept.save(small_index())
    assert kept.load() is None


def test_what_nobody_uses_and_what_is_too_much_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trees = [snapshots_in(tmp_path, name) for name in ("old", "other", "mine")]
    for age_days, kept in zip((UNUSED_DAYS + 1, 2, 1), trees, strict=True):
        kept.save(small_index())
        moment = time.time() - age_days * 86_400
        os.utime(kept.path, (moment, moment))
    old, other, mine = trees
    mine.tidy()
    assert (old.path.exists(), other.path.exists(), mine.path.exists()) == (False, True, True)
    monkeypatch.setattr(snapshots, "MAX_BYTES", 1)
    mine.tidy()
    assert (other.path.exists(), mine.path.exists()) == (False, True)
