import json
import os
from pathlib import Path

import pytest

from jupyter_ac.settings.app import AppSettings
from jupyter_ac.settings.files import SettingsKind
from jupyter_ac.settings.live import LiveSettings, WatchedFile
from jupyter_ac.settings.llm import LlmSettings
from jupyter_ac.settings.schema import SettingsText
from jupyter_ac.settings.snippets import Snippet


def put(folder: Path, name: str, value: object) -> None:
    (folder / name).write_text(value if isinstance(value, str) else json.dumps(value))


def test_without_files_the_defaults_hold(tmp_path: Path) -> None:
    live = LiveSettings(tmp_path)
    live.refresh()
    assert (live.llm, live.app, live.snippets) == (LlmSettings(), AppSettings(), {})
    assert live.prompt("system") == ""
    assert live.notices() == []
    assert live.version == 0


def test_each_file_is_in_force_once_it_is_read(tmp_path: Path) -> None:
    put(tmp_path, "llm.json", {"model": "m"})
    put(tmp_path, "app.json", {"prompt": {"profile": "standard"}})
    put(tmp_path, "snippets.json", {"code": [{"message": "Hi"}]})
    put(tmp_path, "system_extra.md", "\nBe brief.\n\n")
    live = LiveSettings(tmp_path)
    assert live.llm.model == ""
    assert live.refresh() == {"litellm", "app", "snippets", "system_extra"}
    assert live.llm.model == "m"
    assert live.app.prompt.profile == "standard"
    assert live.snippets == {"code": (Snippet("Hi"),)}
    assert live.prompt("system_extra") == "Be brief."
    assert live.refresh() == frozenset()
    assert live.version == 1


def test_an_edit_by_hand_is_noticed_and_so_is_a_removal(tmp_path: Path) -> None:
    live = LiveSettings(tmp_path)
    for model in ("one", "two, longer"):
        put(tmp_path, "llm.json", {"model": model})
        assert live.refresh() == {"litellm"}
        assert live.llm.model == model
    (tmp_path / "llm.json").unlink()
    assert live.refresh() == {"litellm"}
    assert live.llm == LlmSettings()


def test_a_change_that_leaves_no_trace_is_seen_when_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jupyter_ac.settings.live._stamp", lambda _path: (1, 1))
    put(tmp_path, "llm.json", {"model": "one"})
    live = LiveSettings(tmp_path)
    live.refresh()
    put(tmp_path, "llm.json", {"model": "two"})
    assert live.refresh() == frozenset()
    assert live.refresh(["app"]) == frozenset()
    assert live.refresh(["litellm"]) == {"litellm"}
    assert live.llm.model == "two"


@pytest.mark.parametrize("broken", ["{", '{"model": 1}', "[]", '{"model": "\\ud800", }'])
def test_a_broken_file_leaves_what_held_before_in_force(tmp_path: Path, broken: str) -> None:
    put(tmp_path, "llm.json", {"model": "good"})
    put(tmp_path, "app.json", {"edits": {"retries": 2}})
    live = LiveSettings(tmp_path)
    live.refresh()
    put(tmp_path, "llm.json", broken)
    assert live.refresh() == {"litellm"}
    assert live.llm.model == "good"
    problem = live.problem("litellm")
    assert problem is not None
    assert live.was_sound("litellm")
    assert live.notices() == [f"{problem.message} Its last valid version is effective."]
    put(tmp_path, "llm.json", {"model": "mended"})
    assert live.refresh() == {"litellm"}
    assert live.llm.model == "mended"
    assert live.problem("litellm") is None
    assert live.notices() == []
    assert live.app.edits.retries == 2


def test_a_file_that_is_broken_from_the_start_says_nothing(tmp_path: Path) -> None:
    put(tmp_path, "llm.json", "{")
    live = LiveSettings(tmp_path)
    live.refresh()
    assert live.llm == LlmSettings()
    assert not live.was_sound("litellm")
    assert live.notices()[0].endswith("Nothing of it is effective.")


def test_what_is_locked_is_not_taken_from_a_users_file(tmp_path: Path) -> None:
    put(tmp_path, "llm.json", {"model": "m", "api_base": "http://elsewhere"})
    put(tmp_path, "system.md", "Be rude.")
    live = LiveSettings(tmp_path, ["litellm.api_base", "system"])
    live.refresh()
    assert (live.llm.model, live.llm.api_base) == ("m", None)
    assert live.prompt("system") == ""
    assert live.notices() == [
        "The administrator has locked litellm.api_base; llm.json can't set it.",
        "The administrator has locked system; system.md can't set it.",
    ]


def test_what_is_locked_holds_when_it_stands_in_the_administrators_own_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "llm.json", {"api_base": "http://gateway"})
    stranger = os.geteuid() + 1
    monkeypatch.setattr("jupyter_ac.settings.live.os.geteuid", lambda: stranger)
    live = LiveSettings(tmp_path, ["litellm.api_base"])
    live.refresh()
    assert live.llm.api_base == "http://gateway"
    assert live.notices() == []


def test_a_notice_holds_no_key(tmp_path: Path) -> None:
    key = "sk-ant-0123456789abcdefghijkl"
    for text in ('{"env": {"A_KEY": "' + key, '{"env": {"A_KEY": ["' + key + '"]}}'):
        put(tmp_path, "llm.json", text)
        live = LiveSettings(tmp_path)
        live.refresh()
        assert live.notices()
        assert key not in " ".join(live.notices())
        assert key not in repr(live.problem("litellm"))


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
