from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, GitError
from jupyter_ac.git.environment import Level
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.repository import discover
from jupyter_ac.git.write_commands import Git
from tests.support.armed_repository import ArmedRepository, arm
from tests.support.repositories import RepositoryFolder, configure_user, make_repository
from tests.support.trees import file_tree

OFF = {"clean": "", "smudge": "", "process": "", "required": "false"}


def off(name: str) -> dict[str, str]:
    return {f"filter.{name}.{key}": value for key, value in OFF.items()}


async def test_the_filters_of_the_repository_are_emptied(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("config", "filter.a.b=c.clean", "evil")
    folder.git("config", "filter.lfs.required", "true")
    policy = await program_policy(await discover(folder.root))
    assert policy.reading() == {**off("a.b=c"), "filter.lfs.required": "false"}
    strict = policy.changing(Level.CHANGING, strict=True)
    assert strict == {**off("a.b=c"), "filter.a.b=c.required": "true"}


async def test_the_filters_of_one_worktree_are_emptied(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("config", "extensions.worktreeConfig", "true")
    folder.git("config", "--worktree", "filter.w.clean", "evil")
    assert (await program_policy(await discover(folder.root))).reading() == off("w")


async def test_the_filters_of_the_user_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure_user(monkeypatch, tmp_path, {"filter.upper.clean": "tr a-z A-Z"})
    folder = make_repository(tmp_path / "r", {".gitattributes": "*.t filter=upper\n"})
    repository = await discover(folder.root)
    policy = await program_policy(repository)
    assert policy.reading() == {}
    assert policy.changing(Level.CHANGING, strict=True) == {}
    folder.write("a.t", "ABC\n")
    folder.commit()
    folder.write("a.t", "abc\n")
    assert (await file_tree(repository))["modified"] == []


async def test_one_that_is_not_installed_is_passed_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure_user(monkeypatch, tmp_path, {"filter.lfs.process": "no-such-program x"})
    folder = make_repository(tmp_path / "r", {"a": "x"})
    assert (await program_policy(await discover(folder.root))).reading() == off("lfs")


async def test_a_configuration_that_can_not_be_read_is_said(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    repository = await discover(folder.root)
    (folder.root / ".git" / "config").write_text("[broken\n")
    with pytest.raises(GitError, match="configuration"):
        await program_policy(repository)


async def test_a_fetch_of_what_is_lacking_runs_only_what_the_user_configured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    user = {"credential.helper": "store", "core.sshCommand": "ssh -4"}
    configure_user(monkeypatch, tmp_path, user)
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("config", "core.sshCommand", "evil")
    folder.git("config", "credential.https://x.example.helper", "!evil")
    folder.git("config", "remote.origin.uploadpack", "evil")
    folder.git("config", "core.alternateRefsCommand", "evil")
    folder.git("config", "hook.x.command", "evil")
    policy = await program_policy(await discover(folder.root))
    assert policy.changing(Level.CHANGING, strict=False) == {
        "core.sshcommand": "ssh -4",
        "remote.origin.uploadpack": "git-upload-pack",
        "core.alternaterefscommand": "false",
        "hook.x.enabled": "false",
    }
    assert policy.credentials() == [("credential.helper", ""), ("credential.helper", "store")]


@pytest.fixture
def armed(tmp_path: Path) -> ArmedRepository:
    return arm(tmp_path)


@pytest.mark.parametrize("url", ["ext", "file"])
async def test_a_partial_clone_fetches_by_no_program_of_the_repository(
    armed: ArmedRepository, url: str
) -> None:
    folder: RepositoryFolder = armed.folder
    sha = "0" * 40
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "origin",
        "remote.origin.promisor": "true",
        "protocol.allow": "always",
        **({"remote.origin.url": str(folder.root)} if url == "file" else {}),
    }.items():
        armed.set(key, value)
    git = Git(await discover(folder.root))
    with pytest.raises(AcError):
        await git.run("cat-file", "blob", sha)
    assert armed.ran() == set()


async def test_a_signing_program_of_the_repository_has_to_be_allowed(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    repository = await discover(folder.root)
    folder.git("config", "gpg.program", "./sign")
    assert (await program_policy(repository)).signing() is None
    folder.git("config", "commit.gpgSign", "true")
    found = (await program_policy(repository)).signing()
    assert found is not None
    assert found.command == "./sign"
    folder.git("config", "gpg.format", "ssh")
    assert (await program_policy(repository)).signing() is None
