"""The stand-alone server's HTTP pages: the panel, the front end's files, the health report."""

from pathlib import Path
from typing import Final

from jupyter_ac.errors import AccessDenied
from jupyter_ac.hosts.edge.metrics import answer_metrics
from jupyter_ac.hosts.edge.request_body import HttpRefusal
from jupyter_ac.hosts.health import health
from jupyter_ac.hosts.sockets.files import PublicFiles
from jupyter_ac.hosts.standalone.base_handler import LocalHandler
from jupyter_ac.rpc.call_metrics import CallMetrics

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
        "font-src 'self'",
        f"connect-src 'self' {_SERVERS}",
        # The page that draws diagrams, which has a policy of its own.
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    ]
)


class FileHandler(LocalHandler, PublicFiles):
    """Public code; no token is asked for, because a module's import can't send one."""


class PageHandler(FileHandler):
    """The page at `/`. It holds nothing of the repository, which only the socket shows."""

    def set_extra_headers(self, path: str) -> None:
        """Let the page run our own code and talk to this machine, nothing else."""
        super().set_extra_headers(path)
        self.set_header("Content-Security-Policy", PAGE_POLICY)
        self.set_header("Cross-Origin-Opener-Policy", "same-origin")


class StandaloneHealthHandler(LocalHandler):
    """`GET /health`, for anyone on this machine and without a login."""

    def get(self) -> None:
        """Answer `{status, version, protocol, pid}`."""
        # A page on another port may ask which servers there are.
        self.show_own_pages()
        self.finish(dict(health()))

    def head(self) -> None:
        """Answer as `get`; tornado leaves the body out."""
        self.get()


class AccessHandler(LocalHandler):
    """`GET /access?token=…`: a browser hides from its page why a socket was refused."""

    def initialize(self, token: str) -> None:
        """Take the server's token."""
        self._token = token

    def get(self) -> None:
        """Answer `{allowed}`, whichever it is."""
        self.show_own_pages()
        try:
            self.require_token(self._token)
        except AccessDenied:
            self.finish({"allowed": False})
        else:
            self.finish({"allowed": True})


class LocalMetricsHandler(LocalHandler):
    """`GET /metrics`, for who has the token."""

    def initialize(self, token: str, metrics: CallMetrics) -> None:
        """Take the server's token and its counts."""
        self._token = token
        self._metrics = metrics

    async def get(self) -> None:
        """Answer in Prometheus' text format."""
        try:
            self.demand_token(self._token)
        except HttpRefusal as refusal:
            self.refuse_with(refusal)
        else:
            await answer_metrics(self, self._metrics)


def page_exists(static_dir: Path) -> bool:
    """Say whether the front end has been built."""
    return (static_dir / PAGE).is_file()
