import pytest

from jupyter_ac.rpc.codec import decode, encode
from jupyter_ac.workers.wire import (
    ASKED_ONCE,
    CompletionOutcome,
    CompletionRequest,
    RequestOptions,
    Usage,
    decoded_record,
)


def test_a_record_is_the_same_at_the_other_end_of_the_pipe() -> None:
    options = RequestOptions(num_retries=7, chunk_timeout_seconds=2.5)
    request = CompletionRequest("m", [{"role": "user", "content": "x"}], options=options)
    assert decoded_record(CompletionRequest, decode(encode(request))) == request
    outcome = CompletionOutcome(None, Usage(1, 2, cost_usd=0.5))
    assert decoded_record(CompletionOutcome, decode(encode(outcome))) == outcome


@pytest.mark.parametrize("value", [None, [], "x", {"finish_reason": None, "usage": 3}])
def test_what_is_no_record_is_refused(value: object) -> None:
    with pytest.raises(TypeError):
        decoded_record(CompletionOutcome, value)


def test_a_side_task_has_its_own_limit_for_all() -> None:
    options = RequestOptions(
        aux_request_timeout_seconds=9.0, chunk_timeout_seconds=2.0, num_retries=1
    ).for_side_task()
    assert options.request_timeout_seconds == 9.0
    assert options.first_chunk_timeout_seconds == 9.0
    assert options.chunk_timeout_seconds == 2.0
    assert options.num_retries == 1


def test_what_is_asked_once_has_the_usual_limits() -> None:
    assert ASKED_ONCE.num_retries == 0
    assert ASKED_ONCE.request_timeout_seconds == RequestOptions().request_timeout_seconds
