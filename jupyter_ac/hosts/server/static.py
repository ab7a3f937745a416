"""`GET {base_url}jupyter-ac/static/FILE`: the front end's files, public code without secrets."""

import re
from pathlib import Path, PurePosixPath
from typing import Final

from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.base.handlers import JupyterHandler
from tornado.web import HTTPError, StaticFileHandler

STATIC_ROUTE: Final = r"jupyter-ac/static/((?:[\w-][\w.-]*/)*[\w-][\w.-]*)"
"""No segment starts with a dot, so none is `..` or hidden."""

_HASHED: Final = re.compile(r"-[0-9a-f]{6,64}\.\w+$")

# Named here because the system's own table may call JavaScript plain text, which a browser
# refuses to run.
_CONTENT_TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".map": "application/json",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


class StaticHandler(JupyterHandler, StaticFileHandler):
    """Serves the built files; those with a hash in their name may be kept for ever.

    No login is asked for: it is the code that the package publishes, and a module import cannot
    send a token the way a page's own requests do.
    """

    @allow_unauthenticated
    async def get(self, path: str, include_body: bool = True) -> None:  # noqa: FBT001, FBT002 - tornado's signature
        """Answer with the file."""
        await StaticFileHandler.get(self, path, include_body)

    @allow_unauthenticated
    async def head(self, path: str) -> None:
        """Answer with the file's headers."""
        await StaticFileHandler.get(self, path, include_body=False)

    def validate_absolute_path(self, root: str, absolute_path: str) -> str | None:
        """Refuse a link that leaves the folder, beside what tornado refuses."""
        found = super().validate_absolute_path(root, absolute_path)
        if found is not None and not Path(found).resolve().is_relative_to(Path(root).resolve()):
            raise HTTPError(404)
        return found

    def get_content_type(self) -> str:
        """Return the content type by our own table."""
        suffix = PurePosixPath(self.absolute_path or "").suffix
        return _CONTENT_TYPES.get(suffix, "application/octet-stream")

    def set_extra_headers(self, path: str) -> None:
        """Say how long the file may be kept."""
        hashed = _HASHED.search(path) is not None
        self.set_header(
            "Cache-Control", "public, max-age=31536000, immutable" if hashed else "no-cache"
        )
