"""The console of one page: what it has logged, thrown and been told by the browser."""

import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias, get_args

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.cdp_values import clip, items_of, number_of, object_of, text_of, whole_of
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.recorded_rows import Level, MessageRow
from jupyter_ac.browser.remote_objects import MAX_TEXT, identity_of, rendered, shown
from jupyter_ac.browser.request_store import RecordLimits
from jupyter_ac.browser.row_ids import RowIds
from jupyter_ac.browser.stack_frames import StackFrame, frame_at, frames_of
from jupyter_ac.errors import InvalidParams

MESSAGE_LIMITS: Final = RecordLimits(50_000, 64_000_000)
MAX_ROWS: Final = 10_000
LIST_CHARS: Final = 400_000
"""Of all messages of a list; each is cut so that so many as were asked for have room."""
BASE_BYTES: Final = 700
"""What a message without any text takes."""
FRAME_BYTES: Final = 200

_LEVELS: Final[Mapping[str, Level]] = {
    **{level: level for level in get_args(Level)},
    "verbose": "debug",
    "warn": "warning",
    "assert": "error",
    "exception": "error",
    "timeEnd": "info",
}


_Key: TypeAlias = tuple[float, str, int]


@dataclass(frozen=True, slots=True)
class ConsoleMessage:
    """A recorded message.

    Attributes:
        text: cut at `MAX_TEXT` characters.
        timestamp: the browser's, in ms since 1970.
        url: that the message is about; "" for none.
        frames: of the stack, the innermost first; of what is no error only that one.
        request_id: the browser's, of the request that the message is about; "" for none.
        exception_id: the browser's, by which a rejection that was handled later is taken back.
    """

    id: int
    level: Level
    source: str
    text: str
    timestamp: float
    url: str = ""
    frames: tuple[StackFrame, ...] = ()
    request_id: str = ""
    exception_id: int = 0

    @property
    def time(self) -> float:
        """Seconds since 1970."""
        return self.timestamp / 1000

    @property
    def weight(self) -> int:
        """About how many bytes it takes."""
        return BASE_BYTES + len(self.text) + len(self.url) + FRAME_BYTES * len(self.frames)


@dataclass(frozen=True, slots=True)
class _Said:
    """What an event says, before it is a message.

    Attributes:
        identity: the text without the previews, which a repeated message doesn't have; "" if it is
            the text.
    """

    level: Level
    source: str
    text: str
    timestamp: float | None
    url: str = ""
    frames: tuple[StackFrame, ...] = ()
    request_id: str = ""
    exception_id: int = 0
    identity: str = ""


