"""Reading which front end was built."""

from pathlib import Path

import pytest

from jupyter_ac.errors import NotFound
from jupyter_ac.hosts.assets import Build, chunk_source, load_build, ui_source

DESCRIPTION = '{"hash": "1a2b3c", "ui": "ui-1a2b3c.js", "version": "0.1.0"}'


def test_a_build_is_read_with_its_whole_ui_and_its_later_parts(tmp_path: Path) -> None:
    (tmp_path / "build.json").write_text(DESCRIPTION, encoding="utf-8")
    (tmp_path / "ui-1a2b3c.js").write_text("export {}", encoding="utf-8")
    build = Build("1a2b3c", "ui-1a2b3c.js", "0.1.0")
    assert load_build(tmp_path) == build
    assert ui_source(tmp_path) == (build, "export {}")
    (tmp_path / "maths-1a2b3c.js").write_text("export const maths = 1", encoding="utf-8")
    assert chunk_source("maths", tmp_path) == (build, "export const maths = 1")


@pytest.mark.parametrize("text", [None, "", "{", "[]", '{"hash": 1, "ui": "x", "version": "y"}'])
def test_a_missing_or_damaged_description_says_how_to_build(
    tmp_path: Path, text: str | None
) -> None:
    if text is not None:
        (tmp_path / "build.json").write_text(text, encoding="utf-8")
    with pytest.raises(NotFound, match="npm run build"):
        load_build(tmp_path)


def test_a_build_without_its_ui_says_how_to_build(tmp_path: Path) -> None:
    (tmp_path / "build.json").write_text(DESCRIPTION, encoding="utf-8")
    with pytest.raises(NotFound, match="npm run build"):
        ui_source(tmp_path)
    with pytest.raises(NotFound, match="npm run build"):
        chunk_source("viewer", tmp_path)


def test_the_ui_is_never_looked_for_outside_the_folder(tmp_path: Path) -> None:
    described = DESCRIPTION.replace("ui-1a2b3c.js", "../../etc/passwd")
    (tmp_path / "build.json").write_text(described, encoding="utf-8")
    assert load_build(tmp_path).ui == "passwd"
