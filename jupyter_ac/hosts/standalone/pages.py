"""The stand-alone server's plain pages: the panel's, the front end's files, the health."""

from pathlib import Path
from typing import Final

from tornado.web import HTTPError, StaticFileHandler

from jupyter_ac.hosts.health import health
from jupyter_ac.hosts.sockets.files import cache_control, content_type, lies_in
from jupyter_ac.hosts.sockets.rules import is_own_origin
from jupyter_ac.hosts.standalone.door import LocalHandler

PAGE: Final = "page.html"
"""The panel's page, among the front end's files."""

# The panel's server may be on another port (`?port=N`), under any of its names.
_SERVERS: Final = " ".join(
    f"{scheme}://{name}:*" for scheme in ("ws", "http") for name in ("127.0.0.1", "localhost")
)
PAGE_POLICY: Final = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        # Widths and heights that are computed; no style of a message gets this far.
        "style-src-attr 'unsafe-inline'",
        "img-src 'self' data:",
        f"connect-src 'self' {_SERVERS}",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)


class FileHandler(LocalHandler, StaticFileHandler):
    """Public code; no token is asked for, because a module's import can't send one."""

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
        """Say how long the file may be kept."""
        self.set_header("Cache-Control", cache_control(path))


class PageHandler(FileHandler):
    """The page at `/`. It holds nothing of the repository, which only the socket shows."""

    def set_extra_headers(self, path: str) -> None:
        """Let the page run our own code and talk to this machine, nothing else."""
        super().set_extra_headers(path)
        self.set_header("Content-Security-Policy", PAGE_POLICY)
        self.set_header("Cross-Origin-Opener-Policy", "same-origin")


class HealthHandler(LocalHandler):
    """`GET /health`, for anyone on this machine and without a login."""

    def get(self) -> None:
        """Answer `{status, version, protocol, pid}`."""
        self.set_header("Cache-Control", "no-store")
        origin = self.request.headers.get("Origin", "")
        if is_own_origin(origin):
            # A page on another port may ask which servers there are.
            self.set_header("Access-Control-Allow-Origin", origin)
            self.set_header("Cross-Origin-Resource-Policy", "cross-origin")
        self.set_header("Vary", "Origin")
        self.finish(dict(health()))

    def head(self) -> None:
        """Answer as `get`; tornado leaves the body out."""
        self.get()


def page_exists(static_dir: Path) -> bool:
    """Say whether the front end has been built."""
    return (static_dir / PAGE).is_file()
