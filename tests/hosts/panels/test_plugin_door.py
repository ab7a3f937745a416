"""What a plugin says of itself in an address."""

from typing import TYPE_CHECKING, cast

import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.hosts.panels.connected_panels import AskedPanel
from jupyter_ac.hosts.panels.plugin_door import LIMITS, asked_panel

if TYPE_CHECKING:
    from tornado.web import RequestHandler


class Handler:
    """A request's query."""

    def __init__(self, **query: str) -> None:
        self._query = query

    def get_query_argument(self, name: str, default: str) -> str:
        return self._query.get(name, default)


def asked(**query: str) -> AskedPanel:
    return asked_panel(cast("RequestHandler", Handler(**query)))


def test_the_protocol_is_json_rpc_unless_it_says_another() -> None:
    assert asked(name="a") == AskedPanel("a", "", "json-rpc")
    assert asked(name="a", title="A", protocol="kkrpc") == AskedPanel("a", "A", "kkrpc")
    with pytest.raises(InvalidParams, match="name must be"):
        asked()


def test_little_of_what_a_plugin_sends_waits_here() -> None:
    assert LIMITS.inbox_bytes <= 4 << 20
    assert LIMITS.frame_bytes == 2 << 20
