from pathlib import Path

import pytest

from jupyter_ac.git.temporary_folders import temporary_folder


@pytest.mark.parametrize("depth", [0, 3, 1500])
def test_what_lies_in_it_goes_with_it(tmp_path: Path, depth: int) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/kept").write_text("x")
    with temporary_folder(tmp_path) as folder:
        assert folder.parent == tmp_path
        (folder / "link").symlink_to(tmp_path / "outside")
        at = folder
        for _ in range(depth):
            at /= "d"
            at.mkdir()
        (at / "file").write_text("x")
    assert [each.name for each in tmp_path.iterdir()] == ["outside"]
    assert (tmp_path / "outside/kept").read_text() == "x"
