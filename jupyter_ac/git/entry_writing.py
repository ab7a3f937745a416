"""Entries written into the index by name, and the times of their files noted, in one command.

Nothing is read into the index: what an entry holds is given.
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


async def write_entries(git: Git, entries: Mapping[str, str], gone: Collection[str] = ()) -> None:
    """Write entries, and have git note the times of files so that it needn't read them each time.

    Args:
        git: alone with the repository.
        entries: by name, mode and blob with a space between.
        gone: names that leave the index before.

    Raises:
        GitError: git can't write the index; it is as it was.
        Busy: another git held it all the time.
    """
    if not entries and not gone:
        return
    words = [
        # A name may begin like an option.
        *(word for name in gone for word in ("--force-remove", f"./{name}")),
        *(word for name, held in entries.items() for word in ("--cacheinfo", _joined(held, name))),
    ]
    size = sum(len(word.encode("utf-8", "surrogateescape")) for word in words)
    if len(words) <= _MOST_WORDS and size <= _MOST_BYTES:
        # It may fail for a file that it is only to look at: then without that look.
        with suppress(GitError):
            await git.run(*_UPDATE, *words, _REFRESH, ok=(0, _NEEDS_UPDATE))
            return
    nothing = "0" * max((len(held.partition(" ")[2]) for held in entries.values()), default=40)
    rows = [f"0 {nothing}\t{name}" for name in gone]
    rows += [f"{held}\t{name}" for name, held in entries.items()]
    await feed(git, ("update-index", "-z", "--index-info"), rows)
    await refresh(git)


def _joined(held: str, name: str) -> str:
    return f"{held.replace(' ', ',')},{name}"


async def refresh(git: Git) -> None:
    """Have git note the times of all files; what it can't look at it reads next time."""
    with suppress(AcError):
        await git.run("update-index", "-q", _REFRESH, ok=(0, _NEEDS_UPDATE))
