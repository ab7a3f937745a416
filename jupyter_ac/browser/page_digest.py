"""Sums up what is new in a page: its errors and failed requests, for the next question.

Equal messages are one, with their number. All is redacted; it is what a page has written, so that
whoever puts it into a prompt marks it as untrusted.
"""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Literal, TypeAlias, TypedDict

from jupyter_ac.browser.cdp_values import encodable
from jupyter_ac.browser.console_log import ConsoleLog, ConsoleMessage
from jupyter_ac.browser.network_log import NetworkLog
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.request_record import RequestRecord
from jupyter_ac.browser.stack_frames import StackFrame
from jupyter_ac.browser.stack_mapping import FrameRow, StackMapper

MAX_TOKENS: Final = 1500
MAX_ERRORS: Final = 5
MAX_OTHERS: Final = 5
MAX_REQUESTS: Final = 10
MAX_LINE: Final = 200
MAX_BODY: Final = 500
MAX_FRAMES: Final = 3
MAX_LOOK: Final = 5000
"""Newest messages that are looked at."""

ItemKind: TypeAlias = Literal["console_error", "console", "failed_request"]


class DigestItem(TypedDict):
    """Something new in a page.

    Attributes:
        key: the same for the same error, also after a reload.
        kind: of what is new.
        title: one line.
        text: all of it, as it goes to the model.
        count: how often it happened.
        row_id: of the newest message or request.
        tokens: of the text, about.
    """

    key: str
    kind: ItemKind
    title: str
    text: str
    count: int
    row_id: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Watermark:
    """Up to where a page was looked at.

    Attributes:
        console: of `ConsoleLog.mark`.
        network: of `NetworkLog.mark`.
    """

    console: int = 0
    network: int = 0


@dataclass(frozen=True, slots=True)
class PageDigest:
    """What is new.

    Attributes:
        items: errors first, then failed requests, then other messages.
        left_out: how many more there are.
        keys: of all that has happened, also of what is left out or known; what is `known` after a
            reload.
        watermark: to be given the next time.
    """

    items: Sequence[DigestItem]
    left_out: int
    keys: frozenset[str]
    watermark: Watermark


@dataclass(frozen=True, slots=True)
class DigestOptions:
    """How a page is summed up.

    Attributes:
        mapper: finds files of the repository; None: frames have only URLs.
        body_of: the body of a failed request if it is known, by its row id.
        count_tokens: of a text.
        max_tokens: of all items.
        known: keys of what isn't new although it has happened again.
    """

    mapper: StackMapper | None = None
    body_of: Callable[[int], str] = lambda _row_id: ""
    count_tokens: Callable[[str], int] = lambda text: (len(text) + 3) // 4
    max_tokens: int = MAX_TOKENS
    known: Collection[str] = ()


@dataclass(slots=True)
class _Group:
    """Equal messages or requests."""

    key: str
    first_line: str
    count: int
    row_id: int
    message: ConsoleMessage | None = None
    record: RequestRecord | None = None


def watermark_of(console: ConsoleLog, network: NetworkLog) -> Watermark:
    """Return where a page is now."""
    return Watermark(console.mark(), network.mark())


async def page_digest(
    console: ConsoleLog,
    network: NetworkLog,
    since: Watermark,
    redactor: PageRedactor,
    options: DigestOptions | None = None,
) -> PageDigest:
    """Sum up what is new in a page.

    Args:
        console: of the page.
        network: of the page.
        since: up to where it was looked at.
        redactor: masks the secrets.
        options: of what is summed up.
    """
    options = options or DigestOptions()
    now = watermark_of(console, network)
    messages = console.since(since.console)[-MAX_LOOK:]
    all_failed = network.failed_since(since.network)[-MAX_LOOK:]
    failed = [record for record in all_failed if _is_worth(record)]
    told = {record.request_id for record in all_failed}
    errors = _grouped(
        _message_group(message)
        for message in messages
        if message.level == "error" and message.request_id not in told
    )
    others = _grouped(_message_group(message) for message in messages if message.level != "error")
    requests = _grouped(_request_group(record, redactor) for record in failed)
    keys = frozenset(group.key for group in (*errors, *requests, *others))
    errors, requests = _unknown(errors, options), _unknown(requests, options)
    others = sorted(_unknown(others, options), key=_is_no_warning)
    chosen = [*errors[:MAX_ERRORS], *requests[:MAX_REQUESTS], *others[:MAX_OTHERS]]
    frames = await _frames(chosen, options.mapper)
    items: list[DigestItem] = []
    room = options.max_tokens
    for group in chosen:
        item = _item(group, frames.get(group.row_id, ()), redactor, options)
        if item["tokens"] <= room:
            items.append(item)
            room -= item["tokens"]
    left_out = len(errors) + len(requests) + len(others) - len(items)
    return PageDigest(items, left_out, keys, now)


