from pathlib import Path

from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.files import FILES
from tests.services.settings.world import KEY, MemoryKeyring, World, page


async def test_the_model_and_the_places_are_told_without_secrets(tmp_path: Path) -> None:
    world = World(tmp_path, admin=JupyterAC(locked_settings=["app.edits"]))
    base = f"https://u:{KEY}@example.org/v1?key={KEY}"
    world.write("llm.json", {"model": "openai/x", "smaller_model": "y", "api_base": base})
    async with page(world) as caller:
        info = await caller.call("get_config_info")
    assert info == {
        "model": "openai/x",
        "smaller_model": "y",
        "source": "llm.json",
        "api_base": "https://example.org/v1",
        "config_dir": str(world.config),
        "repo_root": str(tmp_path / "repo"),
        "types": list(FILES),
        "unwritten": [name for name in FILES if name != "litellm"],
        "locked": ["app.edits"],
        "keyring": False,
        "notices": [],
    }


async def test_an_edit_by_hand_is_seen_and_a_broken_file_told(tmp_path: Path) -> None:
    world = World(tmp_path, keyring=MemoryKeyring())
    world.write("llm.json", {"model": "one"})
    async with page(world) as caller:
        world.write("llm.json", {"model": "two, longer"})
        info = await caller.call("get_config_info")
        assert (info["model"], info["keyring"]) == ("two, longer", True)
        world.write("llm.json", "{")
        broken = await caller.call("get_config_info")
    assert broken["model"] == "two, longer"
    assert "llm.json, line 1: " in str(broken["notices"])
