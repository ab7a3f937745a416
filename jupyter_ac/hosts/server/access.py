"""Access control: the permissions of users, and the repositories that this server may open.

A folder is accepted when, links resolved, it lies in the server's root or in one of the
administrator's `allowed_roots`. The repository's top level may lie above it when it belongs to
the user who runs the server.
"""

import asyncio
import os
import re
from collections.abc import Awaitable
from dataclasses import dataclass
from inspect import isawaitable
from pathlib import Path
from typing import Final

from jupyter_server.auth.identity import (
    IdentityProvider,
    LegacyIdentityProvider,
    PasswordIdentityProvider,
)
from jupyter_server.base.handlers import JupyterHandler

from jupyter_ac.errors import AccessDenied, AcError, Conflict, NotFound, RefusedPath
from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.hosts.sockets.codes import NOT_ALLOWED, close_code
from jupyter_ac.ids import Identity
from jupyter_ac.rpc.methods import Access
from jupyter_ac.store.nonce import knows_nonce
from jupyter_ac.store.state_paths import state_dir

AUTH_RESOURCE: Final = "jupyter-ac"
"""The name under which a server's authorizer is asked about all of this."""

ONE_PERSON: Final = Identity("local")
"""Who uses a server that tells nobody apart."""

MAX_PATH: Final = 4096

_WITHOUT_NAMES: Final = (IdentityProvider, PasswordIdentityProvider, LegacyIdentityProvider)
_MADE_UP: Final = re.compile(r"[0-9a-f]{32}|anonymous")

# These travel as close reasons, which hold 123 bytes.
_OUTSIDE: Final = (
    "The folder is outside what the Jupyter server may show (root_dir, JupyterAC.allowed_roots)."
)
_OTHERS: Final = "The repository belongs to another user; jupyter_ac does not open it."
_NO_FOLDER: Final = "The Jupyter server sees no such folder."
_NO_REPOSITORY: Final = "There is no git repository here; create one with `git init`."
_NOT_A_PATH: Final = "The folder's name is not a path."
_OTHER_FILES: Final = "The kernel and the Jupyter server see different files."


@dataclass(frozen=True, slots=True)
class AllowedFolders:
    """The folders whose repositories may be opened.

    Attributes:
        root_dir: the server's root; relative paths start there.
        allowed_roots: further ones.
    """

    root_dir: Path
    allowed_roots: tuple[Path, ...] = ()

    def folder(self, asked: str | None) -> Path:
        """Return the folder that a client means, links resolved.

        Args:
            asked: absolute, relative to the root, or None for the root itself.

        Raises:
            RefusedPath: it lies outside.
            NotFound: there is no such folder.
        """
        if asked is not None and (len(asked) > MAX_PATH or "\0" in asked):
            raise RefusedPath(_NOT_A_PATH)
        try:
            folder = (self.root_dir / (asked or "")).resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise RefusedPath(_NOT_A_PATH) from error
        if not self.holds(folder):
            raise RefusedPath(_OUTSIDE)
        if not folder.is_dir():
            raise NotFound(_NO_FOLDER)
        return folder

    async def repository(self, asked: str | None) -> Repository:
        """Return the repository that holds the folder a client means.

        Raises:
            RefusedPath: the folder lies outside, or the repository is another user's.
            NotFound: there is no such folder, or no repository around it.
            AccessDenied: git itself refuses the repository, with the reason.
            GitError: git is missing or failed.
        """
        folder = self.folder(asked)
        try:
            repository = await discover(folder)
        except NotFound as error:
            raise NotFound(_NO_REPOSITORY) from error
        for place in (repository.root, repository.git_dir, repository.common_dir):
            if not self.holds(place.resolve()) and not _is_ours(place):
                raise RefusedPath(_OTHERS)
        return repository

    def holds(self, folder: Path) -> bool:
        """Tell whether a folder, links resolved, lies inside; touches the disk."""
        roots = (self.root_dir, *self.allowed_roots)
        return any(folder.is_relative_to(root.resolve()) for root in roots)

    def outermost(self, folder: Path) -> Path:
        """Return the outermost of the folders around one, itself included, that lie inside."""
        around = (above for above in reversed(folder.parents) if self.holds(above))
        return next(around, folder)


def check_nonce(repository: Repository, nonce: str) -> None:
    """Make sure that the kernel's folder is this one, not another one of the same name.

    Reads files; call it in a thread.

    Raises:
        Conflict: the nonce that the kernel wrote is not here.
    """
    if not knows_nonce(state_dir(repository.common_dir), nonce):
        raise Conflict(_OTHER_FILES)


def identity_of(handler: JupyterHandler) -> Identity:
    """Return whose conversation a connection sees.

    A server that knows one token or password and no names makes up another name for every browser
    and every script. They are all the one person whom the secret belongs to.
    """
    username = str(handler.current_user.username)
    knows_no_names = type(handler.identity_provider) in _WITHOUT_NAMES
    return ONE_PERSON if knows_no_names and _MADE_UP.fullmatch(username) else Identity(username)


async def asked_repository(handler: JupyterHandler, territory: AllowedFolders) -> Repository:
    """Return the repository that a request's address names, if its kernel sees the same files.

    Raises:
        AcError: it may not be opened, or the kernel sees other files.
    """
    repo = handler.get_query_argument("repo", None, strip=False)
    repository = await territory.repository(repo)
    nonce = handler.get_query_argument("nonce", "")
    if nonce:
        await asyncio.to_thread(check_nonce, repository, nonce)
    return repository


class NotAllowed(AccessDenied):
    """The server's authorizer refuses the user, whatever the repository."""


async def require_access(handler: JupyterHandler, access: Access) -> None:
    """Make sure that a request's user has an access right.

    Raises:
        NotAllowed: the server's authorizer says no.
    """
    allowed = authorization(handler, access)
    if not (allowed if isinstance(allowed, bool) else await allowed):
        raise NotAllowed("This Jupyter server does not let you use jupyter_ac.")


def refusal_code(error: AcError) -> int:
    """Return the close code of a socket that is refused."""
    return NOT_ALLOWED if isinstance(error, NotAllowed) else close_code(error)


def authorization(handler: JupyterHandler, access: Access) -> bool | Awaitable[bool]:
    """Ask the server's authorizer, which may answer at once or later, about the handler's user."""
    answer = handler.authorizer.is_authorized(
        handler, handler.current_user, access.value, AUTH_RESOURCE
    )
    return answer if isawaitable(answer) else bool(answer)


def _is_ours(place: Path) -> bool:
    try:
        return place.stat().st_uid == os.geteuid()
    except OSError:
        return False
