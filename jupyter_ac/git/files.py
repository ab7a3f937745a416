"""Reads files of the working tree and of commits, byte for byte.

Line ends, byte order mark and a missing last line end are preserved. Text is decoded as UTF-8;
other bytes become U+FFFD.
"""

import asyncio
import hashlib
import os
from typing import Final

from jupyter_ac.errors import BinaryFile, NotFound, RefusedPath, TooLarge
from jupyter_ac.git.output_parsers import decoded
from jupyter_ac.git.path_lookup import find
from jupyter_ac.git.paths import Located, literal, open_beneath
from jupyter_ac.git.refs import resolve_commit
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, GitOutput, read_git
from jupyter_ac.ids import RepoPath
from jupyter_ac.os_errors import explained_os_error

MAX_FILE_BYTES: Final = 10 * 1024 * 1024
"""Larger files aren't read: they fit neither into a prompt nor into a frame."""

BINARY_PROBE_BYTES: Final = 8192
"""A file with a NUL within this many first bytes is binary; the rest isn't checked."""


async def read_text(repository: Repository, path: str, version: str | None = None) -> str:
    """Read a file as text.

    Args:
        repository: the repository.
        path: relative to the root.
        version: a branch, tag or commit to read from; None or "" reads the working tree.

    Raises:
        RefusedPath: the path leads out of the repository or into git's directory.
        NotFound: there is no such file, or no such version.
        BinaryFile: it is not text.
        TooLarge: it is longer than `MAX_FILE_BYTES`.
    """
    data = await read_bytes(repository, path, version)
    if b"\0" in data[:BINARY_PROBE_BYTES]:
        raise BinaryFile(f"{path!r} is a binary file; it can't be shown as text.")
    return await decoded(data)


async def read_bytes(repository: Repository, path: str, version: str | None = None) -> bytes:
    """Read a file's bytes; arguments and errors as for `read_text`, but binary is allowed."""
    located = await find(repository, path)
    if not version:
        return await asyncio.to_thread(_read, repository, located, MAX_FILE_BYTES)
    commit = await resolve_commit(repository, version)
    output = await _blob(repository, commit, literal(path) or located.path)
    if output.exit_code != 0:
        output = await _blob(repository, commit, located.path)
    if output.truncated:
        raise _too_large(path)
    if output.exit_code != 0:
        raise NotFound(f"There is no file {path!r} in {version!r}: {output.complaint}")
    return output.data


async def _blob(repository: Repository, commit: str, name: RepoPath) -> GitOutput:
    # The argument begins with the commit's hash, so it can't be read as an option.
    command = ("cat-file", "blob", f"{commit}:{name}")
    return await read_git(repository.root, command, GitOptions(max_bytes=MAX_FILE_BYTES))


async def file_hash(repository: Repository, path: str) -> str | None:
    """Return the SHA-256 of a file of the working tree in hex digits; None when there is none.

    Raises:
        RefusedPath: the path leads out of the repository or into git's directory.
        TooLarge: the file is longer than `MAX_FILE_BYTES`.
    """
    try:
        data = await read_bytes(repository, path)
    except NotFound:
        return None
    return (await asyncio.to_thread(hashlib.sha256, data)).hexdigest()


async def exists(repository: Repository, path: str) -> bool:
    """Return whether a path is a regular file; False also for refused paths."""
    try:
        located = await find(repository, path)
        return await asyncio.to_thread(located.real.is_file)
    except (RefusedPath, OSError):
        return False


async def is_binary(repository: Repository, path: str) -> bool:
    """Return whether a file is binary; False if it is missing, refused or unreadable."""
    try:
        located = await find(repository, path)
        return await asyncio.to_thread(_has_nul, repository, located)
    except (RefusedPath, NotFound, OSError):
        return False


def _has_nul(repository: Repository, located: Located) -> bool:
    with os.fdopen(open_beneath(repository, located), "rb") as file:
        return b"\0" in file.read(BINARY_PROBE_BYTES)


def _read(repository: Repository, located: Located, limit: int) -> bytes:
    with os.fdopen(open_beneath(repository, located), "rb") as file:
        try:
            data = file.read(limit + 1)
        except OSError as error:
            raise explained_os_error(error, repr(located.path)) from error
    if len(data) > limit:
        raise _too_large(located.path)
    return data


def _too_large(path: str) -> TooLarge:
    return TooLarge(f"{path!r} is longer than {MAX_FILE_BYTES >> 20} MiB; it isn't read.")
