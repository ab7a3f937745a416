from pathlib import Path

import pytest

from tests.services.settings.world import KEY, MemoryKeyring, World, page


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
