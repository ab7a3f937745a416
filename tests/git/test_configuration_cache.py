"""A cached listing of the configuration is invalidated when one of its sources changes."""

import os
import time
from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.git import configuration
from jupyter_ac.git.configuration import last_value, read_configuration, settings_in
from jupyter_ac.git.configuration_cache import ConfigurationCache
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.runner import GitOptions, GitOutput, read_git
from tests.support.repositories import RepositoryFolder, make_repository

SETTLED_S = 0.05


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What git is asked."""
    observed: list[str] = []

    async def counted(directory: Path, args: tuple[str, ...], options: GitOptions) -> GitOutput:
        observed.append(args[0])
        return await read_git(directory, args, options)

    monkeypatch.setattr(configuration, "read_git", counted)
    return observed


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    for name in ("GIT_CONFIG_GLOBAL", "XDG_CONFIG_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(place))
    return place


@pytest.fixture
def folder(tmp_path: Path, home: Path) -> RepositoryFolder:
    made = make_repository(tmp_path / "r", {"a": "x", "inside.config": "[x]\n y = inside\n"})
    made.git("config", "include.path", "../inside.config")
    made.git("config", "--add", "include.path", "~/missing.config")
    made.git("config", "--add", "includeIf.gitdir:/elsewhere/.path", "other.config")
    (made.root / ".git/other.config").write_text("[x]\n y = other\n")
    (home / ".gitconfig").write_text("[x]\n y = home\n")
    return made


async def opened(folder: RepositoryFolder) -> Repository:
    found = replace(
        await discover(folder.root), configuration=ConfigurationCache(3600, settled_s=SETTLED_S)
    )
    await warm(found)
    return found


async def warm(repository: Repository) -> None:
    """Have the configuration kept, once its files are old enough."""
    ready = time.time() + SETTLED_S
    while time.time() <= ready:  # the clock has to go on
        os.sched_yield()
    for _ in range(2):
        await read_configuration(repository)


async def value(repository: Repository, key: str) -> str:
    found = last_value(settings_in(repository, await read_configuration(repository)), key)
    return found.value if found else ""


async def test_git_is_asked_once_while_nothing_changes(
    folder: RepositoryFolder, asked: list[str]
) -> None:
    repository = await opened(folder)
    assert len(asked) == 2
    for _ in range(5):
        assert await value(repository, "x.y") == "inside"
    folder.write("a", "another\n")
    folder.commit()
    assert await value(repository, "x.y") == "inside"
    assert len(asked) == 2


@pytest.mark.parametrize(
    "place",
    [
        *("r/.git/config", "r/.git/config.worktree", "r/inside.config", "r/.git/other.config"),
        *("home/.gitconfig", "home/.config/git/config", "home/missing.config"),
    ],
)
async def test_each_file_that_changes_appears_or_goes_is_noticed_at_once(
    folder: RepositoryFolder, asked: list[str], tmp_path: Path, place: str
) -> None:
    repository = await opened(folder)
    file = tmp_path / place
    before = file.read_bytes() if file.exists() else None
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("ab") as stream:
        stream.write(b"[x]\n z = 1\n")
    count = len(asked)
    await read_configuration(repository)
    assert len(asked) == count + 1
    await warm(repository)
    count = len(asked)
    if before is None:
        file.unlink()
    else:
        draft = file.with_name("draft")
        draft.write_bytes(before)
        draft.replace(file)
    await read_configuration(repository)
    assert len(asked) == count + 1


async def test_the_same_size_and_the_same_times_do_not_hide_a_change(
    folder: RepositoryFolder,
) -> None:
    repository = await opened(folder)
    file = folder.root / "inside.config"
    assert await value(repository, "x.y") == "inside"
    found = file.stat()
    file.write_text("[x]\n y = INSIDE\n")
    os.utime(file, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert await value(repository, "x.y") == "INSIDE"


async def test_the_environment_has_a_say(
    folder: RepositoryFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = await opened(folder)
    other = tmp_path / "other.gitconfig"
    other.write_text("[some]\n key = 1\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(other))
    assert await value(repository, "some.key") == "1"


@pytest.fixture(params=["link", "branch", "remote"])
def doubtful(request: pytest.FixtureRequest, folder: RepositoryFolder) -> None:
    """Make it so that the files alone don't tell what the configuration is."""
    if request.param == "link":
        (folder.root / ".git/config").rename(folder.root / ".git/real")
        (folder.root / ".git/config").symlink_to("real")
    else:
        condition = {"branch": "onbranch:side", "remote": "hasconfig:remote.*.url:x"}[request.param]
        folder.git("config", f"includeIf.{condition}.path", "other.config")


@pytest.mark.usefixtures("doubtful")
async def test_what_files_alone_do_not_tell_is_asked_each_time(
    folder: RepositoryFolder, asked: list[str]
) -> None:
    repository = await opened(folder)
    count = len(asked)
    folder.git("checkout", "-q", "-b", "side")
    await read_configuration(repository)
    assert len(asked) == count + 1
