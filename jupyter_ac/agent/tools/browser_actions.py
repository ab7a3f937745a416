"""The tools that act in a watched page: code, clicks, other addresses; each asks the user."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

import orjson

from jupyter_ac.agent.tool import Arguments, Question, Right, ToolContext, ToolDefinition
from jupyter_ac.agent.tools.arguments import TEXT, parameters, text_in
from jupyter_ac.agent.tools.asked_calls import AskedCalls
from jupyter_ac.agent.tools.browser import TARGET, WatchedPages
from jupyter_ac.agent.tools.pages import origin_of
from jupyter_ac.agent.tools.result_text import (
    MASKED_CHARS,
    OF_PAGE,
    ResultMasker,
    bounded,
    one_line,
)
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.prompt.blocks import wellformed
from jupyter_ac.chat.tool_calls import ToolResult
from jupyter_ac.errors import InvalidParams

ACT_S: Final = 70.0
"""Bound of an action in a page."""

_READ_S: Final = 30.0
_REMEDY: Final = "return less"
_BLANK: Final = "about:blank"


@dataclass(frozen=True, slots=True)
class PageAction:
    """What is to be done in which page.

    Attributes:
        target: id of the page.
        origin: of its document; "" for one without a host.
        consent: what of `Browser.grant` it needs.
        name: the worker's name of the action.
        text: what the user is shown: the code, the selector, the address.
    """

    target: str
    origin: str
    consent: str
    name: str
    text: str


class AskedPages:
    """Acts in watched pages.

    Each call asks, also where the user has allowed the action: what is allowed in a browser that
    was launched for debugging isn't meant for a model. The answer is the consent for that call.

    Args:
        pages: the watched ones.
        masker: masks secrets.
    """

    def __init__(self, pages: WatchedPages, masker: ResultMasker) -> None:
        self._pages = pages
        self._masker = masker
        self._asked: AskedCalls[PageAction] = AskedCalls()

    async def action(self, target: str, consent: str, name: str, text: str) -> PageAction:
        """Return an action in a page as it is now.

        Raises:
            AcError: no page is connected, or it doesn't answer.
        """
        target_id = self._pages.id_of(target)
        found = await self._pages.act(target_id, "page", {}, _READ_S)
        url = str(found.get("url", "")) if isinstance(found, Mapping) else ""
        try:
            origin = origin_of(url)
        except InvalidParams:
            origin = ""
        return PageAction(target_id, origin, consent, name, text)

    def ask(self, action: PageAction, context: ToolContext, origin: str = "") -> Question:
        """Return the question for an action, and remember what it is about.

        Args:
            action: what is to be done.
            context: of the call.
            origin: of an address that is opened.
        """
        self._asked.keep(context, action)
        known = self._pages.find(action.target)
        person = context.conversation.conversation_key.identity
        has_consent = known is not None and action.consent in known.allowed(person)
        page = action.origin or "a page without an address"
        return Question(
            wellformed(action.text),
            why=f"It acts ({action.consent}) in the page of {page}.",
            origin=origin,
            warning=""
            if has_consent
            else "You haven't allowed this in the page; your answer is for this call.",
        )

    async def act(
        self, action: PageAction, arguments: Mapping[str, object], context: ToolContext
    ) -> object:
        """Do what the user was asked about.

        Raises:
            AcError: the page shows another origin now, or the action fails.
        """
        self._asked.require(context, action)
        return await self._pages.act(action.target, action.name, arguments, ACT_S)

    async def require_no_secret(self, conversation: Conversation, url: str) -> None:
        """Check that an address may be sent.

        Raises:
            InvalidParams: it seems to hold a secret.
        """
        if await self._masker.holds_secret(conversation, url):
            raise InvalidParams("url seems to hold a secret, which isn't sent; leave that out.")

    async def result(self, conversation: Conversation, text: str) -> ToolResult:
        """Return a result with what a page has given."""
        short = bounded(text, _REMEDY, MASKED_CHARS // 2)
        masked = await self._masker.masked(conversation, short)
        return ToolResult(bounded(f"{OF_PAGE}\n{masked}", _REMEDY))


class PageActionTool:
    """Acts in a page; the user is asked with what is to be done there.

    Args:
        pages: acts in them.

    Attributes:
        shown: the argument that the user is shown.
        consent: what of `Browser.grant` it needs.
        name: the worker's name of the action.
    """

    shown: ClassVar[str]
    consent: ClassVar[str]
    name: ClassVar[str]

    def __init__(self, pages: AskedPages) -> None:
        self._pages = pages

    def title(self, arguments: Arguments) -> str:
        """Return what is to be done."""
        return one_line(text_in(arguments, self.shown, ""))

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Ask with what is to be done and the page.

        Raises:
            AcError: no page is connected.
        """
        return self._pages.ask(await self._action(arguments), context)

    async def _action(self, arguments: Arguments) -> PageAction:
        target, text = text_in(arguments, "target", ""), text_in(arguments, self.shown)
        return await self._pages.action(target, self.consent, self.name, text)


