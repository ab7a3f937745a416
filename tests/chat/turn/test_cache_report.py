from dataclasses import replace

from jupyter_ac.chat.ports import MapText
from jupyter_ac.chat.records import Focus
from jupyter_ac.chat.shapes import ContextBreakdown
from jupyter_ac.chat.turn.preview import context_breakdown
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import Usage
from tests.chat.compaction.world import Talk, settings


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
