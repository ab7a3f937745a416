from pathlib import Path

from jupyter_ac.git.commit_hooks import CommitHooks, commit_hooks
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.repository import discover
from tests.support.repositories import RepositoryFolder, make_repository


async def found(folder: RepositoryFolder) -> CommitHooks:
    repository = await discover(folder.root)
    return commit_hooks(repository, await program_policy(repository))


async def test_hooks_are_the_programs_in_the_folder_that_git_looks_into(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    assert await found(folder) == CommitHooks([], "", [])
    folder.write(".git/hooks/pre-commit").chmod(0o755)
    folder.write(".git/hooks/pre-push").chmod(0o755)
    folder.write(".git/hooks/commit-msg").chmod(0o644)
    assert await found(folder) == CommitHooks(["pre-commit"], ".git/hooks", [])
    folder.git("config", "core.hooksPath", "tools/hooks")
    assert not (await found(folder)).is_any
    folder.write("tools/hooks/commit-msg").chmod(0o755)
    assert await found(folder) == CommitHooks(["commit-msg"], "tools/hooks", [])
    outside = tmp_path / "mine"
    outside.mkdir()
    (outside / "post-commit").touch(mode=0o755)
    folder.git("config", "core.hooksPath", str(outside))
    assert str(tmp_path) not in (await found(folder)).folder


async def test_what_signs_and_what_the_configuration_names_is_told(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    for key, value in {
        "commit.gpgSign": "true",
        "gpg.program": "./sign",
        "hook.lint.command": "lint --all",
        "hook.lint.event": "pre-commit",
    }.items():
        folder.git("config", key, value)
    output = await found(folder)
    assert output.hooks == ["pre-commit"]
    assert output.commands == ["lint --all", "./sign"]
    assert output.refusal.endswith("isn't allowed")
