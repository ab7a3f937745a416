from pathlib import Path

from jupyter_ac.git.file_types import is_folder, is_link


def test_folders_and_links_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").write_text("x")
    (tmp_path / "link").symlink_to("folder")
    names = ("folder", "file", "link", "nothing", "nul\0", "n" * 300, "d/" * 3000)
    assert [name for name in names if is_folder(tmp_path / name)] == ["folder"]
    assert [name for name in names if is_link(tmp_path / name)] == ["link"]
