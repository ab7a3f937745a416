"""The dialog that blocks a page: alert, confirm, prompt, or whether it may be left."""

import asyncio
import logging
from typing import Final

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.cdp_values import text_of
from jupyter_ac.browser.masked_rows import masked_page
from jupyter_ac.browser.page_redaction import PageRedactor
from jupyter_ac.browser.target_rows import DialogRow
from jupyter_ac.errors import AcError, BrowserError, Busy, NotFound

log = logging.getLogger(__name__)

UNSEEN_S: Final = 10.0
"""How long a dialog of a browser without a window waits for an answer."""

_MAX_MESSAGE: Final = 1000
_MAX_URL: Final = 2000


class PageDialog:
    """The dialog of one page, open or not.

    Attributes:
        row: what is shown of it, without its secrets; None: there is none.
    """

    def __init__(self) -> None:
        self.row: DialogRow | None = None
        self._redactor = PageRedactor()
        self._session: CdpSession | None = None

    def opened(self, session: CdpSession, params: Json) -> Busy:
        """Take `Page.javascriptDialogOpening`; give the error for what it keeps from an answer."""
        self._session = session
        row: DialogRow = {
            "type": text_of(params.get("type")),
            "message": text_of(params.get("message"), _MAX_MESSAGE),
            "default_prompt": text_of(params.get("defaultPrompt"), _MAX_MESSAGE),
            "url": text_of(params.get("url"), _MAX_URL),
        }
        self.row = row = masked_page(row, self._redactor)
        return _open(row)

    def closed(self) -> None:
        """Take `Page.javascriptDialogClosed`, or the end of the page."""
        self.row = None
        self._session = None

    def check(self) -> None:
        """Check that none is open.

        Raises:
            Busy: one is; `details["dialog"]` has it.
        """
        if self.row is not None:
            raise _open(self.row)

    async def answer(self, *, accept: bool, text: str = "") -> None:
        """Answer it.

        Args:
            accept: OK, rather than Cancel.
            text: for a prompt's field.

        Raises:
            NotFound: none is open.
        """
        if self._session is None:
            raise NotFound("The page shows no dialog.")
        params: Json = {"accept": accept, **({"promptText": text} if text else {})}
        try:
            await self._session.call("Page.handleJavaScriptDialog", params)
        except BrowserError as error:
            raise NotFound("The page shows no dialog any more.") from error

    async def dismiss_unseen(self) -> None:
        """Answer the present one after a while: nobody can see it. A page may be left."""
        row = self.row
        await asyncio.sleep(UNSEEN_S)
        if row is not None and self.row is row:
            try:
                await self.answer(accept=row["type"] == "beforeunload")
            except AcError as error:
                log.debug("a dialog can't be dismissed: %s", error.message)


def _open(row: DialogRow) -> Busy:
    return Busy(f"The page shows a dialog ({row['type']}); answer it first.", {"dialog": row})
