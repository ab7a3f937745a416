"""Programs that a repository's own configuration names, switched off.

`filter.<name>.clean` and its kin run whenever git compares a changed file, and no option of git's
turns them off as a whole. The ones that the user configured for all repositories are trusted and
stay; the ones that come with the repository are not and go. The price: a repository that filters
its own files by its own configuration may show them as modified.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Final

from jupyter_ac.errors import GitError
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, read_git

_OWN_SCOPES: Final = frozenset({b"local", b"worktree"})
_FILTER: Final = re.compile(r"^filter\.(.*)\.[a-z]+$", re.DOTALL)


async def without_programs(repository: Repository) -> Mapping[str, str]:
    """Return configuration that overrides every filter program of the repository's own.

    Raises:
        GitError: the repository's configuration can't be read.
    """
    output = await read_git(
        repository.root,
        ("config", "--includes", "--show-scope", "-z", "--name-only", "--get-regexp", r"^filter\."),
        DEFAULTS,
    )
    if output.exit_code not in {0, 1}:
        raise GitError(f"git can't read the repository's configuration: {output.complaint}")
    overrides: dict[str, str] = {}
    for key in _own_keys(output.data):
        match = _FILTER.match(key)
        if match is not None:
            name = match[1]
            overrides[f"filter.{name}.clean"] = ""
            overrides[f"filter.{name}.smudge"] = ""
            overrides[f"filter.{name}.process"] = ""
            overrides[f"filter.{name}.required"] = "false"
    return overrides


def _own_keys(listing: bytes) -> Iterator[str]:
    fields = listing.split(b"\0")
    for scope, key in zip(fields[::2], fields[1::2], strict=False):
        if scope in _OWN_SCOPES:
            yield key.decode("utf-8", "surrogateescape")
