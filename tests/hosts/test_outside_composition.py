from pathlib import Path

from tests.hosts.test_composition import composed
from tests.support.repositories import make_repository


async def test_nothing_outside_is_started_before_it_is_asked_for(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", {"a.py": "x\n"}).root
    async with composed(root, tmp_path / "cache") as made:
        assert not made.cell_runner.is_running
        assert made.browser_page.state()["page"] is None
        assert not (tmp_path / "cache" / "urls").exists()
