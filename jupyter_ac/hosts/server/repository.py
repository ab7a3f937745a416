"""`POST {base_url}jupyter-ac/repository`: makes a folder a git repository, after one click."""

from http import HTTPStatus

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from tornado.web import authenticated

from jupyter_ac.errors import AccessDenied, AcError, AlreadyExists, NotFound, RefusedPath
from jupyter_ac.git.repository import discover, initialise
from jupyter_ac.hosts.server.access import AUTH_RESOURCE, Territory

_STATUS = {
    AccessDenied: HTTPStatus.FORBIDDEN,
    RefusedPath: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    AlreadyExists: HTTPStatus.CONFLICT,
}


class RepositoryHandler(APIHandler):
    """Runs `git init` in a folder that the server may show and that is in no repository yet."""

    auth_resource = AUTH_RESOURCE

    def initialize(self, territory: Territory) -> None:
        """Take what the extension passes to each request."""
        self._territory = territory

    @authenticated
    @authorized
    async def post(self) -> None:
        """Read `{path}`, as in the socket's `repo`, and answer `{status: "created", name}`."""
        body: object = self.get_json_body()
        match body:
            case {"path": str(path)}:
                asked = path
            case _:
                await self._refuse(HTTPStatus.BAD_REQUEST, 'send {"path": "the folder"}')
                return
        try:
            name = await self._create(asked)
        except AcError as error:
            status = _STATUS.get(type(error), HTTPStatus.INTERNAL_SERVER_ERROR)
            await self._refuse(status, str(error))
            return
        self.set_status(HTTPStatus.CREATED)
        await self.finish({"status": "created", "name": name})

    async def _refuse(self, status: HTTPStatus, message: str) -> None:
        """Answer as `HTTPError` would; that logs the URL, which may hold the token."""
        self.set_status(status)
        await self.finish({"message": message, "reason": None})

    async def _create(self, asked: str) -> str:
        folder = self._territory.folder(asked)
        try:
            repository = await discover(folder)
        except NotFound:
            return (await initialise(folder)).name
        raise AlreadyExists(f"this folder is in the git repository {repository.name} already")
