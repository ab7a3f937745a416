import asyncio
import json
from dataclasses import replace

import pytest

from jupyter_ac.chat.chat_events import SystemEventRecorder
from jupyter_ac.chat.compaction.compactor import Compactor, is_about_right, useful_beginning
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.last_request import OTHER_LIFE_MS
from jupyter_ac.chat.ports import MapText
from jupyter_ac.chat.prompt.blocks import Block, answer_block, file_block, question_block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.prompt.log_removals import CompactedEntry
from jupyter_ac.chat.prompt.maps import map_blocks
from jupyter_ac.chat.records import TurnPosition, TurnState
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.turn.preview import context_breakdown
from jupyter_ac.chat.turn.turn import Question, Turn
from jupyter_ac.errors import AcError, Busy, InvalidParams, ProviderUnavailable
from jupyter_ac.ids import ConversationKey, RepoPath, SessionId
from jupyter_ac.settings.app import AppSettings, CompactionSettings
from tests.chat.compaction.world import SUMMARY, Talk, sent, settings
from tests.chat.memory import ADA, open_world
from tests.chat.turn.stages import asked

LONG = "x" * 112  # 28 tokens, and 3 for the answer


class Noted(SystemEventRecorder):
    """What was noted."""

    def __init__(self) -> None:
        self.found: list[tuple[ConversationKey, SessionId, str, str]] = []

    async def note(
        self, conversation_key: ConversationKey, session_id: SessionId, kind: str, text: str
    ) -> None:
        self.found.append((conversation_key, session_id, kind, text))


async def test_a_long_talk_is_compacted_after_its_turn_under_that_turns_name() -> None:
    talk = Talk()
    await talk.say(*[LONG + str(n) for n in range(4)])
    assert talk.stages() == ["compaction_start", "compaction_complete"]
    start, end = talk.told()
    assert start.request_id == end.request_id == "id-3"
    event = end.event
    assert event["case"] == "summarize"
    assert event["before_tokens"] > 100 > event["after_tokens"]
    assert event["messages"] == talk.conversation.session.snapshot()["messages"]
    assert talk.world.pages.names()[-1] == "sessionChanged"
    await talk.say("And now?")
    texts = sent(talk.prompts[-1])
    assert texts[1] == ("user", ["[Summary of the conversation so far]\nThey spoke of gardens.\n"])
    assert [parts for role, parts in texts if role == "user"][1:] == [
        [LONG + "2"],
        [LONG + "3"],
        ["And now?"],
    ]


async def test_the_whole_talk_is_shown_to_the_model_for_side_tasks_and_no_files() -> None:
    talk = Talk()
    talk.select("a.py")
    await talk.say(*[LONG + str(n) for n in range(4)])
    (request,) = talk.asides
    asked = str(request.messages[1]["content"])
    assert [f"[{n}] " in asked for n in range(9)] == [True] * 8 + [False]
    assert "1\n1\n" not in asked
    assert request.max_tokens == 2 * 20 + 2000


async def test_files_do_not_count_and_come_anew_once() -> None:
    talk = Talk(found=settings(trigger=160))
    talk.world.files.texts["a.py"] = "1\n" * 4000
    talk.select("a.py", "b.py")
    await talk.say("One?", "Two?")
    assert talk.stages() == []
    await talk.say(*[LONG + str(n) for n in range(5)])
    assert talk.stages() == ["compaction_start", "compaction_complete"]
    assert not any("a.py" in text for _, parts in sent(talk.prompts[-1])[-1:] for text in parts)
    await talk.say("Then?", "And then?")
    for request, copies in zip(talk.prompts[-2:], (1, 1), strict=True):
        texts = [text for _, parts in sent(request) for text in parts]
        assert sum(text.startswith("a.py\n") for text in texts) == copies
        assert sum(text.startswith("b.py\n") for text in texts) == copies
    assert sent(talk.prompts[-1])[: len(sent(talk.prompts[-2]))] == sent(talk.prompts[-2])


async def test_a_new_subject_in_the_newest_part_truncates() -> None:
    talk = Talk()
    talk.world.model.aside = SUMMARY.replace("null", "6").replace(
        '"confidence": 0', '"confidence": 1'
    )
    await talk.say(*[LONG + str(n) for n in range(4)])
    assert talk.told()[-1].event["case"] == "truncate"
    await talk.say("And now?")
    assert [parts for role, parts in sent(talk.prompts[-1]) if role == "user"] == [
        [LONG + "2"],
        [LONG + "3"],
        ["And now?"],
    ]


async def test_switched_off_it_never_happens() -> None:
    off = CompactionSettings(enabled=False, compaction_trigger_tokens=1)
    talk = Talk(found=AppSettings(history_compaction=off))
    await talk.say(*[LONG] * 3)
    assert (talk.stages(), talk.asides) == ([], [])


