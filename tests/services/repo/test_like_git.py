"""Any sequence of changes leaves what the same commands of plain git leave.

The model is a second repository that is changed with the git program and the file system alone.
"""

import asyncio
import hashlib
import os
import re
import shutil
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from jupyter_ac.errors import AcError
from jupyter_ac.git.refs import is_clean
from jupyter_ac.git.repository import discover
from tests.support.changing import service_of
from tests.support.examples import examples
from tests.support.repositories import RepositoryFolder, make_repository
from tests.support.sanity import Snapshot, require_honest_index, snapshot

NAMES = ("a", "b", "b/x", "d/c", "d/e/f", "häst *", "-x")
FOLDERS = ("d", "d/e", "b", "n", "n/m")
CONTENTS = ("", "1\n", "2\n", "two\nlines\n")
STEPS = 25
EXAMPLES = 12

names = st.sampled_from(NAMES)
folders = st.sampled_from(FOLDERS)
contents = st.sampled_from(CONTENTS)
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
            each.git("checkout", "-q", "-b", "side")
            each.write("b", "side\n")
            each.write("d/c", "side\n")
            each.commit("side")
            each.git("checkout", "-q", "main")
        self.repository = asyncio.run(discover(self.ours.root))
        self.seen: Snapshot | None = None
        self.expected = snapshot(self.model)

    def teardown(self) -> None:
        shutil.rmtree(self.folder)

    def do(self, what: str, *arguments: object) -> bool:
        """Have ours do something; returns whether it did. What it refuses changes nothing."""

        async def call() -> object:
            service = service_of(self.repository)
            parts = (service.staging, service.moves, service.writes, service.review)
            (part,) = (part for part in parts if hasattr(part, what))
            return await getattr(part, what)(*arguments)

        before = self.seen or snapshot(self.ours)
        self.seen = None
        try:
            answer = asyncio.run(call())
        except AcError as error:
            answer = {"error": str(error)}
        if isinstance(answer, dict) and "error" in answer:
            self.seen = snapshot(self.ours)
            assert self.seen == before, answer
            return False
        return True

    def place(self, name: str) -> Path:
        return self.model.root / name

    def git(self, *args: str) -> str:
        return self.model.git("--literal-pathspecs", *args)

    def tracked(self, name: str) -> bool:
        return bool(self.git("ls-files", "--", name))

    def in_head(self, name: str) -> bool:
        return bool(self.git("ls-tree", "-r", "HEAD", "--", name))

    def is_free(self, name: str) -> bool:
        """Nothing is there, and no file is where its folders would be."""
        above = [parent for parent in self.place(name).parents if parent != self.model.root]
        blocked = any(parent.is_file() for parent in above)
        return not blocked and not os.path.lexists(self.place(name))

    def model_is_clean(self) -> bool:
        return all(line.startswith("??") for line in self.expected.status.split("\0") if line)

    @rule(name=names, content=contents)
    def write(self, name: str, content: str) -> None:
        possible = self.place(name).is_file() or self.is_free(name)
        assert self.do("write_file", name, content) == possible
        if possible:
            self.model.write(name, content)

    @rule(name=names, over=contents, content=contents)
    def write_over(self, name: str, over: str, content: str) -> None:
        place = self.place(name)
        possible = place.is_file() and place.read_text() == over
        digest = hashlib.sha256(over.encode()).hexdigest()
        assert self.do("write_file", name, content, digest) == possible
        if possible:
            self.model.write(name, content)

    @rule(name=names, content=contents)
    def create(self, name: str, content: str) -> None:
        possible = self.is_free(name)
        assert self.do("create_file", name, content) == possible
        if possible:
            self.model.write(name, content)

    @rule(name=names)
    def delete(self, name: str) -> None:
        exists = self.place(name).is_file()
        assert self.do("delete_file", name) == exists
        if exists:
            self.place(name).unlink()

    @rule(paths=lists)
    def stage(self, paths: list[str]) -> None:
        known = [self.git("ls-files", "-co", "--", one) or self.in_head(one) for one in paths]
        assert self.do("stage_files", paths) == all(known)
        for one in paths if all(known) else ():
            if self.git("ls-files", "-co", "--", one):
                self.git("add", "-A", "--", one)

    @rule()
    def stage_all(self) -> None:
        assert self.do("stage_all")
        self.model.git("add", "-A")

    @rule(paths=lists)
    def unstage(self, paths: list[str]) -> None:
        assert self.do("unstage_files", paths)
        self.git("reset", "-q", "HEAD", "--", *paths)

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

    # Which file git takes for the old name of a renamed one is its own guess.
    @precondition(lambda self: not re.search(r"(^|\0)R", self.expected.status))
    @rule(paths=lists)
    def discard(self, paths: list[str]) -> None:
        assert self.do("discard_changes", paths)
        added = [one for one in paths if self.tracked(one) and not self.in_head(one)]
        unknown = [one for one in paths if not self.tracked(one) and not self.in_head(one)]
        for one in added:
            inside = self.git("ls-files", "-z", "--", one).split("\0")
            self.git("rm", "-q", "-r", "-f", "--cached", "--", one)
            for path in filter(None, inside):
                self.place(path).unlink(missing_ok=True)
        for one in unknown:
            if self.place(one).is_file():
                self.place(one).unlink()
        for one in paths:
            if self.in_head(one):
                self.git("checkout", "-q", "HEAD", "--", one)

    @rule(old=names, new=names)
    def rename(self, old: str, new: str) -> None:
        possible = self.place(old).is_file() and self.is_free(new)
        assert self.do("rename_file", old, new) == possible
        if possible:
            self.move(old, new)

    @rule(old=folders, new=folders)
    def rename_folder(self, old: str, new: str) -> None:
        inside = f"{new}/".startswith(f"{old}/")
        possible = self.place(old).is_dir() and self.is_free(new) and not inside
        assert self.do("rename_directory", old, new) == possible
        if possible:
            self.move(old, new)

    def move(self, old: str, new: str) -> None:
        self.place(new).parent.mkdir(parents=True, exist_ok=True)
        if self.tracked(old):
            self.model.git("mv", "-f", "--", old, new)
        else:
            self.place(old).rename(self.place(new))
        with suppress(OSError):
            os.removedirs(self.place(old).parent)

    @rule(name=st.sampled_from(["main", "side", "nowhere"]))
    def switch(self, name: str) -> None:
        done = self.do("checkout_branch", name)
        if name == "nowhere" or not self.model_is_clean():
            assert not done
            return
        self.model.git("switch", "-q", name, ok=(0, 1) if not done else (0,))
        assert done == (self.model.git("symbolic-ref", "--short", "HEAD") == name)

    @rule(branch=st.sampled_from(["main", "side"]))
    def review(self, branch: str) -> None:
        """Begun and ended it leaves everything as it was."""
        before = snapshot(self.ours)
        if not self.do("checkout_review_parent", branch):
            return
        assert self.model_is_clean()
        tip, parent = self.ours.git("rev-parse", branch), self.ours.git("rev-parse", "HEAD")
        if self.do("setup_review_soft_reset", tip, parent):
            assert self.ours.git("rev-parse", "HEAD") == parent
            assert self.ours.git("write-tree") == self.ours.git("rev-parse", f"{tip}^{{tree}}")
            assert not self.ours.git("diff", "--name-only")
        assert self.do("exit_review_mode")
        # An empty folder is in nobody's way: git takes its place.
        assert replace(snapshot(self.ours), folders=before.folders) == before

    @invariant()
    def both_are_alike(self) -> None:
        if self.seen is not None:  # it was refused, and has changed neither of them
            return
        self.seen, self.expected = snapshot(self.ours), snapshot(self.model)
        assert state(self.ours, self.seen) == state(self.model, self.expected)
        assert asyncio.run(is_clean(self.repository)) == self.model_is_clean()
        require_honest_index(self.ours)


def state(folder: RepositoryFolder, found: Snapshot) -> tuple[object, ...]:
    """All but the hashes of commits, which bear a time, and folders without a file."""
    trees = folder.git("rev-parse", *(f"{name}^{{tree}}" for name in ("main", "side", "HEAD")))
    return found.files, found.index, found.head, found.status, trees


TestChanges = Changes.TestCase
TestChanges.settings = settings(
    max_examples=examples(EXAMPLES), stateful_step_count=STEPS, deadline=None
)