class BrowserJsTool(PageActionTool):
    """Runs JavaScript in a page."""

    definition = ToolDefinition(
        "browser_js",
        "Run JavaScript in the connected page and return the value of its last expression.",
        parameters(("code",), code=TEXT, target=TARGET),
        Right.EXECUTE,
    )
    shown, consent, name = "code", "js", "js"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Run the code; returns its value as JSON.

        Raises:
            AcError: it fails, or the page isn't the one that the user was asked about.
        """
        action = await self._action(arguments)
        asked = {
            "code": action.text,
            "selection": None,
            "persist": False,
            "await_promise": True,
            "return_value": True,
        }
        found = await self._pages.act(action, asked, context)
        value = found.get("value") if isinstance(found, Mapping) else None
        text = value if isinstance(value, str) else _json(value)
        return await self._pages.result(context.conversation, text)

    async def _action(self, arguments: Arguments) -> PageAction:
        if not text_in(arguments, "code").strip():
            raise InvalidParams("code is blank.")
        return await super()._action(arguments)


class BrowserClickTool(PageActionTool):
    """Clicks an element of a page."""

    definition = ToolDefinition(
        "browser_click",
        "Click the one element of the connected page that a CSS selector finds; ` >>> ` leads into "
        "a shadow root.",
        parameters(("selector",), selector=TEXT, target=TARGET),
        Right.EXECUTE,
    )
    shown, consent, name = "selector", "input", "click"

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Click.

        Raises:
            AcError: it fails, or the page isn't the one that the user was asked about.
        """
        action = await self._action(arguments)
        asked = {"selector": action.text, "selection": ""}
        found = await self._pages.act(action, asked, context)
        dialog = found.get("dialog") if isinstance(found, Mapping) else None
        said = f"\nIt has opened a dialog: {_json(dialog)}" if dialog else ""
        return await self._pages.result(context.conversation, f"Clicked.{said}")


class BrowserNavigateTool(PageActionTool):
    """Opens an address in a page."""

    definition = ToolDefinition(
        "browser_navigate",
        "Open an address in the connected page.",
        parameters(("url",), url=TEXT, target=TARGET),
        Right.NETWORK,
    )
    shown, consent, name = "url", "navigate", "navigate"

    async def question(self, arguments: Arguments, context: ToolContext) -> Question | None:
        """Ask with the exact address; its origin may be allowed from then on.

        Raises:
            AcError: no page is connected, or it is no address of the web.
        """
        action = await self._address(arguments, context.conversation)
        origin = "" if action.text == _BLANK else origin_of(action.text)
        return self._pages.ask(action, context, origin)

    async def run(self, arguments: Arguments, context: ToolContext) -> ToolResult:
        """Open the address.

        Raises:
            AcError: it fails, or the page isn't the one that the user was asked about.
        """
        action = await self._address(arguments, context.conversation)
        found = await self._pages.act(action, {"url": action.text}, context)
        error = found.get("error") if isinstance(found, Mapping) else None
        text = f"The page wasn't loaded: {error}" if error else "The page is open."
        return await self._pages.result(context.conversation, text)

    async def _address(self, arguments: Arguments, conversation: Conversation) -> PageAction:
        url = text_in(arguments, "url")
        is_web = url.lower().startswith(("http://", "https://")) and wellformed(url) == url
        if url != _BLANK and not is_web:
            raise InvalidParams("url must begin with https:// or http://, or be about:blank.")
        await self._pages.require_no_secret(conversation, url)
        return await self._action(arguments)


def _json(value: object) -> str:
    try:
        return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
    except (TypeError, ValueError):
        return str(value)
