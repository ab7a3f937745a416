from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.turn.turn import Question, Turn
from jupyter_ac.ids import ConversationKey
from tests.chat.memory import ADA


def test_a_question_is_wellformed() -> None:
    turn = Turn.of(Conversation(ConversationKey(ADA)), Question("1-a", "Why\udc80?", ("x.png",)))
    assert turn.record.question == turn.context.question.text == "Why\ufffd?"
    assert (turn.record.images, turn.record.state) == (("x.png",), TurnState.RUNNING)
    assert (turn.model_info, turn.request.sent) == (None, ())


def test_text_grows_with_a_gap_between_two_answers() -> None:
    turn = Turn.of(Conversation(ConversationKey(ADA)), Question("1-a", "Why?"))
    turn.answers.tracker.begin(bool, 0)
    turn.answers.feed("One.")
    turn.answers.gap = "\n\n"
    turn.answers.feed("Two")
    turn.answers.feed(".")
    assert turn.context.stream.text == "One.\n\nTwo."
