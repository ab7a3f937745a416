import asyncio
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.images import image_of
from jupyter_ac.chat.ports import MapText, TurnPorts
from jupyter_ac.chat.prompt.profiles import profile
from jupyter_ac.chat.records import Focus
from jupyter_ac.chat.turn.gather import FIRST_WAIT_S, PREVIEW_WAIT_S, gather
from jupyter_ac.chat.turn.preview import context_breakdown
from jupyter_ac.chat.turn.record import settle
from jupyter_ac.chat.turn.runner import ChatRequest, Turns
from jupyter_ac.chat.turn.turn import Question, Turn
from jupyter_ac.errors import Unsupported
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.settings.app import AppSettings, PromptSettings
from tests.chat.compaction.world import Talk, sent, settings
from tests.chat.memory import ADA, INFO, Recorder, open_world
from tests.chat.turn.stages import asked_in, prepared
from tests.support.pictures import GIF, png

CODE = MapText("CODE MAP", "CODE LEGEND", files=3)
DOC = MapText("DOC MAP", files=1)
PROFILE = profile("standard")
IMAGES = [image_of(data, "") for data in (png(), GIF)]
NAMES = tuple(image.name for image in IMAGES)


def talking(trigger: int = 90_000) -> Talk:
    return Talk(found=settings(trigger=trigger))


def heads(talk: Talk) -> list[list[str]]:
    return [sent(request)[0][1] for request in talk.prompts]


def texts(talk: Talk) -> list[str]:
    return [str(request.messages) for request in talk.prompts]


async def test_the_map_stands_in_the_head_and_stays_as_it_was_first_sent() -> None:
    talk = talking()
    talk.world.maps.heads["code"] = CODE
    await talk.say("One?")
    talk.world.maps.heads["code"] = MapText("ANOTHER MAP")
    await talk.say("Two?")
    first, second = heads(talk)
    assert first == second
    assert (first[1], first[2].endswith("CODE MAP\n")) == ("CODE LEGEND\n", True)
    assert "ANOTHER" not in texts(talk)[1]
    assert talk.world.maps.waits == [("code", FIRST_WAIT_S)]  # it isn't asked for again


async def test_a_compaction_renews_the_map() -> None:
    talk = talking(trigger=60)
    talk.world.maps.heads["code"] = CODE
    await talk.say("x" * 200, "y" * 200)
    talk.world.maps.heads["code"] = MapText("ANOTHER MAP")
    await talk.say("z" * 200, "Now?")
    assert talk.asides
    assert "ANOTHER MAP" in heads(talk)[-1][1]
    assert "CODE MAP" not in texts(talk)[-1]


async def test_an_index_that_is_late_is_appended_as_news_and_never_put_in_front() -> None:
    talk = talking()
    await talk.say("One?")
    talk.world.maps.heads["code"] = CODE
    await talk.say("Two?", "Three?")
    one, two, three = (sent(request) for request in talk.prompts)
    assert two[: len(one)] == one
    assert three[: len(two)] == two
    assert two[-1][1][0] == "CODE LEGEND\n"
    assert two[-1][1][1].endswith("CODE MAP\n")
    assert texts(talk)[-1].count("CODE MAP") == 1
    assert [wait for _, wait in talk.world.maps.waits] == [FIRST_WAIT_S, 0.0]


async def test_a_late_map_comes_into_the_head_at_the_next_compaction() -> None:
    talk = talking(trigger=60)
    await talk.say("x" * 200)
    talk.world.maps.heads["code"] = CODE
    await talk.say("y" * 200, "z" * 200, "Now?")
    assert talk.asides
    assert "CODE MAP" in heads(talk)[-1][2]
    assert texts(talk)[-1].count("CODE MAP") == 1


