from pathlib import Path

from jupyter_ac.workers.process import Worker
from tests.support.repositories import make_repository

LIMIT_S = 90.0


async def test_a_refresh_tells_its_progress_and_what_it_did(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "x = 1\n", "b.txt": ""})
    worker = Worker("index")
    events: list[object] = []
    try:
        await worker.call("Index.open", str(folder.root), str(tmp_path / "c"), timeout_s=LIMIT_S)
        done = await worker.run("Index.refresh", None, on_event=events.append, timeout_s=LIMIT_S)
        assert isinstance(done, dict)
        assert done.pop("generation")
        assert done == {
            "parsed": 1,
            "from_cache": 0,
            "removed": 0,
            "skipped": 0,
            "changed": ["a.py", "b.txt"],
            "beyond": 0,
        }
        assert events[-1] == {"done": 2, "total": 2}
        assert await worker.call("Index.skipped") == []
    finally:
        await worker.aclose()
