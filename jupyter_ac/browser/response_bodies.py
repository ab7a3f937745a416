"""Reads what was posted and answered from the browser, when somebody asks for it."""

import base64
import binascii
from dataclasses import dataclass
from typing import Final

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.cdp_values import encodable, text_of
from jupyter_ac.browser.network_log import NetworkLog
from jupyter_ac.browser.request_record import MAX_POST_DATA, REDIRECTS, RequestRecord
from jupyter_ac.errors import BrowserError

MAX_BODY: Final = 2_000_000
MAX_HOPS: Final = 5
BODY_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Body:
    """The body of an answer.

    Attributes:
        text: cut at `MAX_BODY` characters.
        encoding: `base64` if it is no text, else "".
        size: of the whole, in bytes.
        is_cut: `text` isn't all.
        chain: ids of the requests whose redirects were followed, and of the one that was read.
        error: why there is none; "" if there is.
    """

    text: str = ""
    encoding: str = ""
    size: int = 0
    is_cut: bool = False
    chain: tuple[int, ...] = ()
    error: str = ""

    def content(self) -> Json:
        """Give it as members of HAR's `content`."""
        content: Json = {"text": self.text, "size": self.size}
        if self.encoding:
            content["encoding"] = self.encoding
        if self.is_cut:
            content["truncated"] = True
        if len(self.chain) > 1:
            content["chain"] = list(self.chain)
        return content if not self.error else {"error": self.error}


async def read_body(session: CdpSession, log: NetworkLog, row_id: int) -> Body:
    """Read the body of an answer; that of a redirect is the one that it leads to.

    Args:
        session: of the record, which says it by its `session_id`.
        log: of the page.
        row_id: of the request.

    Raises:
        NotFound: there is no such request.
        NotConnected: the browser has gone.
        TimedOut: it doesn't answer.
    """
    record = log.record(row_id)
    chain = [record.id]
    while record.status in REDIRECTS and record.redirected_to is not None:
        if len(chain) > MAX_HOPS:
            return Body(chain=tuple(chain), error=f"there are more than {MAX_HOPS} redirects")
        following = log.store.get(record.redirected_to)
        if following is None:
            return Body(chain=tuple(chain), error="what it leads to has been dropped")
        record = following
        chain.append(record.id)
    refusal = _refusal(record)
    if refusal:
        return Body(chain=tuple(chain), error=refusal)
    try:
        answer = await session.call(
            "Network.getResponseBody", {"requestId": record.request_id}, BODY_S
        )
    except BrowserError as error:
        record.body_status = "err"
        return Body(chain=tuple(chain), error=error.message)
    record.body_status = "ok"
    return body_of(answer, tuple(chain))


async def read_post_data(session: CdpSession, record: RequestRecord) -> str | None:
    """Read what was posted, if the browser hasn't told it already; None if it doesn't know it.

    Raises:
        NotConnected: the browser has gone.
        TimedOut: it doesn't answer.
    """
    if record.post_data is None and record.has_post_data:
        try:
            answer = await session.call(
                "Network.getRequestPostData", {"requestId": record.request_id}, BODY_S
            )
        except BrowserError:
            return None
        return text_of(answer.get("postData"), MAX_POST_DATA)
    return record.post_data


def body_of(answer: Json, chain: tuple[int, ...] = ()) -> Body:
    """Read the browser's answer; bytes become text when they are UTF-8."""
    raw = answer.get("body")
    text = raw if isinstance(raw, str) else ""
    if answer.get("base64Encoded") is not True:
        size = len(text.encode("utf-8", "replace"))
        is_cut = len(text) > MAX_BODY
        return Body(encodable(text[:MAX_BODY]), "", size, is_cut, chain)
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return Body(chain=chain, error="the browser has sent it in an unknown form")
    decoded = _decoded(data)
    if decoded is not None:
        return Body(decoded[:MAX_BODY], "", len(data), len(decoded) > MAX_BODY, chain)
    room = MAX_BODY // 4 * 4  # four characters are three bytes
    return Body(text[:room], "base64", len(data), len(text) > room, chain)


def _decoded(data: bytes) -> str | None:
    if b"\0" in data:
        return None
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _refusal(record: RequestRecord) -> str:
    """Say why the browser isn't asked; "" if it is."""
    if record.is_event_stream:
        return "an event stream has no body; see event_source.messages"
    if record.protocol == "websocket":
        return "a WebSocket has no body; see websocket.frames"
    if record.status in REDIRECTS:
        return "a redirect has no body"
    if record.ended_as is None:
        return "it is still loading"
    return ""
