"""Secrets are masked for display and restored when saved."""

import json
from contextlib import suppress

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from jupyter_ac.settings.files import APP, LITELLM, SNIPPETS, SYSTEM, SettingsKind
from jupyter_ac.settings.masks import DOTS, hide, looks_secret, mask_of, unhide
from jupyter_ac.settings.schema import BrokenSettings

LLM, OTHER, TEXTS = SettingsKind(LITELLM), SettingsKind(APP), SettingsKind(SNIPPETS)
KEY = "sk-ant-0123456789abcdefghijkl"
SHORT = "s3cr3t"

names = st.from_regex(r"[A-Z][A-Z0-9_]{0,12}", fullmatch=True) | st.text(max_size=12)
keys = st.from_regex(r"[A-Za-z0-9_-]{8,60}", fullmatch=True) | st.text(min_size=8, max_size=40)
scalars = st.none() | st.booleans() | st.integers() | st.text(max_size=30)
things = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(names, inner, max_size=3),
    max_leaves=8,
)
objects = st.fixed_dictionaries(
    {"env": st.dictionaries(names, keys, max_size=4)},
    optional={
        "model": st.text(max_size=20),
        "api_base": st.text(max_size=20),
        "api_key": keys,
        "more": things,
    },
)
spelling = st.tuples(st.sampled_from([None, 2]), st.booleans())


def spelled(value: object, how: tuple[int | None, bool]) -> str:
    return json.dumps(value, indent=how[0], ensure_ascii=how[1])


@given(objects, spelling)
def test_what_is_hidden_comes_back_as_it_was(value: object, how: tuple[int | None, bool]) -> None:
    text = spelled(value, how)
    assume("••••" not in text and "\\u2022" not in text)
    shown = hide(LLM, text)
    assert unhide(LLM, shown, text) == text
    json.loads(shown)


@given(st.dictionaries(names, keys, min_size=1, max_size=4), keys, spelling)
def test_no_key_is_shown(env: dict[str, str], key: str, how: tuple[int | None, bool]) -> None:
    assume(all("model" not in name for name in env))
    unlikely = "q" + key + "Zq"
    text = spelled({"env": {**env, "A_KEY": unlikely}, "headers": {"x": [unlikely]}}, how)
    shown = hide(LLM, text)
    assert unlikely not in shown
    assert json.dumps(unlikely)[1:-1] not in shown


@given(st.integers(0, 200), st.sampled_from(["", '"', "{", "}", ",", ":", "\n", "//", "\\"]))
def test_no_key_is_shown_of_a_text_that_is_broken_anywhere(at: int, put: str) -> None:
    text = json.dumps(
        {"model": "openai/x", "env": {"OPENAI_API_KEY": KEY, "A_TOKEN": "hunter2hunter2"}}, indent=1
    )
    broken = text[:at] + put + text[at + 1 :]
    shown = hide(LLM, broken)
    for secret in (KEY, "hunter2hunter2"):
        for start in range(len(secret) - 11):
            assert secret[start : start + 12] not in shown


@given(st.text() | st.text(alphabet='{}[]:,"\\ \n•aEn'), st.text(alphabet='{}[]:,"\\ \n•envA_KEY'))
def test_any_text_is_hidden_and_taken_back_or_refused(text: str, stored: str) -> None:
    for kind in (LLM, OTHER, TEXTS, SettingsKind(SYSTEM)):
        assert isinstance(hide(kind, text), str)
        with suppress(BrokenSettings):
            assert isinstance(unhide(kind, text, stored), str)


@given(objects, st.text(min_size=1, max_size=6))
def test_a_mask_brings_nothing_to_light_elsewhere(value: dict[str, object], name: str) -> None:
    stored = json.dumps({**value, "env": {"A_KEY": KEY}})
    for moved in (
        {"model": mask_of(KEY)},
        {"env": {f"{name}_B": mask_of(KEY)}},
        {name: [mask_of(KEY)]},
    ):
        with pytest.raises(BrokenSettings, match="type the value itself"):
            unhide(LLM, json.dumps(moved), stored)


def test_what_is_shown_of_a_value_is_of_no_use() -> None:
    assert mask_of(SHORT) == mask_of("x" * 23) == DOTS
    assert mask_of(KEY) == f"{DOTS}ijkl"
    assert mask_of("ä" * 40) == DOTS


def test_an_edit_beside_a_hidden_key_keeps_it_and_the_file_as_written() -> None:
    text = '{\n    "model": "a",\n\n    "env": { "OPENAI_API_KEY": "' + KEY + '" }\n}\n'
    shown = hide(LLM, text)
    assert KEY not in shown
    assert unhide(LLM, shown.replace('"a"', '"b"'), text) == text.replace('"a"', '"b"')


