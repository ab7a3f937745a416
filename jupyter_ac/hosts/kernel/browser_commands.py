"""`%ac browser`: the page that the user is building, from a cell; calls methods of `Browser`."""

import base64
import json
import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Protocol

from IPython.core.error import UsageError
from IPython.display import Image, display

from jupyter_ac.agent.tools.browser import message_line, request_line, rows_of
from jupyter_ac.agent.tools.result_text import one_line
from jupyter_ac.terminal import terminal_text

MAGIC: Final = "%ac browser"

_ROWS: Final = 20
_MOST_ROWS: Final = 1000
_DIGITS: Final = 6
_MOST_CHARS: Final = 50_000
"""Of an output: notebooks are saved with them."""
_AS_IN_A_CONSOLE: Final = (None, True, True)
"""No selection; what the code declares stays, and its `await` is waited for."""

Row = Mapping[str, object]


class BrowserCall(Protocol):
    """Calls a method of the host that answers this kernel's cells; raises UsageError."""

    def __call__(self, method: str, /, *arguments: object) -> object:
        """Return its result."""


class BrowserCommands:
    """The commands of `%ac browser`. Their words are those of the methods that they call.

    Args:
        call: of the host that has the browser.
    """

    def __init__(self, call: BrowserCall) -> None:
        self._call = call
        self._commands: Mapping[str, Callable[[str], str]] = {
            "": self._pages,
            "pages": self._pages,
            "attach": self._attach,
            "launch": self._launch,
            "connect": self._connect,
            "disconnect": self._disconnect,
            "allow": self._allow,
            "console": self._console,
            "network": self._network,
            "navigate": self._navigate,
            "reload": self._reload,
            "js": self._js,
            "click": self._click,
            "type": self._type,
            "screenshot": self._screenshot,
        }

    def run(self, line: str) -> None:
        """Carry out a command and print its result.

        Args:
            line: what stands behind `%ac browser`.

        Raises:
            UsageError: what is wrong, in one sentence.
        """
        name, _, rest = line.strip().partition(" ")
        command = self._commands.get(name)
        if command is None:
            raise UsageError(
                f"{MAGIC}: the commands are {', '.join(filter(None, self._commands))}."
            )
        printed = terminal_text(command(rest.strip()))
        if len(printed) > _MOST_CHARS:
            left_out = len(printed) - _MOST_CHARS
            printed = f"{printed[:_MOST_CHARS]}\n… {left_out:,} more characters"
        if printed:
            sys.stdout.write(f"{printed}\n")

    def _pages(self, rest: str) -> str:
        _words(rest, "pages", 0)
        return _page_lines(self._rows("pages", "pages"))

    def _attach(self, rest: str) -> str:
        (endpoint,) = _words(rest, "attach PORT", 1)
        self._call("Browser.targets", endpoint)
        return self._pages("")

    def _launch(self, rest: str) -> str:
        (address,) = _words(rest, "launch [ADDRESS]", 0, 1) or ("about:blank",)
        launched = _row(self._call("Browser.launch", address))
        self._call("Browser.connect", launched.get("target"))
        return _outcome(launched) or self._pages("")

    def _connect(self, rest: str) -> str:
        (number,) = _words(rest, "connect NUMBER", 1)
        found = _row(self._call("Browser.connect", None, _number(number, "connect NUMBER")))
        return f"Connected to {found.get('url')}"

    def _disconnect(self, rest: str) -> str:
        _words(rest, "disconnect", 0)
        self._call("Browser.disconnect")
        return "Disconnected; what was recorded is forgotten."

    def _allow(self, rest: str) -> str:
        usage = "allow NUMBER [js] [cdp] [fetch] [input] [navigate]"
        number, *actions = _words(rest, usage, 1, 6)
        rows, place = self._rows("pages", "pages"), _number(number, usage)
        if place >= len(rows):
            raise UsageError(f"{MAGIC}: there is no page {place}; there are {len(rows)} pages.")
        granted = _row(self._call("Browser.grant", rows[place].get("id"), actions)).get("granted")
        names = ", ".join(map(str, granted)) if isinstance(granted, list) else ""
        return f"Allowed in page {place} until it goes: {names or 'nothing'}."

    def _console(self, rest: str) -> str:
        rows = self._rows("console", "messages", _limit(rest, "console [ROWS]"))
        return "\n".join(map(message_line, rows)) or "The console is empty."

    def _network(self, rest: str) -> str:
        rows = self._rows("network", "requests", _limit(rest, "network [ROWS]"))
        return "\n".join(map(request_line, rows)) or "No request was recorded."

    def _navigate(self, rest: str) -> str:
        (address,) = _words(rest, "navigate ADDRESS", 1)
        return _outcome(_row(self._call("Browser.navigate", address)))

    def _reload(self, rest: str) -> str:
        _words(rest, "reload", 0)
        return _outcome(_row(self._call("Browser.reload")))

    def _js(self, rest: str) -> str:
        if not rest:
            raise UsageError(f"{MAGIC}: use it as {MAGIC} js CODE")
        found = _row(self._call("Browser.js", rest, *_AS_IN_A_CONSOLE)).get("value")
        return found if isinstance(found, str) else json.dumps(found, ensure_ascii=False, indent=1)

    def _click(self, rest: str) -> str:
        (selector,) = _words(rest, "click SELECTOR", 1)
        self._call("Browser.click", selector)
        return ""

    def _type(self, rest: str) -> str:
        selector, text = _words(rest, "type SELECTOR TEXT", 2)
        self._call("Browser.type_text", text, selector)
        return ""

    def _screenshot(self, rest: str) -> str:
        words = _words(rest, "screenshot [full]", 0, 1)
        if words not in ([], ["full"]):
            raise UsageError(f"{MAGIC}: use it as {MAGIC} screenshot [full]")
        found = _row(self._call("Browser.screenshot", bool(words)))
        picture = base64.b64decode(str(found.get("data", "")))
        display(Image(data=picture, format=str(found.get("mime_type", "")).partition("/")[2]))
        return "The page is longer than the picture." if found.get("is_cut") is True else ""

    def _rows(self, method: str, member: str, *arguments: object) -> list[Row]:
        return rows_of(self._call(f"Browser.{method}", *arguments), member)


