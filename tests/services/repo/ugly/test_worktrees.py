"""Linked worktrees, `.git` files, folders inside, and an environment that points elsewhere."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from jupyter_ac.errors import AccessDenied, AcError, NotFound
from jupyter_ac.git.repository import discover
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.ugly import OK, branch_off, repo_client, ugly


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """`main` and `side`, which differ, and a third branch."""
    folder = ugly(tmp_path / "r", {"a": "1\n", "d/b": "1\n"})
    branch_off(folder)
    folder.git("branch", "third")
    return folder


def linked(folder: RepositoryFolder, branch: str) -> RepositoryFolder:
    place = folder.root.parent / f"worktree of {branch}"
    folder.git("worktree", "add", "-q", str(place), branch)
    return RepositoryFolder(place, folder.clock)


async def test_a_linked_worktree_is_a_repository_of_its_own_files(
    folder: RepositoryFolder,
) -> None:
    tree = linked(folder, "side")
    tree.git("worktree", "lock", str(tree.root))
    async with repo_client(tree) as there, repo_client(folder) as here:
        tree.write("a", "changed\n")
        assert await there.lists() == {"modified": ["a"]}
        assert await here.lists() == {}
        assert "+changed" in await there.text("get_unstaged_diff")
        await there.do("stage_all")
        made = await there.fields("commit", "in the worktree")
        assert made["sha"] == folder.git("rev-parse", "side")
        assert (await here.fields("get_current_branch"))["branch"] == "main"
        assert (await there.fields("get_current_branch"))["branch"] == "side"
        assert "already checked out" in await there.refusal("checkout_branch", "main")
        assert "already checked out" in await here.refusal("checkout_branch", "side")
        switched = await there.fields("checkout_branch", "third")
        assert switched == OK | {"branch": "third", "sha": folder.git("rev-parse", "third")}
        await there.do("rename_file", "a", "e/a")
        await there.do("discard_changes", ["e/a"])
        await there.do("reset_hard")
        assert there.status() == here.status() == []


async def test_what_is_under_way_in_one_worktree_is_not_in_the_other(
    folder: RepositoryFolder,
) -> None:
    tree = linked(folder, "side")
    tree.git("merge", "main", ok=(1,))
    async with repo_client(tree) as there, repo_client(folder) as here:
        assert (await there.lists())["operation"] == "merge"
        assert await here.lists() == {}
        assert await here.fields("checkout_branch", "third")
        await there.do("reset_hard")
        assert await there.lists() == {}


async def test_a_branch_that_another_worktree_holds_is_reviewed_there(
    folder: RepositoryFolder,
) -> None:
    tree = linked(folder, "side")
    async with repo_client(tree) as there, repo_client(folder) as here:
        assert "another working tree" in await here.refusal("checkout_review_parent", "side")
        tip = folder.git("rev-parse", "side")
        begun = await here.fields("checkout_review_parent", tip)
        await here.do("setup_review_soft_reset", begun["branch_tip"], begun["parent_commit"])
        assert "other" in await here.changed()
        assert await there.lists() == {}
        begun = await there.fields("checkout_review_parent", "side", "side")
        await there.do("setup_review_soft_reset", begun["branch_tip"], begun["parent_commit"])
        assert await there.changed() == {"other": "added"}
        assert (await here.fields("exit_review_mode"))["branch"] == "main"
        assert (await there.fields("exit_review_mode"))["branch"] == "side"
        assert folder.git("worktree", "list", "--porcelain").count("branch refs/heads/") == 2


async def test_a_branch_that_a_worktree_took_during_the_review(folder: RepositoryFolder) -> None:
    async with repo_client(folder) as client:
        await client.fields("checkout_review_parent", "side")
        tree = linked(folder, "main")
        assert "git switch main" in await client.refusal("exit_review_mode")
        folder.git("worktree", "remove", "--force", str(tree.root))
        assert (await client.fields("exit_review_mode"))["branch"] == "main"
        assert client.status() == []


async def test_a_worktree_whose_repository_is_away(folder: RepositoryFolder) -> None:
    tree = linked(folder, "side")
    async with repo_client(tree) as client:
        away = folder.root.parent / "away"
        (folder.root / ".git").rename(away)
        with pytest.raises(AcError):
            await discover(tree.root)
        assert await client.refusal("get_file_tree")
        assert await client.refusal("is_clean")
        away.rename(folder.root / ".git")
        assert await client.lists() == {}
        assert await client.call("is_clean") is True


@pytest.mark.parametrize("kind", ["file", "link"])
async def test_the_git_directory_lies_elsewhere(folder: RepositoryFolder, kind: str) -> None:
    elsewhere = folder.root.parent / "elsewhere"
    dot_git = folder.root / ".git"
    dot_git.rename(elsewhere)
    if kind == "file":
        dot_git.write_text(f"gitdir: {elsewhere}\n")
    else:
        dot_git.symlink_to(elsewhere)
    async with repo_client(folder) as client:
        folder.write("a", "changed\n")
        assert await client.lists() == {"modified": ["a"]}
        assert "closed" in await client.refusal("get_file_content", ".git")
        await client.do("stage_all")
        await client.do("commit", "message")
        assert await client.call("is_clean") is True


@pytest.mark.parametrize("pointer", ["gitdir: /nowhere\n", "rubbish\n", ""])
async def test_a_git_file_that_leads_nowhere(folder: RepositoryFolder, pointer: str) -> None:
    shutil.rmtree(folder.root / ".git")
    (folder.root / ".git").write_text(pointer)
    with pytest.raises(AcError, match="'r'"):
        await discover(folder.root)


async def test_a_folder_inside_opens_the_whole_repository(folder: RepositoryFolder) -> None:
    folder.write("d/b", "changed\n")
    async with repo_client(folder, folder.root / "d") as client:
        assert await client.leaves() == ["a", "d/b"]
        assert await client.lists() == {"modified": ["d/b"]}
        await client.do("stage_files", ["d/b"])
        assert client.status() == ["M  d/b"]


async def test_an_environment_that_names_another_repository_changes_nothing(
    folder: RepositoryFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository(tmp_path / "other", {"other": "1\n"})
    ran = tmp_path / "ran"
    for name, value in {
        "GIT_DIR": str(other.root / ".git"),
        "GIT_WORK_TREE": str(other.root),
        "GIT_INDEX_FILE": str(tmp_path / "index"),
        "GIT_OBJECT_DIRECTORY": str(tmp_path / "objects"),
        "GIT_NAMESPACE": "elsewhere",
        "GIT_GLOB_PATHSPECS": "1",
        "GIT_EXTERNAL_DIFF": f"touch {ran}",
        "GIT_SEQUENCE_EDITOR": f"touch {ran}",
        "GIT_CEILING_DIRECTORIES": "/",
        "GIT_TRACE": str(tmp_path / "trace"),
        "GIT_AUTHOR_DATE": "rubbish",
    }.items():
        monkeypatch.setenv(name, value)
    folder.write("a", "changed\n")
    async with repo_client(folder) as client:
        assert await client.lists() == {"modified": ["a"]}
        assert "+changed" in await client.text("get_unstaged_diff")
        await client.do("stage_files", ["a"])
        made = await client.fields("commit", "message")
        assert made["sha"] == folder.git("rev-parse", "main")
        assert client.status() == []
    assert other.git("status", "--porcelain") == ""
    assert {path.name for path in tmp_path.iterdir()} == {"r", "other"}


async def test_the_environment_says_who_commits_and_whose_configuration_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a container the user often is known by the environment alone."""
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    settings = tmp_path / "settings"
    settings.write_text("[user]\n\temail = ada@example.org\n[core]\n\texcludesFile = none\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(settings))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Ada")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "user.name")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "Grace")
    folder.write("a", "2\n")
    async with repo_client(folder) as client:
        await client.do("stage_all")
        await client.do("commit", "message")
    assert folder.git("log", "-1", "--format=%an %ae, %cn") == "Ada ada@example.org, Grace"


