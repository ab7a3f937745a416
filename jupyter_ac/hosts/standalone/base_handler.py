"""The base request handler of the stand-alone server: access checks and response headers."""

import logging
from http import HTTPStatus
from typing import Final

from tornado.web import RequestHandler

from jupyter_ac.errors import AccessDenied
from jupyter_ac.hosts.edge.request_body import HttpRefusal
from jupyter_ac.hosts.sockets.local_access import (
    check_local,
    check_token,
    is_own_origin,
    without_query,
)

logger = logging.getLogger(__name__)

NOTHING_ALLOWED: Final = "default-src 'none'; frame-ancestors 'none'"
"""The content security policy of every response except the page."""

_ERROR: Final = 500


class LocalHandler(RequestHandler):
    """A request from this machine."""

    def set_default_headers(self) -> None:
        """Say what a browser may do with the answer: as good as nothing."""
        self.clear_header("Server")
        self.set_header("Content-Security-Policy", NOTHING_ALLOWED)
        self.set_header("Cross-Origin-Resource-Policy", "same-origin")
        self.set_header("Referrer-Policy", "no-referrer")
        self.set_header("X-Content-Type-Options", "nosniff")

    def prepare(self) -> None:
        """Refuse who is not from this machine, before anything is looked at."""
        request = self.request
        # Its arguments are read. From here on nothing that logs it can show the token.
        request.uri = without_query(request.uri or "")
        try:
            check_local(request.headers)
        except AccessDenied as error:
            self.refuse_request(HTTPStatus.FORBIDDEN, str(error))

    def refuse_request(self, status: HTTPStatus, sentence: str) -> None:
        """Answer with a status and one sentence."""
        self.set_status(status)
        self.finish({"message": sentence})

    def refuse_with(self, refusal: HttpRefusal) -> None:
        """Answer with the status, the sentence and the headers of a refusal."""
        for name, value in refusal.headers.items():
            self.set_header(name, value)
        self.refuse_request(refusal.status, refusal.sentence)

    def require_token(self, token: str) -> None:
        """Make sure that whoever asks shows the token, as `?token=` or in a header.

        Raises:
            AccessDenied: it is missing or wrong.
        """
        authorization = ",".join(self.request.headers.get_list("Authorization"))
        check_token(token, authorization, self.get_query_arguments("token"))

    def demand_token(self, token: str) -> None:
        """Make sure of the token, where HTTP's own word for its lack is understood.

        Raises:
            HttpRefusal: 401.
        """
        try:
            self.require_token(token)
        except AccessDenied as error:
            raise HttpRefusal(
                HTTPStatus.UNAUTHORIZED, str(error), {"WWW-Authenticate": "token"}
            ) from error

    def show_own_pages(self) -> None:
        """Let pages on other ports of this machine read the answer, which nobody may keep."""
        self.set_header("Cache-Control", "no-store")
        origin = self.request.headers.get("Origin", "")
        if is_own_origin(origin):
            self.set_header("Access-Control-Allow-Origin", origin)
            self.set_header("Cross-Origin-Resource-Policy", "cross-origin")
        self.set_header("Vary", "Origin")

    def write_error(self, status_code: int, **_kwargs: object) -> None:
        """Answer to what went wrong in the same shape, without a traceback."""
        self.finish({"message": f"{HTTPStatus(status_code).phrase}."})


class UnknownHandler(LocalHandler):
    """Handles all unknown addresses."""

    def prepare(self) -> None:
        """Refuse strangers first: they shall not learn what there is."""
        super().prepare()
        if not self._finished:
            self.refuse_request(HTTPStatus.NOT_FOUND, "There is no such page; the panel is at /.")


def log_request(handler: RequestHandler) -> None:
    """Log a finished request, without its query."""
    request = handler.request
    status = handler.get_status()
    logger.log(
        logging.WARNING if status >= _ERROR else logging.DEBUG,
        "%d %s %s",
        status,
        request.method,
        without_query(request.uri or ""),
    )
