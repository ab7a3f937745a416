from dataclasses import replace

from jupyter_ac.chat.prompt.blocks import Block, Category, answer_block, question_block
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.models.choice import ModelChoice
from tests.chat.compaction.world import Talk, sent, settings
from tests.chat.memory import World, open_world
from tests.chat.turn.stages import asked, prepared


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
    await prepared(turn, world.ports())
    assert turn.request.prompt.reminder == ()
    assert turn.request.prompt.messages()[-1] == {"role": "user", "content": "Why?"}


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
    turn = asked("Why?", "1-a", "a.py")
    ports = world.ports()
    await prepared(turn, ports)
    turn.next.answered.append(Exchange(turn.request.sent, answer_block("An edit.")))
    turn.next.blocks = (Block(Category.RETRY, "It failed."),)
    await prepared(turn, ports)
    assert [exchange.answer.text for exchange in turn.request.prompt.past] == ["An edit."]
    assert [block.category for block in turn.request.sent] == [Category.RETRY]


async def test_a_file_without_room_is_left_out_and_named_each_time() -> None:
    world = open_world({"a.py": "1\n", "big.py": "2\n" * 100_000})
    world.model.info = replace(world.model.info, max_input_tokens=20_000)
    turn = asked("Why?", "1-a", "big.py", "a.py")
    await prepared(turn, world.ports())
    assert turn.request.left_out == ("big.py",)
    assert turn.context.notices == ["Left out, no room in this model: big.py."]
    assert [block.category for block in turn.request.sent] == [
        Category.FILE,
        Category.NOTE,
        Category.QUESTION,
    ]
    assert turn.request.sent[-1] == question_block("Why?")


async def test_a_prompt_that_fits_by_its_length_is_not_counted() -> None:
    world = open_world({"a.py": "1\n"})
    await prepared(asked("Why?", "1-a", "a.py"), world.ports())
    assert world.counter.asked == []
