"""The address of a server's door for plugins, from an address that a person has copied."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

from jupyter_ac.errors import InvalidParams

DOOR: Final = "jupyter-ac/panel"

_SCHEMES: Final = {"http": "ws", "https": "wss", "ws": "ws", "wss": "wss"}
_PAGES: Final = ("lab", "tree", "notebooks", "doc", "edit", "rpc", "jupyter-ac")
"""Where the path of a page begins, behind the server's base."""


def door_address(address: str, query: Mapping[str, str]) -> str:
    """Return the WebSocket's address.

    Args:
        address: of the server's page, of its socket, or of the door itself.
        query: what is added to its query; an empty value is left out.

    Raises:
        InvalidParams: it is no address of a server.
    """
    try:
        parts = urlsplit(address)
        host = parts.hostname
    except ValueError:
        host = None
    if not host or parts.scheme not in _SCHEMES:
        raise InvalidParams(
            "--connect needs the address of a server, as http://127.0.0.1:8888/?token=… or "
            "ws://127.0.0.1:18080/?token=…."
        )
    segments = [segment for segment in parts.path.split("/") if segment]
    ends = [at for at, segment in enumerate(segments) if segment in _PAGES]
    base = segments[: ends[0]] if ends else segments
    given = dict(parse_qsl(parts.query))
    kept: dict[str, str] = {name: given[name] for name in ("token", "repo") if name in given}
    added = {name: value for name, value in query.items() if value}
    path = "/".join(["", *base, DOOR])
    asked: dict[str, str] = {**kept, **added}
    return f"{_SCHEMES[parts.scheme]}://{parts.netloc}{path}?{urlencode(asked)}"
