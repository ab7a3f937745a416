"""Where a review takes HEAD, and the name of what it keeps."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from jupyter_ac.errors import AcError, GitError
from jupyter_ac.git.filtered_paths import refuse_checkout
from jupyter_ac.git.head import Head
from jupyter_ac.git.review.failed_checkout import take_back
from jupyter_ac.git.write_commands import HOOKS_S, Git

# What is ignored is the user's too: git would overwrite it without a word.
_SWITCH: Final = ("switch", "--quiet", "--no-guess", "--no-overwrite-ignore")
_STAGED: Final = ("diff-index", "--cached", "--quiet", "--ignore-submodules=none")
_CHANGED: Final = ("status", "--porcelain=v2", "-z", "-uno", "--ignore-submodules=all")


@dataclass(frozen=True, slots=True)
class CheckoutTarget:
    """What can be checked out.

    Attributes:
        branch: a local branch; None for a commit of its own.
        sha: the commit.
    """

    branch: str | None
    sha: str

    @property
    def arguments(self) -> tuple[str, ...]:
        """How `git switch` is told."""
        return ("--detach", self.sha) if self.branch is None else (self.branch,)

    def is_at(self, head: Head) -> bool:
        """Tell whether it is what is checked out."""
        return (head.branch, head.sha) == (self.branch, self.sha)


async def check_out(git: Git, place: CheckoutTarget) -> None:
    """Check something out; a checkout that fails on its way is taken back.

    Raises:
        Conflict: a file would pass through a filter that may not run.
        GitError: git can't.
    """
    await refuse_checkout(git, place.sha, "nothing was checked out")
    try:
        await git.run(*_SWITCH, *place.arguments, timeout_s=HOOKS_S)
    except GitError:
        with suppress(AcError):
            await take_back(git, place.sha)
        raise


async def has_changes(git: Git) -> bool:
    """Tell whether a tracked file is changed, staged or in conflict, as the user's git sees it.

    What is inside a submodule doesn't count: no checkout touches it.
    """
    staged = await git.run(*_STAGED, "HEAD", "--", ok=(0, 1))
    return staged.exit_code == 1 or bool((await git.run(*_CHANGED)).data)