@pytest.mark.parametrize("place", ["bare.git", "bare.git/hooks", "r/.git", "r/.git/hooks"])
async def test_where_there_are_no_files_to_work_on(folder: RepositoryFolder, place: str) -> None:
    top = folder.root.parent
    folder.git("init", "-q", "--bare", str(top / "bare.git"))
    with pytest.raises(NotFound, match="bare repository or a git directory"):
        await discover(top / place)


async def test_a_repository_that_calls_itself_bare(folder: RepositoryFolder) -> None:
    folder.git("config", "core.bare", "true")
    with pytest.raises(NotFound, match="bare repository"):
        await discover(folder.root)
    folder.git("config", "--unset", "core.bare")
    async with repo_client(folder) as client:
        assert await client.lists() == {}


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
@pytest.mark.parametrize("whose", [".", ".git"])
async def test_a_repository_of_another_user_says_the_remedy(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch, whose: str
) -> None:
    subprocess.run(["chown", "-R", "12345", folder.root / whose], check=True)
    with pytest.raises(AccessDenied, match=r"git config --global --add safe\.directory"):
        await discover(folder.root)
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "safe.directory")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(folder.root))
    assert (await discover(folder.root)).root == folder.root


async def test_configuration_of_one_worktree(folder: RepositoryFolder, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    folder.git("config", "extensions.worktreeConfig", "true")
    folder.git("config", "--worktree", "filter.x.clean", f"touch {ran}; cat")
    folder.git("config", "--worktree", "core.fsmonitor", f"touch {ran}")
    folder.write(".gitattributes", "* filter=x\n")
    folder.write("a", "changed\n")
    async with repo_client(folder) as client:
        assert await client.lists() == {"modified": ["a"], "untracked": [".gitattributes"]}
        assert "+changed" in await client.text("get_unstaged_diff")
        assert not ran.exists()
