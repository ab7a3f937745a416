from pathlib import Path

import pytest

from jupyter_ac.git.configuration import read_configuration, settings_in
from jupyter_ac.git.configured_programs import (
    HOOKS,
    INCLUDE,
    Program,
    configured_programs,
    hooks_folder,
)
from jupyter_ac.git.repository import discover
from tests.support.repositories import RepositoryFolder, make_repository


async def _named(folder: RepositoryFolder) -> dict[str, Program]:
    programs = await configured_programs(await discover(folder.root))
    return {program.name: program for program in programs}


@pytest.mark.parametrize(
    ("key", "value", "kind", "files"),
    [
        ("filter.strip.clean", "python3 tools/strip.py", "filter", ("tools/strip.py",)),
        ("filter.a.b.process", "./run.sh", "filter", ("run.sh",)),
        ("core.fsmonitor", ".watch/query", "fsmonitor", (".watch/query",)),
        ("core.hookspath", ".githooks", "hooks", (".githooks/",)),
        ("diff.nb.textconv", "sh nb.sh", "diff", ("nb.sh",)),
        ("diff.external", "tools/diff", "diff", ("tools/diff",)),
        ("merge.ours.driver", "tools/merge %O %A", "merge", ("tools/merge",)),
        ("alias.st", "!sh tools/st.sh", "alias", ("tools/st.sh",)),
        ("gpg.program", "tools/gpg", "signing", ("tools/gpg",)),
        ("gpg.ssh.defaultkeycommand", "tools/key", "signing", ("tools/key",)),
        ("credential.helper", "!tools/secret", "credential", ("tools/secret",)),
        ("credential.https://a.example.helper", "!tools/s", "credential", ("tools/s",)),
        ("core.sshcommand", "ssh -F ./ssh_config", "transport", ("ssh_config",)),
        ("remote.origin.url", "ext::sh tools/x", "transport", ("tools/x",)),
        ("core.editor", "tools/edit", "editor", ("tools/edit",)),
        ("core.pager", "tools/page", "pager", ("tools/page",)),
        ("hook.lint.command", "tools/lint", "hook", ("tools/lint",)),
        ("submodule.x.update", "!tools/update", "submodule", ("tools/update",)),
        ("lfs.extension.x.clean", "tools/x clean", "filter", ("tools/x",)),
        ("include.path", "../shared.gitconfig", "include", ("shared.gitconfig",)),
    ],
)
async def test_each_kind_of_program_is_listed(
    tmp_path: Path, key: str, value: str, kind: str, files: tuple[str, ...]
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("config", key, value)
    program = (await _named(folder))[key]
    assert (program.kind, program.command, program.scope) == (kind, value, "local")
    assert program.files == files
    assert program.is_of_repository


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("core.fsmonitor", "true"),
        ("submodule.x.update", "rebase"),
        ("remote.origin.url", "https://example.org/r.git"),
        ("filter.x.required", "true"),
        ("user.name", "tools/x"),
    ],
)
async def test_what_names_no_program_is_not_listed(tmp_path: Path, key: str, value: str) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("config", key, value)
    assert key not in await _named(folder)


async def test_a_folder_of_a_named_file_counts_as_named(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("config", "filter.x.clean", "python3 tools/x.py")
    folder.git("config", "filter.y.clean", "python3 y.py")
    named = await _named(folder)
    assert named["filter.x.clean"].places == ("tools/x.py", "tools/")
    assert named["filter.y.clean"].places == ("y.py",)


async def test_hooks_in_the_top_folder_are_named_one_by_one(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    folder.git("config", "core.hooksPath", ".")
    files = (await _named(folder))["core.hookspath"].files
    assert "pre-commit" in files
    assert "post-index-change" in files


async def test_a_hooks_folder_that_is_a_link_is_named_with_its_target(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"real/x": "x"})
    (folder.root / "hooks").symlink_to("real")
    folder.git("config", "core.hooksPath", "hooks")
    named = await configured_programs(await discover(folder.root))
    assert [each.files for each in named if each.kind == HOOKS] == [("hooks/", "real/")]


async def test_the_users_configuration_is_told_from_the_repositorys(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"shared.config": '[filter "b"]\n clean = cat\n'})
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "user"))
    (tmp_path / "user").write_text(
        f'[filter "a"]\n clean = cat\n[include]\n path = {folder.root}/shared.config\n'
    )
    programs = await configured_programs(await discover(folder.root))
    named = {program.name: program for program in programs}
    assert named["filter.a.clean"].scope == named["filter.b.clean"].scope == "global"
    assert not named["filter.a.clean"].is_of_repository
    assert named["filter.b.clean"].is_of_repository
    assert {each.files for each in programs if each.kind == INCLUDE} == {("shared.config",)}


async def test_what_the_environment_configures_is_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "filter.a.clean")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "cat")
    named = await _named(folder)
    assert named["filter.a.clean"].scope == "command"
    assert not named["filter.a.clean"].is_of_repository
    assert "core.editor" not in named, "what every command of ours is given"


async def test_the_hooks_folder_is_the_configured_one(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "x"})
    repository = await discover(folder.root)
    settings = settings_in(repository, await read_configuration(repository))
    assert hooks_folder(repository, settings) == str(folder.root / ".git" / "hooks")
    folder.git("config", "core.hooksPath", ".githooks")
    settings = settings_in(repository, await read_configuration(repository))
    assert hooks_folder(repository, settings) == str(folder.root / ".githooks")


async def test_links_beside_a_program_are_followed_inside_the_working_tree(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"tools/strip.py": "", "lib/x.py": "", "all/y": ""})
    for name, target in {
        "x.py": "../lib/x.py",
        "all": "../all",
        "out": "/etc",
        "top": "..",
    }.items():
        (folder.root / "tools" / name).symlink_to(target)
    folder.git("config", "filter.strip.clean", "python3 tools/strip.py")
    folder.git("config", "alias.show", "log -- tools/strip.py")
    found = await _named(folder)
    assert set(found["filter.strip.clean"].files) == {"tools/strip.py", "lib/x.py", "all/"}
    assert found["alias.show"].files == ("tools/strip.py",)
