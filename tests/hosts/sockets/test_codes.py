import pytest

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    Conflict,
    GitError,
    NotFound,
    NotReady,
    RefusedPath,
)
from jupyter_ac.hosts.sockets.codes import close_code


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (RefusedPath("x"), 4403),
        (AccessDenied("x"), 4403),
        (NotFound("x"), 4404),
        (Conflict("x"), 4409),
        (NotReady("x"), 1012),
        (GitError("x"), 1011),
        (AcError("x"), 1011),
    ],
)
def test_the_code_says_what_went_wrong(error: AcError, code: int) -> None:
    assert close_code(error) == code