async def test_the_settings_count_as_they_are_at_the_moment() -> None:
    talk = Talk(found=settings(trigger=1000))
    await talk.say(*[LONG] * 4)
    assert talk.stages() == []
    talk.world.settings = settings()
    await talk.say(LONG)
    assert talk.stages() == ["compaction_start", "compaction_complete"]


@pytest.mark.parametrize("trouble", ["the provider fails", "no summary", "the disk fails", "a bug"])
async def test_a_failure_leaves_everything_as_it_was(trouble: str) -> None:
    talk = Talk()
    await talk.say(LONG, LONG)
    if trouble == "the provider fails":
        talk.world.model.aside_error = ProviderUnavailable("It is out.")
    elif trouble == "no summary":
        talk.world.model.aside = "I would rather not."
    elif trouble == "the disk fails":
        talk.world.removals.failure = AcError("The disk is full.")
    else:
        talk.world.model.aside_error = ZeroDivisionError()
    await talk.say(LONG, LONG)
    assert talk.stages() == ["compaction_start", "compaction_error"]
    assert talk.told()[-1].event["message"].startswith("The conversation stays as it is")
    compaction = talk.conversation.session.compaction
    assert compaction.failure
    assert compaction.failure in talk.told()[-1].event["message"]
    assert f"again at {compaction.failed_tokens:,} tokens" in talk.told()[-1].event["message"]
    assert len(talk.conversation.session.exchanges) == 4
    assert not talk.conversation.session.log.removals
    assert talk.world.removals.kept == []


async def test_after_a_failure_it_is_tried_again_when_there_is_more_talk() -> None:
    talk = Talk()
    talk.world.model.aside_error = ProviderUnavailable("It is out.")
    await talk.say(*[LONG] * 4)
    await talk.say("A short one?")
    assert len(talk.asides) == 1
    talk.world.model.aside_error = None
    await talk.say(LONG)
    assert talk.stages()[2:] == ["compaction_start", "compaction_complete"]


async def test_it_never_loops_where_it_does_not_help() -> None:
    talk = Talk(found=settings(trigger=40, window=10, summary=10))
    await talk.say(*[LONG] * 8)
    assert len(talk.asides) <= 8
    asked = len(talk.asides)
    await talk.conversation.session.compaction.over()
    assert len(talk.asides) == asked


async def test_a_question_asked_meanwhile_is_taken_kept_and_waits() -> None:
    talk = Talk()
    talk.world.model.aside_release = asyncio.Event()
    await talk.say(LONG, LONG, LONG)
    await asyncio.wait_for(talk.start("id-3", LONG).over.wait(), 30)
    while "compaction_start" not in talk.stages():
        await asyncio.sleep(0)
    follower = talk.start("id-4", "Meanwhile?")
    while not any("compacted first" in str(told) for told in follower.told):
        await asyncio.sleep(0)
    assert "begin Meanwhile?" in talk.world.history.steps
    assert len(talk.prompts) == 4
    talk.world.model.aside_release.set()
    await asyncio.wait_for(follower.over.wait(), 30)
    assert sent(talk.prompts[-1])[1][1][0].startswith("[Summary")
    assert sent(talk.prompts[-1])[-1] == ("user", ["Meanwhile?"])


async def test_stopping_the_question_that_waits_leaves_the_compaction_alone() -> None:
    talk = Talk()
    talk.world.model.aside_release = asyncio.Event()
    await talk.say(LONG, LONG, LONG)
    await asyncio.wait_for(talk.start("id-3", LONG).over.wait(), 30)
    follower = talk.start("id-4", "Meanwhile?")
    while not any("compacted first" in str(told) for told in follower.told):
        await asyncio.sleep(0)
    talk.turns.stop(talk.conversation, "id-4")
    await asyncio.wait_for(follower.over.wait(), 30)
    talk.world.model.aside_release.set()
    await talk.conversation.session.compaction.over()
    assert talk.stages() == ["compaction_start", "compaction_complete"]


async def test_what_another_host_has_said_meanwhile_is_not_lost() -> None:
    talk = Talk()
    talk.world.model.aside_release = asyncio.Event()
    await talk.say(LONG, LONG, LONG)
    await asyncio.wait_for(talk.start("id-3", LONG).over.wait(), 30)
    session = talk.conversation.session
    theirs = Turn.of(
        Conversation(ConversationKey(ADA)), Question("theirs", "From elsewhere?")
    ).record
    await talk.world.history.begin(
        TurnPosition(ConversationKey(ADA), session.session_id, session.revision), theirs
    )
    talk.world.model.aside_release.set()
    await session.compaction.over()
    assert talk.stages() == ["compaction_start", "compaction_error"]
    assert talk.world.removals.kept == []


