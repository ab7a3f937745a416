from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.services.repo.diffs import DiffMethods
from tests.support.conformance import refusal_of
from tests.support.repositories import make_repository


async def test_diffs_are_texts_and_that_to_a_branch_an_object(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    part = DiffMethods(await discover(folder.root))
    folder.write("a", "2\n")
    folder.git("add", "a")
    staged = await part.get_staged_diff()
    assert "-1\n+2\n" in staged
    assert await part.get_unstaged_diff() == ""
    assert await part.get_diff_to_branch("main") == {"diff": staged}
    assert "No commit is called" in await refusal_of(part.get_diff_to_branch, "nowhere")
