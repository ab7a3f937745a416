import shutil
from pathlib import Path

import pytest

from jupyter_ac.errors import AccessDenied, AcError, Busy, Conflict, GitError, NotFound
from jupyter_ac.git.repository import discover
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review import start as reviewing
from jupyter_ac.git.review.checkout import CheckoutTarget
from jupyter_ac.git.review.end import ReviewEnd, end
from jupyter_ac.git.review.journal import ReviewJournal
from jupyter_ac.git.review.start import begin, show_branch
from jupyter_ac.git.write_commands import Git, RepositoryWriter
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, configure_user, make_repository

# Hundreds of git's processes: `make check` leaves them to `make test`.
pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """`main` with two files; `feature`, two commits further, changes, adds and removes."""
    folder = make_repository(tmp_path / "r", {"a": "1\n", "gone": "1\n", "same": "1\n"})
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    folder.git("checkout", "-q", "-b", "feature")
    folder.write("a", "2\n")
    folder.commit("change")
    folder.write("new", "1\n")
    (folder.root / "gone").unlink()
    folder.commit("more")
    folder.git("checkout", "-q", "main")
    return folder


async def changer(folder: RepositoryFolder) -> RepositoryWriter:
    return changer_of(await discover(folder.root))


async def review(
    folder: RepositoryFolder, branch: str = "feature", base: str = ""
) -> ReviewJournal:
    doing = await changer(folder)
    begun = await doing.change(lambda git: begin(git, branch, base))
    return await doing.change(lambda git: show_branch(git, begun.branch_tip, begun.parent_commit))


async def finish(folder: RepositoryFolder) -> ReviewEnd:
    return await (await changer(folder)).change(end)


def staged(folder: RepositoryFolder) -> str:
    return folder.git("status", "--porcelain", "--no-renames")


async def test_all_that_a_branch_changes_is_staged_and_then_as_before(
    folder: RepositoryFolder,
) -> None:
    folder.write("untracked", "mine\n")
    tip = folder.git("rev-parse", "feature")
    journal = await review(folder)
    assert staged(folder) == "M  a\nD  gone\nA  new\n?? untracked"
    assert (folder.root / "a").read_text() == "2\n"
    assert folder.git("rev-parse", "HEAD") == journal.parent_commit
    assert folder.git("rev-parse", "main") == journal.parent_commit
    restored = await finish(folder)
    assert (restored.head.branch, restored.stash) == ("main", "")
    assert staged(folder) == "?? untracked"
    assert (folder.root / "a").read_text() == "1\n"
    assert folder.git("rev-parse", "feature") == tip
    assert not (folder.root / ".git/review.json").exists()


async def test_in_between_the_files_are_those_before_the_branch(folder: RepositoryFolder) -> None:
    doing = await changer(folder)
    journal = await doing.change(lambda git: begin(git, "feature", ""))
    assert (folder.root / "gone").exists()
    assert folder.git("rev-parse", "HEAD") == journal.parent_commit
    assert (await finish(folder)).head.branch == "main"


async def test_the_chosen_commit_is_part_of_the_review(folder: RepositoryFolder) -> None:
    journal = await review(folder, base="feature")
    assert staged(folder) == "D  gone\nA  new"
    assert journal.parent_commit == folder.git("rev-parse", "feature~1")
    await finish(folder)


async def test_a_review_from_the_first_commit_shows_that_commit_too(
    folder: RepositoryFolder,
) -> None:
    first = folder.git("rev-list", "--max-parents=0", "HEAD")
    await review(folder, base=first)
    assert staged(folder) == "A  a\nA  new\nA  same"
    assert (await finish(folder)).head.branch == "main"


async def test_the_branch_that_is_checked_out_can_be_reviewed(folder: RepositoryFolder) -> None:
    folder.git("checkout", "-q", "feature")
    await review(folder)
    assert staged(folder) == "M  a\nD  gone\nA  new"
    assert (await finish(folder)).head.branch == "feature"


