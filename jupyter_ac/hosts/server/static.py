"""`GET {base_url}jupyter-ac/static/FILE`: the front end's files, public code without secrets."""

from typing import Final

from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.base.handlers import JupyterHandler
from tornado.web import HTTPError, StaticFileHandler

from jupyter_ac.hosts.sockets.files import NAME, cache_control, content_type, lies_in

STATIC_ROUTE: Final = rf"jupyter-ac/static/{NAME}"


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
        if found is not None and not lies_in(root, found):
            raise HTTPError(404)
        return found

    def get_content_type(self) -> str:
        """Return the content type by our own table."""
        return content_type(self.absolute_path or "")

    def set_extra_headers(self, path: str) -> None:
        """Say how long the file may be kept."""
        self.set_header("Cache-Control", cache_control(path))
