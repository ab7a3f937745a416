from collections.abc import Sequence
from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict, GitError, InvalidParams, NotFound, RefusedPath
from jupyter_ac.git.partial_commit import PartialCommit, commit_chosen, preview_diff
from jupyter_ac.git.repository import discover
from jupyter_ac.git.temporary_index import Choice
from tests.support.changing import changer_of
from tests.support.repositories import RepositoryFolder, diverge, make_repository

# Hundreds of git's processes: `make check` leaves them to `make test`.
pytestmark = pytest.mark.slow

KEY = "k = 'sk-proj-" + "a1b2" * 6 + "'\n"


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "r", {"a.txt": "1\n", "b.txt": "1\n", "gone.txt": "1\n"})
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    return made


async def commit(
    folder: RepositoryFolder,
    *choices: str | Choice,
    message: str = "some",
    include_secrets: bool = False,
) -> PartialCommit:
    changer = changer_of(await discover(folder.root))
    return await changer.change(
        lambda git: commit_chosen(git, chosen(choices), message, include_secrets=include_secrets)
    )


def chosen(choices: Sequence[str | Choice]) -> list[Choice]:
    return [Choice(one) if isinstance(one, str) else one for one in choices]


def hook(folder: RepositoryFolder, name: str, script: str) -> None:
    folder.write(f".git/hooks/{name}", f"#!/bin/sh\n{script}\n").chmod(0o755)


def status(folder: RepositoryFolder) -> list[str]:
    return folder.git("status", "--porcelain").splitlines()


def shown(folder: RepositoryFolder, path: str, commit: str = "HEAD") -> str:
    return folder.git("show", f"{commit}:{path}")


async def test_only_what_is_chosen_is_committed(folder: RepositoryFolder) -> None:
    folder.write("a.txt", "2\n")
    folder.write("b.txt", "2\n")
    folder.write("new.txt", "n\n")
    folder.write("other.txt", "n\n")
    found = await commit(folder, "./a.txt", "new.txt")
    assert found.made.files == ["a.txt", "new.txt"]
    assert "+2" in found.diff
    assert status(folder) == [" M b.txt", "?? other.txt"]


async def test_what_is_staged_and_not_chosen_stays_staged(folder: RepositoryFolder) -> None:
    folder.write("a.txt", "2\n")
    folder.write("b.txt", "2\n")
    folder.write("new.txt", "n\n")
    folder.git("add", "b.txt", "new.txt")
    folder.git("rm", "--quiet", "gone.txt")
    found = await commit(folder, "a.txt")
    assert found.made.files == ["a.txt"]
    assert status(folder) == ["M  b.txt", "D  gone.txt", "A  new.txt"]


async def test_of_a_partly_staged_file_the_staged_part_goes_unless_the_whole_is_asked_for(
    folder: RepositoryFolder,
) -> None:
    folder.write("a.txt", "2\n")
    folder.git("add", "a.txt")
    folder.write("a.txt", "3\n")
    await commit(folder, "a.txt")
    assert shown(folder, "a.txt") == "2"
    assert status(folder) == [" M a.txt"]
    folder.write("a.txt", "4\n")
    folder.git("add", "a.txt")
    folder.write("a.txt", "5\n")
    await commit(folder, Choice("a.txt", "whole"))
    assert shown(folder, "a.txt") == "5"
    assert status(folder) == []


async def test_deletions_renames_modes_and_links(folder: RepositoryFolder) -> None:
    (folder.root / "gone.txt").unlink()
    folder.git("mv", "b.txt", "moved.txt")
    (folder.root / "a.txt").chmod(0o755)
    (folder.root / "link").symlink_to("a.txt")
    found = await commit(folder, "gone.txt", "moved.txt")
    assert found.made.files == ["b.txt", "gone.txt", "moved.txt"]
    assert status(folder) == [" M a.txt", "?? link"]
    await commit(folder, "a.txt", "link")
    assert folder.git("ls-tree", "HEAD", "a.txt", "link").splitlines()[0].startswith("100755")
    assert status(folder) == []


async def test_a_staged_rename_that_is_left_stays_staged(folder: RepositoryFolder) -> None:
    folder.git("mv", "b.txt", "moved.txt")
    folder.write("a.txt", "2\n")
    await commit(folder, "a.txt")
    assert status(folder) == ["R  b.txt -> moved.txt"]


async def test_a_file_taken_out_of_the_index_and_still_there(folder: RepositoryFolder) -> None:
    folder.git("rm", "--quiet", "--cached", "b.txt")
    folder.write("b.txt", "2\n")
    found = await commit(folder, "b.txt")
    assert found.made.files == ["b.txt"]
    assert status(folder) == ["?? b.txt"]


