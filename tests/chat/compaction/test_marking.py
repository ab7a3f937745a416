import pytest

from jupyter_ac.chat.compaction import marking
from jupyter_ac.chat.compaction.marking import exclude, marked_turns, pin
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.streams import ActiveStream
from jupyter_ac.chat.turn.preview import context_breakdown
from jupyter_ac.errors import AcError, Busy, InvalidParams, NotFound
from jupyter_ac.ids import RequestId
from tests.chat.compaction.world import Talk, sent, settings
from tests.chat.memory import open_world


async def talked(*questions: str) -> Talk:
    talk = Talk(open_world({"a.py": "1\n" * 40}), settings(trigger=100_000))
    talk.select("a.py")
    await talk.say(*questions)
    return talk


def asked(talk: Talk) -> str:
    """All that the last request said."""
    return str(sent(talk.prompts[-1])[1:])


def standings(talk: Talk) -> list[str]:
    messages = talk.conversation.session.snapshot()["messages"]
    return [message.get("context", "") for message in messages if message["role"] == "user"]


async def test_excluded_talk_is_not_sent_and_can_be_put_back() -> None:
    talk = await talked("One?", "Two?", "Three?")
    effect = await exclude(talk.conversation, talk.ports, ["id-1"], excluded=True)
    assert effect.freed > 0
    assert effect.rewritten > 0
    assert standings(talk) == ["", "excluded", ""]
    await talk.say("Four?")
    assert [word in asked(talk) for word in ("One?", "Two?", "Three?")] == [True, False, True]
    back = await exclude(talk.conversation, talk.ports, ["id-1"], excluded=False)
    assert back.freed == -effect.freed
    await talk.say("Five?")
    assert "Two?" in asked(talk)


async def test_the_prompt_before_an_excluded_turn_stays_byte_for_byte() -> None:
    talk = await talked("One?", "Two?", "Three?")
    before = sent(talk.prompts[-1])
    await exclude(talk.conversation, talk.ports, ["id-1"], excluded=True)
    await talk.say("Four?")
    after = sent(talk.prompts[-1])
    assert after[:3] == before[:3]
    assert "a.py" in str(after[1])


async def test_a_file_of_the_excluded_turn_is_not_sent_again() -> None:
    talk = await talked("One?", "Two?")
    effect = await exclude(talk.conversation, talk.ports, ["id-0"], excluded=True)
    (row,) = await marked_turns(talk.conversation, talk.ports)
    assert row["tokens"] == effect.freed
    await talk.say("Three?")
    assert ("One?" in asked(talk), asked(talk).count("a.py\\n")) == (False, 1)


async def test_the_breakdown_counts_what_is_sent_and_lists_what_is_marked() -> None:
    talk = await talked("One?", "Two?", "Three?")
    before = await context_breakdown(talk.conversation, talk.ports)
    await pin(talk.conversation, talk.ports, ["id-0"], pinned=True)
    effect = await exclude(talk.conversation, talk.ports, ["id-1"], excluded=True)
    after = await context_breakdown(talk.conversation, talk.ports)
    rows = await marked_turns(talk.conversation, talk.ports)
    assert [(row["request_id"], row["name"], row["context"]) for row in rows] == [
        ("id-0", "One?", "pinned"),
        ("id-1", "Two?", "excluded"),
    ]
    assert before["breakdown"]["history"] - after["breakdown"]["history"] == effect.freed
    assert rows[1]["tokens"] == effect.freed
    assert before["marked"] == dict.fromkeys(before["marked"], 0)
    assert after["marked"] == {
        "excluded": 1,
        "excluded_tokens": effect.freed,
        "pinned": 1,
        "pinned_tokens": rows[0]["tokens"],
    }


async def test_a_pinned_turn_outlives_compactions() -> None:
    talk = await talked(*(f"Question {number}, quite long? " * 6 for number in range(6)))
    assert await pin(talk.conversation, talk.ports, ["id-1"], pinned=True) == 1
    await talk.compactor.compact_now(talk.conversation)
    await talk.conversation.session.compaction.over()
    await talk.say("And now?")
    said = asked(talk)
    assert ["Question 0" in said, "Question 1" in said, "gardens" in said] == [False, True, True]
    assert standings(talk) == ["compacted", "pinned", "compacted", "compacted", "", "", ""]
    again = Session(talk.world.history.sessions[talk.conversation.session.session_id])
    assert again.exchanges == talk.conversation.session.exchanges
    assert await pin(talk.conversation, talk.ports, ["id-1"], pinned=False) == 0
    assert "Question 1" in str(talk.conversation.session.exchanges)


async def test_what_was_compacted_can_not_be_marked() -> None:
    talk = await talked(*(f"Question {number}, quite long? " * 6 for number in range(6)))
    await talk.compactor.compact_now(talk.conversation)
    await talk.conversation.session.compaction.over()
    for change in (
        exclude(talk.conversation, talk.ports, ["id-0"], excluded=True),
        pin(talk.conversation, talk.ports, ["id-0"], pinned=True),
    ):
        with pytest.raises(InvalidParams, match="compacted"):
            await change
    assert [each.case for each in talk.world.removals.kept] == ["summarize"]


async def test_a_turn_has_one_mark() -> None:
    talk = await talked("One?", "Two?")
    await pin(talk.conversation, talk.ports, ["id-0"], pinned=True)
    await exclude(talk.conversation, talk.ports, ["id-0", "id-1"], excluded=True)
    assert standings(talk) == ["excluded", "excluded"]
    with pytest.raises(InvalidParams, match="put it back"):
        await pin(talk.conversation, talk.ports, ["id-0"], pinned=True)
    await pin(talk.conversation, talk.ports, ["id-0"], pinned=False)
    assert standings(talk) == ["excluded", "excluded"]


async def test_what_changes_nothing_is_not_kept() -> None:
    talk = await talked("One?")
    for excluded in (False, True, True):
        await exclude(talk.conversation, talk.ports, ["id-0", "id-0"], excluded=excluded)
    assert [each.turns for each in talk.world.removals.kept] == [
        (talk.conversation.session.turns[0].turn_id,)
    ]


async def test_bad_calls_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    talk = await talked("One?", "Two?")
    with pytest.raises(NotFound, match="'9-z'"):
        await exclude(talk.conversation, talk.ports, ["id-0", "9-z"], excluded=True)
    monkeypatch.setattr(marking, "MAX_PINNED", 1)
    with pytest.raises(InvalidParams, match="At most 1"):
        await pin(talk.conversation, talk.ports, ["id-0", "id-1"], pinned=True)
    talk.world.removals.failure = AcError("The disk is full.")
    with pytest.raises(AcError, match="full"):
        await exclude(talk.conversation, talk.ports, ["id-0"], excluded=True)
    talk.conversation.stream = ActiveStream(RequestId("9-a"))
    with pytest.raises(Busy, match="press Stop"):
        await pin(talk.conversation, talk.ports, ["id-0"], pinned=True)
    assert standings(talk) == ["", ""]
