"""Names of commits, turned into hashes before anything else sees them."""

import re
from typing import Final

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.git.repository import Repository
from jupyter_ac.git.runner import DEFAULTS, read_git

MAX_REF_CHARS: Final = 1024

_HASH: Final = re.compile(rb"^[0-9a-f]{40}(?:[0-9a-f]{24})?\n$")


async def resolve_commit(repository: Repository, ref: str) -> str:
    """Return the full hash of the commit that a branch, tag or other name stands for.

    Raises:
        InvalidParams: it can't be the name of a commit: empty, an option, too long.
        NotFound: no commit has that name.
    """
    if not ref.strip() or ref.startswith("-") or "\0" in ref or len(ref) > MAX_REF_CHARS:
        raise InvalidParams(f"{ref[:80]!r} names no commit; give a branch, tag or hash.")
    output = await read_git(
        repository.root,
        ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{ref}^{{commit}}"),
        DEFAULTS,
    )
    if output.exit_code != 0 or _HASH.match(output.data) is None:
        raise NotFound(f"No commit is called {ref!r} in this repository.")
    return output.data.decode("ascii").strip()
