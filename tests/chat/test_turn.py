import asyncio
import logging

import pytest

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.records import TurnState
from jupyter_ac.chat.turn import INTERNAL, Turn, run, settle
from jupyter_ac.chat.usage import cut_notice
from jupyter_ac.errors import ProviderAuth
from jupyter_ac.ids import ConversationKey
from jupyter_ac.models.client import CompletedAnswer, Usage
from tests.chat.memory import ADA, open_world


def turn() -> Turn:
    made = Turn.of(Conversation(ConversationKey(ADA)), "1-a", "Why\udc80?")
    made.stream.append("Half an ans")
    return made


async def test_stages_run_in_order_and_the_first_that_raises_ends_the_turn() -> None:
    seen: list[str] = []

    async def one(_: Turn, ports: TurnPorts) -> None:
        seen.append(f"one {ports.gate.is_open}")

    async def two(_: Turn, __: TurnPorts) -> None:
        raise ProviderAuth("no key")

    with pytest.raises(ProviderAuth):
        await run(turn(), open_world().ports(), (one, two, one))
    assert seen == ["one True"]


def test_a_question_is_wellformed() -> None:
    assert turn().record.question == "Why\ufffd?"


def test_a_turn_without_an_error_is_done() -> None:
    over = turn()
    over.outcome = CompletedAnswer("Half an ans", "length", Usage(5, 6))
    over.notices.append("Cut.")
    settle(over, None)
    assert (over.record.state, over.record.answer) == (TurnState.DONE, "Half an ans")
    assert (over.record.finish_reason, over.record.usage) == ("length", Usage(5, 6))
    assert over.record.notices == ("Cut.", cut_notice("length"))


@pytest.mark.parametrize("reason", ["length", "content_filter", None])
def test_an_answer_that_was_cut_says_so(reason: str | None) -> None:
    assert cut_notice(reason).startswith("The answer was cut")
    assert cut_notice("stop") == ""


def test_an_answer_without_a_word_says_so() -> None:
    over = Turn.of(Conversation(ConversationKey(ADA)), "1-a", "Why?")
    over.outcome = CompletedAnswer("", "stop", Usage(5, 0))
    settle(over, None)
    assert over.record.state is TurnState.DONE
    assert over.record.notices == (cut_notice("stop", ""),)
    assert "without a word" in over.record.notices[0]


def test_a_stopped_turn_is_cancelled_and_keeps_its_text_however_it_ended() -> None:
    for error in (asyncio.CancelledError(), ProviderAuth("closed")):
        over = turn()
        over.stream.stop()
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