def test_a_new_key_beside_a_hidden_one_is_taken() -> None:
    text = json.dumps({"env": {"ONE_KEY": KEY, "TWO_KEY": SHORT}})
    changed = json.loads(hide(LLM, text))
    changed["env"]["TWO_KEY"] = "new"
    taken = json.loads(unhide(LLM, json.dumps(changed), text))
    assert taken == {"env": {"ONE_KEY": KEY, "TWO_KEY": "new"}}


def test_a_hidden_key_survives_the_repair_of_a_broken_file() -> None:
    broken = '{"model": "a" "env": {"OPENAI_API_KEY": "' + KEY + '"}}'
    shown = hide(LLM, broken)
    assert KEY not in shown
    repaired = shown.replace('"a" ', '"a", ')
    assert json.loads(unhide(LLM, repaired, broken))["env"] == {"OPENAI_API_KEY": KEY}


def test_a_mask_that_was_tampered_with_is_refused_with_its_line() -> None:
    stored = json.dumps({"env": {"A_KEY": KEY}})
    for value in (f"{DOTS}abcd", f"x{DOTS}", f"{mask_of(KEY)}x", DOTS):
        with pytest.raises(BrokenSettings, match="dots are in place") as caught:
            unhide(LLM, json.dumps({"env": {"A_KEY": value}}, indent=1), stored)
        assert caught.value.line == 3
    escaped = '{"env": {"B_KEY": "' + "\\u2022" * 8 + '"}}'
    with pytest.raises(BrokenSettings, match="dots are in place"):
        unhide(LLM, escaped, stored)


def test_what_is_no_secret_stays_readable() -> None:
    said = {
        "model": "oci/xai.grok-4-fast-reasoning",
        "smaller_model": "m",
        "api_base": "http://localhost:1/v1",
        "max_output_tokens": 4096,
        "env": {"AWS_REGION_NAME": "eu-west-1", "OPENAI_API_BASE": "https://example.org/v1"},
    }
    text = json.dumps(said)
    assert hide(LLM, text) == text


@pytest.mark.parametrize(
    "said",
    [
        {"api_base": f"https://user:{KEY}@example.org"},
        {"api_base": f"https://example.org/?key={KEY}"},
        {"api_key": SHORT},
        {"extra_headers": {"authorization": SHORT}},
        {"env": {"HTTPS_PROXY": f"http://me:{SHORT}@proxy:1"}},
        {"env": {"WEBHOOK_URL": f"https://hooks.example.org/{SHORT}"}},
        {"env": {"AWS_SECRET_ACCESS_KEY": SHORT, "REGION": KEY}},
        {"env": {"TOKEN": 12345678901234}},
        {"env": {"DEEP": {"er": SHORT}}},
        {KEY: 1},
    ],
)
def test_a_secret_in_an_odd_place_is_hidden(said: object) -> None:
    shown = hide(LLM, json.dumps(said))
    for secret in (KEY, SHORT, "12345678901234"):
        assert secret not in shown


def test_other_files_hide_what_looks_like_a_key() -> None:
    text = json.dumps({"url_cache": {"path": "p", "password": SHORT}, "note": f"use {KEY}"})
    shown = hide(OTHER, text)
    assert KEY not in shown
    assert SHORT not in shown
    assert unhide(OTHER, shown, text) == text
    plain = json.dumps({"code": [{"message": "skip_whitespace_tokens • • •", "icon": "x"}]})
    assert hide(TEXTS, plain) == plain


def test_eight_dots_of_the_users_own_are_no_mask_outside_of_llm_json() -> None:
    text = json.dumps({"code": [{"message": DOTS}]})
    assert unhide(TEXTS, text, "") == text


def test_a_hidden_text_that_was_moved_is_not_replaced_by_its_dots() -> None:
    stored = json.dumps({"code": [{"message": f"curl -H 'Bearer {KEY}'"}]})
    shown = json.loads(hide(TEXTS, stored))
    moved = json.dumps({"code": [{"message": "new"}, *shown["code"]]}, indent=1)
    with pytest.raises(BrokenSettings, match="type the value itself") as caught:
        unhide(TEXTS, moved, stored)
    assert caught.value.line == 7


def test_a_key_in_this_process_s_environment_is_known_anywhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "plainwords99")
    assert "plainwords99" not in hide(TEXTS, json.dumps({"code": [{"message": "a plainwords99"}]}))


@pytest.mark.parametrize("text", ["AKIAABCDEFGHIJKLMNOP", "Bearer abcdefghijklmnop", f"x {KEY}"])
def test_the_shape_of_a_secret_is_known(text: str) -> None:
    assert looks_secret(text)
    assert not looks_secret("task_number_one_of_the_day")
