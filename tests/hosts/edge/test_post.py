"""POST, apart from the servers: profiles, frames of an answer, gzip, statuses of errors."""

from http import HTTPStatus

import pytest

from jupyter_ac.errors import AccessDenied, AcError, Busy, Conflict, GitError, NotFound, RefusedPath
from jupyter_ac.hosts.edge.post import AnswerFrames, profile_of, refusal_of
from jupyter_ac.hosts.edge.request_body import HttpRefusal
from jupyter_ac.rpc.dialect import BY_METHOD, EPOCH, JRPC_OO, JSONRPC2, PLANNER


def test_an_address_may_name_a_profile() -> None:
    assert profile_of("", BY_METHOD) is BY_METHOD
    named = {name: profile_of(name, BY_METHOD) for name in ("jsonrpc2", "epoch", "planner")}
    assert named == {"jsonrpc2": JSONRPC2, "epoch": EPOCH, "planner": PLANNER}
    assert profile_of("jrpc-oo", JSONRPC2) is JRPC_OO
    for unknown in ("by method", "Epoch", "x"):
        with pytest.raises(HttpRefusal, match="profile") as caught:
            profile_of(unknown, JSONRPC2)
        assert caught.value.status is HTTPStatus.BAD_REQUEST


def test_the_frames_of_an_array_become_one() -> None:
    frames = AnswerFrames()
    assert frames.body(is_split=True) is None
    frames.frames.append('{"id":1}')
    assert frames.body(is_split=False) == b'{"id":1}'
    frames.frames.append('{"id":2}')
    assert frames.body(is_split=True) == b'[{"id":1},{"id":2}]'


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (Busy("x"), 429),
        (RefusedPath("x"), 403),
        (AccessDenied("x"), 403),
        (NotFound("x"), 404),
        (Conflict("x"), 409),
        (GitError("x"), 503),
    ],
)
def test_what_keeps_a_repository_closed_has_a_status(error: AcError, status: int) -> None:
    refusal = refusal_of(error)
    assert (refusal.status, refusal.sentence) == (status, "x")
    assert ("Retry-After" in refusal.headers) is (status == 429)
