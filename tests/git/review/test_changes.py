from pathlib import Path

import pytest

from jupyter_ac.errors import RefusedPath
from jupyter_ac.git import diffs
from jupyter_ac.git.repository import discover
from jupyter_ac.git.review import changes
from jupyter_ac.git.review.changes import changed_files, file_diff
from jupyter_ac.git.review.start import begin
from tests.support.changing import changer_of
from tests.support.repositories import make_repository


async def test_the_changes_of_a_branch_under_review(tmp_path: Path) -> None:
    text = "".join(f"{number}\n" for number in range(20))
    folder = make_repository(tmp_path / "r", {"a": "1\n", "old": text, "gone": "1\n", "t": "x\n"})
    folder.git("checkout", "-q", "-b", "feature")
    folder.write("a", "1\n2\n")
    folder.git("mv", "old", "häst new")
    folder.write("häst new", text + "more\n")
    folder.write("bin", b"\0\1")
    (folder.root / "gone").unlink()
    (folder.root / "t").unlink()
    (folder.root / "t").symlink_to("a")
    folder.commit("feature")
    folder.git("checkout", "-q", "main")
    repository = await discover(folder.root)
    assert await changed_files(repository) == []
    await changer_of(repository).change(lambda git: begin(git, "feature", ""))
    rows = {row["path"]: row for row in await changed_files(repository)}
    assert {path: row["status"] for path, row in rows.items()} == {
        "a": "modified",
        "häst new": "renamed",
        "bin": "added",
        "gone": "deleted",
        "t": "typechange",
    }
    assert (rows["häst new"]["additions"], rows["häst new"]["deletions"]) == (1, 0)
    assert (rows["bin"]["additions"], rows["gone"]["deletions"]) == (0, 1)
    assert "+2\n" in await file_diff(repository, "a")
    renamed = await file_diff(repository, "häst new")
    assert "rename from old" in renamed
    assert "+more" in renamed
    assert "+19" not in renamed
    assert await file_diff(repository, "nowhere") == ""
    with pytest.raises(RefusedPath):
        await file_diff(repository, "../a")


async def test_without_a_review_it_is_what_is_staged(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n"})
    folder.write("a", "2\n")
    folder.git("add", "a")
    repository = await discover(folder.root)
    assert await changed_files(repository) == [
        {
            "path": "a",
            "old_path": "",
            "status": "modified",
            "additions": 1,
            "deletions": 1,
        }
    ]
    assert "-1\n+2\n" in await file_diff(repository, "a")


async def test_of_a_file_that_is_too_large_no_lines_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = make_repository(tmp_path / "r", {"a": "1\n", "large": "1\n" * 400})
    folder.write("a", "1\n2\n")
    folder.write("large", "1\n" * 401)
    folder.git("add", ".")
    repository = await discover(folder.root)
    for module in (changes, diffs):
        monkeypatch.setattr(module, "MAX_SHOWN_FILE_BYTES", 512)
    rows = {row["path"]: row["additions"] for row in await changed_files(repository)}
    assert rows == {"a": 1, "large": 0}
    assert (await file_diff(repository, "large")).endswith("\nToo large to show.\n")
