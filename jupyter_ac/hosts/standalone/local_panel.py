"""The stand-alone server's WebSocket for plugins that connect by themselves.

Its checks are those of the socket of pages. A server that asks for no token has no such door: each
program of the machine could show a panel of its own.
"""

from http import HTTPStatus
from typing import Final

from jupyter_ac.errors import AccessDenied, AcError, InvalidParams
from jupyter_ac.hosts.panels.connected_panels import AskedPanel
from jupyter_ac.hosts.panels.plugin_door import LIMITS, asked_panel
from jupyter_ac.hosts.sockets.codes import close_code
from jupyter_ac.hosts.sockets.handler import FrameSocketHandler, longest_read
from jupyter_ac.hosts.sockets.heartbeat import HeartbeatTiming
from jupyter_ac.hosts.standalone.base_handler import LocalHandler
from jupyter_ac.hosts.standalone.socket import Served, require_same
from jupyter_ac.rpc.context import Remote

_OPEN_DOOR: Final = "Panels can't connect to a server that asks for no token; start it with one."
_NO_SOCKET: Final = "Open a WebSocket here."


class LocalPanelHandler(LocalHandler, FrameSocketHandler):
    """The connection of one plugin."""

    _asked: AskedPanel | None = None

    def initialize(self, served: Served) -> None:
        """Take what the application passes to each request."""
        self._served = served

    @property
    def max_message_size(self) -> int:
        """Bytes; more than is allowed, so that a frame that is too long is refused by its code."""
        return longest_read(LIMITS.frame_bytes)

    def decode_argument(self, value: bytes, name: str | None = None) -> str:
        """Take a folder's name as it is, also when it is not UTF-8."""
        del name
        return value.decode("utf-8", "surrogateescape")

    def check_origin(self, origin: str) -> bool:
        """Leave the origin to `prepare`, which has looked at it."""
        del origin
        return True

    def _require_login(self) -> None:
        if not self._served.token:
            raise AccessDenied(_OPEN_DOOR)
        self.require_token(self._served.token)

    async def get(self, *args: object, **kwargs: object) -> None:
        """Answer the handshake of who may come in."""
        try:
            self._require_login()
            self._asked = asked_panel(self)
        except AccessDenied as error:
            self.refuse_request(HTTPStatus.FORBIDDEN, str(error))
            return
        except InvalidParams as error:
            self.refuse_request(HTTPStatus.BAD_REQUEST, str(error))
            return
        if "Upgrade" not in self.request.headers:
            self.refuse_request(HTTPStatus.UPGRADE_REQUIRED, _NO_SOCKET)
            return
        await super().get(*args, **kwargs)

    def open(self, *_args: object, **_kwargs: object) -> None:
        """Show the plugin, unless it wants another repository."""
        served = self._served
        if self._asked is None:
            return
        try:
            require_same(served.repository, self.get_query_argument("repo", "", strip=False))
            transport = self.carry(LIMITS)
            self.watch(HeartbeatTiming())
            serving = served.connections.serve_panel(
                served.repository, transport, Remote(served.identity), self._asked
            )
        except AcError as error:
            self.refuse(close_code(error), str(error))
            return
        serving.add_done_callback(self.served)
        if self.stream is not None:
            served.admit(self.stream)
