"""The map of a folder that isn't the user's repository."""

from pathlib import Path

from jupyter_ac.index.folder_map import folder_map


async def test_the_map_names_what_the_files_define(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "pump.py").write_text("class Pump:\n    def prime(self): ...\n", "utf-8")
    text = await folder_map(folder, tmp_path / "index", 1000)
    assert "pump.py" in text
    assert "prime" in text


async def test_an_empty_folder_has_no_map(tmp_path: Path) -> None:
    folder = tmp_path / "files"
    folder.mkdir()
    assert await folder_map(folder, tmp_path / "index", 1000) == ""
