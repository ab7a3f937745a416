"""The model in force follows what is on disk."""

import asyncio
import json
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.errors import ProviderUnavailable
from jupyter_ac.git.review.state import NO_REVIEW
from jupyter_ac.hosts.live_model import LiveModel
from jupyter_ac.hosts.method_table import settings_ports
from jupyter_ac.hosts.model_plan import ModelPlanner
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.keyring import Keyring
from jupyter_ac.workers.wire import ListedModel
from tests.services.settings.world import NoModels

CHOICE = ModelChoice("openai/x", "flag")
DEMO = ModelChoice("openai/demo", "embedded", demo=True, profile="embedded")


def planner(folder: Path, environ: Mapping[str, str] | None = None) -> ModelPlanner:
    ring = Keyring(lambda: None)
    return ModelPlanner(environ or {}, folder, JupyterAC(), lambda: False, keyring=ring)


def put(folder: Path, name: str, value: object) -> None:
    text = value if isinstance(value, str) else json.dumps(value)
    (folder / name).write_text(text, encoding="utf-8")


async def test_a_change_on_disk_is_noticed_once_and_told(tmp_path: Path) -> None:
    put(tmp_path, "llm.json", {"model": "one"})
    model = LiveModel(planner(tmp_path))
    told: list[tuple[str, str]] = []
    model.listen(lambda summary, message: told.append((summary.model, message)))
    assert model.summary().model == ""
    for name in ("one", "two, longer"):
        put(tmp_path, "llm.json", {"model": name})
        for _ in range(3):
            await model.renew()
        assert model.summary().model == name
    assert told == [("one", ""), ("two, longer", "")]


async def test_a_file_that_breaks_is_told_and_changes_nothing(tmp_path: Path) -> None:
    put(tmp_path, "llm.json", {"model": "one", "num_retries": 2})
    model = LiveModel(planner(tmp_path))
    await model.renew()
    told: list[str] = []
    model.listen(lambda _summary, message: told.append(message))
    put(tmp_path, "llm.json", "{ broken")
    await model.renew()
    assert model.summary().model == "one"
    assert model.plan.terms.requests.num_retries == 2
    assert len(told) == 1
    assert told == [model.told()]
    assert "Its last valid version is effective." in told[0]


async def test_two_workspaces_of_a_host_see_the_same(tmp_path: Path) -> None:
    shared = planner(tmp_path)
    one, other = LiveModel(shared), LiveModel(shared)
    await one.renew()
    await other.renew()
    put(tmp_path, "llm.json", {"model": "new"})
    await one.reload(["litellm"])
    await other.renew()
    assert one.summary() == other.summary()
    assert other.summary().model == "new"


async def test_a_disk_that_does_not_answer_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, "llm.json", {"model": "one"})
    shared = planner(tmp_path)
    model = LiveModel(shared)
    await model.renew()
    monkeypatch.setattr("jupyter_ac.hosts.live_model.DISK_WAIT_S", 0.01)
    answer = threading.Event()
    monkeypatch.setattr(shared.settings, "refresh", answer.wait)
    await model.renew()
    assert model.summary().model == "one"
    answer.set()


async def test_what_one_workspace_has_seen_the_others_are_told(tmp_path: Path) -> None:
    shared = planner(tmp_path)
    one, other = LiveModel(shared), LiveModel(shared)
    told = asyncio.Event()
    for model in (one, other):
        await model.renew()
    other.listen(lambda _summary, _message: told.set())
    following = asyncio.create_task(other.follow())
    await asyncio.sleep(0)
    put(tmp_path, "llm.json", {"model": "new"})
    await one.renew()
    async with asyncio.timeout(30):
        await told.wait()
    assert other.summary().model == "new"
    following.cancel()
    await asyncio.wait({following})
    assert shared.listeners == set()


