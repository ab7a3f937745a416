import json
import stat
from pathlib import Path

import pytest

from jupyter_ac.errors import TooLarge
from jupyter_ac.store import repository_tables
from jupyter_ac.store.repository_tables import (
    change_repository,
    make_folder,
    read_repositories,
    replace_repositories,
    set_aside,
)


def test_what_was_written_is_read_by_its_owner_only(tmp_path: Path) -> None:
    place = tmp_path / "a.json"
    assert read_repositories(place) == {}
    replace_repositories(place, {"r\0\udce9": [1]})
    assert read_repositories(place) == {"r\0\udce9": [1]}
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


def test_the_target_of_a_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    target = tmp_path / "dotfiles" / "a.json"
    target.write_text(json.dumps({"version": 1}))
    (tmp_path / "a.json").symlink_to(target)
    replace_repositories(tmp_path / "a.json", {"r": 1})
    assert (tmp_path / "a.json").is_symlink()
    assert read_repositories(target) == {"r": 1}


def test_a_table_that_could_not_be_read_again_is_not_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "a.json"
    replace_repositories(place, {"r": 1})
    monkeypatch.setattr(repository_tables, "MAX_BYTES", 200)
    with pytest.raises(TooLarge, match=r"a\.json would be longer"):
        replace_repositories(place, {"r": "x" * 200})
    assert read_repositories(place) == {"r": 1}
    place.write_text(" " * 201)
    with pytest.raises(ValueError, match="too long"):
        read_repositories(place)


def test_a_failed_write_leaves_no_temporary_file(tmp_path: Path) -> None:
    (tmp_path / "a.json").mkdir()
    with pytest.raises(OSError, match="directory"):
        replace_repositories(tmp_path / "a.json", {})
    assert [each.name for each in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"version": 2}'])
def test_a_file_of_another_form_is_refused_and_can_be_set_aside(tmp_path: Path, text: str) -> None:
    place = tmp_path / "a.json"
    place.write_text(text)
    with pytest.raises(ValueError, match=r"Expecting|damaged"):
        read_repositories(place)
    set_aside(place)
    assert read_repositories(place) == {}
    assert (tmp_path / "a.unreadable").read_text() == text


def test_a_missing_folder_is_made_for_its_owner_only(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "real").mkdir()
    made = make_folder(tmp_path / "link" / "config")
    assert made == tmp_path / "real" / "config"
    assert stat.S_IMODE(made.stat().st_mode) == 0o700


async def test_a_change_gets_what_is_there_and_keeps_the_rest(tmp_path: Path) -> None:
    place = tmp_path / "new" / "a.json"
    seen: list[object] = []

    def more(found: object) -> object:
        seen.append(found)
        return [*(found if isinstance(found, list) else []), 1]

    await change_repository(place, "a", "r", more)
    await change_repository(place, "a", "other", more)
    await change_repository(place, "a", "r", more)
    assert seen == [None, None, [1]]
    assert read_repositories(place) == {"r": [1, 1], "other": [1]}


async def test_a_refused_change_changes_nothing_and_a_damaged_file_is_set_aside(
    tmp_path: Path,
) -> None:
    def refuse(_found: object) -> object:
        raise TooLarge("Too many.")

    place = tmp_path / "a.json"
    await change_repository(place, "a", "r", lambda _: 1)
    with pytest.raises(TooLarge, match="Too many"):
        await change_repository(place, "a", "r", refuse)
    assert read_repositories(place) == {"r": 1}
    place.write_text("{")
    await change_repository(place, "a", "r", lambda found: [found])
    assert read_repositories(place) == {"r": [None]}
    assert (tmp_path / "a.unreadable").read_text() == "{"
