from dataclasses import replace

from jupyter_ac.chat.compaction.trimming import trim
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.last_request import last_request
from jupyter_ac.chat.prompt.blocks import Block, Category
from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.chat.turn.preview import context_breakdown
from jupyter_ac.ids import ConversationKey
from tests.chat.compaction.world import Talk, sent, settings
from tests.chat.memory import ADA
from tests.chat.test_run_record import RECORD

STANDARD = profile("standard")


async def test_nothing_went_out_before_the_first_answer() -> None:
    assert last_request(Conversation(ConversationKey(ADA)).session, STANDARD) is None


async def test_it_is_what_the_model_got() -> None:
    talk = Talk(found=settings(trigger=9000))
    talk.select("a.py")
    await talk.say("One?", "Two?")
    found = last_request(talk.conversation.session, STANDARD)
    assert found is not None
    assert found.turn.question == "Two?"
    assert list(found.prompts[-1].messages()) == list(talk.prompts[-1].messages)


async def test_what_was_taken_out_since_was_still_there() -> None:
    talk = Talk(found=settings(trigger=9000))
    talk.select("a.py", "b.py")
    await talk.say("One? " * 60, "Two?", "Three?")
    before = list(talk.prompts[-1].messages)
    await trim(talk.conversation, talk.ports, list(talk.conversation.selection))
    await talk.compactor.compact_now(talk.conversation)
    await talk.conversation.session.compaction.over()
    found = last_request(talk.conversation.session, STANDARD)
    assert found is not None
    assert list(found.prompts[-1].messages()) == before
    await talk.say("Four?")
    found = last_request(talk.conversation.session, STANDARD)
    assert found is not None
    assert list(found.prompts[-1].messages()) == list(talk.prompts[-1].messages)
    assert sent(talk.prompts[-1])[1][1][0].startswith("[Summary")


async def test_the_part_that_is_sent_again_ends_where_they_differ() -> None:
    talk = Talk(found=settings(trigger=9000))
    await talk.say("One?")
    found = last_request(talk.conversation.session, STANDARD)
    assert found is not None
    await talk.say("Two?")
    again = last_request(talk.conversation.session, STANDARD)
    assert again is not None
    assert found.shared(again.prompts[-1]) == found.prompts[-1].lasting
    assert again.shared(found.prompts[-1]) == found.prompts[-1].lasting


async def test_a_small_model_sends_another_part_each_time() -> None:
    talk = Talk()
    await talk.say("One?")
    assert last_request(talk.conversation.session, profile("embedded")) is None


async def test_the_tools_are_those_of_the_next_request_once_there_was_a_run() -> None:
    talk = Talk(found=settings(trigger=9000))
    await talk.say("One?")
    session, tools = talk.conversation.session, (Block(Category.TOOLS, "{}"),)
    before = last_request(session, STANDARD, tools)
    assert before is not None
    assert before.prompts[-1].tools == ()
    following = replace(before.prompts[-1], tools=tools)
    assert before.shared(following) == []
    session.put(replace(session.turns[-1], run=RECORD))
    after = last_request(session, STANDARD, tools)
    assert after is not None
    assert after.shared(following) == [*tools, *before.prompts[-1].lasting]


async def test_a_part_of_the_map_behind_an_older_question_passed_with_it() -> None:
    talk = Talk(found=settings(trigger=9000))
    await talk.say("One?")
    session = talk.conversation.session
    near = Block(Category.RANKED, "From the map, likely to matter for this question:\n\na.py\n")
    turn = session.turns[-1]
    session.put(replace(turn, sent=(*turn.sent, near)))
    found = last_request(session, STANDARD)
    assert found is not None
    (prompt,) = found.prompts
    assert [block.category for block in prompt.last] == ["question", "ranked_map", "reminder"]
    shown = await context_breakdown(talk.conversation, talk.ports, "Two?")
    assert shown["demotions"] == []
    before = list(talk.prompts[-1].messages)
    await talk.say("Two?")
    assert near.text not in str(talk.prompts[-1].messages)
    assert sent(talk.prompts[-1])[: len(before)] == sent(talk.prompts[-2])
    assert talk.world.maps.asked[-1].shown.ranked == ()
