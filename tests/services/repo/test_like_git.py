"""Any sequence of changes leaves what the same commands of plain git leave.

The model is a second repository that is changed with the git program and the file system alone.
"""

import asyncio
import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from jupyter_ac.errors import AcError
from jupyter_ac.git.repository import discover
from jupyter_ac.services.repo.moves import MovesPart
from jupyter_ac.services.repo.staging import StagingPart
from jupyter_ac.services.repo.writes import WritesPart
from tests.support.changing import writers_of
from tests.support.repositories import RepositoryFolder, make_repository

NAMES = ("a", "b", "d/c", "d/e/f", "häst *", "-x")
CONTENTS = ("", "1\n", "2\n", "two\nlines\n")
STEPS = 25
EXAMPLES = 12

names = st.sampled_from(NAMES)
lists = st.lists(names, min_size=1, max_size=3, unique=True)


class Changes(RuleBasedStateMachine):
    """The same changes to both."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = Path(tempfile.mkdtemp())
        texts: dict[str, str | bytes] = {"a": "1\n", "d/c": "1\n", ".gitignore": "ignored\n"}
        self.ours = make_repository(self.folder / "r", texts)
        self.model = make_repository(self.folder / "model", texts)
        for each in (self.ours, self.model):
            each.git("config", "user.name", "Ada")
            each.git("config", "user.email", "ada@example.org")
        repository = asyncio.run(discover(self.ours.root))
        self.repository = repository

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def do(self, what: str, *arguments: object) -> bool:
        """Have ours do something; returns whether it did."""

        async def call() -> None:
            writers = writers_of(self.repository)
            parts = (
                StagingPart(self.repository, writers),
                MovesPart(self.repository, writers),
                WritesPart(writers.files, writers.audience),
            )
            (part,) = (part for part in parts if hasattr(part, what))
            await getattr(part, what)(*arguments)

        try:
            asyncio.run(call())
        except AcError:
            return False
        return True

    def place(self, name: str) -> Path:
        return self.model.root / name

    def tracked(self, name: str) -> bool:
        return bool(self.model.git("--literal-pathspecs", "ls-files", "--", name))

    def in_head(self, name: str) -> bool:
        return bool(self.model.git("--literal-pathspecs", "ls-tree", "HEAD", "--", name))

    @rule(name=names, content=st.sampled_from(CONTENTS))
    def write(self, name: str, content: str) -> None:
        assert self.do("write_file", name, content)
        self.model.write(name, content)

    @rule(name=names)
    def delete(self, name: str) -> None:
        exists = self.place(name).is_file()
        assert self.do("delete_file", name) == exists
        if exists:
            self.place(name).unlink()

    @rule(paths=lists)
    def stage(self, paths: list[str]) -> None:
        known = all(
            self.place(one).is_file() or self.tracked(one) or self.in_head(one) for one in paths
        )
        assert self.do("stage_files", paths) == known
        for one in paths if known else ():
            if self.place(one).is_file() or self.tracked(one):
                self.model.git("--literal-pathspecs", "add", "-A", "--", one)

    @rule()
    def stage_all(self) -> None:
        assert self.do("stage_all")
        self.model.git("add", "-A")

    @rule(paths=lists)
    def unstage(self, paths: list[str]) -> None:
        assert self.do("unstage_files", paths)
        self.model.git("--literal-pathspecs", "reset", "-q", "HEAD", "--", *paths)

    @rule()
    def commit(self) -> None:
        changed = bool(self.model.git("diff", "--cached", "--name-only"))
        assert self.do("commit", "message") == changed
        if changed:
            self.model.git("commit", "-q", "-m", "message")

    @rule()
    def reset(self) -> None:
        assert self.do("reset_hard")
        self.model.git("reset", "-q", "--hard")

    @rule(name=names)
    def discard(self, name: str) -> None:
        renamed = self.model.git("diff", "--cached", "--diff-filter=R", "-M", "--name-only")
        if renamed:
            return  # which file git takes for the old one is its own guess
        assert self.do("discard_changes", [name])
        if self.in_head(name):
            self.model.git("--literal-pathspecs", "checkout", "-q", "HEAD", "--", name)
        else:
            if self.tracked(name):
                self.model.git("--literal-pathspecs", "rm", "-q", "--cached", "-f", "--", name)
            self.place(name).unlink(missing_ok=True)

    @rule(old=names, new=names)
    def rename(self, old: str, new: str) -> None:
        possible = self.place(old).is_file() and not self.place(new).exists()
        done = self.do("rename_file", old, new)
        assert done == possible
        if not done:
            return
        self.place(new).parent.mkdir(parents=True, exist_ok=True)
        if self.tracked(old):
            self.model.git("mv", "-f", "--", old, new)
        else:
            self.place(old).rename(self.place(new))
        with suppress(OSError):
            os.removedirs(self.place(old).parent)

    @invariant()
    def both_are_alike(self) -> None:
        assert state(self.ours) == state(self.model)


def state(folder: RepositoryFolder) -> tuple[str, str, str, dict[str, bytes]]:
    """The index, the last commit's tree, what git says of the files, and the files."""
    files = {
        path.relative_to(folder.root).as_posix(): path.read_bytes()
        for path in folder.root.rglob("*")
        if path.is_file() and ".git" not in path.relative_to(folder.root).parts
    }
    return (
        folder.git("ls-files", "--stage", "-z"),
        folder.git("rev-parse", "HEAD^{tree}"),
        folder.git("status", "--porcelain=v1", "-z", "-uall"),
        files,
    )


TestChanges = Changes.TestCase
TestChanges.settings = settings(max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None)
