import asyncio
from dataclasses import replace

import pytest

from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.prompt.blocks import Category, question_block
from jupyter_ac.chat.prompt.counts import encoding_of
from jupyter_ac.chat.prompt.profiles import profile_of
from jupyter_ac.chat.records import SessionRecord, TurnPosition, TurnState
from jupyter_ac.chat.session import Session
from jupyter_ac.chat.turn.stored_turn import EARLIER_LOST
from jupyter_ac.errors import AcError, AlreadyExists, NotReady, ProviderContext
from jupyter_ac.events import CompactionEvent
from jupyter_ac.ids import ConversationKey
from jupyter_ac.models.choice import ModelChoice
from jupyter_ac.models.client import ModelInfo
from tests.chat.memory import ADA, Recorder, World, open_world
from tests.chat.turn.stages import admitted, asked, fitting, gathered_for, prepared


async def test_the_question_is_kept_before_anything_else_happens() -> None:
    world = World()
    turn = asked()
    admitting = asyncio.create_task(admitted(turn, world.ports()))
    while not turn.stored.is_kept:
        await asyncio.sleep(0)
    assert world.history.steps == ["begin Why?"]
    assert not admitting.done()
    world.gate.open()
    await asyncio.wait_for(admitting, 30)


async def test_an_early_turn_waits_and_says_so() -> None:
    world, turn, follower = World(), asked(), Recorder()
    turn.context.stream.follow("page", follower)
    admitting = asyncio.create_task(admitted(turn, world.ports()))
    while not follower.told:
        await asyncio.sleep(0)
    (event,) = follower.told
    assert isinstance(event, CompactionEvent)
    assert event.event["stage"] == "waiting"
    world.gate.open()
    await asyncio.wait_for(admitting, 30)


async def test_a_start_that_never_ends_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jupyter_ac.chat.turn.admit.START_TIMEOUT_S", 0.01)
    with pytest.raises(NotReady, match="reload"):
        await admitted(asked(), World().ports())


async def test_a_model_that_was_set_up_meanwhile_is_found() -> None:
    world, turn = open_world(), asked()
    world.choice = None

    async def renew() -> None:
        world.choice = ModelChoice("openai/new", "llm.json")

    gateway = ModelGateway(world.model, lambda: world.choice, renew=renew)
    ports = replace(
        world.ports(),
        models=gateway,
        profile_for=lambda choice, _mode: profile_of(choice, "auto", "Own.", "Extra."),
    )
    await admitted(turn, ports)
    await prepared(turn, ports)
    assert gathered_for(turn).model.choice == world.choice
    assert [block.text for block in turn.request.prompt.head] == ["Own.\n\nExtra."]


async def test_without_a_model_the_question_is_kept_and_the_turn_refused() -> None:
    world = open_world()
    world.choice = None
    with pytest.raises(NotReady, match="No language model"):
        await admitted(asked(), world.ports())
    assert world.history.steps == ["begin Why?"]


async def test_a_turn_joins_the_session_as_another_host_has_left_it() -> None:
    world, turn = open_world(), asked("Mine", "2-b")
    conversation, ports = turn.context.conversation, world.ports()
    theirs = asked("Theirs", "1-a").record
    place = TurnPosition(ConversationKey(ADA), conversation.session.session_id, 0)
    await ports.history.begin(place, theirs)
    await ports.history.finish(replace(theirs, state=TurnState.DONE, answer="Yes."))
    await admitted(turn, ports)
    assert [known.question for known in conversation.session.turns] == ["Theirs", "Mine"]
    assert conversation.session.revision == 3


async def test_a_turn_waits_for_an_earlier_answer_elsewhere_and_goes_on_from_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jupyter_ac.chat.turn.admit.EARLIER_PAUSE_S", 0.001)
    world, turn, follower = open_world(), asked("Mine", "2-b"), Recorder()
    turn.context.stream.follow("page", follower)
    conversation, ports = turn.context.conversation, world.ports()
    theirs = asked("Theirs", "1-a").record
    await ports.history.begin(
        TurnPosition(ConversationKey(ADA), conversation.session.session_id, 0), theirs
    )
    admitting = asyncio.create_task(admitted(turn, ports))
    while not follower.told:
        await asyncio.sleep(0)
    assert turn.stored.is_kept
    assert "still answering" in str(follower.told[0])
    sent = (question_block("Theirs"),)
    await ports.history.finish(replace(theirs, state=TurnState.DONE, answer="Yes.", sent=sent))
    await asyncio.wait_for(admitting, 30)
    assert [exchange.answer.text for exchange in conversation.session.exchanges] == ["Yes."]
    assert [known.question for known in conversation.session.turns] == ["Theirs", "Mine"]


