from pathlib import Path

import pytest

from jupyter_ac.errors import Conflict
from jupyter_ac.git.branches import switch_branch
from jupyter_ac.git.committing import commit, reset_hard
from jupyter_ac.git.discarding import discard
from jupyter_ac.git.filtered_paths import unfiltered
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.repository import discover
from jupyter_ac.git.staging import stage, stage_all
from jupyter_ac.git.write_commands import Git
from jupyter_ac.ids import RepoPath
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    files: dict[str, str | bytes] = {".gitattributes": "*.nb filter=strip\n", "a.nb": "1\n"}
    folder = make_repository(tmp_path / "r", {**files, "plain": "1\n"})
    folder.git("checkout", "-q", "-b", "other")
    folder.write("a.nb", "2\n")
    folder.commit()
    folder.git("checkout", "-q", "main")
    folder.git("config", "filter.strip.clean", "cat")
    folder.git("config", "filter.strip.smudge", "cat")
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    return folder


async def test_the_files_of_a_filter_that_may_not_run_are_known(folder: RepositoryFolder) -> None:
    repository = await discover(folder.root)
    policy = await program_policy(repository)
    found = await unfiltered(repository, policy, ["a.nb", "plain", "d/ü.nb", "gone"])
    assert {path: program.name for path, program in found.items()} == {
        "a.nb": "strip",
        "d/ü.nb": "strip",
    }


async def test_nothing_is_staged_restored_or_switched_without_the_filter(
    folder: RepositoryFolder,
) -> None:
    git = Git(await discover(folder.root))
    with pytest.raises(Conflict, match="nothing was switched"):
        await switch_branch(git, "other")
    folder.write("a.nb", "3\n")
    folder.write("plain", "3\n")
    before = folder.git("status", "--porcelain", "--no-renames")
    for work in (
        stage(git, [RepoPath("a.nb"), RepoPath("plain")]),
        stage_all(git),
        discard(git, [RepoPath("a.nb"), RepoPath("plain")]),
        reset_hard(git),
    ):
        with pytest.raises(Conflict, match=r"'a.nb': this repository's filter 'strip'") as refused:
            await work
        assert "choose “Allow …”" in refused.value.message
        assert refused.value.details == {"kind": "filter", "name": "strip"}
    assert folder.git("status", "--porcelain", "--no-renames") == before


async def test_other_files_go_their_way(folder: RepositoryFolder) -> None:
    git = Git(await discover(folder.root))
    folder.write("a.nb", "3\n")
    folder.write("plain", "3\n")
    await stage(git, [RepoPath("plain")])
    await commit(git, "plain")
    folder.write("plain", "4\n")
    await discard(git, [RepoPath("plain")])
    assert (folder.root / "plain").read_text() == "3\n"
    assert (folder.root / "a.nb").read_text() == "3\n"
