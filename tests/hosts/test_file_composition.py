from pathlib import Path

import pytest

from jupyter_ac.chat.history.exclusion_store import ExcludedPathStore
from jupyter_ac.chat.history.schema import HISTORY_FILE
from jupyter_ac.events import Event, ExcludedFilesChanged
from jupyter_ac.git.excluded_paths import NONE_EXCLUDED
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.file_composition import keep_excluded, kept_excluded, make_excluded
from jupyter_ac.ids import RepoPath
from jupyter_ac.services.subscribers import Subscribers
from tests.support.histories import history_in
from tests.support.repositories import make_repository


async def test_pages_are_told_of_the_list(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "garden", {"a.py": ""})
    database, subscribers, heard = history_in(tmp_path), Subscribers(), list[Event]()
    subscribers.observe(lambda event, _: heard.append(event))
    excluded = make_excluded(await discover(folder.root), database, subscribers)
    await excluded.replace(["a.py"])
    assert heard == [ExcludedFilesChanged(["a.py"])]
    await database.aclose()


async def test_a_command_reads_what_a_host_has_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_AC_CONFIG_DIR", str(tmp_path / "config"))
    folder = make_repository(tmp_path / "garden", {"a.py": ""})
    repository = await discover(folder.root)
    assert await kept_excluded(repository) == NONE_EXCLUDED
    assert not (folder.root / ".git" / "jupyter_ac").exists()
    (state := folder.root / ".git" / "jupyter_ac").mkdir(mode=0o700)
    assert await kept_excluded(repository) == NONE_EXCLUDED
    database = history_in(state)
    await ExcludedPathStore(database).replace([RepoPath("a.py")])
    await database.aclose()
    assert (await kept_excluded(repository)).paths == ("a.py",)
    (state / HISTORY_FILE).unlink()
    assert (await kept_excluded(repository)).paths == ("a.py",)


async def test_what_another_repository_has_excluded_is_kept_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_AC_CONFIG_DIR", str(tmp_path / "config"))
    repository = await discover(make_repository(tmp_path / "garden", {"a.py": ""}).root)
    await keep_excluded(repository, ())
    assert not (repository.common_dir / "jupyter_ac").exists()
    paths = [RepoPath("not UTF-8 \udcff.py"), RepoPath("vault")]
    await keep_excluded(repository, paths)
    assert list((await kept_excluded(repository)).paths) == paths
