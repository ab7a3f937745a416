from dataclasses import replace
from typing import cast

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import MapText
from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.chat.records import Focus, TurnRecord
from jupyter_ac.chat.shapes import ContextBreakdown
from jupyter_ac.chat.turn.preview import (
    context_breakdown,
    history_room,
    provider_cache_rate,
    sent_map,
    session_totals,
)
from jupyter_ac.chat.turn.runner import ChatRequest, Turns
from jupyter_ac.errors import ProviderUnavailable
from jupyter_ac.ids import ConversationKey, RepoPath, RequestId
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import Usage
from jupyter_ac.settings.app import AppSettings, CompactionSettings, PromptSettings
from tests.chat.compaction.world import Talk, settings
from tests.chat.memory import ADA, Recorder, World, open_world

TURN = TurnRecord("t", RequestId("r"), "?", 1)
PRICED = replace(TURN, usage=Usage(100, 10, 60, 20, cost_usd=0.5, reasoning_tokens=3))
UNPRICED = replace(TURN, usage=Usage(50, 5))


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
    conversation = Conversation(ConversationKey(ADA))
    conversation.selection = (RepoPath("a.py"),)
    turns = Turns(world.ports(), world.pages)
    for question in questions:
        follower = Recorder()
        turns.start(conversation, ChatRequest(f"id-{question}", question, "p")).follow(
            "p", follower
        )
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
        turns.start(conversation, ChatRequest(f"{number}-x", f"question {number}", "p")).follow(
            "p", follower
        )
        await follower.over.wait()
        sent = world.model.requests[-1].messages
        assert shown["total_tokens"] == quarter(sent)
        assert shown["messages"] == len(sent)


async def test_the_map_is_shown_as_it_is_sent() -> None:
    world = open_world({"a.py": "1\n"})
    conversation = await talked(world)
    assert await sent_map(conversation, world.ports()) == ""
    world.maps.heads["code"] = MapText("a.py: one", "# signs")
    world.maps.near = "NEAR"
    shown = await sent_map(conversation, world.ports(), "two")
    await talked(world, "two")
    sent = str(world.model.requests[-1].messages)
    parts = ("# signs\n", "a.py: one\n", "NEAR\n")
    assert all(part in shown and repr(part)[1:-1] in sent for part in parts)
    assert "NEAR" not in await sent_map(conversation, world.ports())


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
    assert shown["promotions"] == ["active → L3: 2 items — a.py, question"]
    assert (shown["demotions"], shown["cache_hit_rate"]) == ([], 0)


async def test_without_a_model_the_tokens_are_estimated_and_the_limit_unknown() -> None:
    world = open_world({"a.py": "1\n"})
    conversation = await talked(world)
    world.choice = None
    shown = await context_breakdown(conversation, world.ports(), "Why?")
    assert (shown["model"], shown["max_input_tokens"], shown["cost_usd"]) == ("", 0, None)
    assert shown["estimate"] is True
    status = await history_room(conversation, world.ports())
    assert (status.limit, status.tokens) == (24_000, 0)


async def test_the_history_status_counts_talk_and_no_files() -> None:
    world = open_world({"a.py": "x" * 8000})
    conversation = await talked(world, "quest")
    status = await history_room(conversation, world.ports())
    assert (status.tokens, status.limit) == (2 + 3, 24_000)
    assert status.messages == 2
    assert (status.is_compacted, status.compactions) == (True, 0)
    assert status.session_id == conversation.session.session_id


async def test_the_embedded_models_talk_has_its_own_limit() -> None:
    world = open_world({"a.py": "1"})
    world.choice = ModelChoice("openai/demo", "embedded", demo=True, profile="embedded")
    status = await history_room(await talked(world, "one"), world.ports())
    assert status.limit == 400


async def test_the_status_says_when_the_talk_is_long_and_how_often_it_was_compacted() -> None:
    talk = Talk(found=settings(trigger=60))
    talk.world.model.aside_error = ProviderUnavailable("It is out.")
    await talk.say("x" * 200, "y" * 200)
    status = await history_room(talk.conversation, talk.ports)
    assert (status.limit, status.compactions) == (60, 0)
    assert status.tokens > 60
    talk.world.model.aside_error = None
    await talk.say("z" * 200)
    status = await history_room(talk.conversation, talk.ports)
    assert (status.compactions, status.is_compacting) == (1, False)
    assert status.messages == 6
    talk.world.settings = AppSettings(history_compaction=CompactionSettings(enabled=False))
    status = await history_room(talk.conversation, talk.ports)
    assert not status.is_compacted


