from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict
from jupyter_ac.events import Event, FilesModified, ReviewEnded, ReviewStarted
from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.state import NO_REVIEW
from jupyter_ac.services.repo.review import ReviewMethods
from jupyter_ac.services.subscribers import Subscribers
from tests.services.repo.test_staging import Notes
from tests.support.changing import service_of, writers_of
from tests.support.conformance import refusal_of
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """`feature` is one commit ahead of `main`, which is checked out."""
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.git("checkout", "-q", "-b", "feature")
    folder.write("a", "2\n")
    folder.commit("feature")
    folder.git("checkout", "-q", "main")
    return folder


class Hearing(Subscribers):
    """Remembers what the pages are told."""

    def __init__(self) -> None:
        super().__init__()
        self.heard: list[Event] = []

    def publish(self, event: Event, *_where: object, **_but: object) -> None:
        self.heard.append(event)


async def part_of(folder: RepositoryFolder, audience: Subscribers | None = None) -> ReviewMethods:
    return service_of(await discover(folder.root), audience).review


async def test_a_review_from_its_entry_to_its_end(folder: RepositoryFolder) -> None:
    hearing = Hearing()
    part = await part_of(folder, hearing)
    parent, tip = folder.git("rev-parse", "main"), folder.git("rev-parse", "feature")
    assert await part.checkout_review_parent("feature", tip) == {
        "branch": "feature",
        "branch_tip": tip,
        "base_commit": tip,
        "parent_commit": parent,
        "original_branch": "main",
        "phase": "at_parent",
    }
    assert (await part.get_review_state())["phase"] == "at_parent"
    assert await part.setup_review_soft_reset(tip, parent) == {"status": "review_ready"}
    assert [row["path"] for row in await part.get_review_changed_files()] == ["a"]
    diff = await part.get_review_file_diff("a")
    assert diff["path"] == "a"
    assert "-1\n+2\n" in diff["diff"]
    state = await part.get_review_state()
    assert (state["active"], state["phase"], state["branch"]) == (True, "reviewing", "feature")
    assert await part.exit_review_mode(tip, "main") == {
        "status": "restored",
        "branch": "main",
        "sha": parent,
        "stashed": False,
        "stash": None,
        "kept": None,
        "message": "`main` is checked out again.",
    }
    changed = FilesModified([])
    started, ended = ReviewStarted(state), ReviewEnded(NO_REVIEW)
    assert hearing.heard == [changed, changed, started, changed, ended]


async def test_what_was_edited_is_told(folder: RepositoryFolder) -> None:
    part = await part_of(folder)
    tip = folder.git("rev-parse", "feature")
    await part.checkout_review_parent("feature")
    await part.setup_review_soft_reset(tip, folder.git("rev-parse", "main"))
    folder.write("a", "edited\n")
    # The seeds' clients pass null for a detached start; the journal knows better.
    ended = await part.exit_review_mode(tip, None)
    assert ended == {
        "status": "restored",
        "branch": "main",
        "sha": folder.git("rev-parse", "main"),
        "stashed": True,
        "stash": folder.git("rev-parse", "stash@{0}"),
        "kept": None,
        "message": ended.get("message"),
    }


async def test_slips_are_results(folder: RepositoryFolder) -> None:
    part = await part_of(folder)
    assert "No commit is called" in await refusal_of(part.checkout_review_parent, "nowhere", None)
    assert "No review" in await refusal_of(part.setup_review_soft_reset, "1" * 40, "2" * 40)
    assert "No review" in await refusal_of(part.setup_review_soft_reset, "--hard", "HEAD~1")
    assert "No review" in await refusal_of(part.exit_review_mode, None, None)
    assert "No review" in await refusal_of(part.exit_review_mode, "--hard", "main")
    (folder.root / ".git/review.tmp").mkdir()
    assert "can't be recorded" in await refusal_of(part.checkout_review_parent, "feature")
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"


async def test_what_would_pull_the_ground_from_under_a_review_is_refused(
    folder: RepositoryFolder,
) -> None:
    service = service_of(await discover(folder.root))
    await service.review.checkout_review_parent("feature")
    parent = folder.git("rev-parse", "main")
    await service.review.setup_review_soft_reset(folder.git("rev-parse", "feature"), parent)
    with pytest.raises(Conflict, match="end it before a commit"):
        await service.staging.commit("squashed by accident")
    with pytest.raises(Conflict, match="is in progress"):
        await service.staging.reset_hard()
    assert "is in progress" in await refusal_of(service.staging.checkout_branch, "main")
    assert "is in progress" in await refusal_of(service.review.checkout_review_parent, "feature")
    assert folder.git("rev-parse", "HEAD") == parent
    assert folder.git("diff", "--cached", "--name-only") == "a"
    await service.review.exit_review_mode()
    await service.staging.checkout_branch("feature")
    assert folder.git("symbolic-ref", "--short", "HEAD") == "feature"


async def test_a_review_is_noted_at_its_entry_and_its_end(folder: RepositoryFolder) -> None:
    repository, notes = await discover(folder.root), Notes()
    part = ReviewMethods(repository, replace(writers_of(repository), open_note=notes.open))
    parent, tip = folder.git("rev-parse", "main"), folder.git("rev-parse", "feature")
    await part.checkout_review_parent("feature", tip)
    await part.setup_review_soft_reset(tip, parent)
    await part.exit_review_mode(tip, "main")
    assert notes.noted == [
        ("review_started", "The review of feature began."),
        ("review_ended", "The review ended. `main` is checked out again."),
    ]