@pytest.mark.parametrize("trouble", ["it never ends", "the disk fails"])
async def test_an_earlier_answer_is_not_waited_for_without_end(
    monkeypatch: pytest.MonkeyPatch, trouble: str
) -> None:
    monkeypatch.setattr("jupyter_ac.chat.turn.admit.EARLIER_PAUSE_S", 0.001)
    monkeypatch.setattr("jupyter_ac.chat.turn.admit.EARLIER_TIMEOUT_S", 0.01)
    world, turn = open_world(), asked("Mine", "2-b")
    conversation, ports = turn.context.conversation, world.ports()
    theirs = asked("Theirs", "1-a").record
    await ports.history.begin(
        TurnPosition(ConversationKey(ADA), conversation.session.session_id, 0), theirs
    )
    admitting = asyncio.create_task(admitted(turn, ports))
    while not turn.stored.is_kept:
        await asyncio.sleep(0)
    if trouble == "the disk fails":
        world.history.failure = AcError("no disk")
    await asyncio.wait_for(admitting, 30)
    assert conversation.session.exchanges == []


async def test_a_session_that_vanished_from_the_disk_is_begun_again() -> None:
    world, turn = open_world(), asked()
    turn.context.conversation.session = Session(
        SessionRecord(turn.context.session.session_id, revision=7)
    )
    await admitted(turn, world.ports())
    assert turn.stored.is_kept
    assert turn.context.session.revision == 1
    assert turn.context.notices == []


async def test_a_session_that_vanished_with_what_was_said_in_it_is_said() -> None:
    world, turn = open_world(), asked()
    said = replace(asked("Before?", "0-a").record, state=TurnState.DONE)
    kept = SessionRecord(turn.context.session.session_id, revision=7, turns=(said,))
    turn.context.conversation.session = Session(kept)
    await admitted(turn, world.ports())
    assert turn.stored.is_kept
    assert turn.context.notices == [EARLIER_LOST]


async def test_a_disk_that_fails_is_a_notice_and_the_talk_goes_on() -> None:
    world, turn = open_world(), asked()
    world.history.failure = AcError("The disk is full.")
    await admitted(turn, world.ports())
    assert not turn.stored.is_kept
    assert turn.context.notices == ["This turn is not kept in the history: The disk is full."]


async def test_a_request_id_that_another_host_has_used_is_refused() -> None:
    world, turn = open_world(), asked()
    ports = world.ports()
    await ports.history.begin(turn.context.conversation.place, asked().record)
    turn.context.session.revision = 1
    with pytest.raises(AlreadyExists):
        await admitted(turn, ports)


async def test_the_prompt_holds_the_selected_files_and_the_question() -> None:
    world = open_world({"a.py": "1\n", "b.py": "2\n"})
    turn = asked("Why?", "1-a", "b.py", "a.py")
    await prepared(turn, world.ports())
    assert [(block.category, block.path) for block in turn.request.sent] == [
        (Category.FILE, "b.py"),
        (Category.FILE, "a.py"),
        (Category.QUESTION, None),
    ]
    assert turn.request.prompt.head[0].category is Category.SYSTEM
    assert gathered_for(turn).model.choice is not None
    assert encoding_of(gathered_for(turn).model.choice).name == "cl100k_base"


async def test_files_that_cant_be_sent_are_reported_and_the_turn_goes_on() -> None:
    world = open_world({"a.py": "1\n", "logo.png": None})
    turn = asked("Why?", "1-a", "logo.png", "a.py", "gone.py")
    await prepared(turn, world.ports())
    assert [block.path for block in turn.request.sent] == ["a.py", None]
    assert turn.context.notices == ["Not sent: logo.png", "Not sent: gone.py"]


async def test_a_likely_secret_is_announced_when_it_is_about_to_be_sent() -> None:
    world = open_world({".env": "KEY=1\n"})
    turn = asked("Why?", "1-a", ".env")
    await prepared(turn, world.ports())
    assert turn.context.notices == [".env: By its name it contains environment settings."]


async def test_the_embedded_models_prompt_is_small_and_says_what_was_cut() -> None:
    world = open_world({f"f{n}.py": "word " * 2000 for n in range(12)})
    world.choice = ModelChoice("openai/demo", "embedded", demo=True, profile="embedded")
    turn = asked("Why?", "1-a", *world.files.texts)
    await prepared(turn, world.ports())
    files = [block for block in turn.request.sent if block.category is Category.FILE]
    assert sum((len(block.text) + 3) // 4 for block in files) <= 600
    assert turn.context.notices == [
        "Cut for this small model: f0.py, f1.py, f2.py, f3.py, f4.py and 5 more.",
        "Left out, no room in this small model: f10.py, f11.py.",
    ]


async def test_a_preview_needs_neither_model_nor_question() -> None:
    world = open_world({"a.py": "1\n"})
    world.choice = None
    turn = asked("", "preview", "a.py")
    await prepared(turn, world.ports())
    assert [block.path for block in turn.request.sent] == ["a.py"]
    assert encoding_of(gathered_for(turn).model.choice).estimate


async def test_a_question_over_the_models_limit_is_refused() -> None:
    world = open_world({"a.py": "x" * 40_000})
    world.model.info = ModelInfo(5000, 1000, None, None, takes_cache_marks=False, known=True)
    turn = asked("Why? " * 4000, "1-a", "a.py")
    ports = world.ports()
    await prepared(turn, ports)
    with pytest.raises(ProviderContext, match=r"Untick large files \(a.py"):
        await fitting(turn)
