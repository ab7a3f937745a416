"""Which addresses a page may be sent to, and on which pages may be acted."""

from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from jupyter_ac.errors import AccessDenied, InvalidParams

MAX_URL: Final = 100_000

_WEB: Final = frozenset({"http", "https"})
_PRIVILEGED: Final = (
    *("chrome:", "chrome-untrusted:", "edge:", "brave:", "devtools:"),
    *("chrome-extension:", "edge-extension:", "chrome-search:"),
)
_EMPTY: Final = ("chrome://newtab/", "chrome://new-tab-page/", "edge://newtab/")
_LAST_CONTROL: Final = " "


def check_address(url: str, file_root: Path | None = None) -> str:
    """Check an address that a page is to be sent to, and return it.

    Args:
        url: http, https, `about:blank`, or a file below `file_root`.
        file_root: files outside of it can't be opened; None: no file can.

    Raises:
        InvalidParams: it is no complete address.
        AccessDenied: its scheme or its file isn't allowed.
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
    if parts.scheme == "file":
        _check_file(parts.netloc, parts.path, file_root)
        return url
    if not parts.scheme:
        raise InvalidParams("An address begins with http:// or https://")
    if parts.scheme not in _WEB:
        raise AccessDenied(f"Pages with the scheme {parts.scheme}: can't be opened.")
    if not host:
        raise InvalidParams("The address names no host.")
    return url


def _check_file(netloc: str, path: str, file_root: Path | None) -> None:
    if file_root is not None and netloc in {"", "localhost"} and "\0" not in unquote(path):
        resolved = Path(unquote(path)).resolve()
        if resolved.is_relative_to(file_root.resolve()):
            return
    raise AccessDenied("Only files of the repository can be opened.")


def check_page(url: str) -> None:
    """Check that code and input may go to a page: not to the browser's own ones.

    Raises:
        AccessDenied: it is one of these.
    """
    if url.startswith(_PRIVILEGED) and not url.startswith(_EMPTY):
        raise AccessDenied("The browser's own pages, such as its settings, can't be acted on.")
