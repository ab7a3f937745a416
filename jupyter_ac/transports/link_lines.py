"""The line format for many connections on one pair of pipes: each line names its connection.

`["LINK",FRAME]` carries a frame, `["LINK",null,{"open":{…}}]` opens a link and
`["LINK",null,{"close":{…}}]` ends it. The frame is embedded as a JSON value. It is not serialized
or parsed a second time: only the prefix is parsed, and the rest is used unchanged.
"""

import json
import re
from dataclasses import dataclass
from typing import Final, TypeAlias

from jupyter_ac.errors import ProtocolError

NORMAL: Final = 1000

_LINE: Final = re.compile(rb'\s*\[\s*"([A-Za-z0-9_.-]{1,64})"\s*+,\s*+(.*)\]\s*+', re.DOTALL)
_CONTROL: Final = re.compile(rb"null\s*,\s*(.*)", re.DOTALL)
_LIKE_CONTROL: Final = re.compile(r"\s*null\s*,", re.ASCII)
_KEY_PART: Final = re.compile(r"[A-Za-z0-9_.-]{0,128}")
_CONTROL_BYTES: Final = 4096
_REASON: Final = 1024


@dataclass(frozen=True, slots=True)
class Framed:
    """A frame of a link.

    Attributes:
        link: the link's name.
        frame: a JSON value, not parsed.
    """

    link: str
    frame: bytes


@dataclass(frozen=True, slots=True)
class Opened:
    """A link begins.

    Attributes:
        link: its name.
        client: which page is at its other end; "" when that doesn't matter.
        aside: which conversation; see `jupyter_ac.ids.ConversationKey`.
    """

    link: str
    client: str = ""
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Closed:
    """A link has ended.

    Attributes:
        link: its name.
        code: a WebSocket close code.
        reason: one sentence, or "".
    """

    link: str
    code: int = NORMAL
    reason: str = ""


Line: TypeAlias = Framed | Opened | Closed


class LinkFault(ProtocolError):
    """A line that is none of the three.

    Attributes:
        link: the link that it names; "" when it names none.
    """

    def __init__(self, message: str, link: str = "") -> None:
        super().__init__(message)
        self.link = link


def frame_line(link: str, frame: str) -> str:
    """Serialize a frame of a link, without the line's end.

    A text from outside that is no JSON stays that, and never becomes one of the other two lines.
    """
    if _LIKE_CONTROL.match(frame):
        frame = json.dumps(frame)
    # Between the tokens of a JSON text a line break means as much as a blank; in them none stands.
    whole = frame.replace("\n", " ") if "\n" in frame else frame
    return f'["{link}",{whole}]'


def open_line(link: str, client: str = "", aside: str = "") -> str:
    """Serialize the opening of a link."""
    return _control(link, {"open": {"client": client, "aside": aside}})


def close_line(link: str, code: int = NORMAL, reason: str = "") -> str:
    """Serialize the end of a link."""
    return _control(link, {"close": {"code": code, "reason": reason}})


def link_of(start: bytes) -> str:
    """Return the link that a line names, of which only the start is known; "" when none."""
    match = re.match(rb'\s*\[\s*"([A-Za-z0-9_.-]{1,64})"\s*,', start)
    return "" if match is None else match[1].decode()


def read_line(line: str | bytes) -> Line:
    """Parse a line.

    Raises:
        LinkFault: it is none.
    """
    data = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    match = _LINE.fullmatch(data)
    if match is None:
        raise LinkFault('a line must be ["LINK",FRAME] or ["LINK",null,{"open":{}}]')
    link = match[1].decode()
    control = _CONTROL.fullmatch(match[2])
    if control is None:
        return Framed(link, match[2])
    if len(control[1]) > _CONTROL_BYTES:
        raise LinkFault(f"what follows null may have at most {_CONTROL_BYTES} bytes", link)
    try:
        found: object = json.loads(control[1])
    except (ValueError, RecursionError) as error:
        raise LinkFault("what follows null is not JSON", link) from error
    return _read_control(link, found)


def _read_control(link: str, found: object) -> Opened | Closed:
    match found:
        case {"open": dict(conversation_key)}:
            return Opened(
                link,
                _conversation_part(conversation_key, "client", link),
                _conversation_part(conversation_key, "aside", link),
            )
        case {"close": {"code": int(code), "reason": str(reason)}}:
            return Closed(link, code, reason[:_REASON])
        case {"close": dict(end)} if not end:
            return Closed(link)
        case _:
            raise LinkFault('after null comes {"open":{…}} or {"close":{…}}', link)


def _conversation_part(conversation_key: dict[str, object], name: str, link: str) -> str:
    value = conversation_key.get(name, "")
    if not isinstance(value, str) or _KEY_PART.fullmatch(value) is None:
        raise LinkFault(f"{name} must be up to 128 of A-Z a-z 0-9 _ . -", link)
    return value


def _control(link: str, what: dict[str, object]) -> str:
    return f'["{link}",null,{json.dumps(what)}]'
