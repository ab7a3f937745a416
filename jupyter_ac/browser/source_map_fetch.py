"""Reads the source map of a script of a page, from the script itself or from its server."""

import base64
from typing import Final
from urllib.parse import unquote, urljoin, urlsplit

from jupyter_ac.browser.cdp import CdpSession
from jupyter_ac.browser.cdp_values import object_of, text_of
from jupyter_ac.errors import AcError

MAX_MAP: Final = 20_000_000
"""Characters of a source map; longer ones are left out."""

_LINE: Final = "sourceMappingURL="
_COMMENTS: Final = ("//#", "//@")
_BEFORE: Final = 100
_PART: Final = 1_000_000
_READ_S: Final = 10.0


async def fetch_source_map(session: CdpSession, frame_id: str, url: str) -> str | None:
    """Return the text of a script's source map; None if it has none that can be read.

    A map elsewhere is loaded by the browser, without cookies, and from the script's origin only.

    Args:
        session: of the page.
        frame_id: of its main frame.
        url: of the script.
    """
    try:
        resource = await session.call(
            "Page.getResourceContent", {"frameId": frame_id, "url": url}, _READ_S
        )
        reference = map_reference(text_of(resource.get("content"), MAX_MAP))
        if not reference:
            return None
        if reference.startswith("data:"):
            return inline_map(reference)
        address = urljoin(url, reference)
        if _origin(address) != _origin(url):
            return None
        return await _loaded(session, frame_id, address)
    except (AcError, ValueError):
        return None


def map_reference(script: str) -> str:
    """Return what a script's last `sourceMappingURL` comment names; "" if it has none.

    Source: ECMA-426, "Linking generated code to source maps".
    """
    at = script.rfind(_LINE)
    line = script[max(0, at - _BEFORE) : max(0, at)].rpartition("\n")[2].strip()
    if at < 0 or line not in _COMMENTS:
        return ""
    rest = script[at + len(_LINE) :].split(None, 1)
    return rest[0] if rest else ""


def inline_map(reference: str) -> str | None:
    """Return the text in a `data:` address; None if it can't be decoded."""
    head, comma, data = reference.partition(",")
    if not comma:
        return None
    if not head.endswith(";base64"):
        return unquote(data)
    try:
        return base64.b64decode(data, validate=True).decode("utf-8", "replace")
    except ValueError:
        return None


async def _loaded(session: CdpSession, frame_id: str, url: str) -> str | None:
    options = {"disableCache": False, "includeCredentials": False}
    answer = await session.call(
        "Network.loadNetworkResource",
        {"frameId": frame_id, "url": url, "options": options},
        _READ_S,
    )
    resource = object_of(answer.get("resource"))
    handle = text_of(resource.get("stream"))
    if not handle:
        return None
    parts: list[str] = []
    size = 0
    try:
        while size <= MAX_MAP:
            part = await session.call("IO.read", {"handle": handle, "size": _PART}, _READ_S)
            data = text_of(part.get("data"), 2 * _PART)
            if part.get("base64Encoded") is True:
                data = base64.b64decode(data).decode("utf-8", "replace")
            parts.append(data)
            size += len(data)
            if part.get("eof") is True:
                return "".join(parts)
    finally:
        await session.call("IO.close", {"handle": handle}, _READ_S)
    return None


def _origin(url: str) -> tuple[str, str]:
    split = urlsplit(url)
    return split.scheme, split.netloc
