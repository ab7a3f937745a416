import pytest

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    Busy,
    Conflict,
    GitError,
    InvalidParams,
    NotFound,
    NotReady,
    RefusedPath,
)
from jupyter_ac.hosts.edge.http_status import http_status


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (InvalidParams("x"), 400),
        (AccessDenied("x"), 403),
        (RefusedPath("x"), 403),
        (NotFound("x"), 404),
        (Conflict("x"), 409),
        (Busy("x"), 503),
        (NotReady("x"), 503),
        (GitError("x"), 500),
    ],
)
def test_a_client_learns_by_the_status_what_it_can_do(error: AcError, status: int) -> None:
    assert http_status(error) == status
