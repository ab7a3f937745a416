import asyncio
from pathlib import Path

import pytest

from jupyter_ac.errors import ProviderAuth, RemoteError
from jupyter_ac.rpc.methods import Access
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.workers.wire import ServedModels, ServedModelsRequest
from tests.services.settings.world import KEY, NoModels, World, page, rows

OLLAMA = "http://127.0.0.1:11434"


async def test_kinds_of_servers_have_what_a_form_needs(tmp_path: Path) -> None:
    async with page(World(tmp_path)) as caller:
        kinds = rows(await caller.ask("list_endpoint_kinds"))
    by_name = {row["kind"]: row for row in kinds}
    assert by_name["ollama"]["api_base"] == OLLAMA
    assert by_name["ollama"]["key_variable"] == ""
    assert by_name["openai_compatible"]["key_variable"] == "HOSTED_VLLM_API_KEY"


async def test_a_search_is_confirmed_first_and_names_the_provider(tmp_path: Path) -> None:
    world = World(tmp_path)
    async with page(world) as caller:
        first = await caller.call("find_models", "ollama", f" {OLLAMA}/ ")
        assert first["status"] == "confirm"
        assert OLLAMA in str(first["changes"])
        assert world.endpoints.searched == []
        found = await caller.call("find_models", "ollama", OLLAMA, "", True)
    assert found["models"] == ["ollama_chat/small", "ollama_chat/large:7b"]
    assert found["api_base"] == f"{OLLAMA}/v1"
    assert world.endpoints.searched == [ServedModelsRequest("ollama_chat", OLLAMA)]


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("", "http://"),
        ("ftp://127.0.0.1", "http://"),
        ("file:///etc/passwd", "http://"),
        ("http://", "http://"),
        ("http://127.0.0.1:0", "http://"),
        ("http://127.0.0.1:x", "http://"),
        ("http://a b/", "http://"),
        ("http://a\nb/", "http://"),
        ("http://" + "a" * 3000, "http://"),
        ("http://me:secret@127.0.0.1", "key"),
        ("http://127.0.0.1/v1?key=1", "leave the rest out"),
        ("http://169.254.169.254/latest", "no address of a model server"),
        ("http://[fe80::1]/", "no address of a model server"),
        ("http://[::ffff:169.254.169.254]/", "no address of a model server"),
        ("http://0.0.0.0:80", "no address of a model server"),
    ],
)
async def test_no_request_goes_to_an_address_that_is_none(
    tmp_path: Path, address: str, says: str
) -> None:
    world = World(tmp_path)
    async with page(world) as caller:
        for name, *more in (("find_models", "vllm", address), ("try_model", "a/b", address)):
            if not address and name == "try_model":
                continue
            refused = str((await caller.call(name, *more, "", True))["error"])
            assert says in refused
            assert "secret@" not in refused
    assert (world.endpoints.asked, world.endpoints.searched) == ([], [])


async def test_who_may_not_execute_makes_no_request(tmp_path: Path) -> None:
    world = World(tmp_path, allowed=[Access.READ, Access.WRITE])
    async with page(world) as caller:
        for call in (
            ("find_models", "ollama", OLLAMA, "", True),
            ("try_model", "a/b", "", "", True),
        ):
            with pytest.raises(RemoteError) as raised:
                await caller.ask(*call, "", True)
            assert raised.value.remote_type == "access_denied"
    assert (world.endpoints.asked, world.endpoints.searched) == ([], [])


async def test_the_administrator_decides_on_addresses_models_and_keys(tmp_path: Path) -> None:
    admin = JupyterAC(
        locked_settings=["litellm.api_base", "litellm.env"], allowed_models=["openai/*"]
    )
    world = World(tmp_path, admin=admin)
    refused = [
        ("find_models", "ollama", OLLAMA, "", True),
        ("try_model", "openai/x", OLLAMA, "", True),
        ("try_model", "mistral/x", "", "", True),
        ("try_model", "openai/x", "", KEY, True),
    ]
    async with page(world) as caller:
        for call in refused:
            assert "administrator" in str((await caller.call(*call))["error"])
        tried = await caller.call("try_model", "openai/x", "", "", True)
    assert tried["status"] == "ok"
    assert len(world.endpoints.asked) == 1


