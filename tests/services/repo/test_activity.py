import time
from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.services.repo.activity import ActivityMethods
from tests.support.repositories import make_repository


async def test_activity_has_files_pairs_and_days(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.py": "1\n", "b.py": "1\n"})
    folder.clock = int(time.time()) - 3600
    for number in (2, 3):
        folder.write("a.py", f"{number}\n")
        folder.write("b.py", f"{number}\n")
        folder.commit("both")
    part = ActivityMethods(await discover(folder.root))
    found = await part.get_activity(30)
    day = found["by_day"][0]["day"]
    assert found == {
        "head": folder.git("rev-parse", "HEAD"),
        "days": 30,
        "commits": 2,
        "is_partial": False,
        "by_day": [{"day": day, "commits": 2}],
        "files": [
            {"path": path, "commits": 2, "last_day": day, "exists": True}
            for path in ("a.py", "b.py")
        ],
        "more_files": 0,
        "pairs": [{"first": "a.py", "second": "b.py", "together": 2, "share": 1.0}],
    }
