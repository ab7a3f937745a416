"""The files that a command line names."""

from pathlib import Path

import pytest

from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.cli.attachments import attachments
from jupyter_ac.hosts.cli.command import WrongUsage
from tests.support.repositories import RepositoryFolder, make_repository


@pytest.fixture
def garden(tmp_path: Path) -> RepositoryFolder:
    files: dict[str, str | bytes] = {"a.py": "1\n", "docs/a.py": "2\n", "docs/b.md": "# B\n"}
    folder = make_repository(tmp_path / "garden", files)
    folder.write("image.png", b"\x89PNG\0\0")
    folder.write("new.txt", "untracked\n")
    return folder


async def taken(garden: RepositoryFolder, *files: str, within: str = "") -> list[str]:
    return await attachments(await discover(garden.root), files, garden.root / within)


async def test_a_file_is_looked_for_in_the_current_folder_first(garden: RepositoryFolder) -> None:
    assert await taken(garden, "a.py", "docs/b.md", "new.txt") == ["a.py", "docs/b.md", "new.txt"]
    assert await taken(garden, "a.py", "b.md", within="docs") == ["docs/a.py", "docs/b.md"]
    assert await taken(garden, "../a.py", within="docs") == ["a.py"]


async def test_then_in_the_repository(garden: RepositoryFolder) -> None:
    assert await taken(garden, "docs/b.md", within="docs") == ["docs/b.md"]


async def test_an_absolute_path_and_one_through_a_link_are_files_of_the_repository(
    garden: RepositoryFolder, tmp_path: Path
) -> None:
    (tmp_path / "way").symlink_to(garden.root)
    assert await taken(garden, str(garden.root / "a.py")) == ["a.py"]
    assert await taken(garden, str(tmp_path / "way/docs/b.md")) == ["docs/b.md"]


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("nosuch.py", "There is no file 'nosuch.py' in the repository 'garden'."),
        ("docs", "'docs' is a folder; name its files."),
        ("../outside.txt", "'../outside.txt' is no file of the repository 'garden'."),
        (".git/config", "'.git/config' is no file of the repository 'garden'."),
        ("image.png", "Not sent: image.png is a binary file."),
    ],
)
async def test_what_is_no_file_that_can_be_sent_is_named(
    file: str, says: str, garden: RepositoryFolder, tmp_path: Path
) -> None:
    (tmp_path / "outside.txt").write_text("not yours\n")
    with pytest.raises(WrongUsage) as caught:
        await taken(garden, "a.py", file)
    assert str(caught.value) == says
