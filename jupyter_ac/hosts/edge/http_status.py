"""The HTTP status for each kind of error that keeps a request from being served."""

from http import HTTPStatus
from typing import Final

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    Busy,
    Conflict,
    InvalidParams,
    NotFound,
    NotReady,
    RefusedPath,
)

_STATUS: Final[dict[type[AcError], HTTPStatus]] = {
    InvalidParams: HTTPStatus.BAD_REQUEST,
    AccessDenied: HTTPStatus.FORBIDDEN,
    RefusedPath: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    Conflict: HTTPStatus.CONFLICT,
    Busy: HTTPStatus.SERVICE_UNAVAILABLE,
    NotReady: HTTPStatus.SERVICE_UNAVAILABLE,
}


def http_status(error: AcError) -> HTTPStatus:
    """Return the status for an error; 500 for one that isn't the client's to mend."""
    return _STATUS.get(type(error), HTTPStatus.INTERNAL_SERVER_ERROR)
