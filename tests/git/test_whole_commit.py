from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict, GitError
from jupyter_ac.git.repository import discover
from jupyter_ac.git.review.start import begin, show_branch
from jupyter_ac.git.whole_commit import (
    MadeCommit,
    Staged,
    commit_staged,
    refuse_commit,
    stage_everything,
)
from tests.support.changing import changer_of
from tests.support.jupyter_files import BESIDE, with_setting, write_beside
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "r", {"a.txt": "1\n", "gone.txt": "1\n"})
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    return made


async def commit_all(folder: RepositoryFolder, message: str) -> tuple[Staged, MadeCommit]:
    changer = changer_of(await discover(folder.root))
    staged = await changer.change(stage_everything)
    return staged, await changer.change(lambda git: commit_staged(git, message))


async def test_everything_is_staged_and_committed(folder: RepositoryFolder) -> None:
    folder.write("a.txt", "2\n")
    folder.write("new näme.txt", "n\n")
    folder.write("added.txt", "x\n")
    folder.git("add", "added.txt")
    folder.write("promised.txt", "x\n")
    folder.git("add", "--intent-to-add", "promised.txt")
    (folder.root / "gone.txt").unlink()
    staged, made = await commit_all(folder, "all of it")
    assert "+2" in staged.diff
    assert staged.untracked == {"new näme.txt", "promised.txt"}
    assert made.files == ["a.txt", "added.txt", "gone.txt", "new näme.txt", "promised.txt"]
    assert made.sha == folder.git("rev-parse", "HEAD")
    assert made.sha.startswith(made.short_sha)
    assert folder.git("status", "--porcelain") == ""


async def test_a_first_commit_names_its_files(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    folder.write("a.txt")
    _, made = await commit_all(folder, "first")
    assert made.files == ["a.txt"]


async def test_nothing_to_commit_is_said(folder: RepositoryFolder) -> None:
    with pytest.raises(GitError, match="nothing to commit"):
        await commit_all(folder, "x")


async def test_files_in_conflict_are_not_taken_for_resolved(folder: RepositoryFolder) -> None:
    folder.git("checkout", "--quiet", "-b", "other")
    folder.write("a.txt", "other\n")
    folder.commit("other")
    folder.git("checkout", "--quiet", "-")
    folder.write("a.txt", "mine\n")
    folder.commit("mine")
    folder.git("merge", "other", ok=(1,))
    before = folder.git("status", "--porcelain")
    changer = changer_of(await discover(folder.root))
    for work in (refuse_commit, stage_everything):
        with pytest.raises(Conflict, match=r"Files are in conflict: a\.txt; resolve"):
            await changer.change(work)
    assert folder.git("status", "--porcelain") == before
    folder.write("a.txt", "both\n")
    folder.git("add", "a.txt")
    _, made = await commit_all(folder, "merged")
    assert made.files == ["a.txt"]


async def test_a_review_is_not_committed(folder: RepositoryFolder) -> None:
    folder.git("checkout", "--quiet", "-b", "feature")
    folder.write("a.txt", "2\n")
    folder.commit("more")
    folder.git("checkout", "--quiet", "-")
    changer = changer_of(await discover(folder.root))
    begun = await changer.change(lambda git: begin(git, "feature", ""))
    await changer.change(lambda git: show_branch(git, begun.branch_tip, begun.parent_commit))
    with pytest.raises(Conflict, match="A review of 'feature' is in progress; end it before"):
        await changer.change(stage_everything)
    assert folder.git("status", "--porcelain") == "M  a.txt"


async def test_what_jupyter_writes_is_committed_only_when_wanted(folder: RepositoryFolder) -> None:
    write_beside(folder)
    with pytest.raises(GitError, match="nothing has changed"):
        await commit_all(folder, "nothing")
    folder.write("a.txt", "2\n")
    _, made = await commit_all(folder, "mine")
    assert made.files == ["a.txt"]
    repository, _ = await with_setting(folder, is_shown=True)
    changer = changer_of(repository)
    await changer.change(stage_everything)
    made = await changer.change(lambda git: commit_staged(git, "all"))
    assert made.files == list(BESIDE)
