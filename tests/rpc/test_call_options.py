"""What callers say beside the arguments of a call."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidParams
from jupyter_ac.rpc.answer_styles import AnswerStyle
from jupyter_ac.rpc.call_options import (
    PLANNER_LIMIT_S,
    argument,
    epoch_of,
    progress_token,
    repeat_member,
    time_limit_s,
)
from jupyter_ac.rpc.connection import Call
from jupyter_ac.rpc.messages import Params
from jupyter_ac.rpc.methods import Access, CallRules, Method, method


class Part:
    """Methods with and without a limit of their own."""

    @method(Access.READ)
    async def free(self, target: str = "", page: int = 0) -> None:
        """Have none."""

    @method(Access.READ, rules=CallRules(time_limit_s=5))
    async def limited(self, options: dict[str, object] | None = None) -> None:
        """Have one."""


FREE = Method.of("T.free", Part().free, Access.READ)
LIMITED = Method.of("T.limited", Part().limited, Access.READ)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


def call(params: Params = None, style: AnswerStyle = AnswerStyle.STANDARD, **more: object) -> Call:
    return Call("T.free", params, 1, is_answered=True, style=style, message=more)


def test_the_key_is_a_member_of_the_message_or_of_its_options() -> None:
    assert repeat_member(call()) is None
    assert repeat_member(call({"options": {"idempotency_key": "a"}})) == "a"
    assert repeat_member(call({"options": {"idempotency_key": "a"}}, idempotency_key="b")) == "b"
    assert repeat_member(call([{"idempotency_key": "a"}])) is None


def test_the_limit_is_the_callers_the_methods_or_the_profiles() -> None:
    assert time_limit_s(FREE, call()) is None
    assert time_limit_s(FREE, call({"options": {"timeout_ms": 9}})) is None
    assert time_limit_s(LIMITED, call()) == 5
    planner = AnswerStyle.PLANNER
    assert time_limit_s(FREE, call(style=planner)) == PLANNER_LIMIT_S
    assert time_limit_s(FREE, call({"options": {"timeout_ms": 1500}}, planner)) == 1.5
    plan: Params = {"constraints": {"time_limit_seconds": 300}}
    assert time_limit_s(FREE, call(plan, planner)) == 300
    with pytest.raises(InvalidParams, match=r"constraints\.time_limit_seconds"):
        time_limit_s(FREE, call({"constraints": {"time_limit_seconds": "5"}}, planner))


@pytest.mark.parametrize("odd", [0, -1, True, "9", 1e15, 10**400, 5e-324, float("inf"), [], {}])
def test_a_limit_that_is_none_is_refused(odd: object) -> None:
    with pytest.raises(InvalidParams, match=r"options\.timeout_ms") as caught:
        time_limit_s(LIMITED, call({"options": {"timeout_ms": odd}}))
    assert caught.value.details == {"path": "$.options.timeout_ms"}


def test_the_token_for_progress_is_mcps() -> None:
    assert progress_token(None) is None
    assert progress_token([1]) is None
    assert progress_token({"_meta": {"progressToken": "t"}}) == "t"


def test_an_epoch_is_a_member_or_one_argument_more_than_there_are() -> None:
    assert epoch_of(FREE, call(epoch=3), is_positional=False) == 3
    assert epoch_of(FREE, call({"args": ["", 1, 4]}), is_positional=True) == 4
    assert epoch_of(FREE, call({"args": ["", 1]}), is_positional=True) is None
    assert epoch_of(FREE, call({"args": ["", 1, 4]}), is_positional=False) is None
    with pytest.raises(InvalidParams, match="epoch"):
        epoch_of(FREE, call({"args": ["", 1, "4"]}), is_positional=True)


def test_an_argument_is_found_by_name_and_by_position() -> None:
    assert argument(FREE, {"target": "a"}, "target") == "a"
    assert argument(FREE, ["a"], "target") == "a"
    assert argument(FREE, {"args": ["a", 2]}, "page") == 2
    assert argument(FREE, [], "target") is None
    assert argument(FREE, None, "target") is None
    assert argument(FREE, ["a"], "nothing") is None


@given(JSON, JSON)
def test_no_json_does_more_than_be_refused(params: object, epoch: object) -> None:
    given_params: Params = params if isinstance(params, list | dict) else None
    made = call(given_params, AnswerStyle.PLANNER, epoch=epoch)
    for read in (
        lambda: epoch_of(FREE, made, is_positional=True),
        lambda: time_limit_s(LIMITED, made),
        lambda: repeat_member(made),
        lambda: progress_token(made.params),
        lambda: argument(FREE, made.params, "target"),
    ):
        with suppress(InvalidParams):
            read()