def _page_lines(rows: Sequence[Row]) -> str:
    if not rows:
        return f"No browser is known: {MAGIC} launch [ADDRESS], or {MAGIC} attach PORT."
    return "\n".join(
        f"{number} {'*' if row.get('watched') is True else ' '} {one_line(str(row.get('url')))}  "
        f"{one_line(str(row.get('title')))}".rstrip()
        for number, row in enumerate(rows)
    )


def _row(answer: object) -> Row:
    return answer if isinstance(answer, Mapping) else {}


def _outcome(row: Row) -> str:
    error = row.get("error")
    return f"Nothing was loaded: {error}" if error else ""


def _limit(rest: str, usage: str) -> int:
    words = _words(rest, usage, 0, 1)
    return min(_number(words[0], usage), _MOST_ROWS) if words else _ROWS


def _number(word: str, usage: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) <= _DIGITS):
        raise UsageError(f"{MAGIC}: {word!r} is no number; use it as {MAGIC} {usage}")
    return int(word)


def _words(rest: str, usage: str, least: int, most: int | None = None) -> list[str]:
    """Split what stands behind a command.

    Raises:
        UsageError: it has too few or too many words, or a quote that isn't closed.
    """
    try:
        words = shlex.split(rest)
    except ValueError as error:
        raise UsageError(f"{MAGIC}: {error}; use it as {MAGIC} {usage}") from error
    if not least <= len(words) <= (least if most is None else most):
        raise UsageError(f"{MAGIC}: use it as {MAGIC} {usage}")
    return words
