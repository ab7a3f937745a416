import asyncio
import json
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from jupyter_ac.errors import AccessDenied, Conflict
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.app import AppSettings, read_app
from jupyter_ac.settings.editing import Editor, default_text, is_default, replace_text, set_value
from jupyter_ac.settings.files import FILES, SettingsKind
from jupyter_ac.settings.llm import LlmSettings, read_llm
from jupyter_ac.settings.masks import hide
from jupyter_ac.settings.schema import BrokenSettings
from tests.settings.test_scan import json_values
from tests.support.examples import examples

LLM, APP, SYSTEM = SettingsKind("litellm"), SettingsKind("app"), SettingsKind("system")
KEY = "sk-ant-0123456789abcdefghijkl"


def editor(folder: Path, admin: JupyterAC | None = None) -> Editor:
    return Editor(folder, admin or JupyterAC())


async def save(target: Editor, kind: SettingsKind, content: str, *agreed: str) -> None:
    await target.save(kind, replace_text(kind, content), agreed=agreed)


async def test_what_is_shown_can_be_saved_as_it_is(tmp_path: Path) -> None:
    text = json.dumps({"model": "m", "env": {"A_KEY": KEY}}, indent=3)
    (tmp_path / "llm.json").write_text(text)
    shown = await editor(tmp_path).masked_text(LLM)
    assert KEY not in shown
    draft = await editor(tmp_path).propose(LLM, replace_text(LLM, shown))
    assert (draft.changes, draft.is_new) == ([], False)
    await save(editor(tmp_path), LLM, shown)
    assert (tmp_path / "llm.json").read_text() == text


async def test_saving_what_is_there_still_closes_the_file_to_others(tmp_path: Path) -> None:
    path = tmp_path / "llm.json"
    path.write_text('{"model": "m"}')
    path.chmod(0o644)
    await save(editor(tmp_path), LLM, '{"model": "m"}')
    assert path.stat().st_mode & 0o777 == 0o600


async def test_a_mark_at_the_beginning_of_a_pasted_text_is_no_part_of_it(tmp_path: Path) -> None:
    await save(editor(tmp_path), LLM, '\ufeff{"model": "m"}')
    assert (tmp_path / "llm.json").read_bytes() == b'{"model": "m"}'


