"""What is new in a watched page, as it may be added to a conversation."""

import asyncio
import re
from collections.abc import Mapping
from typing import Final, Literal, TypeAlias, TypedDict

from jupyter_ac.browser.cdp import CdpSession
from jupyter_ac.browser.console_log import ConsoleLog
from jupyter_ac.browser.network_log import NetworkLog
from jupyter_ac.browser.page_digest import (
    DigestItem,
    DigestOptions,
    PageDigest,
    page_digest,
    watermark_of,
)
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.request_record import RequestRecord
from jupyter_ac.browser.response_bodies import read_body
from jupyter_ac.browser.stack_mapping import StackMapper
from jupyter_ac.browser.target import Target
from jupyter_ac.errors import AcError

MAX_SOURCE: Final = 150
"""Characters of a page's address in a conversation."""

MAX_BODIES: Final = 10
"""Failed requests whose answers are read for the news."""

MAX_NEWS_BODY: Final = 500
_MAX_KEPT_BODIES: Final = 200
_BODY_S: Final = 1.0

_LEVEL: Final = re.compile(r"^\[\w+\] ")
"""How the title of a message begins; the chip says it by its kind."""
_KINDS: Final[Mapping[str, "NewsKind"]] = {
    "console_error": "error",
    "failed_request": "request",
    "console": "output",
}

NewsKind: TypeAlias = Literal["error", "request", "output"]


class NewsItem(TypedDict):
    """Something new in a page, as it may be added to a conversation.

    Attributes:
        key: the same for the same error, also after a reload.
        kind: error of the console, request that has failed, or another output of the console.
        name: one line.
        text: all of it, as it goes to the model.
        source: the address of the page.
        count: how often it happened.
        tokens: of the text, about.
        known: it had been taken before, and has happened again.
    """

    key: str
    kind: NewsKind
    name: str
    text: str
    source: str
    count: int
    tokens: int
    known: bool


class News(TypedDict):
    """What is new in a page.

    Attributes:
        items: errors first, then failed requests, then other messages.
        left_out: how many more there are.
    """

    items: list[NewsItem]
    left_out: int


class PageNews:
    """Errors of the console and failed requests since the news were last taken.

    Args:
        target: the page.
        console: its messages.
        requests: its requests.
        redactor: masks the secrets.
        mapper: finds the files of stacks.
    """

    def __init__(
        self,
        target: Target,
        console: ConsoleLog,
        requests: NetworkLog,
        redactor: PageRedactor,
        mapper: StackMapper,
    ) -> None:
        self._target = target
        self._console, self._requests = console, requests
        self._redactor, self._mapper = redactor, mapper
        self._known_until = watermark_of(console, requests)
        self._known: set[str] = set()
        self._bodies: dict[int, str] = {}

    async def read(self) -> News:
        """Return the news; they stay news."""
        return self._told(await self._digest())

    async def take(self) -> News:
        """Return the news, and take them as known from now on."""
        digest = await self._digest()
        told = self._told(digest)
        self._known_until = digest.watermark
        self._known |= digest.keys
        return told

    async def _digest(self) -> PageDigest:
        bodies = await self._failed_bodies()
        options = DigestOptions(mapper=self._mapper, body_of=lambda row_id: bodies.get(row_id, ""))
        return await page_digest(
            self._console, self._requests, self._known_until, self._redactor, options
        )

    async def _failed_bodies(self) -> dict[int, str]:
        """Read what was answered to the newest requests that have failed, by their rows."""
        failed = self._requests.failed_since(self._known_until.network)[-MAX_BODIES:]
        read = await asyncio.gather(*[self._body_text(record) for record in failed])
        return {record.id: text for record, text in zip(failed, read, strict=True)}

    async def _body_text(self, record: RequestRecord) -> str:
        if record.status == 0:
            return ""
        if record.id not in self._bodies:
            session = CdpSession(self._target.session.connection, record.session_id)
            try:
                async with asyncio.timeout(_BODY_S):
                    body = await read_body(session, self._requests, record.id)
            except (AcError, TimeoutError):
                return ""
            if len(self._bodies) >= _MAX_KEPT_BODIES:
                self._bodies.clear()
            self._bodies[record.id] = "" if body.encoding else body.text[:MAX_NEWS_BODY]
        return self._bodies[record.id]

    def _told(self, digest: PageDigest) -> News:
        source = self._redactor.url(self._target.url).partition("?")[0]
        return {
            "items": [
                _news_item(item, source, is_known=item["key"] in self._known)
                for item in digest.items
            ],
            "left_out": digest.left_out,
        }


def _news_item(item: DigestItem, source: str, *, is_known: bool) -> NewsItem:
    return {
        "key": item["key"],
        "kind": _KINDS[item["kind"]],
        "name": _LEVEL.sub("", item["title"], count=1),
        "text": item["text"],
        "source": source if len(source) <= MAX_SOURCE else f"{source[:MAX_SOURCE]}…",
        "count": item["count"],
        "tokens": item["tokens"],
        "known": is_known,
    }
