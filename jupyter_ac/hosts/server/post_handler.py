"""The base of handlers of a Jupyter server that take a POST of JSON-RPC."""

from http import HTTPStatus
from typing import Final

from jupyter_server.base.handlers import JupyterHandler
from tornado.web import stream_request_body

from jupyter_ac.hosts.edge.post import PostDoor

ALLOWED: Final = "GET, POST"


@stream_request_body
class PostHandler(JupyterHandler):
    """Gathers a body as it comes; what isn't a socket is answered with JSON."""

    _door: PostDoor | None = None

    def decode_argument(self, value: bytes, name: str | None = None) -> str:
        """Take a folder's name as it is, also when it is not UTF-8."""
        del name
        return value.decode("utf-8", "surrogateescape")

    def set_cors_headers(self) -> None:
        """Let no other site's page read it; Jupyter would, for a request that shows the token."""

    def data_received(self, chunk: bytes) -> None:
        """Gather the body of a POST."""
        if self._door is not None:
            self._door.receive(chunk)

    def write_error(self, status_code: int, **kwargs: object) -> None:
        """Answer with JSON what isn't a socket; a socket's refusal is a page, as everywhere."""
        if status_code == HTTPStatus.METHOD_NOT_ALLOWED:
            self.set_header("Allow", ALLOWED)
        if self.request.method != "GET":
            self.finish({"message": f"{HTTPStatus(status_code).phrase}."})
        else:
            super().write_error(status_code, **kwargs)