async def test_an_endless_text_is_refused_before_it_is_looked_through(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[object] = []
    monkeypatch.setattr("jupyter_ac.settings.editing.unhide", lambda *all_: looked.append(all_))
    with pytest.raises(BrokenSettings, match="longer than 1 MiB"):
        await save(editor(tmp_path), APP, '{"a": "' + "•" * 400_000 + '"}')
    assert looked == []


async def test_a_change_that_nobody_agreed_to_is_not_made(tmp_path: Path) -> None:
    content = json.dumps({"env": {"A_KEY": KEY}})
    draft = await editor(tmp_path).propose(LLM, replace_text(LLM, content))
    assert draft.changes == ["env: A_KEY is added."]
    with pytest.raises(Conflict, match="check it again"):
        await save(editor(tmp_path), LLM, content)
    assert not (tmp_path / "llm.json").exists()
    await save(editor(tmp_path), LLM, content, *draft.changes)
    assert json.loads((tmp_path / "llm.json").read_text()) == {"env": {"A_KEY": KEY}}


async def test_a_broken_text_is_refused_and_nothing_written(tmp_path: Path) -> None:
    (tmp_path / "llm.json").write_text('{"model": "m"}')
    for content, line in (('{\n"model": 1}', 2), ('{"model"\n', 2), ("[]", None)):
        with pytest.raises(BrokenSettings) as caught:
            await save(editor(tmp_path), LLM, content)
        assert caught.value.line == line
    assert (tmp_path / "llm.json").read_text() == '{"model": "m"}'


async def test_over_a_broken_file_everything_secret_is_asked_about(tmp_path: Path) -> None:
    (tmp_path / "llm.json").write_text('{"env": {"A_KEY": "' + KEY + '"')
    shown = await editor(tmp_path).masked_text(LLM)
    draft = await editor(tmp_path).propose(LLM, replace_text(LLM, shown + "}}"))
    assert draft.changes == ["env: A_KEY is added."]
    assert KEY in draft.text


@pytest.mark.parametrize(
    ("locked", "kind", "content"),
    [
        ("litellm.model", LLM, '{"model": "other"}'),
        ("litellm", LLM, '{"num_retries": 1}'),
        ("app.edits.review", APP, '{"edits": {"review": true}}'),
        ("system", SYSTEM, "Be rude."),
    ],
)
async def test_what_the_administrator_has_locked_stays(
    tmp_path: Path, locked: str, kind: SettingsKind, content: str
) -> None:
    admin = JupyterAC(locked_settings=[locked])
    with pytest.raises(AccessDenied, match=f"has locked {locked};"):
        await save(editor(tmp_path, admin), kind, content)
    assert not (tmp_path / kind.file).exists()


async def test_beside_what_is_locked_a_file_can_be_changed(tmp_path: Path) -> None:
    admin = JupyterAC(locked_settings=["app.edits.review"])
    await save(editor(tmp_path, admin), APP, '{"edits": {"retries": 2}}')
    assert (tmp_path / "app.json").exists()


@pytest.mark.parametrize("key", ["model", "smaller_model", "smallerModel"])
async def test_a_model_that_is_not_allowed_can_t_be_saved(tmp_path: Path, key: str) -> None:
    admin = JupyterAC(denied_models=["evil/*"])
    with pytest.raises(AccessDenied, match="evil/one"):
        await save(editor(tmp_path, admin), LLM, json.dumps({key: "evil/one"}))
    await save(editor(tmp_path, admin), LLM, json.dumps({key: "good/one"}))


async def test_one_value_is_set_beside_the_others(tmp_path: Path) -> None:
    (tmp_path / "llm.json").write_text(json.dumps({"env": {"A_KEY": KEY}, "other": [1]}))
    await editor(tmp_path).save(LLM, set_value(LLM, ("model",), "m"))
    expected = {"env": {"A_KEY": KEY}, "other": [1], "model": "m"}
    assert json.loads((tmp_path / "llm.json").read_text()) == expected
    draft = await editor(tmp_path).save(LLM, set_value(LLM, ("model",), "m"))
    assert not draft.is_new
    await editor(tmp_path).save(LLM, set_value(LLM, ("model",), None))
    assert "model" not in json.loads((tmp_path / "llm.json").read_text())


async def test_a_value_can_t_be_set_in_a_broken_file(tmp_path: Path) -> None:
    (tmp_path / "llm.json").write_text("{")
    with pytest.raises(BrokenSettings, match=r"llm\.json, line 1"):
        await editor(tmp_path).save(LLM, set_value(LLM, ("model",), "m"))
    assert (tmp_path / "llm.json").read_text() == "{"


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(50))
@given(
    json_values.map(json.dumps) | st.text(), st.sampled_from([LLM, APP, SettingsKind("snippets")])
)
def test_any_text_is_saved_or_refused_in_our_words(
    tmp_path: Path, text: str, kind: SettingsKind
) -> None:
    async def attempt() -> None:
        target = editor(tmp_path)
        try:
            draft = await target.propose(kind, replace_text(kind, text))
        except BrokenSettings:
            return
        await target.save(kind, replace_text(kind, text), agreed=draft.changes)
        assert kind.read(tmp_path) == text

    for old in tmp_path.glob("*.json"):
        old.unlink()
    asyncio.run(attempt())


WRITER = """
import asyncio, sys
from pathlib import Path
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.editing import Editor, set_value
from jupyter_ac.settings.files import SettingsKind

async def main(folder, name):
    editor, kind = Editor(Path(folder), JupyterAC()), SettingsKind("litellm")
    for n in range(15):
        edit = set_value(kind, ("env", f"{name}_{n}_KEY"), "secret")
        draft = await editor.propose(kind, edit)
        await editor.save(kind, edit, agreed=draft.changes)

asyncio.run(main(*sys.argv[1:]))
"""


async def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [
        await asyncio.create_subprocess_exec(sys.executable, "-c", WRITER, str(tmp_path), name)
        for name in ("ONE", "TWO")
    ]
    async with asyncio.timeout(60):
        assert [await writer.wait() for writer in writers] == [0, 0]
    env = json.loads((tmp_path / "llm.json").read_text())["env"]
    assert set(env) == {f"{name}_{n}_KEY" for name in ("ONE", "TWO") for n in range(15)}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["llm.json", "locks"]


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
