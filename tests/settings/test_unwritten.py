import json

import pytest

from jupyter_ac.settings.app import AppSettings, read_app
from jupyter_ac.settings.files import FILES, SettingsKind
from jupyter_ac.settings.llm import LlmSettings, read_llm
from jupyter_ac.settings.masks import hide
from jupyter_ac.settings.unwritten import default_text, is_default


def _prompt(name: str) -> str:
    return f"Our {name}."


@pytest.mark.parametrize("name", FILES)
def test_the_default_text_changes_nothing_and_holds_no_secret(name: str) -> None:
    kind = SettingsKind(name)
    text = default_text(kind, (), _prompt)
    source = kind.check(text)
    assert hide(kind, text) == text
    assert is_default(kind, text, text)
    assert is_default(kind, " \n", text)
    assert not is_default(kind, '{"x": 1}', text)
    if name == "app":
        assert read_app(source) == AppSettings()
    if name == "litellm":
        assert read_llm(source) == LlmSettings()


def test_a_text_is_compared_by_what_it_says() -> None:
    app, prompt = SettingsKind("app"), SettingsKind("system")
    text = default_text(app, (), _prompt)
    assert is_default(app, json.dumps(json.loads(text)), text)
    assert not is_default(app, "{", text)
    assert is_default(prompt, "Our system.\r\n", "Our system.\n")


def test_what_is_locked_is_left_out() -> None:
    text = default_text(
        SettingsKind("app"), ["app.edits.review", "app.prompt", "litellm.env"], _prompt
    )
    said = json.loads(text)
    assert "prompt" not in said
    assert "review" not in said["edits"]
    assert said["edits"]["retries"] == 1
    assert "edits" in json.loads(default_text(SettingsKind("app"), ["app"], _prompt))
