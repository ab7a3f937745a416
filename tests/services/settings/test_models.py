from pathlib import Path

import pytest

from jupyter_ac.models.choice import EMBEDDED_MODEL
from jupyter_ac.settings.admin import JupyterAC
from tests.services.settings.world import KEY, MemoryKeyring, World, page, rows


async def test_models_that_can_be_used_at_once_come_first(tmp_path: Path) -> None:
    ring = MemoryKeyring()
    ring.kept["PERPLEXITYAI_API_KEY"] = KEY
    world = World(
        tmp_path,
        environ={"OPENAI_API_KEY": KEY},
        keyring=ring,
        models=("zzz/a", "anthropic/b", "perplexity/c", "openai/d", "ollama/e", "groq/f"),
    )
    world.write("llm.json", {"env": {"GROQ_API_KEY": KEY}})
    async with page(world) as caller:
        answer = await caller.call("list_models")
    models, providers = rows(answer["models"]), rows(answer["providers"])
    assert [(row["name"], row["has_key"]) for row in models] == [
        ("openai/d", True),
        ("groq/f", True),
        ("perplexity/c", True),
        ("anthropic/b", False),
        ("ollama/e", False),
        ("zzz/a", False),
    ]
    assert [(row["name"], row["key_variable"], row["where"]) for row in providers] == [
        ("openai", "OPENAI_API_KEY", "environment"),
        ("groq", "GROQ_API_KEY", "llm.json"),
        ("perplexity", "PERPLEXITYAI_API_KEY", "keyring"),
        ("anthropic", "ANTHROPIC_API_KEY", ""),
        ("ollama", "", ""),
        ("zzz", "ZZZ_API_KEY", ""),
    ]
    assert answer["current"] == {
        "model": "openai/gpt-5.4",
        "source": "OPENAI_API_KEY",
        "demo": False,
    }
    assert KEY not in "".join(world.came)


async def test_what_the_administrator_denies_is_not_offered_and_not_taken(tmp_path: Path) -> None:
    world = World(tmp_path, admin=JupyterAC(denied_models=["openai/*"]), has_demo=True)
    async with page(world) as caller:
        answer = await caller.call("list_models")
        assert not any(row["provider"] == "openai" for row in rows(answer["models"]))
        refused = await caller.call("choose_model", "openai/gpt-5.4")
        assert "has denied the model 'openai/gpt-5.4'" in str(refused["error"])
    assert not (world.config / "llm.json").exists()


async def test_the_demo_model_can_be_chosen_where_it_is_installed(tmp_path: Path) -> None:
    world = World(tmp_path, environ={"OPENAI_API_KEY": KEY}, has_demo=True)
    async with page(world) as caller:
        answer = await caller.call("list_models")
        usable = [row["name"] for row in rows(answer["models"]) if row["has_key"]]
        assert usable == ["openai/gpt-5.4", EMBEDDED_MODEL]
        await caller.call("choose_model", EMBEDDED_MODEL)
        current = (await caller.call("list_models"))["current"]
    assert current == {"model": EMBEDDED_MODEL, "source": "llm.json", "demo": True}


async def test_a_choice_is_kept_beside_the_other_settings_and_told(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("llm.json", {"env": {"A_KEY": KEY}, "num_retries": 1})
    async with page(world) as caller:
        chosen = await caller.call("choose_model", " openai/gpt-5.4 ")
        assert chosen == {
            "status": "ok",
            "model": "openai/gpt-5.4",
            "source": "llm.json",
            "message": "",
        }
        assert world.said()["model"] == "openai/gpt-5.4"
        assert [summary.model for summary, _ in world.heard] == ["openai/gpt-5.4"]
        freed = await caller.call("choose_model", "")
        assert (freed["model"], "No language model" in str(freed["message"])) == ("", True)
    assert world.said() == {"env": {"A_KEY": KEY}, "num_retries": 1}


@pytest.mark.parametrize(
    ("environ", "flag", "word"),
    [
        ({"JUPYTER_AC_MODEL": "stronger"}, None, "JUPYTER_AC_MODEL"),
        ({}, "stronger", "--model on the command line"),
    ],
)
async def test_something_stronger_than_the_choice_is_named(
    tmp_path: Path, environ: dict[str, str], flag: str | None, word: str
) -> None:
    world = World(tmp_path, environ=environ, flag=flag)
    async with page(world) as caller:
        chosen = await caller.call("choose_model", "weaker")
    assert chosen["model"] == "stronger"
    assert chosen["message"] == (
        f"llm.json names weaker now, but {word} is stronger: stronger goes on answering."
    )
    assert world.said() == {"model": "weaker"}


async def test_the_address_that_a_choice_keeps_is_named(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("llm.json", {"api_base": f"http://u:{KEY}@localhost:1/v1"})
    async with page(world) as caller:
        chosen = await caller.call("choose_model", "openai/x")
    assert "http://localhost:1/v1" in str(chosen["message"])
    assert KEY not in str(chosen)


@pytest.mark.parametrize("name", ["a b", "a\nb", "x" * 201])
async def test_what_is_no_name_is_refused(tmp_path: Path, name: str) -> None:
    async with page(World(tmp_path)) as caller:
        assert "no model's name" in str((await caller.call("choose_model", name))["error"])


async def test_a_choice_over_a_broken_file_is_refused_with_its_line(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.write("llm.json", "{\n")
    async with page(world) as caller:
        refused = await caller.call("choose_model", "m")
    assert refused["line"] == 2
    assert (world.config / "llm.json").read_text() == "{\n"


async def test_a_locked_choice_is_refused(tmp_path: Path) -> None:
    world = World(tmp_path, admin=JupyterAC(locked_settings=["litellm.model"]))
    async with page(world) as caller:
        refused = await caller.call("choose_model", "m")
    assert "has locked litellm.model" in str(refused["error"])