def _is_worth(record: RequestRecord) -> bool:
    """Whether a failure says something: not what the page has ended itself, no missing icon."""
    return not record.is_canceled and not record.url.endswith("/favicon.ico")


def _message_group(message: ConsoleMessage) -> _Group:
    first_line = _short(message.text.partition("\n")[0])
    place = message.frames[0] if message.frames else None
    where = f"{place.url}:{place.line}" if place is not None else message.url
    key = _key(message.level, first_line, where)
    return _Group(key, first_line, 1, message.id, message=message)


def _request_group(record: RequestRecord, redactor: PageRedactor) -> _Group:
    url = _short(redactor.url(record.url))
    outcome = record.error or f"status {record.status}"
    line = f"{record.method} {url}: {outcome}"
    bare = record.url.partition("?")[0]
    return _Group(_key(record.method, bare, outcome), line, 1, record.id, record=record)


def _key(*parts: str) -> str:
    return sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


def _grouped(groups: Iterable[_Group]) -> list[_Group]:
    """Count equal ones; the newest come first."""
    found: dict[str, _Group] = {}
    for group in groups:
        before = found.pop(group.key, None)
        if before is not None:
            group.count += before.count
        found[group.key] = group
    return list(found.values())[::-1]


def _unknown(groups: Iterable[_Group], options: DigestOptions) -> list[_Group]:
    return [group for group in groups if group.key not in options.known]


def _is_no_warning(group: _Group) -> bool:
    return group.message is None or group.message.level != "warning"


async def _frames(
    groups: Sequence[_Group], mapper: StackMapper | None
) -> dict[int, Sequence[FrameRow]]:
    """Map the first frames of all errors at once, so that each source map is read once."""
    stacks = {
        group.row_id: group.message.frames[:MAX_FRAMES]
        for group in groups
        if group.message is not None and group.message.level == "error"
    }
    if mapper is None:
        return {row_id: [_unmapped(frame) for frame in stack] for row_id, stack in stacks.items()}
    rows = iter(await mapper.map([frame for stack in stacks.values() for frame in stack]))
    return {row_id: [next(rows) for _ in stack] for row_id, stack in stacks.items()}


def _unmapped(frame: StackFrame) -> FrameRow:
    return FrameRow(
        function=frame.function, url=frame.url, path="", line=frame.line, column=frame.column
    )


def _item(
    group: _Group, frames: Sequence[FrameRow], redactor: PageRedactor, options: DigestOptions
) -> DigestItem:
    times = f" (x{group.count})" if group.count > 1 else ""
    line = _short(redactor.text(group.first_line))
    lines = [f"{_label(group)}{line}{times}", *(_frame_line(frame, redactor) for frame in frames)]
    if group.record is not None:
        body = options.body_of(group.row_id)
        if body:
            lines.append(_short(redactor.text(body[: MAX_BODY * 4]), MAX_BODY))
    text = "\n".join(lines)
    return DigestItem(
        key=group.key,
        kind=_kind(group),
        title=lines[0],
        text=text,
        count=group.count,
        row_id=group.row_id,
        tokens=options.count_tokens(text),
    )


def _short(text: str, limit: int = MAX_LINE) -> str:
    return text if len(text) <= limit else encodable(text[: limit - 1]) + "…"


def _kind(group: _Group) -> ItemKind:
    if group.message is None:
        return "failed_request"
    return "console_error" if group.message.level == "error" else "console"


def _label(group: _Group) -> str:
    return "" if group.message is None else f"[{group.message.level}] "


def _frame_line(frame: FrameRow, redactor: PageRedactor) -> str:
    place = frame["path"] or _short(redactor.url(frame["url"]))
    return f"  at {frame['function'] or '(top)'} {place}:{frame['line']}:{frame['column']}"