async def test_only_announced_files_are_committed_when_chosen(folder: RepositoryFolder) -> None:
    folder.write("p.txt", "p\n")
    folder.write("q.txt", "q\n")
    folder.git("add", "--intent-to-add", "p.txt", "q.txt")
    found = await commit(folder, "p.txt")
    assert found.made.files == ["p.txt"]
    assert status(folder) == [" A q.txt"]


async def test_a_submodules_new_commit(folder: RepositoryFolder, tmp_path: Path) -> None:
    inner = make_repository(tmp_path / "inner", {"x": "1\n"})
    folder.git(
        "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(inner.root), "sub"
    )
    found = await commit(folder, "sub", ".gitmodules")
    assert found.made.files == [".gitmodules", "sub"]
    sub = RepositoryFolder(folder.root / "sub")
    sub.write("x", "2\n")
    sha = sub.commit("second")
    folder.write("a.txt", "2\n")
    await commit(folder, "sub")
    assert sha in folder.git("ls-tree", "HEAD", "sub")
    assert status(folder) == [" M a.txt"]


async def test_the_first_commit(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    folder.write("a.txt")
    folder.write("b.txt")
    folder.git("add", "b.txt")
    found = await commit(folder, "a.txt")
    assert found.made.files == ["a.txt"]
    assert status(folder) == ["A  b.txt"]


async def test_a_hook_sees_the_commit_and_what_it_stages_is_in_it(
    folder: RepositoryFolder,
) -> None:
    hook(
        folder,
        "pre-commit",
        "git diff --cached --name-only > .git/seen\n"
        "echo fixed > a.txt && git add a.txt\n"
        "echo made > made.txt && git add made.txt",
    )
    folder.write("a.txt", "2\n")
    folder.write("b.txt", "2\n")
    folder.git("add", "b.txt")
    found = await commit(folder, "a.txt")
    assert (folder.root / ".git/seen").read_text() == "a.txt\n"
    assert found.made.ran.hooks == ["pre-commit"]
    assert found.made.files == ["a.txt", "made.txt"]
    assert shown(folder, "a.txt") == "fixed"
    assert status(folder) == ["M  b.txt"]


async def test_a_hook_that_refuses_leaves_the_index_as_it_was(folder: RepositoryFolder) -> None:
    hook(folder, "commit-msg", "echo 'no ticket' >&2; exit 1")
    folder.write("a.txt", "2\n")
    folder.write("b.txt", "2\n")
    folder.git("add", "b.txt")
    before = status(folder)
    with pytest.raises(GitError, match="no ticket"):
        await commit(folder, "a.txt")
    assert status(folder) == before
    assert list((folder.root / ".git").glob("jupyter_ac-*")) == []


async def test_what_somebody_stages_meanwhile_stays_staged(folder: RepositoryFolder) -> None:
    hook(
        folder,
        "post-commit",
        "unset GIT_INDEX_FILE; echo late > a.txt; git add a.txt",
    )
    folder.write("a.txt", "2\n")
    await commit(folder, "a.txt")
    assert shown(folder, "a.txt") == "2"
    assert folder.git("show", ":a.txt") == "late"


async def test_a_file_that_changed_since_it_was_listed_is_refused(
    folder: RepositoryFolder,
) -> None:
    folder.write("a.txt", "2\n")
    before = folder.git("rev-parse", "HEAD")
    with pytest.raises(Conflict, match=r"'a\.txt' has changed since"):
        await commit(folder, Choice("a.txt", version="0" * 16))
    with pytest.raises(NotFound, match=r"'b\.txt' has no change to commit"):
        await commit(folder, "b.txt")
    with pytest.raises(RefusedPath):
        await commit(folder, "../a.txt")
    with pytest.raises(RefusedPath):
        await commit(folder, ".git/config")
    with pytest.raises(Conflict, match=r"Nothing of 'a\.txt' is staged"):
        await commit(folder, Choice("a.txt", "staged"))
    with pytest.raises(InvalidParams, match="selected"):
        await commit(folder)
    assert folder.git("rev-parse", "HEAD") == before


async def test_changes_that_add_up_to_nothing_are_refused(folder: RepositoryFolder) -> None:
    folder.write("a.txt", "2\n")
    folder.git("add", "a.txt")
    folder.write("a.txt", "1\n")
    with pytest.raises(GitError, match="nothing to commit"):
        await commit(folder, Choice("a.txt", "whole"))


async def test_new_files_that_look_like_secrets_are_not_committed_unasked(
    folder: RepositoryFolder,
) -> None:
    folder.write("secrets.env", "A=1\n")
    folder.write("deep/key.py", KEY)
    folder.write("large.py", "x" * 2_000_000)
    folder.write("a.txt", KEY)
    before = folder.git("rev-parse", "HEAD")
    with pytest.raises(Conflict, match="look like secrets") as caught:
        await commit(folder, "a.txt", "secrets.env", "deep/key.py", "large.py")
    assert caught.value.details == {"secrets": ["deep/key.py", "secrets.env"]}
    assert "a1b2" not in caught.value.message
    assert folder.git("rev-parse", "HEAD") == before
    found = await commit(folder, "secrets.env", include_secrets=True)
    assert found.made.files == ["secrets.env"]
    assert (await commit(folder, "large.py")).made.files == ["large.py"]


async def test_a_secret_that_attributes_hide_from_diffs_is_found(folder: RepositoryFolder) -> None:
    folder.write(".gitattributes", "*.bin binary\n")
    folder.write("k.bin", KEY)
    with pytest.raises(Conflict, match=r"k\.bin"):
        await commit(folder, ".gitattributes", "k.bin")


async def test_a_folder_stands_for_the_new_files_below_it(folder: RepositoryFolder) -> None:
    folder.write("dist/a.js", "a\n")
    folder.write("dist/deep/b.js", "b\n")
    folder.write("dist2/c.js", "c\n")
    found = await commit(folder, "dist/")
    assert found.made.files == ["dist/a.js", "dist/deep/b.js"]


async def test_a_file_and_a_folder_of_one_name_go_together(folder: RepositoryFolder) -> None:
    folder.git("rm", "--quiet", "a.txt")
    folder.write("a.txt/inner", "x\n")
    folder.git("add", "a.txt/inner")
    with pytest.raises(Conflict, match="select both"):
        await commit(folder, "a.txt/inner")
    found = await commit(folder, "a.txt/inner", "a.txt")
    assert found.made.files == ["a.txt", "a.txt/inner"]


@pytest.mark.parametrize("operation", ["merge", "cherry-pick", "revert"])
async def test_in_the_middle_of_something_everything_goes(
    folder: RepositoryFolder, operation: str
) -> None:
    if operation == "revert":
        folder.write("a.txt", "x\n")
        folder.commit("x")
        folder.write("a.txt", "y\n")
        folder.commit("y")
        folder.git("revert", "HEAD~1", ok=(1,))
    else:
        diverge(folder, "a.txt")
        folder.git(operation, "side", ok=(1,))
    with pytest.raises(Conflict, match="in conflict"):
        await commit(folder, "a.txt")
    folder.write("a.txt", "both\n")
    folder.git("add", "a.txt")
    folder.write("b.txt", "2\n")
    folder.write("new.txt")
    with pytest.raises(Conflict, match=f"A {operation} is in progress"):
        await commit(folder, "a.txt")
    found = await commit(folder, "a.txt", "b.txt")
    assert {"a.txt", "b.txt"} <= set(found.made.files)
    assert status(folder) == ["?? new.txt"]
    parents = folder.git("rev-list", "--parents", "-1", "HEAD").split()
    assert len(parents) == (3 if operation == "merge" else 2)


async def test_names_of_any_kind(folder: RepositoryFolder) -> None:
    names = ["new näme.txt", "-n", "t\tab", 'q"uote', "glob*.txt", os_name(b"\xff.txt")]
    for name in names:
        folder.write(name, "x\n")
    folder.write("globally.txt", "x\n")
    found = await commit(folder, *names)
    assert sorted(found.made.files) == sorted(names)
    assert status(folder) == ["?? globally.txt"]


def os_name(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")


async def test_the_outline_has_only_what_is_chosen(folder: RepositoryFolder) -> None:
    folder.write("a.txt", "staged\n")
    folder.git("add", "a.txt")
    folder.write("a.txt", "unstaged\n")
    folder.write("b.txt", "left out\n")
    folder.write("new.txt", "fresh\n")
    before = status(folder)
    changer = changer_of(await discover(folder.root))
    diff = await changer.change(lambda git: preview_diff(git, chosen(["a.txt", "new.txt"])))
    assert "+staged" in diff
    assert "+fresh" in diff
    assert "unstaged" not in diff
    assert "left out" not in diff
    assert status(folder) == before


async def test_in_a_working_tree_beside_the_main_one(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    folder.git("worktree", "add", "--quiet", str(tmp_path / "beside"), "-b", "beside")
    beside = RepositoryFolder((tmp_path / "beside").resolve())
    beside.write("a.txt", "2\n")
    beside.write("b.txt", "2\n")
    beside.git("add", "b.txt")
    await commit(beside, "a.txt")
    assert status(beside) == ["M  b.txt"]