async def test_nothing_is_begun_while_another_host_answers() -> None:
    talk = Talk()
    await talk.say(LONG, LONG, LONG)
    theirs = Turn.of(
        Conversation(ConversationKey(ADA)), Question("theirs", "From elsewhere?")
    ).record
    talk.conversation.session.put(replace(theirs, state=TurnState.RUNNING))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.05):
            await talk.say(LONG)
    assert talk.stages() == []
    await talk.turns.aclose()


async def test_a_new_session_meanwhile_hears_nothing_of_it() -> None:
    talk = Talk()
    talk.world.model.aside_release = asyncio.Event()
    await talk.say(LONG, LONG, LONG)
    await asyncio.wait_for(talk.start("id-3", LONG).over.wait(), 30)
    old = talk.conversation.session
    while "compaction_start" not in talk.stages():
        await asyncio.sleep(0)
    fresh = asked().context.session
    talk.conversation.session = fresh
    talk.world.model.aside_release.set()
    await old.compaction.over()
    assert len(old.log.removals) == 1
    assert talk.stages() == ["compaction_start"]


async def test_a_restart_gives_the_same_prompts() -> None:
    talk = Talk()
    talk.select("a.py")
    await talk.say(*[LONG + str(n) for n in range(5)])
    session = talk.conversation.session
    kept = talk.world.history.sessions[session.session_id]
    assert Session(kept).exchanges == session.exchanges


async def test_compact_now_compacts_talk_that_is_not_due() -> None:
    talk = Talk(found=settings(trigger=9000))
    await talk.say(LONG, "Two?", "Three?")
    await talk.compactor.compact_now(talk.conversation)
    await talk.conversation.session.compaction.over()
    assert talk.stages() == ["compaction_start", "compaction_complete"]
    assert len(talk.conversation.session.exchanges) == 3  # the summary and two


async def test_talk_as_short_as_a_summary_is_not_paid_for() -> None:
    talk = Talk(found=settings(trigger=9000))
    await talk.say("One?", "Two?", "Three?")
    with pytest.raises(InvalidParams, match="too short"):
        await talk.compactor.compact_now(talk.conversation)
    assert talk.asides == []


async def test_a_summary_is_shorter_than_what_it_stands_for() -> None:
    talk = Talk(found=settings(trigger=9000, summary=500))
    talk.world.model.aside = json.dumps({"summary": "gardens and sheds " * 200})
    await talk.say(*[LONG] * 5)
    await talk.compactor.compact_now(talk.conversation)
    await talk.conversation.session.compaction.over()
    done = talk.told()[-1].event
    assert done["stage"] == "compaction_complete"
    assert done["after_tokens"] < done["before_tokens"]


async def test_compact_now_does_not_summarise_a_mere_summary_again() -> None:
    talk = Talk(found=settings(trigger=9000))
    await talk.say(LONG, "Two?", "Three?")
    await talk.compactor.compact_now(talk.conversation)
    await talk.conversation.session.compaction.over()
    with pytest.raises(InvalidParams, match="nothing to compact"):
        await talk.compactor.compact_now(talk.conversation)


async def test_compact_now_is_refused_when_there_is_nothing_or_something_runs() -> None:
    talk = Talk(found=settings(trigger=9000))
    await talk.say(LONG, "Two?")
    with pytest.raises(InvalidParams, match="nothing to compact"):
        await talk.compactor.compact_now(talk.conversation)
    await talk.say("Three?")
    talk.world.model.aside_release = asyncio.Event()
    await talk.compactor.compact_now(talk.conversation)
    with pytest.raises(Busy, match="already"):
        await talk.compactor.compact_now(talk.conversation)
    assert talk.compactor.active == 1
    while not talk.stages():
        await asyncio.sleep(0)
    await talk.compactor.aclose()
    assert talk.stages() == ["compaction_start", "compaction_error"]
    talk.world.model.held = True
    talk.start("id-9", "Four?")
    with pytest.raises(Busy):
        await talk.compactor.compact_now(talk.conversation)
    await talk.turns.aclose()


async def test_the_history_gets_a_sentence_about_it() -> None:
    talk, noted = Talk(), Noted()
    talk.compactor = Compactor(replace(talk.ports, events=noted), talk.world.pages)
    await talk.say(*[LONG] * 3)
    await talk.compactor.compact_now(talk.conversation)
    await talk.conversation.session.compaction.over()
    ((conversation_key, session_id, kind, text),) = noted.found
    assert (conversation_key, session_id) == (
        ConversationKey(ADA),
        talk.conversation.session.session_id,
    )
    assert kind == "compaction"
    assert "compacted from" in str(text)


