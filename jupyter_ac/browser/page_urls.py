"""Which addresses a page may be sent to, and on which pages may be acted."""

from typing import Final
from urllib.parse import urlsplit

from jupyter_ac.errors import AccessDenied, InvalidParams

MAX_URL: Final = 100_000

_WEB: Final = frozenset({"http", "https"})
_PRIVILEGED: Final = (
    *("chrome:", "chrome-untrusted:", "edge:", "brave:", "devtools:"),
    *("chrome-extension:", "edge-extension:", "chrome-search:"),
)
_EMPTY: Final = ("chrome://newtab/", "chrome://new-tab-page/", "edge://newtab/")
_LAST_CONTROL: Final = " "


def check_address(url: str) -> str:
    """Check an address that a page is to be sent to, and return it.

    Args:
        url: http, https or `about:blank`.

    Raises:
        InvalidParams: it is no complete address.
        AccessDenied: its scheme isn't allowed.
    """
    url = url.strip()
    if url == "about:blank":
        return url
    # Browsers drop tabs and line ends inside an address, which would hide its scheme.
    if len(url) > MAX_URL or any(character <= _LAST_CONTROL for character in url):
        raise InvalidParams("An address has no spaces and control characters; encode them.")
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError as error:
        raise InvalidParams("This is no address of a page.") from error
    if not parts.scheme:
        raise InvalidParams("An address begins with http:// or https://")
    if parts.scheme not in _WEB:
        raise AccessDenied(f"Pages with the scheme {parts.scheme}: can't be opened.")
    if not host:
        raise InvalidParams("The address names no host.")
    return url


def check_page(url: str) -> None:
    """Check that code and input may go to a page: not to the browser's own ones.

    Raises:
        AccessDenied: it is one of these.
    """
    if url.startswith(_PRIVILEGED) and not url.startswith(_EMPTY):
        raise AccessDenied("The browser's own pages, such as its settings, can't be acted on.")
