"""Linked worktrees for tasks: made of a commit to the exact bytes, and taken away.

They are detached, and lie outside of the repository. Nothing of the repository's runs: git makes
the worktree without files (`--no-checkout`, no hooks), and the files are written here, so that no
filter and no conversion of line ends has a say.
"""

import asyncio
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AlreadyExists, GitError, InvalidParams
from jupyter_ac.git.checkpoints.object_folder import FileVersion
from jupyter_ac.git.environment import Level
from jupyter_ac.git.plain_files import read_regular
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.git.stderr import failure
from jupyter_ac.git.temp_files import remove_tree
from jupyter_ac.ids import RepoPath
from jupyter_ac.os_errors import explained_os_error
from jupyter_ac.planner.worktrees.tree_entries import CommitFiles
from jupyter_ac.store.shield import run_to_completion

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,100}")
_LINK: Final = "120000"
_EXECUTABLE: Final = "100755"
_FILES: Final = frozenset({"100644", _EXECUTABLE, _LINK})
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_AT_ONCE: Final = 200
"""Files that are read from git by one command; each has 5 MiB at most in a snapshot."""

_GIT_S: Final = 120.0
_POINTER_BYTES: Final = 8192
_ATTEMPTS: Final = 3
_PAUSE_S: Final = 0.2


class TaskWorktrees:
    """The worktrees of tasks of one repository.

    Args:
        repository: whose.
        folder: in which they lie; outside of the repository, made when needed.

    Attributes:
        commits: files of the commits of which they are made.
    """

    def __init__(self, repository: Repository, folder: Path) -> None:
        self._repository = repository
        self._folder = folder
        self.commits = CommitFiles(repository)
        # git's own commands for worktrees read the folders of others, also half made ones.
        self._administration = asyncio.Lock()

    def path(self, name: str) -> Path:
        """Return where a worktree lies.

        Raises:
            InvalidParams: the name isn't made of letters, digits, `_` and `-`.
        """
        if _NAME.fullmatch(name) is None:
            raise InvalidParams("The name of a worktree has letters, digits, `_` and `-` only.")
        return self._folder / name

    async def names(self, prefix: str) -> list[str]:
        """Return the names of the worktrees that begin in a way; none when there is no folder.

        Raises:
            AcError: the disk refuses.
        """
        try:
            found = await asyncio.to_thread(os.listdir, self._folder)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise explained_os_error(error, "The folder of worktrees") from error
        return sorted(name for name in found if name.startswith(prefix))

    async def create(self, name: str, commit: str) -> Repository:
        """Make a worktree of a commit; what was made is taken away again when it fails.

        Args:
            name: of its folder.
            commit: full hash of a commit from `snapshot_commit`, or of any.

        Raises:
            AlreadyExists: there is such a folder.
            GitError: git can't make it.
            AcError: the disk is full or read-only, or fails.
        """
        path = self.path(name)
        await asyncio.to_thread(self._require_free, path)
        try:
            await self._add(path, commit)
            made = await asyncio.to_thread(self._made, path)
            reading = asyncio.ensure_future(self._git("read-tree", commit, at=made))
            try:
                await self._write_files(path, await self.commits.of(commit))
            finally:
                await run_to_completion(reading)
        except BaseException:
            await asyncio.shield(self.remove(name))
            raise
        return made

    async def remove(self, name: str) -> None:
        """Take a worktree away, with all that is in it; nothing happens when there is none.

        Raises:
            GitError: git can't forget it.
            AcError: the disk refuses.
        """
        path = self.path(name)
        options = GitOptions(level=Level.CHANGING, timeout_s=_GIT_S)
        args = ("worktree", "remove", "--force", "--force", str(path))
        async with self._administration:
            output = await read_git(self._repository.root, args, options)
        try:
            await asyncio.to_thread(_remove_folder, path)
        except OSError as error:
            raise explained_os_error(error, "The worktree of a task") from error
        if output.exit_code != 0 and "not a working tree" not in output.complaint:
            raise GitError(f"git can't remove the worktree of a task: {output.complaint}")

    def _made(self, path: Path) -> Repository:
        """Return the worktree that git has just made; blocks on the disk.

        Raises:
            GitError: git has made something else.
        """
        try:
            root = Path(os.path.realpath(path))
            pointer = read_regular(root / ".git", _POINTER_BYTES).decode("utf-8", "surrogateescape")
        except OSError as error:
            raise explained_os_error(error, "The worktree of a task") from error
        git_dir = Path(os.path.realpath(pointer.removeprefix("gitdir: ").strip()))
        common_dir = self._repository.common_dir
        if git_dir.parent.parent != common_dir:
            raise GitError("git has made the worktree of a task in another place.")
        return Repository(root, git_dir, common_dir, root.name, git_dir.name)

    async def _add(self, path: Path, commit: str) -> None:
        """Make a worktree without files; again when another process was in the way."""
        for attempt in range(_ATTEMPTS):
            try:
                async with self._administration:
                    await self._git(
                        "worktree", "add", "--detach", "--no-checkout", str(path), commit
                    )
            except GitError:
                if attempt == _ATTEMPTS - 1:
                    raise
                await asyncio.sleep(_PAUSE_S)
            else:
                return

    def _require_free(self, path: Path) -> None:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise explained_os_error(error, "The folder of worktrees") from error
        if os.path.lexists(path):
            raise AlreadyExists(f"There is a worktree {path.name} already; remove it first.")

    async def _git(self, *args: str, at: Repository | None = None) -> None:
        options = GitOptions(level=Level.CHANGING, timeout_s=_GIT_S)
        output = await read_git((at or self._repository).root, args, options)
        if output.exit_code != 0:
            raise failure(args[0], output.complaint)

    async def _write_files(self, root: Path, entries: Mapping[RepoPath, FileVersion]) -> None:
        """Write the files; links last, so that none is followed."""
        files = [(path, each) for path, each in entries.items() if each.mode in _FILES]
        files.sort(key=lambda row: row[1].mode == _LINK)
        for part in _parts(files):
            contents = await self.commits.contents([each.blob for _, each in part])
            try:
                await asyncio.to_thread(_write, root, part, contents)
            except OSError as error:
                raise explained_os_error(error, "The worktree of a task") from error


def _parts(
    files: Sequence[tuple[RepoPath, FileVersion]],
) -> Iterator[Sequence[tuple[RepoPath, FileVersion]]]:
    return (files[at : at + _AT_ONCE] for at in range(0, len(files), _AT_ONCE))


def _write(
    root: Path, files: Sequence[tuple[RepoPath, FileVersion]], contents: Sequence[bytes]
) -> None:
    """Write new files below a folder that nobody else knows yet."""
    top = os.fspath(root)
    for folder in {path.rpartition("/")[0] for path, _ in files}:
        (root / folder).mkdir(parents=True, exist_ok=True)
    for (path, version), content in zip(files, contents, strict=True):
        target = f"{top}/{path}"
        if version.mode == _LINK:
            Path(target).symlink_to(os.fsdecode(content))
            continue
        mode = 0o777 if version.mode == _EXECUTABLE else 0o666
        descriptor = os.open(target, _NEW, mode)
        try:
            rest = memoryview(content)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
        finally:
            os.close(descriptor)


def _remove_folder(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        remove_tree(str(path))
