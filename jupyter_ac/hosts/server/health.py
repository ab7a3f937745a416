"""`GET {base_url}jupyter-ac/health`: is the extension there, and which protocol does it speak."""

from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.base.handlers import APIHandler

from jupyter_ac.hosts.health import health


class ServerHealthHandler(APIHandler):
    """Answers without a login: a page must be able to tell "not installed" from "not allowed"."""

    # A page that only asks whether we are there is no reason to keep the server alive.
    _track_activity = False

    @allow_unauthenticated
    def get(self) -> None:
        """Answer `{status, version, protocol, pid}`."""
        self.set_header("Cache-Control", "no-store")
        self.finish(dict(health()))
