"""The web pages of a conversation: which were fetched, and which of them go to the model."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.chat.prompt.blocks import Block, page_block
from jupyter_ac.url_rows import UrlRow
from jupyter_ac.web.url_content import UrlContent

MAX_PAGES: Final = 30
"""Pages of one person in one repository; the ones that were fetched first leave."""

MAX_SENT_CHARS: Final = 50_000
"""Characters of a page's text that a model is sent."""


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page that was fetched for a conversation.

    Attributes:
        content: what is known of it, or why there is nothing.
        is_included: it goes to the model.
    """

    content: UrlContent
    is_included: bool = True

    @property
    def url(self) -> str:
        """Its address."""
        return self.content.url

    @property
    def is_sent(self) -> bool:
        """Whether the next request holds it."""
        return self.is_included and self.content.error is None

    def block(self) -> Block:
        """Return what the model is sent of it."""
        return page_block(self.url, _sent_text(self.content))

    def row(self) -> UrlRow:
        """Return it as front ends show it."""
        content = self.content
        return UrlRow(
            url=content.url,
            type=content.url_type,
            display_name=content.display_name,
            title=content.title,
            state="ready" if content.error is None else "failed",
            included=self.is_included,
            error=content.error,
            fetched_at=content.fetched_at,
        )


def page_at(pages: Iterable[WebPage], url: str) -> WebPage | None:
    """Return the page with an address; None if there is none."""
    return next((page for page in pages if page.url == url), None)


def with_page(
    pages: Sequence[WebPage], content: UrlContent, *, is_included: bool = True
) -> tuple[WebPage, ...]:
    """Add a page at the end, or replace it where it is; a page that was left out stays so.

    Args:
        pages: those that there are.
        content: of the page.
        is_included: a page that is new goes to the model.
    """
    if page_at(pages, content.url) is not None:
        return tuple(
            replace(page, content=content) if page.url == content.url else page for page in pages
        )
    return (*pages, WebPage(content, is_included))[-MAX_PAGES:]


def without_pages(pages: Iterable[WebPage], urls: Collection[str]) -> tuple[WebPage, ...]:
    """Remove the pages with these addresses."""
    return tuple(page for page in pages if page.url not in urls)


def excluding(pages: Iterable[WebPage], urls: Collection[str]) -> tuple[WebPage, ...]:
    """Leave out exactly the pages with these addresses, and include all others."""
    return tuple(replace(page, is_included=page.url not in urls) for page in pages)


def excluding_all_but(pages: Iterable[WebPage], urls: Collection[str]) -> tuple[WebPage, ...]:
    """Include exactly the pages with these addresses, and leave out all others."""
    return tuple(replace(page, is_included=page.url in urls) for page in pages)


def _sent_text(content: UrlContent) -> str:
    body = content.body
    if len(body) > MAX_SENT_CHARS:
        left_out = len(body) - MAX_SENT_CHARS
        body = f"{body[:MAX_SENT_CHARS]}\n\n(cut here; {left_out:,} more characters are left out)"
    head = "\n".join(filter(None, (content.title, content.description)))
    return "\n\n".join(filter(None, (head, body, content.symbol_map)))
