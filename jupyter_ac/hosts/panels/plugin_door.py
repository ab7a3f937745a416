"""What the doors for plugins of both servers have in common."""

from typing import Final

from tornado.web import RequestHandler

from jupyter_ac.hosts.panels.connected_panels import AskedPanel
from jupyter_ac.hosts.panels.plugin_transport import MAX_FRAME_BYTES
from jupyter_ac.settings.panels import JSON_RPC
from jupyter_ac.transports.websocket import TransportLimits

LIMITS: Final = TransportLimits(
    frame_bytes=MAX_FRAME_BYTES, inbox_frames=16, inbox_bytes=2 * MAX_FRAME_BYTES
)
"""Of a plugin's connection: what it sends too fast stays in the network."""


def asked_panel(handler: RequestHandler) -> AskedPanel:
    """Return what a plugin says of itself in the address of its connection.

    Raises:
        InvalidParams: a part is missing or wrong.
    """
    return AskedPanel(
        handler.get_query_argument("name", ""),
        handler.get_query_argument("title", ""),
        handler.get_query_argument("protocol", JSON_RPC),
    )
