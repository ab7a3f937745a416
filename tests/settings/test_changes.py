import json
from collections.abc import Mapping

import pytest

from jupyter_ac.settings.changes import (
    locked_changes,
    locked_paths,
    sensitive_changes,
    with_value,
    without_locked,
)
from jupyter_ac.settings.files import APP, LITELLM, SYSTEM, SettingsKind

LLM = SettingsKind(LITELLM)
KEY = "sk-ant-0123456789abcdefghijkl"

Said = Mapping[str, object]


@pytest.mark.parametrize(
    ("before", "after", "changes"),
    [
        ({}, {"model": "m", "num_retries": 1}, []),
        ({"env": {}}, {}, []),
        ({"api_base": None}, {"api_base": ""}, []),
        (
            {},
            {"api_base": f"https://u:{KEY}@example.org/v1?k={KEY}"},
            ["api_base: questions and the key go to https://example.org/v1."],
        ),
        ({}, {"api_base": "??"}, ["api_base: questions and the key go to this address."]),
        (
            {"api_base": "http://a"},
            {},
            ["api_base: questions and the key go to the provider's own address."],
        ),
        (
            {"env": {"A_KEY": KEY, "B_KEY": "1", "C": "2"}},
            {"env": {"A_KEY": "other", "B_KEY": "1", "D_KEY": KEY}},
            ["env: A_KEY is changed.", "env: C is removed.", "env: D_KEY is added."],
        ),
        (
            {},
            {"env": {"OPENAI_API_BASE": "http://evil.example/v1"}},
            ["env: OPENAI_API_BASE is added: http://evil.example/v1."],
        ),
        ({"env": "broken"}, {"env": {"A": "1"}}, ["env: A is added."]),
    ],
)
def test_what_sends_keys_elsewhere_is_said_without_them(
    before: Said, after: Said, changes: list[str]
) -> None:
    assert sensitive_changes(LLM, before, after) == changes
    assert KEY not in "".join(changes)


def test_other_files_hold_nothing_to_ask_about() -> None:
    assert sensitive_changes(SettingsKind(APP), {}, {"env": {"A": "1"}, "api_base": "x"}) == []


@pytest.mark.parametrize(
    ("locked", "after", "names"),
    [
        (["litellm.api_base"], {"model": "b"}, []),
        (["litellm.model"], {"model": "b"}, ["litellm.model"]),
        (["litellm.model"], {}, ["litellm.model"]),
        (["litellm.env.A"], {"model": "a", "env": {"A": "2"}}, ["litellm.env.A"]),
        (["litellm.env.A"], {"model": "a", "env": {"A": "1", "B": "2"}}, []),
        (["litellm.env"], {"model": "a", "env": {"A": "1", "B": "2"}}, ["litellm.env"]),
        (["litellm.smaller_model"], {"model": "a", "smallerModel": "b"}, ["litellm.smallerModel"]),
        (["litellm"], {"model": "b"}, ["litellm"]),
        (["litellm"], {"model": "a", "env": {"A": "1"}}, []),
        (["app", "app.edits", "model"], {"model": "b"}, []),
    ],
)
def test_only_what_is_locked_and_changes_is_named(
    locked: list[str], after: Said, names: list[str]
) -> None:
    before = {"model": "a", "env": {"A": "1"}}
    after = after if "env" in after else {**after, "env": before["env"]}
    assert locked_changes(LLM, locked, before, after) == names


def test_a_locked_prompt_is_locked_whole() -> None:
    assert locked_changes(SettingsKind(SYSTEM), ["system"], {"text": ""}, {"text": "x"}) == [
        "system"
    ]
    assert locked_paths(SettingsKind(SYSTEM), ["system", "system_extra"]) == [()]


def test_what_is_locked_is_left_out_and_named() -> None:
    said = {"model": "m", "env": {"A": "1", "B_KEY": "2"}, "api_base": "http://x"}
    stored, left = without_locked(LLM, ["litellm.env.A", "litellm.api_base", "litellm.gone"], said)
    assert stored == {"model": "m", "env": {"B_KEY": "2"}}
    assert left == ["litellm.env.A", "litellm.api_base"]
    assert without_locked(LLM, ["litellm"], said) == ({}, ["litellm"])
    assert without_locked(LLM, ["litellm"], {}) == ({}, [])
    assert said["env"] == {"A": "1", "B_KEY": "2"}


def test_a_value_is_put_in_and_taken_out_without_touching_the_others() -> None:
    said = {"z": 1, "env": {"A": "ä"}, "a": [1, 2]}
    assert json.loads(with_value(said, ("env", "B"), "2")) == {**said, "env": {"A": "ä", "B": "2"}}
    assert list(json.loads(with_value(said, ("model",), "m"))) == ["z", "env", "a", "model"]
    assert json.loads(with_value(said, ("env", "A"), None)) == {"z": 1, "env": {}, "a": [1, 2]}
    assert json.loads(with_value({}, ("env", "A"), "1")) == {"env": {"A": "1"}}
    assert json.loads(with_value({}, ("env", "A"), None)) == {}
    assert "ä" in with_value(said, ("model",), "m")


@pytest.mark.parametrize("key", ["model", "smaller_model", "smallerModel"])
def test_a_model_with_an_address_is_asked_about_and_locked_as_api_base_is(key: str) -> None:
    elsewhere = {key: f"oobabooga/http://u:{KEY}@evil.example:5000/v1"}
    assert sensitive_changes(LLM, {}, elsewhere) == [
        f"{key}: questions and the key go to http://evil.example:5000/v1."
    ]
    assert sensitive_changes(LLM, elsewhere, {}) == [
        f"{key}: questions and the key no longer go to the address in its name."
    ]
    assert sensitive_changes(LLM, elsewhere, elsewhere) == []
    locked = ["litellm.api_base"]
    assert locked_changes(LLM, locked, {}, elsewhere) == [f"litellm.{key}"]
    assert locked_changes(LLM, locked, elsewhere, {key: "openai/x"}) == [f"litellm.{key}"]
    assert locked_changes(LLM, locked, {key: "a/b"}, {key: "openai/x"}) == []
    assert without_locked(LLM, locked, elsewhere) == ({}, [f"litellm.{key}"])


def test_variables_that_name_an_address_are_locked_with_api_base() -> None:
    said = {"env": {"OPENAI_API_BASE": "http://x", "OPENAI_API_KEY": "k"}}
    assert without_locked(LLM, ["litellm.api_base"], said) == (
        {"env": {"OPENAI_API_KEY": "k"}},
        ["litellm.env.OPENAI_API_BASE"],
    )


def test_a_command_of_a_panel_is_confirmed_when_it_is_new_or_changed() -> None:
    before = {"panels": {"commands": {"a": {"command": ["x"]}, "b": {"command": ["y", "z"]}}}}
    commands: dict[str, object] = {
        "a": {"command": ["x"], "protocol": "kkrpc"},
        "b": {"command": ["y", "a b"]},
        "c": {"command": ["w"]},
        "broken": {"command": "x"},
        "none": 3,
    }
    after = {"panels": {"commands": commands}}
    told = ["The panel 'b' runs y 'a b'.", "The panel 'c' runs w."]
    assert sensitive_changes(SettingsKind(APP), before, after) == told
    assert sensitive_changes(SettingsKind(APP), after, {"panels": {"commands": 3}}) == []
    assert sensitive_changes(SettingsKind(APP), {}, {}) == []