async def test_the_last_requests_own_count_stands_beside_the_providers() -> None:
    world = open_world({"a.py": "1\n" * 50})
    conversation = await talked(world)
    assert (await context_breakdown(conversation, world.ports()))["last_request"] is None
    conversation = await talked(world, "one", "two")
    shown = await context_breakdown(conversation, world.ports(), "three")
    assert shown["last_request"] == {
        "input_tokens": 100,
        "cache_read_tokens": 0,
        "cache_write_tokens": 0,
        "counted": quarter(world.model.requests[-1].messages),
        "cache": "miss",
        "cached_share": 0.0,
    }


async def test_what_went_out_last_is_expected_to_be_cached() -> None:
    world = open_world({"a.py": "1\n" * 4000})
    conversation = await talked(world, "one")
    shown = await context_breakdown(conversation, world.ports(), "two")
    sent = world.model.requests[-1].messages
    assert shown["cached_tokens"] == quarter(sent) - 4 * len(sent) - reminder_tokens()
    assert shown["cached_tokens"] + shown["uncached_tokens"] == shown["total_tokens"]
    assert shown["cache_hit_rate"] == shown["cached_tokens"] / shown["total_tokens"]
    expected, plain = shown["expected_cost_usd"], shown["cost_usd"]
    assert expected is not None
    assert plain is not None
    assert expected < plain / 2
    world.choice = ModelChoice("openai/other", "flag")
    assert (await context_breakdown(conversation, world.ports(), "two"))["cached_tokens"] == 0


async def test_the_changes_since_the_last_request_add_up() -> None:
    world = open_world({"a.py": "1\n" * 4000, "b.py": "two\n" * 40})
    conversation = await talked(world)
    assert (await context_breakdown(conversation, world.ports(), "one"))["changes"] is None
    conversation = await talked(world, "one")
    conversation.selection = (RepoPath("a.py"), RepoPath("b.py"))
    shown = await context_breakdown(conversation, world.ports(), "two")
    changes, last = shown["changes"], quarter(world.model.requests[-1].messages)
    assert changes is not None
    messages = shown["messages"] - len(world.model.requests[-1].messages)
    difference = sum(part["after"] - part["before"] for part in changes["parts"])
    assert difference == shown["total_tokens"] - last - 4 * messages
    assert ("files", "b.py", 0) in [
        (part["category"], part["path"], part["before"]) for part in changes["parts"]
    ]
    assert (changes["lost_tokens"], changes["lost_from"]) == (0, "")
    assert changes["kept_tokens"] == shown["cached_tokens"]


def reminder_tokens() -> int:
    (block,) = profile("standard").closing()
    return (len(block.text) + 3) // 4


async def test_a_dear_request_is_announced() -> None:
    world = open_world({"a.py": "1\n" * 40_000})
    world.settings = AppSettings(prompt=PromptSettings(warn_usd=0.01))
    conversation = await talked(world)
    shown = await context_breakdown(conversation, world.ports(), "one")
    assert shown["warning"].startswith("This request is likely to cost about $0.02")
    assert shown["warning"] in shown["notices"]
    follower = Recorder()
    Turns(world.ports(), world.pages).start(conversation, ChatRequest("1-a", "one", "p")).follow(
        "p", follower
    )
    await follower.over.wait()
    assert any("likely to cost" in str(told) for told in follower.told[:-1])
    assert (await context_breakdown(conversation, world.ports(), "two"))["warning"] == ""
    world.settings = AppSettings(prompt=PromptSettings(warn_usd=0))
    conversation.session = Conversation(ConversationKey(ADA)).session
    assert (await context_breakdown(conversation, world.ports(), "one"))["warning"] == ""


async def test_files_for_which_there_is_no_room_are_named() -> None:
    world = open_world({"a.py": "1\n" * 100, "big.py": "2\n" * 100_000})
    world.model.info = replace(world.model.info, max_input_tokens=20_000)
    conversation = await talked(world)
    conversation.selection = (RepoPath("big.py"), RepoPath("a.py"))
    shown = await context_breakdown(conversation, world.ports(), "one")
    assert shown["shed_files"] == ["big.py"]
    assert shown["notices"] == ["Left out, no room in this model: big.py."]
    assert shown["total_tokens"] < 15_000


def test_a_sessions_totals_add_up_and_count_what_had_no_price() -> None:
    totals = session_totals([PRICED, TURN, UNPRICED])
    assert (totals["prompt"], totals["completion"], totals["total"]) == (150, 15, 165)
    assert (totals["cost_usd"], totals["priced_request_count"]) == (0.5, 1)
    assert totals["unpriced_request_count"] == 1
    assert session_totals([UNPRICED])["cost_usd"] is None


