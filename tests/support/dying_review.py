"""A review by a host that dies at one of its steps.

As a program: `python -m tests.support.dying_review FOLDER STEPS` takes that many steps and is then
gone as by `kill -9`.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jupyter_ac.git.repository import Repository, discover
from jupyter_ac.git.review import journal as review_journal
from jupyter_ac.git.review.end import end
from jupyter_ac.git.review.journal import ReviewJournal
from jupyter_ac.git.review.start import begin, show_branch
from jupyter_ac.git.runner import GitOutput
from jupyter_ac.git.write_commands import TIMEOUT_S, Git
from tests.support.changing import changer_of

ACTING = frozenset({"switch", "reset", "update-ref", "add", "branch"})


class DiedError(BaseException):
    """The host is gone: nothing of what it would have done comes to pass."""


@dataclass
class Steps:
    """The steps that change something.

    Attributes:
        left: so many come to pass, then none.
        taken: those that did.
        refused: the first one that did not.
    """

    left: int
    die: Callable[[], None]
    taken: list[str] = field(default_factory=list)
    refused: str = ""

    def take(self, name: str) -> None:
        if self.left == len(self.taken):
            self.refused = self.refused or name
            self.die()
        self.taken.append(name)


def vanish() -> None:
    raise DiedError


def kill_this_process() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def mortal(left: int, die: Callable[[], None] = vanish) -> Iterator[Steps]:
    """Let the host in this process die at a step."""
    steps = Steps(left, die)
    run, write, remove = Git.run, review_journal.write, review_journal.remove

    async def run_or_die(
        git: Git,
        *args: str,
        stdin: bytes | None = None,
        ok: Collection[int] = (0,),
        timeout_s: float = TIMEOUT_S,
    ) -> GitOutput:
        if args[0] in ACTING or args[:2] == ("stash", "push"):
            steps.take(args[0])
        return await run(git, *args, stdin=stdin, ok=ok, timeout_s=timeout_s)

    def write_or_die(repository: Repository, journal: ReviewJournal) -> None:
        steps.take(f"write {journal.phase}")
        write(repository, journal)

    def remove_or_die(repository: Repository) -> None:
        steps.take("remove")
        remove(repository)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Git, "run", run_or_die)
        patch.setattr(review_journal, "write", write_or_die)
        patch.setattr(review_journal, "remove", remove_or_die)
        yield steps


async def review_edit_and_end(root: Path) -> None:
    """Review `feature`, edit a file that it changes and make one that it removes, and end it."""
    changer = changer_of(await discover(root))
    begun = await changer.change(lambda git: begin(git, "feature", ""))
    tip, parent = begun.branch_tip, begun.parent_commit
    await changer.change(lambda git: show_branch(git, tip, parent))
    (root / "a").write_text("edited\n")
    (root / "gone").write_text("again\n")
    await changer.change(end)


if __name__ == "__main__":
    with mortal(int(sys.argv[2]), kill_this_process):
        asyncio.run(review_edit_and_end(Path(sys.argv[1])))
