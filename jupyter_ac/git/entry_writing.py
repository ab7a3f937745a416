"""Writes index entries with given blobs and refreshes the files' times, in one command.

No content is read into the index: the caller passes mode and blob.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Final

from jupyter_ac.errors import AcError, GitError
from jupyter_ac.git.staging import feed
from jupyter_ac.git.write_commands import Git

_MOST_WORDS: Final = 200
_MOST_BYTES: Final = 64 * 1024
_UPDATE: Final = ("update-index", "-q", "--add", "--replace")
_REFRESH: Final = "--refresh"
_NEEDS_UPDATE: Final = 1


async def write_entries(
    git: Git, entries: Mapping[str, str], removed: Collection[str] = ()
) -> None:
    """Write entries, and refresh the files' times so that git needn't read them again.

    Args:
        git: with exclusive access to the repository.
        entries: mode and blob, separated by a space, by name.
        removed: names that are removed from the index first.

    Raises:
        GitError: git can't write the index; it is unchanged.
        Busy: another git process held its lock the whole time.
    """
    if not entries and not removed:
        return
    words = [
        # The prefix keeps a name from being read as an option.
        *(word for name in removed for word in ("--force-remove", f"./{name}")),
        *(word for name, held in entries.items() for word in ("--cacheinfo", _joined(held, name))),
    ]
    size = sum(len(word.encode("utf-8", "surrogateescape")) for word in words)
    if len(words) <= _MOST_WORDS and size <= _MOST_BYTES:
        # It may fail for a file that is only refreshed: then write without the refresh.
        with suppress(GitError):
            await git.run(*_UPDATE, *words, _REFRESH, ok=(0, _NEEDS_UPDATE))
            return
    nothing = "0" * max((len(held.partition(" ")[2]) for held in entries.values()), default=40)
    rows = [f"0 {nothing}\t{name}" for name in removed]
    rows += [f"{held}\t{name}" for name, held in entries.items()]
    await feed(git, ("update-index", "-z", "--index-info"), rows)
    await refresh(git)


def _joined(held: str, name: str) -> str:
    return f"{held.replace(' ', ',')},{name}"


async def refresh(git: Git) -> None:
    """Refresh the index's times of all files; errors only cost a read next time."""
    with suppress(AcError):
        await git.run("update-index", "-q", _REFRESH, ok=(0, _NEEDS_UPDATE))