def test_the_cache_rate_is_unknown_before_the_first_answer() -> None:
    assert provider_cache_rate([TURN]) is None
    assert provider_cache_rate([PRICED, UNPRICED]) == 0.4


def test_side_tasks_count_in_a_sessions_totals() -> None:
    totals = session_totals([PRICED], [Usage(7, 1, cost_usd=0.25), None, Usage(1, 1)])
    assert (totals["prompt"], totals["completion"], totals["cost_usd"]) == (108, 12, 0.75)
    assert (totals["priced_request_count"], totals["unpriced_request_count"]) == (2, 1)


async def shown(talk: Talk, question: str = "Next?") -> ContextBreakdown:
    return await context_breakdown(talk.conversation, talk.ports, question)


def read(talk: Talk, share: float) -> None:
    """Have the provider say which part of the last request it has read from its cache."""
    session = talk.conversation.session
    turn = session.turns[-1]
    usage = Usage(10_000, 10, cache_read_tokens=int(10_000 * share))
    session.put(replace(turn, usage=usage))


def cached(found: ContextBreakdown) -> list[str]:
    return [row["name"] for tier in found["blocks"] for row in tier["contents"] if row["cached"]]


async def test_what_was_read_is_told_by_the_providers_figure_and_the_order() -> None:
    talk = Talk(found=settings(trigger=90_000))
    talk.select("a.py")
    await talk.say("One?", "Two?")
    read(talk, 0)
    found = await shown(talk)
    assert cached(found) == []
    assert found["last_request"] is not None
    assert (found["last_request"]["cache"], found["last_request"]["cached_share"]) == ("miss", 0)
    read(talk, 1)
    found = await shown(talk)
    # The answer to "Two?" and what is asked now have never been sent.
    assert cached(found) == ["system", "a.py", "question", "answer", "question"]
    assert found["last_request"] is not None
    assert (found["last_request"]["cache"], found["last_request"]["cached_share"]) == ("hit", 1)
    assert [tier["cached"] for tier in found["blocks"]] == [True, True, False]
    head = found["blocks"][0]
    read(talk, head["tokens"] / found["last_request"]["counted"])
    assert cached(await shown(talk)) == ["system"]


async def test_after_a_switch_of_mode_the_last_request_is_the_one_that_was_sent() -> None:
    talk = Talk(found=settings(trigger=90_000))
    talk.world.maps.heads = {"code": MapText("MAP " * 900)}
    await talk.say("One?")
    read(talk, 1)
    before = await shown(talk)
    talk.conversation.focus = Focus("doc")
    after = await shown(talk)
    assert before["last_request"] == after["last_request"]
    assert before["last_request"] is not None
    assert before["last_request"]["counted"] > 900
    assert cached(after) == []
    assert (after["cached_tokens"], before["cached_tokens"] > 900) == (0, True)
    assert "L0 → no longer sent: 2 items — system, map" in after["demotions"]


async def test_another_model_has_a_cache_of_its_own() -> None:
    talk = Talk(found=settings(trigger=90_000))
    await talk.say("One?")
    read(talk, 1)
    talk.world.choice = ModelChoice("openai/other", "flag")
    assert cached(await shown(talk)) == []


async def test_before_anything_was_sent_nothing_is_cached_or_moved() -> None:
    talk = Talk(found=settings(trigger=90_000))
    found = await shown(talk)
    assert (cached(found), found["promotions"], found["demotions"]) == ([], [], [])
    assert found["last_request"] is None


async def test_blocks_grow_older_with_each_request_until_a_compaction() -> None:
    talk = Talk(found=settings(trigger=90_000))
    await talk.say(*(f"{number}?" for number in range(8)))
    found = await shown(talk)
    assert [tier["tier"] for tier in found["blocks"]] == ["L0", "L1", "L2", "L3", "active"]
    assert found["promotions"][0].startswith("L2 → L1: ")
    await talk.compactor.compact_now(talk.conversation)
    await talk.conversation.session.compaction.over()
    found = await shown(talk)
    assert [tier["tier"] for tier in found["blocks"]] == ["L0", "active"]
    assert any("no longer sent" in text for text in found["demotions"])
    await talk.say("After?")
    found = await shown(talk)
    assert [tier["tier"] for tier in found["blocks"]] == ["L0", "L3", "active"]
    assert found["blocks"][1]["contents"][0]["n"] == 1