async def test_an_entered_key_is_used_and_never_shown(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    world = World(tmp_path)
    world.endpoints.text = " ready \n" + "x" * 999
    async with page(world) as caller:
        first = await caller.call("try_model", "hosted_vllm/m", "http://gpu:8000/v1", KEY)
        assert "http://gpu:8000/v1, with the key" in str(first["changes"])
        tried = await caller.call("try_model", "hosted_vllm/m", "http://gpu:8000/v1", KEY, True)
    assert str(tried["text"]).startswith("ready x")
    assert len(str(tried["text"])) == 200
    (request,) = world.endpoints.asked
    assert (request.model, request.api_base) == ("hosted_vllm/m", "http://gpu:8000/v1")
    assert request.env == {"HOSTED_VLLM_API_KEY": KEY}
    assert KEY not in repr(world.came) + caplog.text
    assert not list(world.config.glob("*"))


async def test_a_kept_key_goes_to_no_other_address(tmp_path: Path) -> None:
    world = World(tmp_path)
    here = "http://gpu:8000/v1"
    env = {"OPENAI_API_KEY": KEY}
    world.write("llm.json", {"model": "openai/x", "api_base": here, "env": env})
    async with page(world) as caller:
        first = await caller.call("try_model", "openai/x", "http://other:1/v1")
        assert "without a key" in str(first["changes"])
        await caller.call("try_model", "openai/x", "http://other:1/v1", "", True)
        await caller.call("try_model", "openai/x", f"{here}/", "", True)
        await caller.call("try_model", "openai/x", "", "", True)
    used = [request.env["OPENAI_API_KEY"] for request in world.endpoints.asked]
    assert used == ["", KEY, KEY]


async def test_a_failure_is_said_in_the_words_of_the_provider(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.endpoints.fails = ProviderAuth("It refused the key: check it.")
    async with page(world) as caller:
        tried = await caller.call("try_model", "openai/x", "", "", True)
        found = await caller.call("find_models", "vllm", OLLAMA, "", True)
    assert tried["error"] == found["error"] == "It refused the key: check it."


@pytest.mark.parametrize(
    "call",
    [
        ("try_model", ""),
        ("try_model", "openai/SmolLM2-135M-Instruct"),
        ("try_model", "a b"),
        ("try_model", "x/http://a"),
        ("try_model", "ollama_chat/x", OLLAMA, KEY),
        ("try_model", "openai/x", "", "••••"),
        ("find_models", "nothing", OLLAMA),
        ("find_models", "ollama", OLLAMA, "a key"),
    ],
)
async def test_bad_input_is_an_error_that_repeats_no_key(
    tmp_path: Path, call: tuple[str, ...]
) -> None:
    world = World(tmp_path)
    async with page(world) as caller:
        refused = await caller.call(*call)
        assert set(refused) == {"error"}
        assert KEY not in str(refused)
    assert (world.endpoints.asked, world.endpoints.searched) == ([], [])


class Waiting(NoModels):
    """Answers when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.goes_on = asyncio.Event(), asyncio.Event()

    async def served(self, request: ServedModelsRequest) -> ServedModels:
        self.begun.set()
        await self.goes_on.wait()
        return await super().served(request)


async def test_one_trial_runs_at_a_time(tmp_path: Path) -> None:
    models = Waiting()
    async with page(World(tmp_path, endpoints=models)) as caller:
        first = asyncio.create_task(caller.call("find_models", "ollama", OLLAMA, "", True))
        await models.begun.wait()
        second = await caller.call("try_model", "openai/x", "", "", True)
        assert "Another trial is running" in str(second["error"])
        models.goes_on.set()
        assert (await first)["status"] == "ok"
        assert (await caller.call("try_model", "openai/x", "", "", True))["status"] == "ok"
