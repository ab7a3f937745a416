"""`{base_url}jupyter-ac/panel`: the WebSocket of plugins that connect by themselves.

A plugin comes in like a page: with the user's login, from the same origins, to a repository that
the user may open. What it shows can act, so the user needs the right to execute.
"""

from http import HTTPStatus

from jupyter_server.auth.decorator import ws_authenticated
from jupyter_server.base.handlers import JupyterHandler
from jupyter_server.base.websocket import WebSocketMixin
from tornado.web import HTTPError

from jupyter_ac.errors import AcError, InvalidParams
from jupyter_ac.hosts.connections import Connections
from jupyter_ac.hosts.panels.connected_panels import AskedPanel
from jupyter_ac.hosts.panels.plugin_door import LIMITS, asked_panel
from jupyter_ac.hosts.server.access import (
    AUTH_RESOURCE,
    AllowedFolders,
    asked_repository,
    identity_of,
    refusal_code,
    require_access,
)
from jupyter_ac.hosts.sockets.handler import FrameSocketHandler, longest_read
from jupyter_ac.rpc.context import Remote
from jupyter_ac.rpc.methods import Access


class JupyterPanelHandler(WebSocketMixin, FrameSocketHandler, JupyterHandler):
    """The connection of one plugin. The mixin comes first: it holds Jupyter's rules on origins."""

    auth_resource = AUTH_RESOURCE
    _asked: AskedPanel | None = None

    def initialize(self, connections: Connections, territory: AllowedFolders) -> None:
        """Take what the extension passes to each request."""
        self._connections = connections
        self._territory = territory

    @property
    def max_message_size(self) -> int:
        """Bytes; more than is allowed, so that a frame that is too long is refused by its code."""
        return longest_read(LIMITS.frame_bytes)

    def decode_argument(self, value: bytes, name: str | None = None) -> str:
        """Take a folder's name as it is, also when it is not UTF-8."""
        del name
        return value.decode("utf-8", "surrogateescape")

    @ws_authenticated
    async def get(self, *args: object, **kwargs: object) -> None:
        """Answer the handshake.

        Raises:
            HTTPError: it asks for no WebSocket, or says of itself what may not be said.
        """
        if "Upgrade" not in self.request.headers:
            raise HTTPError(HTTPStatus.UPGRADE_REQUIRED, reason="Open a WebSocket here.")
        try:
            self._asked = asked_panel(self)
        except InvalidParams as error:
            # As the reason: a message would be logged with the URL, and that holds the token.
            raise HTTPError(HTTPStatus.BAD_REQUEST, reason=error.message) from error
        await super().get(*args, **kwargs)

    async def open(self, *args: object, **kwargs: object) -> None:
        """Show the plugin in the workspace that the address names."""
        super().open(*args, **kwargs)  # starts the pings
        if self._asked is None:
            return
        try:
            await require_access(self, Access.EXECUTE)
            self._connections.require_room(identity_of(self))
            repository = await asked_repository(self, self._territory)
            transport = self.carry(LIMITS)
            serving = self._connections.serve_panel(
                repository, transport, Remote(identity_of(self)), self._asked
            )
        except AcError as error:
            self.refuse(refusal_code(error), str(error))
            return
        serving.add_done_callback(self.served)
