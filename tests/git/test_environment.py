import os
import subprocess
from pathlib import Path

import pytest

from jupyter_ac.errors import AcError
from jupyter_ac.git.environment import Level, environment
from jupyter_ac.git.files import is_binary, read_text
from jupyter_ac.git.refs import current_branch, is_clean
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.search.grep import search
from jupyter_ac.git.search.query import Query
from jupyter_ac.git.tree.serialize import flat_file_list
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.trees import file_tree


async def _read_everything(repository: Repository) -> None:
    await discover(repository.root)
    await file_tree(repository)
    await flat_file_list(repository)
    await search(repository, Query("line"))
    await search(repository, Query("l.ne", use_regex=True, whole_word=True))
    await read_text(repository, "a.txt")
    await read_text(repository, "a.txt", "HEAD")
    await is_binary(repository, "a.txt")
    await current_branch(repository)
    await is_clean(repository)


def _program(tmp_path: Path, marker: Path) -> str:
    """Return a program that leaves a marker; a filter or a diff program at the same time."""
    program = tmp_path / "evil.sh"
    program.write_text(f"#!/bin/sh\necho ran >> {marker}\ncat\n")
    program.chmod(0o755)
    return str(program)


def _name_programs(folder: RepositoryFolder, config: Path, program: str) -> None:
    """Let a configuration file name the program wherever git takes one."""
    entries = {
        "core.fsmonitor": program,
        "core.sshCommand": program,
        "core.askPass": program,
        "core.editor": program,
        "core.pager": program,
        "core.alternateRefsCommand": program,
        "core.gitProxy": program,
        "credential.helper": program,
        "diff.external": program,
        "diff.evil.command": program,
        "diff.evil.textconv": program,
        "filter.evil.clean": program,
        "filter.evil.smudge": program,
        "filter.evil.required": "true",
        "filter.evil=x.process": program,
        "merge.evil.driver": program,
        "gpg.program": program,
        "log.showSignature": "true",
        "pager.status": program,
        "pager.grep": program,
        "interactive.diffFilter": program,
        "sequence.editor": program,
        "alias.status": f"!{program}",
        "submodule.recurse": "true",
    }
    for name, value in entries.items():
        folder.git("config", "--file", str(config), name, value)


def _add_hooks(folder: RepositoryFolder, program: str) -> None:
    hooks = folder.root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in (
        "post-index-change",
        "reference-transaction",
        "fsmonitor-watchman",
        "post-checkout",
    ):
        (hooks / name).symlink_to(program)


def _dirty(folder: RepositoryFolder) -> None:
    """Change files so that git has to compare contents, through the filters named."""
    folder.write(".gitattributes", "*.txt filter=evil diff=evil merge=evil\n*.x filter=evil=x\n")
    folder.write("a.txt", "line two\n")
    folder.write("b.x", "line two\n")
    folder.write("staged.txt", "line\n")


@pytest.mark.parametrize("included", [False, True])
async def test_a_hostile_repository_runs_nothing(tmp_path: Path, *, included: bool) -> None:
    marker = tmp_path / "marker"
    folder = make_repository(tmp_path / "r", {"a.txt": "line\n", "b.x": "line\n"})
    repository = await discover(folder.root)
    _dirty(folder)
    folder.git("add", "staged.txt")
    config = folder.root / ".git" / "config"
    if included:
        config = folder.root / "extra.config"
        folder.git("config", "include.path", "../extra.config")
    program = _program(tmp_path, marker)
    _name_programs(folder, config, program)
    _add_hooks(folder, program)
    folder.git("config", "core.hooksPath", str(folder.root / ".git" / "hooks"))
    marker.unlink(missing_ok=True)  # naming them ran git by itself
    await _read_everything(repository)
    assert not marker.exists()


async def test_the_hostile_repository_would_run_programs_under_plain_git(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    folder = make_repository(tmp_path / "r", {"a.txt": "line\n", "b.x": "line\n"})
    _dirty(folder)
    _name_programs(folder, folder.root / ".git" / "config", _program(tmp_path, marker))
    folder.git("diff", ok=(0, 1, 128))
    assert marker.exists()


async def test_a_hostile_submodule_runs_nothing(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    inner = make_repository(tmp_path / "inner", {"s.txt": "line\n"})
    folder = make_repository(tmp_path / "r", {"a.txt": "line\n"})
    folder.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.root), "sub")
    folder.commit()
    repository = await discover(folder.root)
    config = folder.root / ".git" / "modules" / "sub" / "config"
    _name_programs(folder, config, _program(tmp_path, marker))
    folder.write("sub/.gitattributes", "*.txt filter=evil diff=evil\n")
    folder.write("sub/s.txt", "changed\n")
    marker.unlink(missing_ok=True)
    await _read_everything(repository)
    assert not marker.exists()


