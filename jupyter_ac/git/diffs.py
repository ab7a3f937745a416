"""Differences as unified diffs, in one form whatever the user's configuration says."""

import os
import re
from collections.abc import Sequence
from typing import Final

from jupyter_ac.errors import GitError, TooLarge
from jupyter_ac.git.calm_folders import while_calm
from jupyter_ac.git.decoding import decoded
from jupyter_ac.git.program_policy import program_policy
from jupyter_ac.git.refs import resolve_commit
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import Options, read_git

MAX_DIFF_BYTES: Final = 32 * 1024 * 1024

# No line of a file's text begins with "index".
_SHOWN: Final = re.compile(rb"^index [^\n]*\n--- [^\n]*\n\+\+\+ ([^\n]*)$", re.MULTILINE)

_DIFF: Final = (
    "diff",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--no-relative",
    "--unified=3",
    "--inter-hunk-context=0",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--find-renames",
    "--ignore-submodules=dirty",
)


async def staged_diff(repository: Repository) -> str:
    """Return what the index changes of the last commit; "" when nothing.

    Raises:
        GitError: git can't compare.
        TooLarge: it is longer than `MAX_DIFF_BYTES`.
    """
    return await _diff(repository, ("--cached",))


async def staged_outline(repository: Repository) -> str:
    """Return the same for a reader who can do without the largest files, which are only named.

    When what is left is still longer than `MAX_DIFF_BYTES`, all are only named.

    Raises:
        GitError: git can't compare.
        TooLarge: even the names are longer.
    """
    for threshold in ("", "1m"):
        try:
            return await _diff(repository, ("--cached",), threshold=threshold)
        except TooLarge:
            continue
    return await _diff(repository, ("--cached",), threshold="1")


async def unstaged_diff(repository: Repository) -> str:
    """Return what the tracked files change of the index; "" when nothing; raises as above."""
    return await _diff(repository, ())


async def diff_to(repository: Repository, ref: str) -> str:
    """Return what the tracked files, staged or not, change of a commit.

    Raises:
        InvalidParams, NotFound: `ref` names no commit.
        GitError: git can't compare.
        TooLarge: it is longer than `MAX_DIFF_BYTES`.
    """
    return await _diff(repository, (await resolve_commit(repository, ref),))


async def diff_between(repository: Repository, what: Sequence[str], *paths: str) -> str:
    """Return what differs in files or folders; "" when nothing.

    Args:
        repository: where to compare.
        what: two hashes of commits, or `--cached`.
        paths: checked, or git's own.

    Raises:
        GitError: git can't compare.
        TooLarge: it is longer than `MAX_DIFF_BYTES`.
    """
    return await _diff(repository, what, *paths)


async def _diff(
    repository: Repository, what: Sequence[str], *paths: str, threshold: str = ""
) -> str:
    """Compare; files from a size on, as git spells it, are only named, as binary ones are."""
    config = dict((await program_policy(repository)).reading())
    if threshold:
        config["core.bigFileThreshold"] = threshold
    options = Options(config=config, max_bytes=MAX_DIFF_BYTES)
    command = (*_DIFF, *what, "--", *paths)
    if "--cached" in what or len(what) > 1:
        output = await read_git(repository.root, command, options)
    else:  # files are read
        output = await while_calm(
            repository,
            lambda: read_git(repository.root, command, options),
            lambda output: _shown_files(output.data),
        )
    if output.truncated:
        raise TooLarge(
            f"The diff is longer than {MAX_DIFF_BYTES >> 20} MiB; "
            "commit or leave out the largest files first."
        )
    if output.exit_code != 0:
        raise GitError(f"git can't compare: {output.complaint}")
    return await decoded(output.data)


def _shown_files(diff: bytes) -> set[str]:
    """Return the files whose text a diff shows as it is on disk."""
    names: set[str] = set()
    for match in _SHOWN.finditer(diff):
        name = match[1].removesuffix(b"\t")
        if name.startswith(b'"'):
            name = name[1:-1].decode("unicode_escape").encode("latin-1", "replace")
        if name != b"/dev/null":
            names.add(os.fsdecode(name.removeprefix(b"b/")))
    return names
