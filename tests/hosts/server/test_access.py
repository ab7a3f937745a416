"""Which folders and repositories a server shows; the socket's own tests show what follows."""

import asyncio
from pathlib import Path
from types import SimpleNamespace

import pytest
from jupyter_server.auth.identity import IdentityProvider, PasswordIdentityProvider, User

from jupyter_ac.errors import AccessDenied, Conflict, NotFound, RefusedPath
from jupyter_ac.git.repository import discover
from jupyter_ac.hosts.server.access import (
    ONE_PERSON,
    AllowedFolders,
    authorization,
    check_nonce,
    identity_of,
)
from jupyter_ac.hosts.sockets.handler import REASON_BYTES
from jupyter_ac.rpc.methods import Access
from jupyter_ac.store.nonce import write_nonce
from jupyter_ac.store.state_paths import state_dir
from tests.support.repositories import make_repository


@pytest.fixture
def territory(tmp_path: Path) -> AllowedFolders:
    for name in ("root/inner", "further/inner", "outside"):
        (tmp_path / name).mkdir(parents=True)
    return AllowedFolders(tmp_path / "root", (tmp_path / "further",))


def test_folders_in_the_root_and_in_further_roots_are_found(
    territory: AllowedFolders, tmp_path: Path
) -> None:
    assert territory.folder(None) == territory.folder("") == tmp_path / "root"
    assert territory.folder("inner") == tmp_path / "root/inner"
    assert territory.folder("inner/../inner/.") == tmp_path / "root/inner"
    assert territory.folder(str(tmp_path / "further/inner")) == tmp_path / "further/inner"


@pytest.mark.parametrize("asked", ["..", "../outside", "/", "~", "a\0b", "x" * 5000, "../roots"])
def test_what_lies_outside_is_refused(territory: AllowedFolders, asked: str) -> None:
    with pytest.raises((RefusedPath, NotFound)) as caught:
        territory.folder(asked)
    assert len(str(caught.value).encode()) <= REASON_BYTES


def test_links_count_as_where_they_lead(territory: AllowedFolders, tmp_path: Path) -> None:
    (tmp_path / "root/out").symlink_to(tmp_path / "outside")
    (tmp_path / "root/further").symlink_to(tmp_path / "further")
    (tmp_path / "root/loop").symlink_to("loop")
    with pytest.raises(RefusedPath):
        territory.folder("out")
    with pytest.raises(RefusedPath):
        territory.folder("loop")
    assert territory.folder("further/inner") == tmp_path / "further/inner"


def test_a_root_that_is_itself_a_link_holds_its_folders(tmp_path: Path) -> None:
    (tmp_path / "real/inner").mkdir(parents=True)
    (tmp_path / "link").symlink_to("real")
    assert AllowedFolders(tmp_path / "link").folder("inner") == tmp_path / "real/inner"


async def test_a_working_tree_elsewhere_is_not_taken_for_ours(
    territory: AllowedFolders, tmp_path: Path
) -> None:
    thief = make_repository(tmp_path / "root/thief")
    thief.git("config", "core.worktree", str(tmp_path / "outside"))
    with pytest.raises((AccessDenied, RefusedPath, NotFound)):
        await territory.repository("thief")


async def test_a_linked_worktree_is_found_with_its_shared_directory(
    territory: AllowedFolders, tmp_path: Path
) -> None:
    main = make_repository(tmp_path / "root/main", {"a": "a"})
    main.git("worktree", "add", "--quiet", str(tmp_path / "root/side"))
    side = await territory.repository("side")
    assert side.common_dir == tmp_path / "root/main/.git"
    assert side.root == tmp_path / "root/side"


async def test_the_nonce_is_looked_for_in_the_repository(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r").root)
    with pytest.raises(Conflict):
        check_nonce(repository, "0" * 32)
    check_nonce(repository, write_nonce(state_dir(repository.common_dir)))


def handler_of(provider: IdentityProvider, username: str) -> SimpleNamespace:
    return SimpleNamespace(identity_provider=provider, current_user=User(username))


class CompanyLogin(IdentityProvider):
    """A provider that knows names."""


@pytest.mark.parametrize(
    ("provider", "username", "identity"),
    [
        (IdentityProvider(), "0123456789abcdef0123456789abcdef", ONE_PERSON),
        (PasswordIdentityProvider(), "f" * 32, ONE_PERSON),
        (PasswordIdentityProvider(), "anonymous", ONE_PERSON),
        (PasswordIdentityProvider(), "ada", "ada"),
        (CompanyLogin(), "f" * 32, "f" * 32),
        (CompanyLogin(), "ada", "ada"),
    ],
)
def test_made_up_names_are_one_person_and_real_ones_are_many(
    provider: IdentityProvider, username: str, identity: str
) -> None:
    assert identity_of(handler_of(provider, username)) == identity  # type: ignore[arg-type]  # the least of a handler


class Authorizer:
    def __init__(self, answer: object) -> None:
        self.answer = answer

    def is_authorized(self, *_args: object) -> object:
        if self.answer != "later":
            return self.answer
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        future.set_result(True)
        return future


@pytest.mark.parametrize(("answer", "expected"), [(True, True), (0, False), ("later", True)])
async def test_the_authorizer_may_answer_now_or_later(answer: object, expected: bool) -> None:
    handler = SimpleNamespace(authorizer=Authorizer(answer), current_user=None)
    found = authorization(handler, Access.READ)  # type: ignore[arg-type]  # the least of a handler
    assert (found if isinstance(found, bool) else await found) is expected
