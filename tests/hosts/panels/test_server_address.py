"""The door for plugins, from any address of a server."""

import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.hosts.panels.server_address import door_address

ASKED = {"name": "a b", "title": "", "protocol": ""}


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("ws://127.0.0.1:18080/?token=t", "ws://127.0.0.1:18080/jupyter-ac/panel?token=t&name=a+b"),
        ("http://127.0.0.1:18080", "ws://127.0.0.1:18080/jupyter-ac/panel?name=a+b"),
        ("https://hub/user/me/lab/tree/x.ipynb", "wss://hub/user/me/jupyter-ac/panel?name=a+b"),
        (
            "http://h:8888/lab?token=t&repo=/r&x=1",
            "ws://h:8888/jupyter-ac/panel?token=t&repo=%2Fr&name=a+b",
        ),
        ("ws://h/base/jupyter-ac/rpc", "ws://h/base/jupyter-ac/panel?name=a+b"),
        ("ws://h/base/jupyter-ac/panel?name=other", "ws://h/base/jupyter-ac/panel?name=a+b"),
        ("ws://[::1]:1/rpc", "ws://[::1]:1/jupyter-ac/panel?name=a+b"),
    ],
)
def test_the_address_of_a_page_leads_to_the_door(address: str, expected: str) -> None:
    assert door_address(address, ASKED) == expected


@pytest.mark.parametrize("address", ["", "18080", "ftp://h/", "http://", "http://[", "panel.py"])
def test_other_texts_are_refused(address: str) -> None:
    with pytest.raises(InvalidParams, match="needs the address of a server"):
        door_address(address, ASKED)
