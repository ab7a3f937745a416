from pathlib import Path

import pytest

from jupyter_ac.git import commit_advice
from jupyter_ac.git.commit_advice import LARGE_BYTES, CommitRow, advise, files_below
from jupyter_ac.git.commit_candidates import list_candidates
from jupyter_ac.git.repository import discover
from tests.support.jupyter_files import with_setting
from tests.support.repositories import RepositoryFolder, make_repository


async def rows(
    folder: RepositoryFolder, *, is_whole: bool = False
) -> tuple[dict[str, CommitRow], int]:
    repository, _ = await with_setting(folder, is_shown=True)
    found, left_out = advise(repository, await list_candidates(repository), is_whole=is_whole)
    return {row.candidate.path: row for row in found}, left_out


async def test_new_files_are_left_out_for_a_reason(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "1\n", "big.txt": "1\n", ".env": "A=1\n"})
    folder.write("a.txt", "2\n")
    folder.write("big.txt", "2" * (LARGE_BYTES + 1))
    folder.write(".env", "A=2\n")
    folder.write("fine.txt")
    folder.write("secrets.env", "A=1\n")
    folder.write("key.py", "k = 'sk-proj-" + "a1b2" * 6 + "'\n")
    folder.write("staged.pem", "x\n")
    folder.write("edge.bin", b"x" * LARGE_BYTES)
    folder.write("large.bin", b"x" * (LARGE_BYTES + 1))
    folder.write("dist/forced.js")
    folder.git("add", "staged.pem", "dist/forced.js")
    folder.write("build/a.o")
    folder.write("build/b.o")
    folder.write("n/.ipynb_checkpoints/a.ipynb")
    make_repository(folder.root / "inner", {"x": "1\n"})
    found, left_out = await rows(folder)
    assert left_out == 0
    ticked = [path for path, row in found.items() if not row.reason]
    assert ticked == [".env", "a.txt", "big.txt", "edge.bin", "fine.txt"]
    secrets = [path for path, row in found.items() if row.is_secret]
    assert secrets == ["staged.pem", "key.py", "secrets.env"]
    assert "dist/, which tools make" in found["dist/forced.js"].reason
    assert "1.0 MB" in found["large.bin"].reason
    assert "repository of its own" in found["inner"].reason
    assert "Jupyter" in found["n/.ipynb_checkpoints/"].reason
    assert found["build/"].files == 2
    assert found["build/"].version == ""


async def test_a_changed_file_with_a_likely_secret_is_taken_and_warned_of(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "1\n", "b.txt": "1\n"})
    folder.write("a.txt", "k = 'sk-proj-" + "a1b2" * 6 + "'\n")
    folder.write("b.txt", "2\n")
    found, _ = await rows(folder)
    row = found["a.txt"]
    assert (row.reason, row.is_secret) == ("", False)
    assert "API key" in row.warning
    assert found["b.txt"].warning == ""


async def test_a_folders_row_stands_for_its_untracked_files(tmp_path: Path) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "1\n", "dist/kept.js": "1\n"})
    folder.write("dist/kept.js", "2\n")
    folder.write("dist/new.js", "2\n")
    candidates = await list_candidates(await discover(folder.root))
    assert [one.path for one in files_below("dist/", candidates)] == ["dist/new.js"]
    found, _ = await rows(folder)
    assert found["dist/kept.js"].reason == ""


async def test_in_the_middle_of_a_merge_only_untracked_files_can_be_left_out(
    tmp_path: Path,
) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "1\n"})
    folder.write("staged.pem", "x\n")
    folder.git("add", "staged.pem")
    folder.write("other.pem", "x\n")
    found, _ = await rows(folder, is_whole=True)
    assert (found["staged.pem"].reason, bool(found["staged.pem"].warning)) == ("", True)
    assert found["other.pem"].reason


async def test_the_list_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = make_repository(tmp_path / "r", {"a.txt": "1\n"})
    for number in range(12):
        folder.write(f"f{number:02}.txt")
        folder.write(f"node_modules/{number}.js")
    monkeypatch.setattr(commit_advice, "MAX_ROWS", 10)
    found, left_out = await rows(folder)
    assert len(found) == 10
    assert found["node_modules/"].files == 12
    assert left_out == 3
