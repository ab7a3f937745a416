"""What is new in a watched page, as it may be added to a conversation."""

import asyncio
import re
from collections.abc import Mapping
from typing import Final

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
from jupyter_ac.browser.recorded_rows import News, NewsItem, NewsKind
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