async def test_the_small_model_keeps_its_own_window_instead() -> None:
    talk = Talk()
    assert talk.world.choice is not None
    talk.world.choice = replace(talk.world.choice, demo=True, profile="embedded")
    await talk.say(*[LONG] * 5)
    assert talk.stages() == []


A, B = RepoPath("a.py"), RepoPath("b.py")
LONG_FILE = "".join(f"line {number}\n" for number in range(200))
QUESTIONS = [f"{number}. What does each of these lines say?" for number in range(7)]
MAP = MapText("".join(f"src/{number}.py name_{number}\n" for number in range(40)))


def entry(*sent: Block) -> CompactedEntry:
    return CompactedEntry("t", Exchange((*sent, question_block("q")), answer_block("a")))


def test_files_that_the_log_begins_with_stay_while_they_are_mostly_of_use() -> None:
    first = entry(file_block(A, "1" * 300), file_block(B, "2" * 200))
    assert useful_beginning([first], {A, B}) == (A, B)
    assert useful_beginning([first], {A}) == (A, B)
    assert useful_beginning([first], {B}) == ()
    assert useful_beginning([first, entry(file_block(A, "1" * 299))], {A, B}) == ()
    assert useful_beginning([entry(), first], {A, B}) == ()
    assert useful_beginning([], {A}) == ()


def test_a_map_of_which_a_tenth_has_changed_is_made_anew() -> None:
    head, lines = map_blocks("code", "", MAP.text), MAP.text.splitlines()
    for changed, is_right in ((0, True), (4, True), (5, False), (40, False)):
        fresh = "\n".join([*(f"other {number}" for number in range(changed)), *lines[changed:]])
        assert is_about_right(head, map_blocks("code", "", fresh)) is is_right
    assert is_about_right(head, ())
    assert not is_about_right((), head)


def talking(found: AppSettings | None = None) -> Talk:
    world = open_world({"a.py": LONG_FILE, "b.py": LONG_FILE.upper(), "c.py": "3\n"})
    world.maps.heads["code"] = MAP
    return Talk(world, found or settings(trigger=90_000))


async def compacted(talk: Talk) -> None:
    await talk.compactor.compact_now(talk.conversation)
    await talk.conversation.session.compaction.over()


async def test_a_compaction_leaves_head_and_first_files_byte_for_byte() -> None:
    talk = talking()
    talk.select("a.py", "b.py")
    await talk.say(*QUESTIONS[:5])
    talk.world.files.texts["a.py"] = LONG_FILE.replace("line 7\n", "row 7\n")
    await compacted(talk)
    await talk.say("After?")
    before, after = sent(talk.prompts[0]), sent(talk.prompts[-1])
    assert after[0] == before[0]
    assert after[1][1][:2] == before[1][1][:2]
    assert after[1][1][2].startswith("[Summary")
    news = after[-1][1][0]
    assert news.startswith("a.py\nhas changed")
    assert "+row 7" in news


async def test_a_file_that_stays_and_is_unticked_is_said_to_be() -> None:
    talk = talking()
    talk.select("a.py", "c.py")
    await talk.say(*QUESTIONS[:5])
    talk.select("a.py")
    await compacted(talk)
    await talk.say("After?")
    assert sent(talk.prompts[-1])[-1][1][0] == "c.py is no longer selected.\n"


@pytest.mark.parametrize("why", ["unticked", "cold", "other map"])
async def test_else_head_and_files_go_out_anew(why: str) -> None:
    talk = talking()
    talk.select("a.py", "b.py")
    await talk.say(*QUESTIONS[:5])
    talk.world.maps.heads["code"] = MapText("another\nmap")
    if why != "other map":
        talk.world.maps.heads["code"] = replace(MAP, text=MAP.text + "one more\n")
    if why == "unticked":
        talk.select("c.py")
    talk.world.later_ms = OTHER_LIFE_MS if why == "cold" else 0
    await compacted(talk)
    await talk.say("After?")
    after = sent(talk.prompts[-1])
    assert after[0] != sent(talk.prompts[0])[0]
    assert [text[:8] for text in after[1][1]] == ["[Summary"]


async def test_the_tiers_show_what_stayed_and_what_is_sent_anew() -> None:
    talk = talking()
    talk.select("a.py", "b.py")
    await talk.say(*QUESTIONS)
    await compacted(talk)
    found = await context_breakdown(talk.conversation, talk.ports, "After?")
    rows = {tier["tier"]: tier["contents"] for tier in found["blocks"]}
    assert [row["name"] for row in rows["L1"]] == ["a.py", "b.py"]
    assert {row["n"] for row in (*rows["L0"], *rows["L1"])} == {7}
    assert [text.partition(":")[0] for text in found["demotions"]] == [
        "L1 → no longer sent",
        "L2 → no longer sent",
        "L3 → active",
        "L3 → no longer sent",
    ]