async def test_a_problem_is_told_once(tmp_path: Path) -> None:
    put(tmp_path, "llm.json", "{")
    model = LiveModel(planner(tmp_path))
    await model.renew()
    assert model.told().count("llm.json") == 1
    put(tmp_path, "app.json", "{")
    await model.renew()
    assert model.told().count("Nothing of it is effective.") == 1
    assert model.told().count("Its last valid version is effective.") == 1


async def test_why_there_is_no_model_is_told(tmp_path: Path) -> None:
    model = LiveModel(planner(tmp_path))
    await model.renew()
    assert "No language model" in model.plan.message
    assert model.summary().message == model.plan.message
    assert await model.keys(["A_KEY"]) == {}


async def test_the_users_prompts_shape_the_head_of_models_of_full_size(tmp_path: Path) -> None:
    shared = planner(tmp_path)
    model = LiveModel(shared)
    await model.renew()
    assert model.profile(CHOICE) == profile("standard")
    put(tmp_path, "system.md", "Own.\n")
    put(tmp_path, "system_extra.md", "Extra.")
    await model.renew()
    (head,) = model.profile(CHOICE).head()
    assert head.text == "Own.\n\nExtra."
    assert model.profile(DEMO) == profile("embedded")


@pytest.mark.parametrize(("wanted", "name"), [("standard", "standard"), ("embedded", "embedded")])
async def test_the_profile_of_the_settings_is_used(tmp_path: Path, wanted: str, name: str) -> None:
    put(tmp_path, "app.json", {"prompt": {"profile": wanted}})
    model = LiveModel(planner(tmp_path))
    await model.renew()
    assert model.profile(CHOICE).name == model.profile(DEMO).name == name


async def test_the_ports_share_what_the_planner_knows(tmp_path: Path) -> None:
    shared = planner(tmp_path)

    async def catalogue() -> list[ListedModel]:
        return []

    ports = settings_ports(shared, LiveModel(shared), catalogue, tmp_path, NoModels())
    assert ports.live is shared.settings
    assert ports.keyring is shared.keyring
    assert ports.config_dir == tmp_path


@pytest.mark.parametrize("is_there", [True, False])
async def test_the_list_is_asked_for_when_the_administrator_refuses_the_usual_model(
    tmp_path: Path, *, is_there: bool
) -> None:
    asked: list[int] = []

    async def catalogue() -> Sequence[ListedModel]:
        asked.append(1)
        if not is_there:
            raise ProviderUnavailable("the worker has ended")
        one: ListedModel = {
            "name": "openai/gpt-4.1",
            "provider": "openai",
            "max_input_tokens": 1,
            "input_cost": None,
            "output_cost": None,
        }
        return [one]

    admin = JupyterAC(allowed_models=["openai/gpt-4*"])
    ring = Keyring(lambda: None)
    made = ModelPlanner({"OPENAI_API_KEY": "o"}, tmp_path, admin, lambda: False, keyring=ring)
    model = LiveModel(made, catalogue)
    await model.renew()
    assert model.summary().model == ("openai/gpt-4.1" if is_there else "")
    assert asked == [1]
    named = LiveModel(planner(tmp_path, {"OPENAI_API_KEY": "o"}), catalogue)
    await named.renew()
    assert asked == [1]


async def test_a_review_has_its_own_system_prompt_as_soon_as_it_is_on(tmp_path: Path) -> None:
    for name in ("system", "review", "system_extra"):
        (tmp_path / f"{name}.md").write_text(name)
    review = NO_REVIEW.copy()
    model = LiveModel(planner(tmp_path), review=lambda: review)
    heads = []
    for active in (False, True):
        review["active"] = active
        await model.renew()
        heads.append(model.profile(CHOICE).head()[0].text)
    assert heads == ["system\n\nsystem_extra", "review\n\nsystem_extra"]


async def test_the_prompt_of_a_side_task_is_the_users_or_ours(tmp_path: Path) -> None:
    model = LiveModel(planner(tmp_path))
    await model.renew()
    assert "git commit" in model.prompt("commit")
    (tmp_path / "commit.md").write_text("In verse.")
    await model.renew()
    assert model.prompt("commit") == "In verse."
