from pathlib import Path

from jupyter_ac.settings.files import SettingsKind
from jupyter_ac.settings.schema import SettingsText
from jupyter_ac.settings.watched import WatchedFile


def test_a_file_is_read_only_when_it_has_changed(tmp_path: Path) -> None:
    read: list[str] = []

    def note(source: SettingsText) -> str:
        read.append(source.text)
        return source.text

    file = WatchedFile(SettingsKind("system"), note, "default")
    assert file.value == "default"
    assert file.reload(tmp_path, ())
    assert file.value == ""
    assert not file.reload(tmp_path, ())
    (tmp_path / "system.md").write_text("one")
    assert file.reload(tmp_path, ())
    assert not file.reload(tmp_path, ())
    assert not file.reload(tmp_path, (), force=True)
    assert (file.value, read) == ("one", ["", "one", "one"])


def test_the_same_problem_twice_is_no_news(tmp_path: Path) -> None:
    file = WatchedFile(SettingsKind("app"), lambda source: source.text, "")
    (tmp_path / "app.json").write_text("{")
    assert file.reload(tmp_path, ())
    assert not file.reload(tmp_path, (), force=True)
    (notice,) = file.notices()
    assert notice.startswith("app.json, line 1: Expecting property name")
    assert notice.endswith("correct it. Nothing of it is effective.")


def test_a_file_in_whose_way_something_stood_is_read_when_that_is_gone(tmp_path: Path) -> None:
    file = WatchedFile(SettingsKind("app"), lambda source: source.text, "")
    (tmp_path / "file").write_text("")
    assert file.reload(tmp_path / "file", ())
    assert "not a directory" in file.notices()[0]
    (tmp_path / "file").unlink()
    assert file.reload(tmp_path / "file", ())
    assert file.notices() == []


def test_new_permissions_are_noticed(tmp_path: Path) -> None:
    path = tmp_path / "app.json"
    path.write_text("{}")
    read: list[str] = []
    file = WatchedFile(SettingsKind("app"), lambda source: read.append(source.text), None)
    assert not file.reload(tmp_path, ())
    path.chmod(0o600)
    file.reload(tmp_path, ())
    assert len(read) == 2
