"""The WebSocket close code for each kind of error."""

from typing import Final

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    Busy,
    Conflict,
    NotFound,
    NotReady,
    RefusedPath,
)

NOT_ALLOWED: Final = 4401
REPOSITORY_NOT_ALLOWED: Final = 4403
NO_REPOSITORY: Final = 4404
NOT_THE_SAME_FILES: Final = 4409
FAILED: Final = 1011
RESTARTING: Final = 1012
OVERLOADED: Final = 1013

LOGGED: Final = "jupyter_ac failed; the server's log says why."
"""The reason for what is no `AcError`."""

_CODES: Final[dict[type[AcError], int]] = {
    RefusedPath: REPOSITORY_NOT_ALLOWED,
    AccessDenied: REPOSITORY_NOT_ALLOWED,
    NotFound: NO_REPOSITORY,
    Busy: OVERLOADED,
    Conflict: NOT_THE_SAME_FILES,
    NotReady: RESTARTING,
}


def close_code(error: AcError) -> int:
    """Return the close code for an error of serving a repository."""
    return _CODES.get(type(error), FAILED)
