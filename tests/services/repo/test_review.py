from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.services.repo.review import ReviewPart
from tests.support.changing import writers_of
from tests.support.repositories import make_repository


async def test_a_review_from_its_entry_to_its_end(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    parent = folder.git("rev-parse", "HEAD")
    folder.git("checkout", "-q", "-b", "feature")
    folder.write("a", "2\n")
    tip = folder.commit("feature")
    folder.git("checkout", "-q", "main")
    repository = await discover(folder.root)
    part = ReviewPart(repository, writers_of(repository))
    assert await part.checkout_review_parent("feature", tip) == {
        "branch": "feature",
        "branch_tip": tip,
        "base_commit": tip,
        "parent_commit": parent,
        "original_branch": "main",
        "phase": "at_parent",
    }
    assert await part.setup_review_soft_reset(tip, parent) == {"status": "review_ready"}
    assert [row["path"] for row in await part.get_review_changed_files()] == ["a"]
    diff = await part.get_review_file_diff("a")
    assert diff["path"] == "a"
    assert "-1\n+2\n" in diff["diff"]
    assert await part.exit_review_mode(tip, "main") == {
        "status": "restored",
        "branch": "main",
        "sha": parent,
        "stashed": False,
    }


async def test_slips_are_results(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    repository = await discover(folder.root)
    part = ReviewPart(repository, writers_of(repository))
    assert "No commit is called" in str(await part.checkout_review_parent("nowhere", None))
    assert "No review" in str(await part.setup_review_soft_reset("1" * 40, "2" * 40))
    assert "No review" in str(await part.exit_review_mode(None, None))
