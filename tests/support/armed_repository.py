"""A repository with every program that git can be configured to run; each run leaves a trace."""

from dataclasses import dataclass
from pathlib import Path

from jupyter_ac.git.configured_programs import HOOK_NAMES
from tests.support.repositories import RepositoryFolder, make_repository

FILES: dict[str, str | bytes] = {
    "filtered.txt": "one\ntwo\n",
    "multi.bin": "one\n",
    "plain.md": "one\ntwo\n",
    "code.py": "def greet():\n    return 1\n",
    "folder/inner.md": "inner\n",
    "book.ipynb": '{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}\n',
    ".gitattributes": "*.txt filter=evil diff=evil merge=evil\n*.bin filter=multi\n",
}


@dataclass
class ArmedRepository:
    """The repository, and where its programs leave their marks.

    Attributes:
        folder: the repository.
        marks: a folder outside of it.
    """

    folder: RepositoryFolder
    marks: Path

    def ran(self) -> set[str]:
        """Return the names of the programs that have run, and forget them."""
        found = {place.name for place in self.marks.iterdir()}
        for name in found:
            (self.marks / name).unlink()
        return found

    def program(self, name: str) -> str:
        """Return a command of a shell that leaves a mark, and passes its input on."""
        return f"touch {self.marks}/{name}; cat"

    def set(self, key: str, value: str) -> None:
        """Set an entry of the repository's configuration, without git."""
        section, _, variable = key.rpartition(".")
        head, _, name = section.partition(".")
        title = f'{head} "{name}"' if name else head
        quoted = value.replace("\\", "\\\\").replace('"', '\\"')
        with (self.folder.root / ".git" / "config").open("a") as file:
            file.write(f'[{title}]\n\t{variable} = "{quoted}"\n')


def arm(place: Path) -> ArmedRepository:
    """Make one, with a second branch; nothing has run yet."""
    folder = make_repository(place / "armed", FILES)
    folder.git("checkout", "--quiet", "-b", "other")
    folder.write("filtered.txt", "one\nother\n")
    folder.write("other.md", "other\n")
    folder.commit("other")
    folder.git("checkout", "--quiet", "main")
    folder.git("checkout", "--quiet", "-b", "plain")
    folder.write("third.md", "third\n")
    folder.commit("plain")
    folder.git("checkout", "--quiet", "main")
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    marks = place / "marks"
    marks.mkdir()
    armed = ArmedRepository(folder, marks)
    for hooks in (".git/hooks", ".githooks"):
        for name in HOOK_NAMES:
            script = f"#!/bin/sh\ntouch {marks}/hook-{name}\n"
            folder.write(f"{hooks}/{name}", script).chmod(0o755)
    for key in _KEYS:
        command = armed.program(key)
        armed.set(key, f"!{command}" if key.startswith("alias.") else command)
    armed.set("core.hooksPath", ".githooks")
    armed.set("filter.evil.required", "true")
    armed.set("merge.default", "evil")
    armed.set("log.showSignature", "true")
    armed.set("submodule.recurse", "true")
    armed.set("hook.x.event", "pre-commit")
    armed.set("remote.origin.url", f"ext::sh -c 'touch {marks}/remote'")
    armed.set("protocol.ext.allow", "always")
    armed.set("gc.auto", "1")
    return armed


_KEYS = (
    "filter.evil.clean",
    "filter.evil.smudge",
    "filter.multi.process",
    "diff.external",
    "diff.evil.command",
    "diff.evil.textconv",
    "merge.evil.driver",
    "core.fsmonitor",
    "core.editor",
    "core.pager",
    "core.askPass",
    "core.sshCommand",
    "core.gitProxy",
    "core.alternateRefsCommand",
    "sequence.editor",
    "credential.helper",
    "gpg.program",
    "gpg.ssh.program",
    "gpg.ssh.defaultKeyCommand",
    "interactive.diffFilter",
    "pager.status",
    "pager.diff",
    "pager.log",
    "remote.origin.uploadpack",
    "uploadpack.packObjectsHook",
    "hook.x.command",
    "trailer.sign.command",
    "lfs.extension.x.clean",
    *(f"alias.{name}" for name in ("status", "diff", "commit", "add", "switch", "stash", "log")),
)
