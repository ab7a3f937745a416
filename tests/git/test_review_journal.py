import json
from pathlib import Path

import pytest

from jupyter_ac.git import review_journal
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.review_journal import Journal, Phase
from tests.support.repositories import make_repository

JOURNAL = Journal("feature", "1" * 40, "2" * 40, "3" * 40, "main", "4" * 40, Phase.REVIEWING)


async def made(tmp_path: Path) -> Repository:
    return await discover(make_repository(tmp_path / "r").root)


async def test_what_is_kept_is_found_again(tmp_path: Path) -> None:
    repository = await made(tmp_path)
    assert review_journal.read(repository) is None
    review_journal.write(repository, JOURNAL)
    assert review_journal.read(repository) == JOURNAL
    review_journal.remove(repository)
    review_journal.remove(repository)
    assert review_journal.read(repository) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{}",
        json.dumps({"phase": "at_parent"}),
        *(
            json.dumps(
                {
                    "branch": "b",
                    "branch_tip": "1" * 40,
                    "base_commit": "1" * 40,
                    "parent_commit": "1" * 40,
                    "original_branch": None,
                    "original_sha": "1" * 40,
                    "phase": "at_parent",
                    **wrong,
                }
            )
            for wrong in (
                {"branch_tip": "--exec"},
                {"original_sha": 5},
                {"original_branch": "--detach"},
                {"original_branch": 5},
                {"phase": "else"},
                {"more": 1},
            )
        ),
    ],
)
async def test_what_somebody_else_wrote_is_as_good_as_none(tmp_path: Path, text: str) -> None:
    repository = await made(tmp_path)
    (repository.git_dir / "review.json").write_text(text)
    assert review_journal.read(repository) is None


async def test_links_are_not_followed(tmp_path: Path) -> None:
    repository = await made(tmp_path)
    outside = tmp_path / "outside"
    review_journal.write(repository, JOURNAL)
    (repository.git_dir / "review.json").rename(outside)
    (repository.git_dir / "review.json").symlink_to(outside)
    assert review_journal.read(repository) is None
    (repository.git_dir / "review.tmp").symlink_to(outside)
    before = outside.read_bytes()
    with pytest.raises(OSError, match=r"review\.tmp"):
        review_journal.write(repository, JOURNAL)
    assert outside.read_bytes() == before
