"""The common API of servers and clients."""

import pytest

from jupyter_ac.errors import AlreadyExists
from jupyter_ac.jrpc_oo import JRPCClient, JRPCServer
from jupyter_ac.jrpc_oo.endpoint import Endpoint
from tests.jrpc_oo.objects import Probe


@pytest.mark.parametrize("endpoint", [JRPCServer(0), JRPCClient("ws://127.0.0.1:1")])
def test_both_ends_serve_objects_and_have_nobody_at_first(endpoint: Endpoint) -> None:
    endpoint.add_class(Probe())
    endpoint.add_class(Probe(), "Other")
    with pytest.raises(AlreadyExists, match=r"Probe\.add is served already"):
        endpoint.add_class(Probe())
    assert (dict(endpoint.remotes), list(endpoint.call), list(endpoint.server)) == ({}, [], [])


def test_the_timeout_is_checked() -> None:
    with pytest.raises(ValueError, match="remote_timeout"):
        Endpoint(0)
