"""What answers use is counted by model."""

import pytest

from jupyter_ac.chat.chat_events import TurnEnded
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.model_gateway import SideTaskResult
from jupyter_ac.chat.records import TurnRecord, TurnState
from jupyter_ac.event_bus import EventBus
from jupyter_ac.ids import ConversationKey, Identity, RequestId
from jupyter_ac.models.client import Usage
from jupyter_ac.rpc.call_metrics import CallMetrics
from jupyter_ac.services.spending import Spending

USAGE = Usage(10, 5, cache_read_tokens=4, cache_write_tokens=3, cost_usd=0.5, reasoning_tokens=2)
TOKENS = {"input": 10, "output": 5, "cache_read": 4, "cache_write": 3, "reasoning": 2}


def ended(state: TurnState, model: str, usage: Usage | None) -> TurnEnded:
    record = TurnRecord("t", RequestId("1-a"), "Why?", 1, state, model=model, usage=usage)
    conversation = Conversation(ConversationKey(Identity("ada")))
    return TurnEnded(conversation, record, None, has_whole_log=True)


@pytest.mark.parametrize("state", [TurnState.DONE, TurnState.CANCELLED, TurnState.ERROR])
def test_a_turn_counts_however_it_ended(state: TurnState) -> None:
    metrics, bus = CallMetrics(), EventBus()
    bus.subscribe(TurnEnded, Spending(metrics).turn_ended)
    bus.publish(ended(state, "openai/x", USAGE))
    bus.publish(ended(state, "openai/x", None))
    bus.publish(ended(state, "openai/x", Usage(1, 1)))
    (row,) = metrics.summary()["models"]
    assert row["tokens"] == {**TOKENS, "input": 11, "output": 6}
    assert (row["model"], row["cost_usd"]) == ("openai/x", 0.5)


def test_a_side_task_counts_for_its_own_model() -> None:
    metrics = CallMetrics()
    Spending(metrics).side_task(SideTaskResult("fix it", USAGE, "stop", "openai/small"))
    (row,) = metrics.summary()["models"]
    assert row == {"model": "openai/small", "tokens": TOKENS, "cost_usd": 0.5}


def test_a_password_in_the_name_of_a_model_is_no_label() -> None:
    metrics = CallMetrics()
    name = "oobabooga/http://ada:hunter2hunter2@host:8000"
    Spending(metrics).side_task(SideTaskResult("", USAGE, "stop", name))
    assert "hunter2" not in str(metrics.summary())
