import asyncio
import logging

import pytest

from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.turn.record import INTERNAL, cut_notice, settle
from jupyter_ac.chat.turn.turn import Turn
from jupyter_ac.errors import ProviderAuth
from jupyter_ac.models.client import CompletedAnswer, Usage
from tests.chat.turn.stages import asked


def turn() -> Turn:
    made = asked("Why\udc80?")
    made.context.stream.append("Half an ans")
    return made


def test_a_turn_without_an_error_is_done() -> None:
    over = turn()
    over.answers.outcome = CompletedAnswer("Half an ans", "length", Usage(5, 6))
    over.context.notices.append("Cut.")
    settle(over, None)
    assert (over.record.state, over.record.answer) == (TurnState.DONE, "Half an ans")
    assert (over.record.finish_reason, over.record.usage) == ("length", Usage(5, 6))
    assert over.record.notices == ("Cut.", cut_notice("length"))


@pytest.mark.parametrize("reason", ["length", "content_filter", None])
def test_an_answer_that_was_cut_says_so(reason: str | None) -> None:
    assert cut_notice(reason).startswith("The answer was cut")
    assert cut_notice("stop") == ""


def test_an_answer_without_a_word_says_so() -> None:
    over = asked("Why?")
    over.answers.outcome = CompletedAnswer("", "stop", Usage(5, 0))
    settle(over, None)
    assert over.record.state is TurnState.DONE
    assert over.record.notices == (cut_notice("stop", ""),)
    assert "without a word" in over.record.notices[0]


def test_a_stopped_turn_is_cancelled_and_keeps_its_text_however_it_ended() -> None:
    for error in (asyncio.CancelledError(), ProviderAuth("closed")):
        over = turn()
        over.context.stream.stop()
        settle(over, error)
        assert (over.record.state, over.record.answer) == (TurnState.CANCELLED, "Half an ans")
        assert over.record.failure is None


def test_an_error_on_purpose_keeps_its_word_and_message() -> None:
    over = turn()
    settle(over, ProviderAuth("The key is wrong."))
    assert over.record.state is TurnState.ERROR
    assert over.record.failure is not None
    assert over.record.failure.type == "provider_auth"


def test_any_other_error_is_internal_and_its_text_stays_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    over = turn()
    with caplog.at_level(logging.ERROR):
        settle(over, ValueError("secret detail"))
    assert over.record.failure == INTERNAL
    assert "secret detail" in caplog.text
