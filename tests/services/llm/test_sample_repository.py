"""The sample repository is recognised by its files, and reset to how the tour found it."""

from pathlib import Path

import pytest

from jupyter_ac.chat.recorded.example import example
from jupyter_ac.events import FilesModified
from jupyter_ac.git.repository import discover
from jupyter_ac.services.llm.sample_repository import SampleRepository
from jupyter_ac.services.subscribers import Subscribers
from jupyter_ac.settings.app import AppSettings, ExampleSettings
from tests.support.changing import writers_of
from tests.support.repositories import RepositoryFolder, make_repository
from tools import demo

PLAIN = AppSettings()


@pytest.fixture
def folder(tmp_path: Path) -> RepositoryFolder:
    """The sample, as the tour finds it."""
    demo.make_repository(tmp_path / demo.REPOSITORY)
    return RepositoryFolder(tmp_path / demo.REPOSITORY)


class Heard(Subscribers):
    """Notes which files are said to have changed."""

    def __init__(self) -> None:
        super().__init__()
        self.paths: list[list[str]] = []

    def publish(self, event: object, *_to: object, **_but: object) -> None:
        assert isinstance(event, FilesModified)
        self.paths.append([*event.paths])


async def sample_in(
    folder: RepositoryFolder, audience: Heard, settings: AppSettings = PLAIN
) -> SampleRepository:
    repository = await discover(folder.root)
    return SampleRepository(repository, writers_of(repository, audience), lambda: settings)


async def test_the_example_is_offered_in_the_sample_only(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    sample = await sample_in(folder, Heard())
    assert await sample.example() is example()
    assert await sample.changed() == []
    other = make_repository(tmp_path / "other", {"weather/summary.py": "pass\n"})
    assert await (await sample_in(other, Heard())).example() is None


async def test_the_setting_hides_it(folder: RepositoryFolder) -> None:
    sample = await sample_in(folder, Heard(), AppSettings(example=ExampleSettings(offered=False)))
    assert await sample.example() is None
    assert await sample.commit_message(["weather/summary.py"]) == ""


@pytest.mark.parametrize("content", ["day,celsius,wind\n", b"\0\1", None])
async def test_another_content_of_a_file_is_another_repository(
    folder: RepositoryFolder, content: str | bytes | None
) -> None:
    path = folder.root / "data" / "readings.csv"
    path.unlink()
    if content is not None:
        folder.write("data/readings.csv", content)
    assert await (await sample_in(folder, Heard())).example() is None


async def test_a_link_out_of_the_repository_is_not_followed(
    folder: RepositoryFolder, tmp_path: Path
) -> None:
    path = folder.root / "data" / "readings.csv"
    outside = tmp_path / "readings.csv"
    path.rename(outside)
    path.symlink_to(outside)
    assert await (await sample_in(folder, Heard())).example() is None


async def test_reset_writes_what_has_changed_and_unstages_it(folder: RepositoryFolder) -> None:
    before, heard = folder.git("status", "--short"), Heard()
    sample = await sample_in(folder, heard)
    folder.write("weather/summary.py", "pass\n")
    (folder.root / "docs" / "todo.md").unlink()
    folder.write("README.md", "# Mine\n")
    folder.git("add", "--all")
    changed = ["docs/todo.md", "weather/summary.py"]
    assert await sample.changed() == changed
    assert await sample.reset() == changed
    assert heard.paths == [changed]
    assert await sample.changed() == []
    folder.git("restore", "--staged", "--worktree", "README.md")
    assert folder.git("status", "--short") == before
    assert await sample.reset() == []


async def test_a_file_that_an_answer_made_and_somebody_changed_stays(
    folder: RepositoryFolder,
) -> None:
    made = folder.write("tests/test_summary.py", "def test_mine(): pass\n")
    sample = await sample_in(folder, Heard())
    assert await sample.reset() == []
    assert made.is_file()