async def test_a_detached_start_goes_back_to_its_commit(folder: RepositoryFolder) -> None:
    folder.git("checkout", "-q", "--detach", "main")
    before = folder.git("rev-parse", "HEAD")
    await review(folder)
    restored = await finish(folder)
    assert (restored.head.sha, restored.head.detached) == (before, True)


async def test_what_was_edited_meanwhile_is_stashed(folder: RepositoryFolder) -> None:
    await review(folder)
    folder.write("a", "edited in the review\n")
    restored = await finish(folder)
    assert bool(restored.stash)
    assert (folder.root / "a").read_text() == "1\n"
    assert "during the review of feature" in folder.git("stash", "list")
    assert "+edited in the review" in folder.git("stash", "show", "-p")


async def test_another_host_ends_what_one_has_begun(folder: RepositoryFolder) -> None:
    await review(folder)
    found = review_journal.read(await discover(folder.root))
    assert found is not None
    assert (found.branch, found.original_branch) == ("feature", "main")
    assert (await finish(folder)).head.branch == "main"


@pytest.mark.parametrize("left", ["checked out", "not yet reset"])
async def test_a_host_that_died_between_two_steps_is_no_harm(
    folder: RepositoryFolder, left: str
) -> None:
    journal = await (await changer(folder)).change(lambda git: begin(git, "feature", ""))
    if left == "not yet reset":
        folder.git("checkout", "-q", "--detach", journal.branch_tip)
    assert (await finish(folder)).head.branch == "main"
    assert staged(folder) == ""


@pytest.mark.parametrize(
    ("branch", "base", "error"),
    [
        ("nowhere", "", NotFound),
        ("feature", "nowhere", NotFound),
        ("main", "", Conflict),
        ("main", "feature", Conflict),
        ("--orphan", "", AcError),
    ],
)
async def test_what_can_not_be_reviewed_changes_nothing(
    folder: RepositoryFolder, branch: str, base: str, error: type[Exception]
) -> None:
    with pytest.raises(error):
        await review(folder, branch, base)
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"
    assert not (folder.root / ".git/review.json").exists()


