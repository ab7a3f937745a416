"""Serves the front end's static files, in any tornado application."""

import re
from pathlib import Path, PurePosixPath
from typing import Final

from tornado.web import HTTPError, StaticFileHandler

NAME: Final = r"((?:[\w-][\w.-]*/)*[\w-][\w.-]*)"
"""The end of a route. No segment starts with a dot, so none is `..` or hidden."""

_HASHED: Final = re.compile(r"-[0-9a-f]{6,64}\.\w+$")

_FRAME: Final = re.compile(r"diagrams-[0-9a-f]{6,64}\.html")
FRAME_POLICY: Final = (
    # Its origin is nobody's: it reaches no page, cookie or storage.
    "sandbox allow-scripts; "
    "default-src 'none'; "
    # The page names the only script that runs there by its hash.
    "script-src 'unsafe-inline'; "
    "style-src 'unsafe-inline'; "
    "base-uri 'none'; "
    "form-action 'none'; "
    "frame-ancestors 'self'"
)
"""What the page that draws diagrams may do: run its script, style what it draws, fetch nothing."""

# Named here because the system's own table may call JavaScript plain text, which a browser
# refuses to run.
_CONTENT_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


def content_type(path: str) -> str:
    """Return a file's content type by its name."""
    return _CONTENT_TYPES.get(PurePosixPath(path).suffix, "application/octet-stream")


def cache_control(path: str) -> str:
    """Return how long a file may be cached: for ever when its name has a hash of its content.

    A page also has its policy, which the name doesn't tell.
    """
    hashed = _HASHED.search(path) is not None and not path.endswith(".html")
    return "public, max-age=31536000, immutable" if hashed else "no-cache"


def lies_in(root: str, path: str) -> bool:
    """Say whether a file is in the folder when all links are followed."""
    return Path(path).resolve().is_relative_to(Path(root).resolve())


class PublicFiles(StaticFileHandler):
    """Serves the built files; those with a hash in their name may be cached for ever."""

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """Refuse a link that leaves the folder, beside what tornado refuses.

        Raises:
            HTTPError: the file is outside, or there is none.
        """
        found = super().validate_absolute_path(root, absolute_path)
        if found is not None and not lies_in(root, found):
            raise HTTPError(404)
        return found

    def get_content_type(self) -> str:
        """Return the content type by our own table."""
        return content_type(self.absolute_path or "")

    def set_extra_headers(self, path: str) -> None:
        """Set the caching header, and the content security policy of the page for diagrams."""
        self.set_header("Cache-Control", cache_control(path))
        if _FRAME.fullmatch(path) is not None:
            self.set_header("Content-Security-Policy", FRAME_POLICY)
