import json
import threading
from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.git.likely_secrets import secret_warnings
from jupyter_ac.rpc.methods import Access
from jupyter_ac.services.settings import content
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.files import FILES
from tests.services.settings.world import KEY, MemoryKeyring, World, page

OTHER_KEY = "sk-other-0123456789abcdefgh"


async def test_of_a_file_that_is_not_there_the_defaults_are_shown(tmp_path: Path) -> None:
    world = World(tmp_path)
    async with page(world) as caller:
        shown = {name: await caller.ask("get_config_content", name) for name in FILES}
        info = await caller.call("get_config_info")
    texts = {name: text for name, text in shown.items() if isinstance(text, str)}
    assert json.loads(texts["app"])["edits"]["retries"] == 1
    assert json.loads(texts["litellm"])["num_retries"] == 4
    assert json.loads(texts["snippets"])["code"]
    assert "edit" in texts["system"]
    assert [name for name, text in texts.items() if not text] == ["system_extra"]
    assert info["unwritten"] == list(FILES)
    assert not world.config.exists()


@pytest.mark.parametrize("name", ["litellm", "app", "snippets", "system", "commit"])
async def test_saving_the_defaults_takes_the_file_away(tmp_path: Path, name: str) -> None:
    world = World(tmp_path)
    async with page(world) as caller:
        shown = await caller.ask("get_config_content", name)
        assert isinstance(shown, str)
        world.write(FILES[name], "" if name == "system" else '{"x": 1}')
        saved = await caller.call("save_config_content", name, shown)
        assert saved["notices"] == [f"The defaults are in force; they need no {FILES[name]}."]
        assert await caller.ask("get_config_content", name) == shown
    assert not (world.config / FILES[name]).exists()


