import asyncio
import json
import os
from pathlib import Path

import pytest

from jupyter_ac.errors import AccessDenied, Conflict
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review.journal import Phase, ReviewJournal
from tests.support.repositories import make_repository

JOURNAL = ReviewJournal("feature", "1" * 40, "2" * 40, "3" * 40, "main", "4" * 40, Phase.REVIEWING)


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
                {"since": 5},
                {"since": "x" * 41},
                {"more": 1},
            )
        ),
    ],
)
async def test_what_somebody_else_wrote_is_not_acted_upon_and_kept(
    tmp_path: Path, text: str
) -> None:
    repository = await made(tmp_path)
    place = repository.git_dir / "review.json"
    place.write_text(text)
    with pytest.raises(Conflict, match=r"\.git/review\.json can't be used"):
        review_journal.read(repository)
    assert review_journal.find(repository) is None
    review_journal.refuse_while_open(repository, "a commit")
    review_journal.set_aside_invalid(repository)
    assert review_journal.read(repository) is None
    assert place.with_suffix(".unreadable").read_text() == text


async def test_a_folder_in_the_journals_place(tmp_path: Path) -> None:
    repository = await made(tmp_path)
    (repository.git_dir / "review.json").mkdir()
    with pytest.raises(Conflict, match="can't be used"):
        review_journal.read(repository)
    review_journal.set_aside_invalid(repository)
    review_journal.write(repository, JOURNAL)
    assert review_journal.read(repository) == JOURNAL


async def test_a_journal_that_can_not_be_written_is_said_in_one_sentence(tmp_path: Path) -> None:
    repository = await made(tmp_path)
    (repository.git_dir / "review.tmp").mkdir()
    with pytest.raises(AccessDenied, match="can't be recorded"):
        review_journal.write(repository, JOURNAL)
    (repository.git_dir / "review.json").mkdir()
    with pytest.raises(AccessDenied, match="Remove it by hand"):
        review_journal.remove(repository)
    (repository.git_dir / "review.unreadable").write_text("a file, not a folder")
    with pytest.raises(AccessDenied, match="in the way"):
        review_journal.set_aside_invalid(repository)


async def test_nothing_pulls_the_ground_from_under_a_review(tmp_path: Path) -> None:
    repository = await made(tmp_path)
    review_journal.refuse_while_open(repository, "a commit")
    review_journal.write(repository, JOURNAL)
    with pytest.raises(Conflict, match="A review of 'feature' is in progress; end it before a com"):
        review_journal.refuse_while_open(repository, "a commit")


async def test_links_are_not_followed(tmp_path: Path) -> None:
    repository = await made(tmp_path)
    outside = tmp_path / "outside"
    review_journal.write(repository, JOURNAL)
    (repository.git_dir / "review.json").rename(outside)
    (repository.git_dir / "review.json").symlink_to(outside)
    with pytest.raises(Conflict, match="can't be used"):
        review_journal.read(repository)
    (repository.git_dir / "review.tmp").symlink_to(outside)
    before = outside.read_bytes()
    review_journal.write(repository, JOURNAL)
    assert outside.read_bytes() == before
    assert review_journal.read(repository) == JOURNAL


async def test_a_pipe_in_the_place_of_the_draft_holds_nobody_up(tmp_path: Path) -> None:
    repository = await made(tmp_path)
    os.mkfifo(repository.git_dir / "review.tmp")
    await asyncio.wait_for(asyncio.to_thread(review_journal.write, repository, JOURNAL), 30)
    assert review_journal.read(repository) == JOURNAL


async def test_the_journal_of_a_linked_worktree_is_shown_where_it_is(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("worktree", "add", "-q", "../side")
    assert review_journal.shown_name(await discover(folder.root)) == ".git/review.json"
    linked = await discover(tmp_path / "side")
    assert review_journal.shown_name(linked) == ".git/worktrees/side/review.json"
