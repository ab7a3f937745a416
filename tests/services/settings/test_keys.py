import logging
from pathlib import Path

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.rpc.methods import Access
from jupyter_ac.settings.admin import JupyterAC
from tests.services.settings.world import KEY, MemoryKeyring, World, page

NAME = "ANTHROPIC_API_KEY"


async def test_a_key_goes_into_the_keyring_and_the_provider_can_be_used_at_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(tmp_path, keyring=MemoryKeyring())
    assert world.keyring is not None
    async with page(world) as caller:
        with caplog.at_level(logging.DEBUG):
            asked = await caller.call("set_key", NAME, KEY)
            assert asked == {
                "status": "confirm",
                "changes": [f"{NAME} is kept in the system's keyring."],
            }
            assert world.keyring.kept == {}
            kept = await caller.call("set_key", NAME, KEY, True)
        assert kept == {"status": "ok", "where": "keyring", "message": ""}
        assert world.keyring.kept == {NAME: KEY}
        assert caller.model.summary().source == NAME
        assert caller.model.plan.terms.environment == {NAME: KEY}
        removed = await caller.call("set_key", NAME, "", True)
        assert removed == {"status": "ok", "where": "keyring", "message": ""}
        assert caller.model.summary().model == ""
    assert world.keyring.kept == {}
    assert not world.config.exists()
    announced = "".join(f"{summary} {message}" for summary, message in world.heard)
    assert KEY not in "".join(world.came) + announced + caplog.text


async def test_without_a_keyring_it_goes_into_llm_json_for_its_owner_alone(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("llm.json", {"model": "m"})
    (world.config / "llm.json").chmod(0o644)
    async with page(world) as caller:
        asked = await caller.call("set_key", NAME, f" {KEY} ")
        assert asked["changes"] == [f"{NAME} is kept in llm.json, readable by you only."]
        kept = await caller.call("set_key", NAME, f" {KEY} ", True)
        assert kept == {"status": "ok", "where": "llm.json", "message": ""}
        assert world.said() == {"model": "m", "env": {NAME: KEY}}
        assert (world.config / "llm.json").stat().st_mode & 0o777 == 0o600
        assert caller.model.plan.terms.environment == {NAME: KEY}
        await caller.call("set_key", NAME, "", True)
        assert world.said() == {"model": "m", "env": {}}
    assert KEY not in "".join(world.came)


async def test_an_older_key_in_the_file_is_not_in_the_way(tmp_path: Path) -> None:
    world = World(tmp_path, keyring=MemoryKeyring())
    world.write("llm.json", {"env": {NAME: "old", "OTHER": "x"}})
    async with page(world) as caller:
        await caller.call("set_key", NAME, KEY, True)
        assert caller.model.plan.terms.environment == {"OTHER": "x", NAME: KEY}
    assert world.said() == {"env": {"OTHER": "x"}}


async def test_nothing_is_done_when_the_older_key_can_t_be_taken_out(tmp_path: Path) -> None:
    world = World(tmp_path, keyring=MemoryKeyring())
    assert world.keyring is not None
    world.write("llm.json", {"env": {NAME: "old"}})
    async with page(world) as caller:
        world.write("llm.json", "{")
        refused = await caller.call("set_key", NAME, KEY, True)
    assert "llm.json, line 1" in str(refused["error"])
    assert world.keyring.kept == {}


async def test_a_key_in_the_environment_is_said_to_be_stronger(tmp_path: Path) -> None:
    world = World(tmp_path, keyring=MemoryKeyring(), environ={NAME: "from outside"})
    async with page(world) as caller:
        kept = await caller.call("set_key", NAME, KEY, True)
        assert "environment, which is stronger" in str(kept["message"])
        removed = await caller.call("set_key", NAME, "", True)
        assert removed["message"] == f"{NAME} is still set in the environment."


async def test_a_keyring_that_refuses_is_told_without_the_key(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(tmp_path, keyring=MemoryKeyring())
    assert world.keyring is not None
    world.keyring.refuses = True
    async with page(world) as caller:
        with caplog.at_level(logging.DEBUG):
            refused = await caller.call("set_key", NAME, KEY, True)
    assert "keyring refused" in str(refused["error"])
    assert KEY not in str(refused) + caplog.text


@pytest.mark.parametrize(
    "name", ["PATH", "LD_PRELOAD", "openai_api_key", "A KEY", "=KEY", "", "KEY\n_KEY"]
)
async def test_only_variables_of_keys_can_be_set(tmp_path: Path, name: str) -> None:
    world = World(tmp_path)
    async with page(world) as caller:
        refused = await caller.call("set_key", name, KEY, True)
    assert "no variable of a key" in str(refused["error"])
    assert not world.config.exists()


@pytest.mark.parametrize("key", ["two words", "line\nbreak", "k\0", "••••••••jkl1", "x" * 4097])
async def test_what_can_t_be_a_key_is_refused_without_repeating_it(
    tmp_path: Path, key: str
) -> None:
    world = World(tmp_path)
    async with page(world) as caller:
        refused = await caller.call("set_key", NAME, key, True)
    assert "That is no key" in str(refused["error"])
    assert key not in str(refused)
    assert not world.config.exists()


@pytest.mark.parametrize("locked", ["litellm", "litellm.env", f"litellm.env.{NAME}"])
async def test_a_locked_key_is_refused_in_both_places(tmp_path: Path, locked: str) -> None:
    world = World(tmp_path, admin=JupyterAC(locked_settings=[locked]), keyring=MemoryKeyring())
    assert world.keyring is not None
    async with page(world) as caller:
        refused = await caller.call("set_key", NAME, KEY, True)
    assert f"has locked {NAME}" in str(refused["error"])
    assert world.keyring.kept == {}


async def test_who_may_not_execute_sets_no_key(tmp_path: Path) -> None:
    world = World(tmp_path, allowed=(Access.READ, Access.WRITE))
    async with page(world) as caller:
        with pytest.raises(RemoteError, match="execute access") as caught:
            await caller.call("set_key", NAME, KEY, True)
    assert KEY not in str(caught.value)
    assert not world.config.exists()
