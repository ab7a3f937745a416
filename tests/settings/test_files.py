from pathlib import Path

import pytest

from jupyter_ac.settings.files import FILES, SettingsKind, kind_of
from jupyter_ac.settings.schema import MAX_FILE_BYTES, BrokenSettings


def test_each_type_has_its_file() -> None:
    assert FILES["litellm"] == "llm.json"
    assert kind_of("litellm") == SettingsKind("litellm")
    for strange in ("", "llm.json", "../x", "LITELLM", "settings"):
        assert kind_of(strange) is None


def test_only_the_file_with_keys_is_for_its_owner_alone() -> None:
    assert {name for name in FILES if SettingsKind(name).mode == 0o600} == {"litellm"}
    assert {name for name in FILES if SettingsKind(name).is_json} == {"litellm", "app", "snippets"}


@pytest.mark.parametrize("name", FILES)
def test_an_absent_file_is_an_empty_one_and_that_is_sound(tmp_path: Path, name: str) -> None:
    kind = SettingsKind(name)
    assert kind.read(tmp_path) == ""
    kind.check("")


def test_a_prompt_is_any_text() -> None:
    assert SettingsKind("system").check("{ not json").values == {"text": "{ not json"}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("x" * (MAX_FILE_BYTES + 1), "longer than 1 MiB"),
        ("a\n\ud800", "line 2: half"),
    ],
)
def test_what_can_t_be_kept_is_refused(name: str, text: str, reason: str) -> None:
    with pytest.raises(BrokenSettings, match=reason):
        SettingsKind(name).check(text)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("litellm", '{"num_retries": "x"}'),
        ("app", '{"edits": {"review": 1}}'),
        ("snippets", '{"code": [{"icon": "x"}]}'),
    ],
)
def test_values_are_checked(name: str, text: str) -> None:
    with pytest.raises(BrokenSettings, match="line 1"):
        SettingsKind(name).check(text)
