"""`{base_url}jupyter-ac/repository`: repositories near a folder, a new one, or none."""

from http import HTTPStatus
from pathlib import Path

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from tornado.web import authenticated

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    AlreadyExists,
    Conflict,
    InvalidParams,
    NotFound,
    RefusedPath,
)
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.hosts.nearby_repositories import (
    Nearby,
    look_around,
    open_confirmed,
    surroundings_shape,
)
from jupyter_ac.hosts.server.access import AUTH_RESOURCE, AllowedFolders

_STATUS = {
    AccessDenied: HTTPStatus.FORBIDDEN,
    RefusedPath: HTTPStatus.FORBIDDEN,
    NotFound: HTTPStatus.NOT_FOUND,
    AlreadyExists: HTTPStatus.CONFLICT,
    Conflict: HTTPStatus.CONFLICT,
    InvalidParams: HTTPStatus.BAD_REQUEST,
}


class RepositoryHandler(APIHandler):
    """For a folder that the server may show and that is in no repository yet."""

    auth_resource = AUTH_RESOURCE

    def initialize(self, territory: AllowedFolders) -> None:
        """Take what the extension passes to each request."""
        self._territory = territory

    def decode_argument(self, value: bytes, name: str | None = None) -> str:
        """Take a folder's name as it is, also when it is not UTF-8."""
        del name
        return value.decode("utf-8", "surrogateescape")

    @authenticated
    @authorized
    async def get(self) -> None:
        """Answer what is near the folder `path` (the socket's `repo`), as `RepositoryChoices`."""
        try:
            folder = await self._free(self.get_query_argument("path", "", strip=False))
        except AcError as error:
            await self._refuse(error)
            return
        around = await look_around(folder, lambda marked: self._above(folder, marked))
        await self.finish(surroundings_shape(around))

    @authenticated
    @authorized
    async def post(self) -> None:
        """Read `{path, confirm, git}` and run `git init`; answer `{status: "created", name}`.

        `confirm` is the folder, absolute, as `get` names it. With `git` false the folder is opened
        without a repository.
        """
        body: object = self.get_json_body()
        try:
            name = (await self._create(body)).name
        except AcError as error:
            await self._refuse(error)
            return
        self.set_status(HTTPStatus.CREATED)
        await self.finish({"status": "created", "name": name})

    async def _refuse(self, error: AcError) -> None:
        """Answer as `HTTPError` would; that logs the URL, which may hold the token."""
        self.set_status(_STATUS.get(type(error), HTTPStatus.INTERNAL_SERVER_ERROR))
        await self.finish({"message": str(error), "reason": None})

    async def _create(self, body: object) -> Repository:
        match body:
            case {"path": str(path), **more}:
                folder, with_git = await self._free(path), more.get("git") is not False
                return await open_confirmed(folder, more.get("confirm"), with_git=with_git)
            case _:
                raise InvalidParams('send {"path": "the folder", "confirm": "its absolute path"}')

    async def _free(self, asked: str) -> Path:
        """Return the folder that is meant, when it is in no repository."""
        folder = self._territory.folder(asked)
        try:
            repository = await discover(folder)
        except NotFound:
            return folder
        if repository.is_plain_folder:
            return folder
        raise AlreadyExists(f"this folder is in the git repository {repository.name} already")

    async def _above(self, folder: Path, marked: Path) -> Nearby | None:
        """Find a repository around a folder by the rules by which it would be opened."""
        territory = self._territory
        asked = marked if territory.holds(marked) else territory.outermost(folder)
        if asked == folder:
            return None
        try:
            repository = await territory.repository(str(asked))
        except AcError:
            return None
        return Nearby(asked, str(repository.root))
