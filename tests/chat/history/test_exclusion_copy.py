import json
from pathlib import Path

import pytest

from jupyter_ac.chat.history import exclusion_copy
from jupyter_ac.chat.history.exclusion_copy import COPY_FILE
from jupyter_ac.errors import AcError, Unsupported
from jupyter_ac.ids import RepoPath

PATHS = [RepoPath("a b/\u00fc.py"), RepoPath("\udcff\n.py")]


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    assert exclusion_copy.read(tmp_path) == ()
    (tmp_path / "excluded.tmp").symlink_to("elsewhere")
    exclusion_copy.write(tmp_path, PATHS)
    assert exclusion_copy.read(tmp_path) == PATHS
    assert [file.name for file in tmp_path.iterdir()] == [COPY_FILE]
    assert (tmp_path / COPY_FILE).stat().st_mode & 0o777 == 0o600
    exclusion_copy.write(tmp_path, [])
    assert exclusion_copy.read(tmp_path) == []


@pytest.mark.parametrize(
    "text",
    ["", "[", "[]", "[" * 100_000, '{"version": 2, "paths": []}', '{"version": 1, "paths": [1]}'],
)
def test_a_damaged_one_is_an_error_with_the_remedy(tmp_path: Path, text: str) -> None:
    (tmp_path / COPY_FILE).write_text(text)
    with pytest.raises(Unsupported, match=r"excluded.json .* exclude the files again"):
        exclusion_copy.read(tmp_path)


def test_what_is_no_path_is_left_out_and_no_link_followed(tmp_path: Path) -> None:
    written = {"version": 1, "paths": ["a", "../up", ".git/config", "", "/etc"]}
    (tmp_path / COPY_FILE).write_text(json.dumps(written))
    assert exclusion_copy.read(tmp_path) == ["a"]
    (tmp_path / COPY_FILE).rename(tmp_path / "other")
    (tmp_path / COPY_FILE).symlink_to("other")
    with pytest.raises(AcError):
        exclusion_copy.read(tmp_path)
