"""Blots out fields of passwords and keys in a page while a picture of it is taken.

It is done by a style sheet that the page's own scripts and observers aren't told of: the page isn't
changed by it, and what was typed is not read.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final, cast

from jupyter_ac.browser.cdp import CdpSession, Json
from jupyter_ac.browser.element_reading import list_frames
from jupyter_ac.errors import AcError, BrowserError

_CALL_S: Final = 4.0
_WORLD: Final = "jupyter_ac"

_AUTOCOMPLETE: Final = (
    "current-password",
    "new-password",
    "one-time-code",
    "cc-number",
    "cc-csc",
)
_NAMES: Final = ("passw", "passphrase", "pwd", "secret", "token", "api_key", "apikey", "api-key")
"""What the name of a field has whose text isn't hidden by its type."""

_SELECTORS: Final = (
    'input[type="password" i]',
    *(f'input[autocomplete~="{name}" i]' for name in _AUTOCOMPLETE),
    *(
        f'{tag}[{attribute}*="{name}" i]'
        for tag in ("input:not([type=checkbox], [type=radio], [type=submit])", "textarea")
        for attribute in ("name", "id")
        for name in _NAMES
    ),
)
RULE: Final = (
    f"{', '.join(_SELECTORS)} {{ "
    "color: transparent !important; -webkit-text-fill-color: transparent !important; "
    "text-shadow: none !important; background: #808080 !important; transition: none !important; }"
)

_COVER: Final = """((rule) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rule);
  const roots = [document];
  for (const root of roots) {
    root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
    for (const element of root.querySelectorAll('*')) {
      if (element.shadowRoot) roots.push(element.shadowRoot);
    }
  }
  return { sheet, roots };
})"""

_UNCOVER: Final = """function () {
  for (const root of this.roots) {
    root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== this.sheet);
  }
}"""


@dataclass(frozen=True)
class _Cover:
    session: CdpSession
    object_id: str


@asynccontextmanager
async def covered_fields(sessions: Sequence[CdpSession]) -> AsyncIterator[None]:
    """Cover such fields of a page and of its frames until the block ends.

    Those in closed shadow roots aren't found.

    Args:
        sessions: of the page, its frames and workers.

    Raises:
        TimedOut: the page, or a frame of it, doesn't answer.
        BrowserError: they can't be covered.
        NotConnected: the page is gone.
    """
    covers: list[_Cover] = []
    try:
        await asyncio.gather(*(_cover(session, covers) for session in sessions))
        yield
    finally:
        # Whatever doesn't answer any more has no need of it.
        await asyncio.gather(*map(_uncover, covers), return_exceptions=True)


async def _cover(session: CdpSession, covers: list[_Cover]) -> None:
    try:
        frames = await list_frames(session)
    except BrowserError:
        return  # a worker, or a frame that has just gone
    for frame_id in frames:
        world: Json = {"frameId": frame_id, "worldName": _WORLD}
        try:
            made = await session.call("Page.createIsolatedWorld", world, _CALL_S)
            params = {
                "expression": f"{_COVER}({json.dumps(RULE)})",
                "contextId": made["executionContextId"],
            }
            answer = await session.call("Runtime.evaluate", params, _CALL_S)
        except BrowserError:
            continue  # it has just gone
        if "exceptionDetails" in answer:
            raise BrowserError("screenshot", 0, "the fields of passwords can't be covered")
        covers.append(_Cover(session, str(cast("Json", answer["result"])["objectId"])))


async def _uncover(cover: _Cover) -> None:
    about = {"objectId": cover.object_id}
    with suppress(AcError):
        params = {**about, "functionDeclaration": _UNCOVER}
        await cover.session.call("Runtime.callFunctionOn", params, _CALL_S)
        await cover.session.call("Runtime.releaseObject", about, _CALL_S)