async def test_a_link_stays_when_the_defaults_are_saved(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("elsewhere.json", {"edits": {"retries": 2}})
    (world.config / "app.json").symlink_to("elsewhere.json")
    async with page(world) as caller:
        assert (await caller.call("save_config_content", "app", ""))["status"] == "ok"
        assert "app" in str((await caller.call("get_config_info"))["unwritten"])
    assert (world.config / "app.json").is_symlink()
    assert not (world.config / "elsewhere.json").read_text("utf-8")


async def test_a_default_beside_what_is_locked_can_be_changed(tmp_path: Path) -> None:
    world = World(tmp_path, admin=JupyterAC(locked_settings=["litellm.env", "litellm.api_base"]))
    async with page(world) as caller:
        shown = await caller.ask("get_config_content", "litellm")
        assert isinstance(shown, str)
        assert not {"env", "api_base"} & json.loads(shown).keys()
        changed = shown.replace('"num_retries": 4', '"num_retries": 5')
        saved = await caller.call("save_config_content", "litellm", changed)
    assert saved == {"status": "ok", "type": "litellm", "notices": []}
    assert world.said()["num_retries"] == 5


async def test_an_unknown_type_is_a_refusal_that_names_those_that_there_are(tmp_path: Path) -> None:
    async with page(World(tmp_path)) as caller:
        for answer in (
            await caller.call("get_config_content", "../llm.json"),
            await caller.call("save_config_content", "keys", "{}"),
        ):
            assert "there are litellm, app" in str(answer["error"])


async def test_a_key_is_never_shown_and_stays_through_an_edit(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("llm.json", {"model": "one", "env": {"OPENAI_API_KEY": KEY}})
    async with page(world) as caller:
        shown = await caller.ask("get_config_content", "litellm")
        assert isinstance(shown, str)
        changed = shown.replace('"one"', '"two"')
        saved = await caller.call("save_config_content", "litellm", changed)
        assert saved == {"status": "ok", "type": "litellm", "notices": []}
        info = await caller.call("get_config_info")
    assert world.said() == {"model": "two", "env": {"OPENAI_API_KEY": KEY}}
    assert info["model"] == "two"
    assert [(summary.model, message) for summary, message in world.heard] == [("two", "")]
    assert KEY not in "".join(world.came)


async def test_a_long_text_is_looked_through_beside_the_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_by: list[threading.Thread] = []

    def look(name: str, text: str) -> tuple[str, ...]:
        looked_by.append(threading.current_thread())
        return secret_warnings(name, text)

    monkeypatch.setattr(content, "secret_warnings", look)
    async with page(World(tmp_path)) as caller:
        saved = await caller.call("save_config_content", "system", f"{KEY}\n" * 1000)
    assert "API key" in str(saved["notices"])
    assert looked_by
    assert threading.main_thread() not in looked_by


async def test_a_change_of_keys_and_addresses_is_asked_about_first(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("llm.json", {"env": {"OPENAI_API_KEY": KEY}})
    content = json.dumps({"api_base": "http://x/v1", "env": {"OPENAI_API_KEY": OTHER_KEY}})
    async with page(world) as caller:
        asked = await caller.call("save_config_content", "litellm", content)
        assert asked == {
            "status": "confirm",
            "changes": [
                "api_base: questions and the key go to http://x/v1.",
                "env: OPENAI_API_KEY is changed.",
            ],
        }
        assert world.said() == {"env": {"OPENAI_API_KEY": KEY}}
        assert world.heard == []
        saved = await caller.call("save_config_content", "litellm", content, True)
        assert saved["status"] == "ok"
    assert world.said() == json.loads(content)
    assert (world.config / "llm.json").stat().st_mode & 0o777 == 0o600
    assert not any(key in text for key in (KEY, OTHER_KEY) for text in world.came)


async def test_who_may_not_execute_changes_no_key_and_no_address(tmp_path: Path) -> None:
    world = World(tmp_path, allowed=(Access.READ, Access.WRITE))
    async with page(world) as caller:
        for said in ({"api_base": "http://x"}, {"env": {"A_KEY": KEY}}):
            for confirm in (False, True):
                with pytest.raises(RemoteError, match="needs execute access") as caught:
                    await caller.call("save_config_content", "litellm", json.dumps(said), confirm)
                assert caught.value.remote_type == "access_denied"
        saved = await caller.call("save_config_content", "litellm", '{"model": "m"}')
        assert saved["status"] == "ok"
    assert world.said() == {"model": "m"}


async def test_who_may_only_read_saves_nothing(tmp_path: Path) -> None:
    world = World(tmp_path, allowed=(Access.READ,))
    async with page(world) as caller:
        assert "retries" in str(await caller.ask("get_config_content", "app"))
        for name, args in {
            "save_config_content": ("app", "{}"),
            "reload_llm_config": (),
            "reload_app_config": (),
            "choose_model": ("m",),
            "set_key": ("A_KEY", "k"),
        }.items():
            with pytest.raises(RemoteError, match="access"):
                await caller.ask(name, *args)
    assert not world.config.exists()


@pytest.mark.parametrize(
    ("name", "content", "line", "reason"),
    [
        ("litellm", '{\n"model": "m",\n}', 3, "there is a comma before this }"),
        ("litellm", '{\n"env": {\n"A_KEY": 5}}', 3, "env.A_KEY must be a text in quotes"),
        ("app", '{"edits":\n{"retries": "x"}}', 2, "edits.retries must be a whole number"),
        ("snippets", "[]", None, "it must contain an object"),
    ],
)
async def test_a_broken_text_is_refused_with_its_line(
    tmp_path: Path, name: str, content: str, line: int | None, reason: str
) -> None:
    world = World(tmp_path)
    async with page(world) as caller:
        answer = await caller.call("save_config_content", name, content, True)
    assert answer.get("line") == line
    assert reason in str(answer["error"])
    assert not world.config.exists()
    assert world.heard == []


async def test_what_is_locked_is_refused(tmp_path: Path) -> None:
    world = World(tmp_path, admin=JupyterAC(locked_settings=["litellm.env"]))
    async with page(world) as caller:
        answer = await caller.call("save_config_content", "litellm", '{"env": {"A": "b"}}', True)
    assert answer == {"error": "The administrator has locked litellm.env; you can't change it."}


async def test_a_prompt_is_kept_as_it_is_and_told_when_it_holds(tmp_path: Path) -> None:
    world = World(tmp_path)
    text = "Be brief.\r\nUse ÄÖÜ.\n"
    async with page(world) as caller:
        saved = await caller.call("save_config_content", "system_extra", text)
        assert saved["notices"] == [
            "It holds for new conversations; one that has begun keeps its instructions."
        ]
        assert await caller.ask("get_config_content", "system_extra") == text
        later = await caller.call("save_config_content", "commit", f"use {KEY}")
        assert later["notices"] == [
            "It seems to contain a language model's API key.",
            "It has no effect in this release.",
        ]
    assert (world.config / "system_extra.md").stat().st_mode & 0o777 == 0o644


async def test_a_folder_that_can_t_be_written_is_a_refusal(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.config.mkdir()
    (world.config / "app.json").symlink_to(tmp_path / "gone" / "app.json")
    async with page(world) as caller:
        answer = await caller.call("save_config_content", "app", "{}\n")
    assert "app.json is a link without a target" in str(answer["error"])
    assert str(tmp_path) not in str(answer["error"])


async def test_a_broken_file_on_disk_can_be_mended_without_losing_the_key(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("llm.json", '{"model": "m" "env": {"OPENAI_API_KEY": "' + KEY + '"}}')
    async with page(world) as caller:
        assert caller.model.plan.choice is None
        assert "llm.json, line 1" in caller.model.plan.message
        shown = str(await caller.ask("get_config_content", "litellm"))
        mended = shown.replace('"m" ', '"m", ')
        assert (await caller.call("save_config_content", "litellm", mended))["status"] == "confirm"
        assert (await caller.call("save_config_content", "litellm", mended, True))["status"] == "ok"
        assert caller.model.summary().model == "m"
    assert world.said() == {"model": "m", "env": {"OPENAI_API_KEY": KEY}}
    assert KEY not in "".join(world.came)


@pytest.mark.parametrize("key", ["model", "smaller_model", "smallerModel"])
async def test_a_model_that_names_an_address_needs_what_api_base_needs(
    tmp_path: Path, key: str
) -> None:
    world = World(tmp_path)
    content = json.dumps({key: "oobabooga/http://evil.example:5000"})
    async with page(world) as caller:
        asked = await caller.call("save_config_content", "litellm", content)
        assert asked == {
            "status": "confirm",
            "changes": [f"{key}: questions and the key go to http://evil.example:5000."],
        }
        chosen = await caller.call("choose_model", "oobabooga/http://evil.example:5000")
        assert "says where questions go" in str(chosen["error"])
        assert not (world.config / "llm.json").exists()
    world = World(tmp_path / "w", allowed=(Access.READ, Access.WRITE))
    async with page(world) as caller:
        with pytest.raises(RemoteError, match="execute access"):
            await caller.call("save_config_content", "litellm", content, True)


async def test_an_edit_by_hand_takes_effect(tmp_path: Path) -> None:
    world = World(tmp_path)
    async with page(world) as caller:
        world.write("llm.json", {"model": "m", "smaller_model": "s"})
        answer = await caller.call("reload_llm_config")
    assert answer == {
        "status": "ok",
        "model": "m",
        "source": "llm.json",
        "smaller_model": "s",
        "notices": [],
    }
    assert [summary.model for summary, _ in world.heard] == ["m"]


async def test_a_broken_file_leaves_the_last_good_one_in_force_and_everybody_hears(
    tmp_path: Path,
) -> None:
    world = World(tmp_path)
    world.write("llm.json", {"model": "good", "env": {"OPENAI_API_KEY": KEY}})
    async with page(world) as caller:
        world.write("llm.json", '{\n"model": "bad", "env": {"OPENAI_API_KEY": "' + KEY + "}")
        answer = await caller.call("reload_llm_config")
        assert answer["line"] == 2
        assert str(answer["error"]).startswith("llm.json, line 2: ")
        assert caller.model.summary().model == "good"
        (summary, message) = world.heard[-1]
        assert (summary.model, "llm.json, line 2" in message) == ("good", True)
        world.write("llm.json", {"model": "mended"})
        assert (await caller.call("reload_llm_config"))["model"] == "mended"
    assert KEY not in "".join(world.came) + "".join(message for _, message in world.heard)


@pytest.mark.parametrize("name", ["app.json", "snippets.json"])
async def test_the_other_files_never_take_the_model_away(tmp_path: Path, name: str) -> None:
    world = World(tmp_path)
    world.write("llm.json", {"model": "m"})
    world.write(name, "{")
    async with page(world) as caller:
        answer = await caller.call("reload_app_config")
        assert ("error" in answer) == (name == "app.json")
        assert (await caller.call("reload_llm_config"))["model"] == "m"
        world.write(name, "{}")
        mended = await caller.call("reload_app_config")
        assert (mended["status"], mended["notices"]) == ("ok", [])


async def test_a_key_that_was_put_into_the_keyring_meanwhile_is_found(tmp_path: Path) -> None:
    ring = MemoryKeyring()
    world = World(tmp_path, keyring=ring)
    async with page(world) as caller:
        assert caller.model.summary().model == ""
        ring.kept["ANTHROPIC_API_KEY"] = KEY
        answer = await caller.call("reload_llm_config")
    assert answer["source"] == "ANTHROPIC_API_KEY"
