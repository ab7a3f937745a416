from pathlib import Path

from jupyter_ac.git.repository import discover
from tests.support.changing import writers_of
from tests.support.repositories import make_repository


async def test_all_ways_to_change_a_repository_share_its_locks(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    writers = writers_of(await discover(folder.root))
    await writers.files.write("a", "2\n")
    async with writers.locks.hold("a", *await writers.locks.tags("a")):
        await writers.changer.change(lambda git: git.run("add", "a"))
    locks = {path.name for path in (folder.root / ".git/jupyter_ac/locks").glob("*.lock")}
    assert "git.lock" in locks
    assert len(locks) == 2
