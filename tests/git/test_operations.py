from pathlib import Path

import pytest

from jupyter_ac.git.operations import under_way
from jupyter_ac.git.repository import discover
from tests.support.repositories import diverge, make_repository


@pytest.mark.parametrize("operation", ["merge", "rebase", "cherry-pick", "revert"])
async def test_what_stopped_at_a_conflict_is_named(tmp_path: Path, operation: str) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    diverge(folder, "a")
    repository = await discover(folder.root)
    assert under_way(repository) is None
    folder.git(operation, "HEAD~1" if operation == "revert" else "side", ok=(0, 1))
    assert under_way(repository) == operation


async def test_a_bisect_is_named(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("bisect", "start")
    assert under_way(await discover(folder.root)) == "bisect"