async def test_an_index_that_another_git_holds_changes_nothing(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.git.write_commands.LOCK_WAIT_S", 0.0)
    (folder.root / ".git/index.lock").touch()
    with pytest.raises(Busy, match=r"index\.lock"):
        await review(folder)
    (folder.root / ".git/index.lock").unlink()
    assert review_journal.read(await discover(folder.root)) is None
    await review(folder)
    assert (await finish(folder)).head.branch == "main"


async def test_changes_a_merge_or_another_review_forbid_one(folder: RepositoryFolder) -> None:
    folder.write("a", "dirty\n")
    with pytest.raises(Conflict, match="have changes"):
        await review(folder)
    folder.git("checkout", "-q", "--", "a")
    folder.git("bisect", "start")
    with pytest.raises(Conflict, match="bisect"):
        await review(folder)
    folder.git("bisect", "reset")
    await review(folder)
    with pytest.raises(Conflict, match="is in progress"):
        await review(folder)
    await finish(folder)
    with pytest.raises(Conflict, match="No review"):
        await finish(folder)


@pytest.mark.parametrize("ignored", [False, True])
async def test_an_untracked_file_in_the_way_is_named_and_nothing_is_changed(
    folder: RepositoryFolder, ignored: bool
) -> None:
    folder.write(".git/info/exclude", "new\n" if ignored else "")
    folder.write("new", "in the way\n")
    with pytest.raises(Conflict, match="'new' is untracked"):
        await review(folder)
    assert (folder.root / "new").read_text() == "in the way\n"
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"
    assert not (folder.root / ".git/review.json").exists()


async def test_a_branch_that_another_worktree_holds(folder: RepositoryFolder) -> None:
    tip = folder.git("rev-parse", "feature")
    folder.git("worktree", "add", "-q", "../elsewhere", "feature")
    with pytest.raises(Conflict, match="another working tree, 'elsewhere'"):
        await review(folder)
    assert (await review(folder, tip)).branch_tip == tip
    await finish(folder)
    shutil.rmtree(folder.root.parent / "elsewhere")
    assert (await review(folder)).branch_tip == tip
    await finish(folder)


@pytest.mark.parametrize("name", ["feature", "origin/feature", "v1", "v1-light", "feature~0"])
async def test_what_can_be_reviewed_by_its_name(folder: RepositoryFolder, name: str) -> None:
    tip = folder.git("rev-parse", "feature")
    folder.git("update-ref", "refs/remotes/origin/feature", tip)
    folder.git("tag", "-m", "annotated", "v1", tip)
    folder.git("tag", "v1-light", tip)
    # A tag of the same name is not what a branch's list offers.
    folder.git("tag", "feature", "main")
    assert (await review(folder, name)).branch_tip == tip
    assert staged(folder) == "M  a\nD  gone\nA  new"
    assert (await finish(folder)).head.branch == "main"


async def test_a_merge_as_the_first_commit_is_compared_with_its_first_parent(
    folder: RepositoryFolder,
) -> None:
    folder.git("checkout", "-q", "-b", "joined", "main")
    folder.write("same", "2\n")
    first = folder.commit("same")
    folder.git("merge", "-q", "--no-edit", "feature")
    merge = folder.git("rev-parse", "HEAD")
    folder.git("checkout", "-q", "main")
    assert (await review(folder, "joined", merge)).parent_commit == first
    assert staged(folder) == "M  a\nD  gone\nA  new"
    await finish(folder)


async def test_a_branch_that_is_merged_already_has_nothing_to_review(
    folder: RepositoryFolder,
) -> None:
    folder.git("merge", "-q", "--no-ff", "--no-edit", "feature")
    with pytest.raises(Conflict, match="nothing to review"):
        await review(folder)
    folder.git("checkout", "-q", "--orphan", "alone")
    folder.commit("alone")
    folder.git("branch", "-q", "-D", "main")
    with pytest.raises(Conflict, match="name the first commit"):
        await review(folder)


async def test_names_that_change_their_case_or_become_folders(folder: RepositoryFolder) -> None:
    folder.git("checkout", "-q", "-b", "shapes")
    folder.git("mv", "same", "SAME")
    folder.git("rm", "-q", "a")
    folder.write("a/b", "x\n")
    folder.commit("shapes")
    folder.git("checkout", "-q", "main")
    await review(folder, "shapes")
    assert staged(folder) == "A  SAME\nD  a\nA  a/b\nD  same"
    folder.write("a/more", "untracked where a file comes back\n")
    assert (await finish(folder)).stash != ""
    assert staged(folder) == ""
    assert folder.git("show", "stash@{0}:a/more") == "untracked where a file comes back"


async def test_a_submodule_that_is_changed_refuses_a_review_and_one_that_is_not_stays(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    library = make_repository(tmp_path / "library", {"l": "1\n"})
    allow = ("-c", "protocol.file.allow=always")
    folder.git(*allow, "submodule", "--quiet", "add", str(library.root), "lib")
    folder.commit("lib")
    folder.git("checkout", "-q", "-b", "bump")
    inside = RepositoryFolder(folder.root / "lib")
    old = inside.git("rev-parse", "HEAD")
    inside.write("l", "2\n")
    inside.commit("bumped")
    folder.commit("bump")
    folder.git("checkout", "-q", "main")
    inside.git("checkout", "-q", old)
    inside.write("l", "dirty\n")
    with pytest.raises(Conflict, match="have changes"):
        await review(folder, "bump")
    inside.git("checkout", "-q", "--", "l")
    await review(folder, "bump")
    assert folder.git("diff", "--cached", "--name-only") == "lib"
    assert (await finish(folder)).stash == ""
    assert staged(folder) == ""
    assert inside.git("rev-parse", "HEAD") == old


@pytest.mark.parametrize("case", ["autocrlf", "sparse", "filter"])
async def test_what_a_checkout_makes_of_files_is_no_edit(
    folder: RepositoryFolder, case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if case == "autocrlf":
        folder.git("config", "core.autocrlf", "true")
    elif case == "sparse":
        folder.git("sparse-checkout", "set", "--no-cone", "/*", "!/gone", "!/new")
    else:
        upper = {"filter.upper.smudge": "tr a-z A-Z", "filter.upper.clean": "tr A-Z a-z"}
        configure_user(monkeypatch, tmp_path, upper)
        folder.write(".git/info/attributes", "* filter=upper\n")
    await review(folder)
    assert staged(folder) == "M  a\nD  gone\nA  new"
    assert (await finish(folder)).stash == ""
    assert staged(folder) == ""


async def test_a_filter_that_fails_leaves_nothing_half_done(
    folder: RepositoryFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As git LFS does when its server can't be reached."""
    folder.git("checkout", "-q", "-b", "large")
    folder.write("a", "3\n")
    folder.write("b", "3\n")
    (folder.root / "gone").unlink()
    folder.write("z.bin", "large\n")
    folder.commit("large")
    folder.git("checkout", "-q", "main")
    failing = {"smudge": "false", "clean": "cat", "required": "true"}
    configure_user(monkeypatch, tmp_path, {f"filter.lfs.{key}": to for key, to in failing.items()})
    folder.write(".git/info/attributes", "*.bin filter=lfs\n")
    doing = await changer(folder)
    journal = await doing.change(lambda git: begin(git, "large", ""))
    with pytest.raises(GitError, match="smudge filter lfs failed"):
        await doing.change(lambda git: show_branch(git, journal.branch_tip, journal.parent_commit))
    assert staged(folder) == ""
    restored = await finish(folder)
    assert (restored.head.branch, restored.stash) == ("main", "")
    assert staged(folder) == ""


async def test_a_hook_that_fails_does_not_hold_up_the_beginning(folder: RepositoryFolder) -> None:
    folder.write(".git/hooks/post-checkout", "#!/bin/sh\nexit 3\n").chmod(0o755)
    await review(folder)
    assert staged(folder) == "M  a\nD  gone\nA  new"
    await finish(folder)


async def test_a_checkout_that_fails_goes_back(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def refused(_git: Git, _place: CheckoutTarget) -> str:
        raise GitError("no room on the disk")

    monkeypatch.setattr(reviewing, "check_out", refused)
    with pytest.raises(GitError, match="no room"):
        await review(folder)
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"
    assert not (folder.root / ".git/review.json").exists()


async def test_a_journal_that_can_not_be_written_moves_nothing(folder: RepositoryFolder) -> None:
    (folder.root / ".git/review.tmp").mkdir()
    with pytest.raises(AccessDenied, match="can't be recorded"):
        await review(folder)
    assert folder.git("symbolic-ref", "--short", "HEAD") == "main"


async def test_what_is_no_journal_is_set_aside(folder: RepositoryFolder) -> None:
    folder.write(".git/review.json", "rubbish")
    await review(folder)
    await finish(folder)
    assert (folder.root / ".git/review.unreadable").read_text() == "rubbish"


async def test_the_branch_is_shown_only_where_the_beginning_left_off(
    folder: RepositoryFolder,
) -> None:
    doing = await changer(folder)
    journal = await doing.change(lambda git: begin(git, "feature", ""))
    folder.git("switch", "-q", "main")
    with pytest.raises(Conflict, match="Another branch or commit has been checked out"):
        await doing.change(lambda git: show_branch(git, journal.branch_tip, journal.parent_commit))
    assert folder.git("rev-parse", "main") == journal.original_sha
    await finish(folder)


async def test_showing_the_branch_twice_is_once(folder: RepositoryFolder) -> None:
    doing = await changer(folder)
    journal = await doing.change(lambda git: begin(git, "feature", ""))
    tip, parent = journal.branch_tip, journal.parent_commit
    for _ in range(2):
        await doing.change(lambda git: show_branch(git, tip, parent))
        assert staged(folder) == "M  a\nD  gone\nA  new"
    await finish(folder)


async def test_only_the_review_that_was_begun_is_shown(folder: RepositoryFolder) -> None:
    doing = await changer(folder)
    journal = await doing.change(lambda git: begin(git, "feature", ""))
    with pytest.raises(Conflict, match="Another review"):
        await doing.change(lambda git: show_branch(git, journal.parent_commit, journal.branch_tip))
    await finish(folder)
