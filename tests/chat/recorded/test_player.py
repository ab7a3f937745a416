"""A recorded answer comes as a model's does, but from nowhere."""

from jupyter_ac.chat.model_gateway import AnswerListener
from jupyter_ac.chat.recorded.player import RecordedAnswer
from jupyter_ac.models.choice import RECORDED
from jupyter_ac.models.client import Usage

TEXT = "One  word,\n\nthen `others`:\n    indented\n"


async def test_it_comes_word_by_word_with_its_blanks() -> None:
    waits: list[float] = []
    pieces: list[str] = []

    async def pause(seconds: float) -> None:
        waits.append(seconds)

    answer = RecordedAnswer(TEXT, words_per_second=4, pause=pause)
    done = await answer.complete(answer.require(), [], None, AnswerListener(pieces.append))
    assert pieces == ["One  ", "word,\n\n", "then ", "`others`:\n    ", "indented\n"]
    assert waits == [0.25] * 5
    assert (done.text, done.finish_reason, done.usage) == (TEXT, "stop", Usage())


async def test_it_says_that_no_model_answers() -> None:
    answer = RecordedAnswer(TEXT, 1)
    await answer.load()
    choice = answer.choice()
    info = await answer.info(choice)
    assert (choice.model, choice.source, choice.demo) == (RECORDED, "recorded", False)
    assert (info.input_cost, info.output_cost) == (None, None)
