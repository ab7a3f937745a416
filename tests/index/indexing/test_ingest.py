from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.state import LoadedIndex
from jupyter_ac.index.indexing.cache import Cache, Key
from jupyter_ac.index.indexing.file_reader import SHA1_DIGITS
from jupyter_ac.index.indexing.ingest import Ingestion, IngestTarget
from jupyter_ac.index.indexing.pool import Pool
from jupyter_ac.index.indexing.progress import ignore
from jupyter_ac.index.indexing.scan import ScannedFile, ScanResult

A, B = RepoPath("a.py"), RepoPath("b.py")


async def fill(root: Path, index: IngestTarget, found: ScanResult) -> tuple[int, ...]:
    cache, pool = Cache(root / "cache", "1"), Pool(str(root), 1)
    try:
        done = await Ingestion(index, found, cache, pool, ignore).run(SHA1_DIGITS)
        return done.parsed, done.from_cache, done.removed, done.skipped
    finally:
        await pool.aclose()
        await cache.aclose()


async def test_a_record_that_cannot_be_read_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / A).write_text("def fern(): ...\n")
    seen = ScannedFile("b10b", "python", 16)
    cache = Cache(tmp_path / "cache", "1")
    await cache.write({Key.of_record("b10b", "python"): b"not packed"})
    await cache.aclose()
    index = IngestTarget(LoadedIndex(), {})
    assert await fill(tmp_path, index, ScanResult({A: seen}, [])) == (1, 0, 0, 0)
    assert index.state.defining("fern")


async def test_an_index_in_use_changes_in_one_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for path in (A, B):
        (tmp_path / path).write_text("def fern(): ...\n")
    index = IngestTarget(LoadedIndex(), {})
    await fill(tmp_path, index, ScanResult({A: ScannedFile("1", "python", 16)}, []))
    events: list[str] = []

    def noted(name: str, work: Callable[..., object]) -> Callable[..., object]:
        def note(*args: object) -> object:
            events.append(name)
            return work(*args)

        return note

    for name in ("put", "remove", "updating"):
        monkeypatch.setattr(index.state, name, noted(name, getattr(index.state, name)))
    monkeypatch.setattr(Pool, "parse", _noting(events, Pool.parse))
    await fill(tmp_path, index, ScanResult({B: ScannedFile("2", "python", 16)}, [A]))
    assert events == ["parse", "parsed", "remove", "put", "updating"]
    assert list(index.seen) == [B]


def _noting(
    events: list[str], parse: Callable[..., Awaitable[None]]
) -> Callable[..., Awaitable[None]]:
    async def noted(*args: object) -> None:
        events.append("parse")
        await parse(*args)
        events.append("parsed")

    return noted
