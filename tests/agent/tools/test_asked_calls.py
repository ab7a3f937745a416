import pytest

from jupyter_ac.agent.tools.asked_calls import MAX_REMEMBERED, AskedCalls
from jupyter_ac.errors import Conflict
from tests.agent.tools.calls import Caller


def test_what_was_asked_may_be_done_once() -> None:
    asked: AskedCalls[str] = AskedCalls()
    context = Caller().context()
    asked.keep(context, "rm x")
    asked.require(context, "rm x")
    with pytest.raises(Conflict, match="call again"):
        asked.require(context, "rm x")


def test_nothing_else_may() -> None:
    asked: AskedCalls[str] = AskedCalls()
    caller = Caller()
    context = caller.context()
    asked.keep(context, "rm x")
    with pytest.raises(Conflict):
        asked.require(caller.context(), "rm x")
    with pytest.raises(Conflict):
        asked.require(context, "rm y")


def test_a_call_of_this_name_in_another_run_is_another() -> None:
    asked: AskedCalls[str] = AskedCalls()
    asked.keep(Caller(run="1700000000000-aaaaaa").context(), "rm x")
    with pytest.raises(Conflict):
        asked.require(Caller(run="1700000000000-bbbbbb").context(), "rm x")


def test_the_oldest_are_forgotten() -> None:
    asked: AskedCalls[int] = AskedCalls()
    caller = Caller()
    contexts = [caller.context() for _ in range(MAX_REMEMBERED + 1)]
    for context in contexts:
        asked.keep(context, 1)
    with pytest.raises(Conflict):
        asked.require(contexts[0], 1)
    asked.require(contexts[1], 1)