async def test_a_partial_clone_fetches_nothing_by_a_program(tmp_path: Path) -> None:
    marker = tmp_path / "marker"
    folder = make_repository(tmp_path / "r", {"a.txt": "line\n"})
    program = _program(tmp_path, marker)
    sha = folder.git("rev-parse", "HEAD:a.txt")
    (folder.root / ".git" / "objects" / sha[:2] / sha[2:]).unlink()
    folder.git("config", "core.repositoryFormatVersion", "1")
    folder.git("config", "extensions.partialClone", "origin")
    folder.git("config", "remote.origin.promisor", "true")
    folder.git("config", "protocol.allow", "always")
    folder.git("config", "protocol.ext.allow", "always")
    for url, upload in ((str(folder.root), program), (f"ext::{program}", program)):
        folder.git("config", "remote.origin.url", url)
        folder.git("config", "remote.origin.uploadpack", upload)
        with pytest.raises(AcError):
            await read_text(await discover(folder.root), "a.txt", "HEAD")
    assert not marker.exists()


async def test_a_program_called_git_in_the_repository_is_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    marker = tmp_path / "marker"
    folder = make_repository(tmp_path / "r", {"a.txt": "line\n"})
    repository = await discover(folder.root)
    Path(_program(tmp_path, marker)).rename(folder.root / "git")
    monkeypatch.setenv("PATH", os.pathsep.join(["", ".", os.environ["PATH"]]))
    await _read_everything(repository)
    assert not marker.exists()


async def test_the_users_formats_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"ünï.txt": "line\n", "old.txt": "a\nb\nc\nd\n"})
    folder.git("mv", "old.txt", "new.txt")
    folder.write("fresh/f.txt")
    repository = await discover(folder.root)
    plain = await file_tree(repository), await search(repository, Query("line"))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".gitconfig").write_text(
        "[core]\n quotepath = true\n[status]\n showUntrackedFiles = no\n relativePaths = true\n"
        " renames = false\n short = true\n branch = true\n showStash = true\n"
        "[color]\n ui = always\n[diff]\n renames = false\n orderFile = /nowhere\n"
        " noprefix = true\n relative = true\n"
        "[grep]\n column = true\n lineNumber = false\n patternType = perl\n fullName = true\n"
        "[column]\n ui = always\n[submodule]\n recurse = true\n[core]\n pager = false\n"
    )
    assert (await file_tree(repository), await search(repository, Query("line"))) == plain


async def test_variables_of_a_surrounding_git_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository(tmp_path / "other", {"o.txt": "line\n"})
    folder = make_repository(tmp_path / "r", {"a.txt": "line\n"})
    for name, value in {
        "GIT_DIR": str(other.root / ".git"),
        "GIT_WORK_TREE": str(other.root),
        "GIT_INDEX_FILE": str(other.root / ".git" / "index"),
        "GIT_EXTERNAL_DIFF": "false",
        "GIT_TRACE": "1",
        "GIT_CONFIG_PARAMETERS": "'core.bare=true'",
        "GIT_GLOB_PATHSPECS": "1",
    }.items():
        monkeypatch.setenv(name, value)
    repository = await discover(folder.root)
    assert repository.root == folder.root
    assert await flat_file_list(repository) == "a.txt"


async def test_reading_leaves_the_index_alone(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "line\n"})
    repository = await discover(folder.root)
    folder.write("a.txt", "line\n")  # same content, other times: the index could be refreshed
    os.utime(folder.root / "a.txt", (1, 1))
    before = (folder.root / ".git" / "index").read_bytes()
    await _read_everything(repository)
    assert (folder.root / ".git" / "index").read_bytes() == before


def test_entries_of_the_path_that_are_relative_are_dropped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", ":.:/usr/bin::bin:/bin:")
    assert environment(tmp_path, (), ceiling=True)["PATH"] == "/usr/bin:/bin"


def test_the_environment_is_one_that_git_accepts(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r")
    variables = environment(folder.root, [("some.key", "value\nwith = signs")], ceiling=True)
    said = subprocess.run(
        ["git", "config", "some.key"],
        cwd=folder.root,
        env=variables,
        capture_output=True,
        check=True,
    )
    assert said.stdout == b"value\nwith = signs\n"


def test_of_git_s_own_variables_only_the_user_s_configuration_and_name_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = {
        "GIT_DIR": "/elsewhere",
        "GIT_CONFIG_GLOBAL": "/settings",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "GIT_COMMITTER_DATE": "rubbish",
        "GIT_CONFIG_COUNT": "2",
        "GIT_CONFIG_KEY_0": "safe.directory",
        "GIT_CONFIG_VALUE_0": "/r",
        "GIT_CONFIG_KEY_1": "core.quotePath",
        "GIT_CONFIG_VALUE_1": "true",
        "GIT_CONFIG_KEY_2": "not.counted",
    }
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    reading = environment(tmp_path, (), ceiling=True)
    acting = environment(tmp_path, (), ceiling=True, level=Level.CHANGING)
    assert "GIT_DIR" not in reading.keys() | acting.keys()
    assert reading["GIT_CONFIG_GLOBAL"] == acting["GIT_CONFIG_GLOBAL"] == "/settings"
    assert "GIT_COMMITTER_EMAIL" not in reading
    assert acting["GIT_COMMITTER_EMAIL"] == "ada@example.org"
    assert "GIT_COMMITTER_DATE" not in acting
    entries = [
        (reading[f"GIT_CONFIG_KEY_{index}"], reading[f"GIT_CONFIG_VALUE_{index}"])
        for index in range(int(reading["GIT_CONFIG_COUNT"]))
    ]
    assert entries[0] == ("safe.directory", "/r")
    assert "not.counted" not in dict(entries)
    assert dict(entries)["core.quotePath"] == "false"
