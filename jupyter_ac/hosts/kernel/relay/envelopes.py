"""The relay's message formats on the comm; pure.

| message | from | says |
|---|---|---|
| `{type: "relay.open", link, client}` | page | opens a link, or asks whether it is open |
| `{type: "relay", link, seq, ack, frames, ping?, resend?}` | both | `endpoint.Envelope` |
| `{type: "relay.close", link}` | page | the view is gone |
| `{type: "relay.closed", link, code, reason}` | kernel | the link is closed; a WebSocket's code |
"""

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from jupyter_ac.hosts.kernel.relay.endpoint import Envelope
from jupyter_ac.hosts.kernel.relay.resend_window import FrameRun, read_parts, spell_parts

PREFIX: Final = "relay"
"""With this the type of every message of the relay begins."""

_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{1,64}")


@dataclass(frozen=True, slots=True)
class OpenLink:
    """A page opens a link, or asks whether it is open."""

    link: str
    client: str


@dataclass(frozen=True, slots=True)
class Carrying:
    """A page's message on an open link."""

    link: str
    envelope: Envelope


@dataclass(frozen=True, slots=True)
class Closing:
    """A page closes a link."""

    link: str


FromPage: TypeAlias = OpenLink | Carrying | Closing


def read_message(content: object) -> FromPage | None:
    """Parse a page's message; None if it is no message of the relay."""
    match content:
        case {"type": "relay.open", "link": str(link), "client": str(client)}:
            is_name = not client or _NAME.fullmatch(client) is not None
            message: FromPage = OpenLink(link, client if is_name else "")
        case {"type": "relay.close", "link": str(link)}:
            message = Closing(link)
        case {"type": "relay", "link": str(link)}:
            envelope = _read_envelope(content)
            if envelope is None:
                return None
            message = Carrying(link, envelope)
        case _:
            return None
    return message if _NAME.fullmatch(message.link) else None


def _read_envelope(content: object) -> Envelope | None:
    match content:
        case {"seq": int(first), "ack": int(ack), "frames": list(values), **rest} if (
            first > 0 <= ack
        ):
            parts = read_parts(values)
            ping, resend = rest.get("ping") is True, rest.get("resend") is True
        case _:
            return None
    if parts is None:
        return None
    return Envelope(FrameRun(first, parts), ack, ping=ping, resend=resend)


def carrying(link: str, envelope: Envelope) -> dict[str, object]:
    """Serialize a message of an open link."""
    message: dict[str, object] = {
        "type": PREFIX,
        "link": link,
        "seq": envelope.run.first,
        "ack": envelope.ack,
        "frames": spell_parts(envelope.run.parts),
    }
    if envelope.ping:
        message["ping"] = True
    if envelope.resend:
        message["resend"] = True
    return message


def closed(link: str, code: int, reason: str) -> dict[str, object]:
    """Serialize the end of a link."""
    return {"type": "relay.closed", "link": link, "code": code, "reason": reason}
