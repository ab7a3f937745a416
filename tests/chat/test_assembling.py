from dataclasses import replace

from jupyter_ac.chat.assembling import assemble
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.prompt.blocks import Block, Category, answer_block, question_block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.stages import gather
from jupyter_ac.chat.turn import Turn, run
from jupyter_ac.ids import ConversationKey, RepoPath
from jupyter_ac.models.choice import ModelChoice
from tests.chat.compaction.world import Talk, sent, settings
from tests.chat.memory import ADA, World, open_world

PROMPT = (gather, assemble)


def asked(question: str, *selection: str) -> Turn:
    conversation = Conversation(ConversationKey(ADA))
    conversation.selection = tuple(RepoPath(path) for path in selection)
    return Turn.of(conversation, "1-a", question)


async def test_the_reminder_stands_behind_the_question_and_in_no_log() -> None:
    talk = Talk(found=settings(trigger=9000))
    await talk.say("One?", "Two?")
    last = talk.prompts[-1]
    parts = last.messages[-1]["content"]
    assert isinstance(parts, list)
    assert [part["text"][:8] for part in parts] == ["Two?", "Reminder"]
    assert last.passing_parts == 1
    assert str(last.messages).count("Reminder for edits") == 1
    assert not any(
        block.category is Category.REMINDER
        for exchange in talk.conversation.session.exchanges
        for block in exchange.sent
    )


async def test_the_small_model_gets_no_reminder() -> None:
    world = open_world()
    world.choice = ModelChoice("openai/demo", "embedded", demo=True, profile="embedded")
    turn = asked("Why?")
    await run(turn, world.ports(), PROMPT)
    assert turn.prompt.reminder == ()
    assert turn.prompt.messages()[-1] == {"role": "user", "content": "Why?"}


async def test_a_changed_file_goes_out_as_a_difference_and_the_log_stays() -> None:
    talk = Talk(World(), settings(trigger=9000))
    talk.world.gate.open()
    lines = [f"line {number}\n" for number in range(100)]
    talk.world.files.texts["a.py"] = "".join(lines)
    talk.select("a.py")
    await talk.say("One?")
    lines[50] = "changed\n"
    talk.world.files.texts["a.py"] = "".join(lines)
    await talk.say("Two?")
    before, after = sent(talk.prompts[0]), sent(talk.prompts[1])
    assert after[: len(before)] == before
    difference, question = after[-1][1]
    assert "-line 50\n+changed\n" in difference
    assert (question, len(difference) < 300) == ("Two?", True)


async def test_a_second_answer_of_a_turn_goes_on_from_the_first() -> None:
    world = open_world({"a.py": "1\n"})
    turn = asked("Why?", "a.py")
    ports = world.ports()
    await run(turn, ports, PROMPT)
    turn.answered.append(Exchange(turn.sent, answer_block("An edit.")))
    turn.again = Block(Category.RETRY, "It failed.")
    await run(turn, ports, PROMPT)
    assert [exchange.answer.text for exchange in turn.prompt.past] == ["An edit."]
    assert [block.category for block in turn.sent] == [Category.RETRY]


async def test_a_file_without_room_is_left_out_and_named_each_time() -> None:
    world = open_world({"a.py": "1\n", "big.py": "2\n" * 100_000})
    world.model.info = replace(world.model.info, max_input_tokens=20_000)
    turn = asked("Why?", "big.py", "a.py")
    await run(turn, world.ports(), PROMPT)
    assert turn.left_out == ("big.py",)
    assert turn.notices == ["Left out, no room in this model: big.py."]
    assert [block.category for block in turn.sent] == [
        Category.FILE,
        Category.NOTE,
        Category.QUESTION,
    ]
    assert turn.sent[-1] == question_block("Why?")


async def test_a_prompt_that_fits_by_its_length_is_not_counted() -> None:
    world = open_world({"a.py": "1\n"})
    await run(asked("Why?", "a.py"), world.ports(), PROMPT)
    assert world.counter.asked == []