async def test_the_ranked_part_stands_before_its_question_and_stays_in_the_log() -> None:
    talk = talking()
    talk.select("a.py")
    talk.world.maps.near = "NEAR ONE"
    await talk.say("One?")
    talk.world.maps.near = "NEAR TWO"
    await talk.say("Two?")
    talk.world.maps.near = ""
    await talk.say("Three?")
    one, two, three = (sent(request) for request in talk.prompts)
    assert two[: len(one)] == one
    assert three[: len(two)] == two
    assert [text[:8] for text in sent_whole(talk, 1)] == ["From the", "Two?", "Reminder"]
    assert sent_whole(talk, 2) == ["Three?", sent_whole(talk, 1)[-1]]
    assert [request.passing_parts for request in talk.prompts] == [1, 1, 1]


async def test_the_ranked_part_is_asked_for_with_what_the_question_is_about() -> None:
    talk = talking()
    talk.select("a.py")
    await talk.say("One?", "Two?")
    ask = talk.world.maps.asked[-1]
    assert (ask.selected, ask.question) == ((RepoPath("a.py"),), "Two?")
    assert (ask.talk, ask.budget_tokens) == (("One?", "Hello world"), 1024)


async def test_a_compaction_takes_out_the_ranked_parts_and_they_count_as_unseen() -> None:
    talk = talking(trigger=60)
    talk.world.maps.near = "NEAR"
    await talk.say("x" * 200, "y" * 200)
    assert len(talk.world.maps.asked[-1].shown.ranked) == 1
    await talk.say("z" * 200, "Now?")
    assert talk.asides
    asked = [len(ask.shown.ranked) for ask in talk.world.maps.asked]
    assert 0 in asked[1:]
    assert texts(talk)[-1].count("NEAR") == asked[-1] + 1


def sent_whole(talk: Talk, number: int) -> list[str]:
    content = talk.prompts[number].messages[-1]["content"]
    assert isinstance(content, list)
    return [str(part["text"]) for part in content]


