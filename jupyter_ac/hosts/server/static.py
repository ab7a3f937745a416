"""`GET {base_url}jupyter-ac/static/FILE`: the front end's files, public code without secrets."""

from typing import Final

from jupyter_server.auth.decorator import allow_unauthenticated
from jupyter_server.base.handlers import JupyterHandler

from jupyter_ac.hosts.sockets.files import NAME, PublicFiles

STATIC_ROUTE: Final = rf"jupyter-ac/static/{NAME}"


class StaticHandler(JupyterHandler, PublicFiles):
    """The built files.

    No login is asked for: it is the code that the package publishes, and a module import cannot
    send a token the way a page's own requests do.
    """

    @allow_unauthenticated
    async def get(self, path: str, include_body: bool = True) -> None:  # noqa: FBT001, FBT002 - tornado's signature
        """Answer with the file."""
        await PublicFiles.get(self, path, include_body)

    @allow_unauthenticated
    async def head(self, path: str) -> None:
        """Answer with the file's headers."""
        await PublicFiles.get(self, path, include_body=False)
