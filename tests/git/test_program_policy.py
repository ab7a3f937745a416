from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError, Conflict, GitError, NotFound, Unsupported
from jupyter_ac.git.environment import Level
from jupyter_ac.git.program_policy import (
    allow,
    disable_filter,
    forbid,
    is_missing,
    program_policy,
    with_search_paths,
)
from jupyter_ac.git.rated_programs import RatedProgram, State
from jupyter_ac.git.repository import Repository, discover
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


def program(command: str, *files: str) -> RatedProgram:
    return RatedProgram("filter", "x", {"filter.x.clean": command}, "local", files, "allowed")


@pytest.mark.parametrize(
    ("command", "files", "changing", "committing"),
    [
        ("git-lfs clean", (), "", "PYTHONSAFEPATH=1; export PYTHONSAFEPATH; "),
        ("python3 tools/x.py", ("tools/x.py",), "unset PYTHONSAFEPATH; ", ""),
        ("python3 x.py", ("x.py",), "", "PYTHONSAFEPATH=1; export PYTHONSAFEPATH; "),
        (
            "python3 -m tools.x",
            ("tools/x.py", "tools/x/"),
            "",
            "PYTHONSAFEPATH=1; export PYTHONSAFEPATH; ",
        ),
    ],
)
def test_only_a_script_in_a_watched_folder_loads_what_lies_beside_it(
    command: str, files: tuple[str, ...], changing: str, committing: str
) -> None:
    for level, prefix in ((Level.CHANGING, changing), (Level.COMMITTING, committing)):
        found = with_search_paths(program(command, *files), level)
        assert found == ({"filter.x.clean": prefix + command} if prefix else {})


def test_a_program_that_path_finds_in_the_tree_is_found_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / ".venv" / "bin"
    folder.mkdir(parents=True)
    (folder / "strip").touch(mode=0o755)
    monkeypatch.setenv("PATH", str(folder))
    found = with_search_paths(program("strip -x", ".venv/bin/strip"), Level.CHANGING)
    assert f"PATH={folder}:$PATH; export PATH; strip -x" in found["filter.x.clean"]


def test_what_is_switched_off_fails_only_where_it_must() -> None:
    assert disable_filter("x", is_required=True)["filter.x.required"] == "true"
    assert disable_filter("x", is_required=False)["filter.x.required"] == "false"


def test_a_program_that_is_surely_not_there_is_missing() -> None:
    assert is_missing(program("no-such-program x"))
    assert not is_missing(program("cat"))
    assert not is_missing(program("$SOME x"))


COMMAND = "python3 tools/strip.py"


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    folder = make_repository(tmp_path / "r", {"tools/strip.py": "pass\n"})
    folder.git("config", "filter.strip.clean", COMMAND)
    return folder


async def opened(folder: RepositoryFolder) -> Repository:
    repository = await discover(folder.root)
    return replace(repository, permissions=folder.root.parent / "config" / "allowed.json")


async def state(repository: Repository) -> tuple[State, str]:
    programs = (await program_policy(repository)).programs
    (program,) = [each for each in programs if each.name == "strip"]
    return program.state, program.reason


async def test_what_is_allowed_stays_so_until_its_folder_or_its_command_changes(
    folder: RepositoryFolder,
) -> None:
    repository = await opened(folder)
    assert await state(repository) == ("not_allowed", "it runs 'tools/strip.py' of this repository")
    assert (await allow(repository, "filter", "strip", COMMAND)).state == "allowed"
    beside = folder.write("tools/json.py", "evil\n")
    assert await state(repository) == ("changed", "'tools/' has changed since you allowed it")
    beside.unlink()
    assert (await state(repository))[0] == "allowed"
    folder.git("config", "filter.strip.smudge", "cat")
    assert (await state(repository))[0] == "changed"
    folder.git("config", "--unset", "filter.strip.smudge")
    await forbid(repository, "filter", "strip")
    await forbid(repository, "filter", "strip")
    assert (await state(repository))[0] == "not_allowed"


async def test_what_was_shown_is_what_is_allowed(folder: RepositoryFolder) -> None:
    repository = await opened(folder)
    with pytest.raises(Conflict, match="has changed to the command"):
        await allow(repository, "filter", "strip", "cat")
    with pytest.raises(NotFound, match="no filter 'other'"):
        await allow(repository, "filter", "other", "cat")
    folder.git("config", "core.editor", "vi")
    with pytest.raises(Unsupported, match="never run"):
        await allow(repository, "editor", "core.editor", "vi")


async def test_a_folder_that_can_not_be_watched_is_refused(
    folder: RepositoryFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.git.allowed_programs._MAX_FILES", 0)
    with pytest.raises(Unsupported, match="holds too much"):
        await allow(await opened(folder), "filter", "strip", COMMAND)