async def test_the_last_requests_ranked_part_is_counted_with_it() -> None:
    talk = talking()
    talk.world.maps.near = "NEAR " * 40
    await talk.say("One?")
    shown = await context_breakdown(talk.conversation, talk.ports, "Two?")
    assert shown["last_request"] is not None
    messages = talk.prompts[-1].messages
    total = sum(
        4 + sum((len(text) + 3) // 4 for text in _texts(message["content"])) for message in messages
    )
    assert shown["last_request"]["counted"] == total


def _texts(content: object) -> list[str]:
    if not isinstance(content, list):
        return [str(content)]
    return [str(part["text"]) for part in content]


async def test_the_small_model_gets_no_map_also_none_out_of_the_log() -> None:
    talk = talking()
    talk.world.maps.near = "NEAR"
    await talk.say("One?")
    talk.world.maps.heads |= {"code": CODE, "doc": DOC}
    talk.conversation.focus = Focus(cross_ref=True)
    await talk.say("Two?")
    assert "CODE MAP" in texts(talk)[-1]
    talk.world.choice = ModelChoice("openai/demo", "embedded", demo=True, profile="embedded")
    await talk.say("Three?")
    assert not any(word in texts(talk)[-1] for word in ("MAP", "LEGEND", "NEAR"))
    assert "Two?" in texts(talk)[-1]


async def test_the_mode_changes_the_head_and_leaves_the_log() -> None:
    talk = talking()
    talk.world.maps.heads |= {"code": CODE, "doc": DOC}
    await talk.say("One?")
    talk.conversation.focus = Focus("doc")
    await talk.say("Two?")
    talk.conversation.focus = Focus("code")
    await talk.say("Three?")
    code, doc, again = heads(talk)
    assert "DOC MAP" in doc[1]
    assert doc[0].startswith("You write and keep documents")
    assert code == again
    assert sent(talk.prompts[1])[1:3] == sent(talk.prompts[2])[1:3]


async def test_cross_reference_appends_the_other_map_once_and_off_is_one_line() -> None:
    talk = talking()
    talk.world.maps.heads |= {"code": CODE, "doc": DOC}
    await talk.say("One?")
    talk.conversation.focus = Focus(cross_ref=True)
    await talk.say("Two?", "Three?")
    talk.conversation.focus = Focus()
    await talk.say("Four?", "Five?")
    requests = [sent(request) for request in talk.prompts]
    for earlier, later in pairwise(requests):
        assert later[: len(earlier)] == earlier
    last = texts(talk)[-1]
    assert last.count("DOC MAP") == last.count("is switched off") == 1
    assert len(set(map(str, heads(talk)))) == 1


async def test_no_map_is_sent_when_the_settings_say_so() -> None:
    talk = talking()
    talk.world.settings = AppSettings(prompt=PromptSettings(map_tokens=0, ranked_tokens=0))
    talk.world.maps.heads |= {"code": CODE, "doc": DOC}
    talk.conversation.focus = Focus(cross_ref=True)
    await talk.say("One?")
    assert "MAP" not in texts(talk)[0]
    assert (talk.world.maps.waits, talk.world.maps.asked) == ([], [])


async def test_a_map_that_takes_more_than_a_quarter_of_the_models_room_is_left_out() -> None:
    talk = talking()
    talk.world.model.info = replace(talk.world.model.info, max_input_tokens=2000)
    talk.world.maps.heads["code"] = MapText("MAP " * 400)
    talk.world.maps.near = "NEAR"
    await talk.say("One?", "Two?")
    assert "MAP" not in texts(talk)[-1]
    assert talk.world.maps.asked[-1].budget_tokens == (2000 - 500) // 16


async def test_the_ranked_part_is_told_what_the_prompt_shows() -> None:
    talk = talking()
    talk.world.maps.heads["doc"] = DOC
    await talk.say("Before the index is ready?")
    talk.world.maps.heads["code"], talk.world.maps.near = CODE, "NEAR"
    await talk.say("With the map as news?", "With it in the log?")
    talk.conversation.focus = Focus("doc")
    await talk.say("About the documents, with the log?")
    asked = talk.world.maps.asked
    assert ["CODE MAP" in str(ask.shown.maps) for ask in asked] == [False, True, True, True]
    assert [str(ask.shown.ranked).count("NEAR") for ask in asked] == [0, 0, 1, 2]
    assert not any("DOC" in str(ask.shown.maps) for ask in asked)
    small = talking()
    small.world.model.info = replace(small.world.model.info, max_input_tokens=2000)
    small.world.maps.heads["code"] = MapText("MAP " * 400)
    await small.say("No room for one?")
    assert [ask.shown.maps for ask in small.world.maps.asked] == [()]


async def test_a_preview_waits_for_a_map_to_be_drawn_and_for_no_index() -> None:
    world = open_world()
    conversation = Conversation(ConversationKey(ADA))
    world.maps.building = True
    shown = await context_breakdown(conversation, world.ports(), "Why?")
    assert world.maps.waits == [("code", 0.0)]
    assert [notice for notice in shown["notices"] if "still being made" in notice]
    world.maps.building = False
    world.maps.heads["code"] = CODE
    shown = await context_breakdown(conversation, world.ports(), "Why?")
    assert shown["breakdown"]["symbol_map_files"] == 3
    assert world.maps.waits[1:] == [("code", PREVIEW_WAIT_S)]
    assert shown["notices"] == []


async def test_a_preview_says_that_the_ranked_part_is_not_known_yet() -> None:
    world = open_world()
    world.maps.heads["code"], world.maps.near = CODE, None
    shown = await context_breakdown(Conversation(ConversationKey(ADA)), world.ports(), "Why?")
    assert [notice for notice in shown["notices"] if "isn't known yet" in notice]
    world.maps.near = "NEAR"
    shown = await context_breakdown(Conversation(ConversationKey(ADA)), world.ports(), "Why?")
    assert shown["notices"] == []


async def test_only_the_first_question_here_waits_for_its_ranked_part() -> None:
    talk = talking()
    await talk.say("One?", "Two?")
    await context_breakdown(talk.conversation, talk.ports, "Three?")
    first, *others = [ask.wait_s for ask in talk.world.maps.asked]
    assert 0 < first <= FIRST_WAIT_S
    assert others == [0.0, 0.0]


async def test_the_head_with_its_map_is_the_same_after_a_restart() -> None:
    talk = talking()
    talk.world.maps.heads["code"] = CODE
    await talk.say("One?")
    (session,) = talk.world.history.sessions.values()
    talk.world.maps.heads["code"] = MapText("ANOTHER MAP")
    kept = replace(session, heads={"standard": talk.conversation.session.log.frozen_head(PROFILE)})
    conversation = Conversation(ConversationKey(ADA), kept)
    turn = asked_in(conversation, "Two?", "2-x")
    await prepared(turn, talk.ports)
    before, after = talk.prompts[0].messages, turn.request.prompt.messages()
    assert after[0] == before[0]


async def test_edits_that_are_asked_for_again_come_without_a_ranked_part() -> None:
    world = open_world()
    world.maps.near = "NEAR"
    conversation = Conversation(ConversationKey(ADA))
    turn = asked_in(conversation, "One?", "1-x")
    await prepared(turn, world.ports())
    assert [block.category for block in turn.request.sent] == ["ranked_map", "question"]
    turn.next.blocks = (turn.request.prompt.ask[-1],)
    await prepared(turn, world.ports())
    assert [block.category for block in turn.request.sent] == ["question"]


async def test_an_index_that_takes_long_is_said() -> None:
    world = open_world()
    world.maps.heads["code"] = CODE
    world.maps.held.clear()
    turns = Turns(world.ports(), world.pages)
    follower = Recorder()
    stream = turns.start(Conversation(ConversationKey(ADA)), ChatRequest("1-x", "Why?", "p"))
    stream.follow("p", follower)
    while not any("structure" in str(told) for told in follower.told):
        await asyncio.sleep(0.01)
    world.maps.held.set()
    await follower.over.wait()
    assert "CODE MAP" in str(world.model.requests[0].messages)


def turn_with(*names: str) -> Turn:
    conversation = Conversation(ConversationKey(ADA))
    return Turn.of(conversation, Question("1-a", "What is this?", names))


async def ports_with(state: Path, *, takes_images: bool = True) -> TurnPorts:
    folder, world = ImageFolder(state), open_world()
    for image in IMAGES:
        await folder.put(image)
    world.choice = ModelChoice("openai/seeing", "flag")
    world.model.info = replace(INFO, takes_images=takes_images)
    return replace(world.ports(), images=folder)


async def test_the_images_of_a_question_are_found_in_order(tmp_path: Path) -> None:
    ports, turn = await ports_with(tmp_path), turn_with(*reversed(NAMES))
    gathered = await gather(turn.context, ports)
    assert [path.name for path in gathered.images] == list(reversed(NAMES))
    assert turn.context.notices == []
    shown = turn.record.messages()[0]["images"]
    assert [row["mime"] for row in shown] == ["image/gif", "image/png"]


async def test_images_that_are_gone_are_said_and_the_turn_goes_on(tmp_path: Path) -> None:
    ports, turn = await ports_with(tmp_path), turn_with(*NAMES)
    (tmp_path / "images" / NAMES[0]).unlink()
    gathered = await gather(turn.context, ports)
    assert [path.name for path in gathered.images] == [NAMES[1]]
    assert turn.context.notices == ["An image is no longer kept and could not be sent."]


async def test_a_model_that_takes_no_images_is_not_asked(tmp_path: Path) -> None:
    ports = await ports_with(tmp_path, takes_images=False)
    turn = turn_with(*NAMES)
    with pytest.raises(Unsupported, match="openai/seeing takes no images"):
        await gather(turn.context, ports)
    settle(turn, Unsupported("It takes no images."))
    assert turn.record.model == "openai/seeing"
    assert (await gather(turn_with().context, ports)).images == ()
