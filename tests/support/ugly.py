"""Real repositories in unusual states, with a client for all `Repo` methods."""

import os
import shutil
import subprocess
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from jupyter_ac.errors import RemoteError
from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.hosts.method_table import repo_methods
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.repo.history import CommitHistoryMethods
from tests.chat.memory import ADA
from tests.services.llm.pages import Page, connect
from tests.support.changing import writers_of
from tests.support.repositories import RepositoryFolder, git_environment, make_repository

LISTS = ("modified", "staged", "untracked", "deleted", "conflicted")
OK = {"status": "ok"}


@dataclass(frozen=True)
class RepoClient:
    """A client for all `Repo` methods of one repository, through a connection."""

    folder: RepositoryFolder
    page: Page

    async def call(self, name: str, *args: object) -> object:
        """Call a method."""
        return await self.page.peer.call(f"Repo.{name}", *args, timeout_s=30)

    async def do(self, name: str, *args: object) -> None:
        """Call a method that changes something; it must have been done."""
        answer = await self.call(name, *args)
        assert isinstance(answer, dict)
        assert "error" not in answer, answer

    async def text(self, name: str, *args: object) -> str:
        """Call a method that answers with a text."""
        answer = await self.call(name, *args)
        assert isinstance(answer, str)
        return answer

    async def fields(self, name: str, *args: object) -> dict[str, object]:
        """Call a method that answers with an object."""
        answer = await self.call(name, *args)
        assert isinstance(answer, dict)
        return answer

    async def rows(self, name: str, *args: object) -> list[dict[str, object]]:
        """Call a method that answers with a list of objects."""
        answer = await self.call(name, *args)
        assert isinstance(answer, list)
        return answer

    async def refusal(self, name: str, *args: object) -> str:
        """Call a method that must refuse, and return what it says."""
        try:
            answer = await self.call(name, *args)
        except RemoteError as error:
            return str(error)
        assert isinstance(answer, dict)
        assert set(answer) == {"error"}, f"{name} did it: {answer}"
        return str(answer["error"])

    async def lists(self) -> dict[str, object]:
        """What the tree's lists hold, the empty ones left out, and the operation under way."""
        tree = await self.fields("get_file_tree")
        return {name: tree[name] for name in (*LISTS, "operation") if tree[name]}

    async def leaves(self) -> list[str]:
        """The paths that the tree shows, `@` after a link, `/` after a nested repository."""
        tree = await self.fields("get_file_tree")
        return sorted(_leaves(tree["tree"]))

    async def files(self) -> list[str]:
        """The flat list of files."""
        return (await self.text("get_flat_file_list")).split("\n")

    async def found(self, query: str) -> list[object]:
        """The files that a search finds."""
        return [row["file"] for row in await self.rows("search_files", query)]

    async def changed(self) -> dict[object, object]:
        """What `get_review_changed_files` says of each file."""
        return {row["path"]: row["status"] for row in await self.rows("get_review_changed_files")}

    def status(self) -> list[str]:
        """What git itself says of each path, by path."""
        lines = self.folder.git("status", "--porcelain=v1", "-z", "-uall", "--no-renames")
        return sorted(lines.split("\0")[:-1], key=lambda line: line[3:])


@asynccontextmanager
async def repo_client(
    folder: RepositoryFolder, where: Path | None = None
) -> AsyncIterator[RepoClient]:
    """Open a repository, or a folder of it, as a host would, with a page connected."""
    repository = await discover(where or folder.root)
    parts = repo_methods(
        repository,
        writers_of(repository),
        TreeCache(repository),
        CommitHistoryMethods(repository),
    )
    connection = await connect(Page(()), MethodTable(parts), ADA)
    try:
        yield RepoClient(folder, connection.page)
    finally:
        await connection.close()


def ugly(root: Path, files: Mapping[str, str | bytes] | None = None) -> RepositoryFolder:
    """Make a repository that has a user who may commit."""
    folder = make_repository(root, dict(files or {}))
    return with_user(folder)


def with_user(folder: RepositoryFolder) -> RepositoryFolder:
    """Let the repository know who commits."""
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    return folder


def clone(source: RepositoryFolder, target: Path, *options: str) -> RepositoryFolder:
    """Clone a repository as if it were far away."""
    subprocess.run(
        ["git", "clone", "-q", *options, f"file://{source.root}", str(target)],
        env=git_environment(),
        check=True,
        capture_output=True,
    )
    return with_user(RepositoryFolder(Path(os.path.realpath(target))))


def add_submodule(folder: RepositoryFolder, source: RepositoryFolder, path: str) -> None:
    """Add a submodule, not yet committed."""
    allowed = ("-c", "protocol.file.allow=always")
    folder.git(*allowed, "submodule", "--quiet", "add", f"file://{source.root}", path)


def branch_off(folder: RepositoryFolder, path: str = "a") -> None:
    """Give a file other texts on `side`, in two commits by Grace, and on `main`."""
    folder.git("checkout", "-q", "-b", "side")
    folder.write(path, "side\n")
    folder.git("commit", "-qam", "side 1", "--author=Grace <grace@example.org>")
    folder.write("other", "side\n")
    folder.git("add", "other")
    folder.git("commit", "-qm", "side 2", "--author=Grace <grace@example.org>")
    folder.git("checkout", "-q", "main")
    folder.write(path, "main\n")
    folder.commit("main")


CONFLICTS: dict[str, str] = {
    "dd": "DD",
    "au": "AU",
    "ud": "UD",
    "ua": "UA",
    "du": "DU",
    "aa": "AA",
    "uu": "UU",
    "bin": "UU",
}
"""The files of `in_conflict` and what git calls their state; all seven that there are."""


def in_conflict(root: Path) -> RepositoryFolder:
    """Make a repository in the middle of a merge, with a conflict of every form."""
    folder = ugly(
        root,
        dict.fromkeys(("du", "ud", "uu", "keep"), "1\n")
        | {"dd": "1\n2\n3\n4\n5\n", "bin": b"\0one"},
    )
    for branch, removed, moved in (("side", "ud", "ua"), ("main", "du", "au")):
        folder.git("checkout", "-q", *(("-b", "side") if branch == "side" else ("main",)))
        folder.git("mv", "dd", moved)
        (folder.root / removed).unlink()
        for name in {"du", "ud", "uu", "aa"} - {removed}:
            folder.write(name, f"{branch}\n")
        folder.write("bin", f"\0{branch}")
        folder.commit(branch)
    folder.git("merge", "side", ok=(1,))
    return folder


def copy_of(folder: RepositoryFolder, target: Path) -> RepositoryFolder:
    """Copy a repository, to change it while others read the first one."""
    shutil.copytree(folder.root, target, symlinks=True)
    return RepositoryFolder(target, folder.clock)


def _leaves(node: object) -> list[str]:
    assert isinstance(node, dict)
    found: list[str] = []
    for child in node.get("children", []):
        if child["type"] == "dir":
            found += _leaves(child)
        else:
            mark = "/" if child.get("submodule") else "@" if child.get("link") else ""
            found.append(child["path"] + mark)
    return found
