"""Detects likely secrets in files, by name and by content, before they are sent or committed.

A warning names the kind of secret, never the secret itself. For a commit, the first mebibyte of
each file is read that is not in the last commit.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Final

from jupyter_ac.errors import AcError, GitError
from jupyter_ac.git.commit_candidates import Blob
from jupyter_ac.git.descriptor_entries import open_entry
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import GitOptions, read_git
from jupyter_ac.git.write_commands import Git

_NAMES: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"^\.env(\..+)?$|\.env$"), "environment settings"),
    (re.compile(r"\.(pem|key|p12|pfx|jks|keystore|ppk|kdbx)$"), "a key file"),
    (re.compile(r"^id_(rsa|dsa|ecdsa|ed25519)$"), "a private SSH key"),
    (re.compile(r"^(\.netrc|\.pgpass|\.htpasswd|\.pypirc|\.npmrc|credentials)$"), "credentials"),
)
_HARMLESS: Final = re.compile(r"\.(example|sample|template|dist)$")

_TEXTS: Final[tuple[tuple[re.Pattern[str], str], ...]] = (
    (re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY"), "a private key"),
    (re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"), "an AWS access key"),
    (re.compile(r"\bsk-(?:ant-|proj-|or-)?[A-Za-z0-9_-]{20,}"), "a language model's API key"),
    (re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36}|github_pat_\w{22,})"), "a GitHub token"),
    (re.compile(r"\bglpat-[\w-]{20,}"), "a GitLab token"),
    (re.compile(r"\bxox[abeoprs]-[\w-]{10,}"), "a Slack token"),
    (re.compile(r"\bAIza[\w-]{35}\b"), "a Google API key"),
    (re.compile(r"\bhf_[A-Za-z0-9]{30,}\b"), "a Hugging Face token"),
)


_SLICE_CHARS: Final = 256 * 1024
_OVERLAP_CHARS: Final = 256
"""A regular expression holds the interpreter lock, so long texts are searched in slices."""


def has_secret_name(path: str) -> bool:
    """Return whether a file's name suggests a secret; fast, as it is called for all files."""
    name = path.rpartition("/")[2].lower()
    is_listed = any(pattern.search(name) for pattern, _ in _NAMES)
    return is_listed and not _HARMLESS.search(name)


def secret_warnings(path: str, text: str) -> tuple[str, ...]:
    """Return a sentence for each secret that a file seems to contain; empty if none.

    Args:
        path: relative to the repository.
        text: the content that would be sent.
    """
    name = PurePosixPath(path).name.lower()
    by_name = [
        f"By its name it contains {kind}."
        for pattern, kind in _NAMES
        if pattern.search(name) and not _HARMLESS.search(name)
    ]
    by_text = [f"It seems to contain {kind}." for pattern, kind in _TEXTS if _occurs(pattern, text)]
    return tuple(by_name + by_text)


def _occurs(pattern: re.Pattern[str], text: str) -> bool:
    return any(
        pattern.search(text, start, start + _SLICE_CHARS + _OVERLAP_CHARS)
        for start in range(0, len(text), _SLICE_CHARS)
    )


MOST_READ_BYTES: Final = 1024 * 1024
"""Limit per file."""

MOST_IN_ALL_BYTES: Final = 64 * 1024 * 1024
"""Limit for all files before a form opens. Committed files are always read."""

_AT_ONCE_BYTES: Final = 16 * 1024 * 1024
_SIZES: Final = ("cat-file", "--batch-check=%(objectname) %(objectsize)")
_SUBMODULE: Final = "160000"


def secrets_on_disk(repository: Repository, paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the files that seem to contain a secret, with the warnings; reads the files.

    Args:
        repository: the repository.
        paths: git paths. After `MOST_IN_ALL_BYTES` only the names are checked.
    """
    left, found = MOST_IN_ALL_BYTES, {}
    for path in paths:
        data = _head(repository, path) if left > 0 else b""
        left -= len(data)
        if warnings := secret_warnings(path, _text(data)):
            found[path] = warnings
    return found


async def secrets_in_blobs(git: Git, blobs: Mapping[str, Blob]) -> dict[str, tuple[str, ...]]:
    """Return the files that seem to contain a secret in the index, with the warnings.

    Args:
        git: to read the contents.
        blobs: index entries by path; submodules are skipped.

    Raises:
        GitError: git can't read one.
    """
    names = dict.fromkeys(blob.name for blob in blobs.values() if blob.mode != _SUBMODULE)
    kinds: dict[str, tuple[str, ...]] = {}
    async for name, data in _contents(git, list(names)):
        kinds[name] = await asyncio.to_thread(secret_warnings, "", _text(data))
    found = {}
    for path, blob in blobs.items():
        if warnings := (*secret_warnings(path, ""), *kinds.get(blob.name, ())):
            found[path] = warnings
    return found


async def _contents(git: Git, names: Sequence[str]) -> AsyncIterator[tuple[str, bytes]]:
    """Yield the beginnings of blobs with their hashes."""
    sizes = await _sizes(git, names)
    small = [name for name in names if sizes[name] <= MOST_READ_BYTES]
    for part in _in_parts(small, sizes):
        output = await git.run("cat-file", "--batch", stdin=_lines(part))
        at = 0
        for name in part:
            start = output.data.index(b"\n", at) + 1
            at = start + sizes[name] + 1
            yield name, output.data[start : at - 1]
    options = GitOptions(max_bytes=MOST_READ_BYTES)
    for name in names:
        if sizes[name] > MOST_READ_BYTES:
            cut = await read_git(git.repository.root, ("cat-file", "blob", name), options)
            yield name, cut.data


async def _sizes(git: Git, names: Sequence[str]) -> dict[str, int]:
    if not names:
        return {}
    output = await git.run(*_SIZES, stdin=_lines(names))
    rows = [line.split(" ") for line in output.data.decode("ascii", "replace").splitlines()]
    try:
        return {name: int(size) for name, size in rows}
    except ValueError as error:  # `… missing`
        raise GitError("git can't read the files to commit; try again.") from error


def _in_parts(names: Sequence[str], sizes: Mapping[str, int]) -> Iterator[list[str]]:
    part: list[str] = []
    left = _AT_ONCE_BYTES
    for name in names:
        if part and sizes[name] > left:
            yield part
            part, left = [], _AT_ONCE_BYTES
        part.append(name)
        left -= sizes[name]
    if part:
        yield part


def _lines(names: Sequence[str]) -> bytes:
    return "".join(f"{name}\n" for name in names).encode("ascii")


def _head(repository: Repository, path: str) -> bytes:
    try:
        with open_entry(repository, path) as file:
            return file.read(MOST_READ_BYTES)
    except (AcError, OSError):  # missing, a link, or unreadable: the commit itself will report it
        return b""


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