class ConsoleLog:
    """The messages of one page and of its frames and workers.

    A session that starts late gets all earlier messages again; those are left out: their time isn't
    later than the latest so far, and a message with the same time, level and text is there. (Their
    objects come without previews.)

    Args:
        row_ids: shared with all other pages and with the requests.
        limits: of what is kept.
        target: the page's, for the rows.
        redactor: of what is listed.
        now: seconds since 1970, for messages without a time.

    Attributes:
        size_bytes: of all messages, about.
        dropped: how many have gone because of the limits.
        errors: messages of level error so far, those that have gone included.
    """

    def __init__(
        self,
        row_ids: RowIds,
        limits: RecordLimits = MESSAGE_LIMITS,
        target: str = "",
        redactor: PageRedactor | None = None,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.size_bytes = 0
        self.dropped = 0
        self.errors = 0
        self._row_ids = row_ids
        self._limits = limits
        self._target = target
        self._redactor = redactor or PageRedactor()
        self._now = now
        self._messages: OrderedDict[int, ConsoleMessage] = OrderedDict()
        self._seen: dict[_Key, int] = {}
        self._keys: dict[int, _Key] = {}
        self._exceptions: dict[int, int] = {}
        self._latest = 0.0

    def __len__(self) -> int:
        return len(self._messages)

    def take(self, method: str, params: Json, _session_id: str = "") -> None:
        """Take an event of the domains Runtime, Log and Page; others are ignored."""
        if method == "Runtime.consoleAPICalled":
            if params.get("type") != "endGroup":
                self._add(_from_call(params))
        elif method == "Runtime.exceptionThrown":
            self._add(_from_exception(params))
        elif method == "Log.entryAdded":
            self._add(_from_entry(object_of(params.get("entry"))))
        elif method == "Page.javascriptDialogOpening":
            self._add(_from_dialog(params))
        elif method == "Runtime.exceptionRevoked":
            self._revoke(whole_of(params.get("exceptionId")))

    def add(self, level: Level, source: str, text: str) -> int:
        """Add a message of our own, such as that the page has crashed; returns its id."""
        return self._keep(_Said(level, source, text_of(text, MAX_TEXT), None))

    def rows(
        self, limit: int = 50, level: str | None = None, *, reveal: bool = False
    ) -> list[MessageRow]:
        """List messages, the newest first, redacted unless `reveal`.

        Args:
            limit: at most so many; the more, the shorter is each of them cut.
            level: only of this level; `warn` and `verbose` are taken too.
            reveal: with their secrets; for people only.

        Raises:
            InvalidParams: there is no such level, or the limit isn't possible.
        """
        if not 1 <= limit <= MAX_ROWS:
            raise InvalidParams(f"limit must be 1 to {MAX_ROWS}.")
        wanted = None if level is None else _LEVELS.get(level)
        if level is not None and wanted is None:
            raise InvalidParams(f"level must be one of {', '.join(get_args(Level))}.")
        longest = min(MAX_TEXT, LIST_CHARS // limit)
        rows: list[MessageRow] = []
        for message in reversed(self._messages.values()):
            if wanted is None or message.level == wanted:
                rows.append(self._row(message, longest))
                if len(rows) == limit:
                    break
        return rows if reveal else [self._redactor.row(row) for row in rows]

    def clear(self) -> None:
        """Drop all messages."""
        self._messages.clear()
        self._seen.clear()
        self._keys.clear()
        self._exceptions.clear()
        self.size_bytes = 0

    def mark(self) -> int:
        """Return what `since` is given later, to learn what is new by then."""
        return self._row_ids.last

    def since(self, mark: int) -> list[ConsoleMessage]:
        """Return the messages after a mark, the oldest first; with their secrets."""
        new: list[ConsoleMessage] = []
        for message in reversed(self._messages.values()):
            if message.id <= mark:
                break
            new.append(message)
        return new[::-1]

    def _add(self, said: _Said) -> None:
        if said.timestamp is not None:
            key = (said.timestamp, said.level, hash(said.identity or said.text))
            if said.timestamp <= self._latest and key in self._seen:
                return
            self._latest = max(self._latest, said.timestamp)
            row_id = self._keep(said)
            self._seen[key] = row_id
            self._keys[row_id] = key
        else:
            self._keep(said)

    def _keep(self, said: _Said) -> int:
        row_id = self._row_ids.take()
        timestamp = self._now() * 1000 if said.timestamp is None else said.timestamp
        message = ConsoleMessage(
            row_id,
            said.level,
            said.source,
            said.text,
            timestamp,
            said.url,
            said.frames,
            said.request_id,
            said.exception_id,
        )
        self._messages[row_id] = message
        self.errors += said.level == "error"
        self.size_bytes += message.weight
        if said.exception_id:
            self._exceptions[said.exception_id] = row_id
        while len(self._messages) > self._limits.count or (
            self.size_bytes > self._limits.size_bytes and len(self._messages) > 1
        ):
            self._drop(next(iter(self._messages)))
            self.dropped += 1
        return row_id

    def _drop(self, row_id: int) -> None:
        message = self._messages.pop(row_id)
        self.size_bytes -= message.weight
        key = self._keys.pop(row_id, None)
        if key is not None and self._seen.get(key) == row_id:
            del self._seen[key]
        if self._exceptions.get(message.exception_id) == row_id:
            del self._exceptions[message.exception_id]

    def _revoke(self, exception_id: int) -> None:
        """Take back a rejection that the page has handled after all."""
        row_id = self._exceptions.get(exception_id)
        if row_id is not None:
            self._drop(row_id)

    def _row(self, message: ConsoleMessage, longest: int) -> MessageRow:
        row = MessageRow(
            id=message.id,
            level=message.level,
            source=message.source,
            message=message.text if len(message.text) <= longest else clip(message.text, longest),
            timestamp=message.time,
            target=self._target,
        )
        if message.frames:
            row["url"], row["line"] = message.frames[0].url, message.frames[0].line
        elif message.url:
            row["url"] = message.url
        return row


def _from_call(params: Json) -> _Said:
    kind = text_of(params.get("type"))
    arguments = items_of(params.get("args"))
    is_clear = kind == "clear"
    level = _LEVELS.get(kind, "log")
    frames = frames_of(params.get("stackTrace"))
    has_stack = level == "error" or kind == "trace"
    text = "the page has cleared its console" if is_clear else rendered(arguments)
    return _Said(
        level,
        "console",
        text,
        number_of(params.get("timestamp")),
        frames=frames if has_stack else frames[:1],
        identity="" if is_clear else identity_of(arguments),
    )


def _from_exception(params: Json) -> _Said:
    details = object_of(params.get("exceptionDetails"))
    said = text_of(details.get("text"), MAX_TEXT)
    exception = details.get("exception")
    text = f"{said} {shown(exception)}" if isinstance(exception, dict) else said
    place = frame_at(details)
    frames = frames_of(details.get("stackTrace")) or (() if place is None else (place,))
    return _Said(
        "error",
        "exception",
        text_of(text.strip(), MAX_TEXT),
        number_of(params.get("timestamp")),
        frames=frames,
        exception_id=whole_of(details.get("exceptionId")),
        identity=f"{said} {identity_of([exception])}" if isinstance(exception, dict) else "",
    )


def _from_entry(entry: Json) -> _Said:
    arguments = items_of(entry.get("args"))
    text = text_of(entry.get("text"), MAX_TEXT)
    return _Said(
        _LEVELS.get(text_of(entry.get("level")), "log"),
        text_of(entry.get("source")) or "other",
        f"{text} {rendered(arguments)}" if arguments else text,
        number_of(entry.get("timestamp")),
        url=text_of(entry.get("url"), 2000),
        frames=frames_of(entry.get("stackTrace")),
        request_id=text_of(entry.get("networkRequestId")),
    )


def _from_dialog(params: Json) -> _Said:
    kind = text_of(params.get("type")) or "alert"
    text = text_of(params.get("message"), MAX_TEXT)
    return _Said("info", "dialog", f"{kind}: {text}", None)
