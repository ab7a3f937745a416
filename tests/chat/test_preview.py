from typing import cast

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.preview import context_breakdown, history_status
from jupyter_ac.chat.turns import Ask, Turns
from jupyter_ac.ids import RepoPath, Seat
from jupyter_ac.models.choice import ModelChoice
from tests.chat.memory import ADA, Recorder, World, open_world


def quarter(messages: object) -> int:
    """The sum over the text parts, and four tokens for each message."""
    total = 0
    for message in cast("list[dict[str, object]]", messages):
        content = message["content"]
        texts = (
            [content]
            if isinstance(content, str)
            else [part["text"] for part in cast("list[dict[str, str]]", content)]
        )
        total += 4 + sum((len(text) + 3) // 4 for text in texts)
    return total


async def talked(world: World, *questions: str) -> Conversation:
    conversation = Conversation(Seat(ADA))
    conversation.selection = (RepoPath("a.py"),)
    turns = Turns(world.ports(), world.pages)
    for question in questions:
        follower = Recorder()
        turns.start(conversation, Ask(f"id-{question}", question, "p")).follow("p", follower)
        await follower.over.wait()
    return conversation


async def test_what_is_shown_is_what_is_then_sent() -> None:
    world = open_world({"a.py": "1\n" * 50, "b.py": "two\n"})
    conversation = await talked(world)
    turns = Turns(world.ports(), world.pages)
    for number, selection in enumerate([["a.py"], ["a.py", "b.py"], ["b.py"]]):
        conversation.selection = tuple(RepoPath(path) for path in selection)
        shown = await context_breakdown(conversation, world.ports(), f"question {number}")
        follower = Recorder()
        turns.start(conversation, Ask(f"{number}-x", f"question {number}", "p")).follow(
            "p", follower
        )
        await follower.over.wait()
        sent = world.model.requests[-1].messages
        assert shown["total_tokens"] == quarter(sent)
        assert shown["messages"] == len(sent)


async def test_a_preview_changes_nothing() -> None:
    world = open_world({"a.py": "1\n"})
    conversation = await talked(world, "one")
    before = (conversation.session.snapshot(), list(world.history.steps))
    first = await context_breakdown(conversation, world.ports(), "two")
    assert await context_breakdown(conversation, world.ports(), "two") == first
    assert (conversation.session.snapshot(), world.history.steps) == before


async def test_the_breakdown_names_model_limit_cost_and_totals() -> None:
    world = open_world({"a.py": "1\n"})
    conversation = await talked(world, "one")
    shown = await context_breakdown(conversation, world.ports())
    assert (shown["model"], shown["mode"]) == ("openai/test", "code")
    assert shown["max_input_tokens"] == 100_000
    assert shown["cost_usd"] == shown["total_tokens"] * 0.000_001
    assert shown["session_totals"]["prompt"] == 100
    assert shown["provider_cache_rate"] == 0.0
    assert (shown["promotions"], shown["demotions"], shown["cache_hit_rate"]) == ([], [], 0)


async def test_without_a_model_the_tokens_are_estimated_and_the_limit_unknown() -> None:
    world = open_world({"a.py": "1\n"})
    conversation = await talked(world)
    world.choice = None
    shown = await context_breakdown(conversation, world.ports(), "Why?")
    assert (shown["model"], shown["max_input_tokens"], shown["cost_usd"]) == ("", 0, None)
    assert shown["estimate"] is True
    status = await history_status(conversation, world.ports())
    assert (status["max"], status["percent"]) == (0, 0)


async def test_the_history_status_counts_talk_and_no_files() -> None:
    world = open_world({"a.py": "x" * 8000})
    conversation = await talked(world, "quest")
    status = await history_status(conversation, world.ports())
    assert status["tokens"] == status["history_tokens"] == 2 + 3
    assert status["max"] == 100_000 // 16
    assert status["message_count"] == 2
    assert status["remaining"] == 6245
    assert status["session_id"] == conversation.session.session_id


async def test_the_embedded_models_talk_has_its_own_limit() -> None:
    world = open_world({"a.py": "1"})
    world.choice = ModelChoice("openai/demo", "embedded", demo=True, profile="embedded")
    status = await history_status(await talked(world, "one"), world.ports())
    assert status["max"] == 400
