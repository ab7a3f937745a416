"""Real git repositories for tests, the same on every run and on every machine."""

import contextlib
import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

_EPOCH = 1_700_000_000
# A commit would start two more processes that look for what can be packed, and wait for the disk.
_QUICKLY = ("-c", "maintenance.auto=false", "-c", "core.fsync=none")


def git_environment() -> dict[str, str]:
    """Return an environment in which git knows no configuration but the repository's."""
    stored = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return stored | {
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_AUTHOR_NAME": "Ada",
        "GIT_AUTHOR_EMAIL": "ada@example.org",
        "GIT_COMMITTER_NAME": "Ada",
        "GIT_COMMITTER_EMAIL": "ada@example.org",
        "LC_ALL": "C",
    }


@dataclass
class RepositoryFolder:
    """A working tree that a test changes with the git program.

    Attributes:
        root: its top folder.
        clock: seconds since the epoch of the next commit.
    """

    root: Path
    clock: int = _EPOCH

    def git(self, *args: str, ok: tuple[int, ...] = (0,)) -> str:
        """Run git here and return what it printed, without the last line end."""
        done = subprocess.run(
            ["git", *_QUICKLY, *args],
            cwd=self.root,
            env=git_environment()
            | {
                "GIT_AUTHOR_DATE": f"{self.clock} +0000",
                "GIT_COMMITTER_DATE": f"{self.clock} +0000",
            },
            capture_output=True,
            check=False,
            timeout=60,
        )
        if done.returncode not in ok:
            raise AssertionError(f"git {args}: {done.stderr.decode()}{done.stdout.decode()}")
        return done.stdout.decode("utf-8", "surrogateescape").removesuffix("\n")

    def write(self, path: str, content: str | bytes = "line\n") -> Path:
        """Write a file, its folders included, and return its place."""
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        data = content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content
        place.write_bytes(data)
        return place

    def commit(self, message: str = "change") -> str:
        """Commit everything there is and return the commit's hash."""
        self.git("add", "-A")
        self.git("commit", "--quiet", "--allow-empty", "-m", message)
        self.clock += 60
        return self._head() or self.git("rev-parse", "HEAD")

    def _head(self) -> str:
        """Read the commit off the file of its branch; "" where that is not what git has there.

        Every test makes commits, and a process takes longer than all else in some of them.
        """
        folder = self.root / ".git"
        with contextlib.suppress(OSError):
            kind, _, branch = (folder / "HEAD").read_text().strip().partition(" ")
            return (folder / branch).read_text().strip() if kind == "ref:" else ""
        return ""


def configure_user(
    monkeypatch: pytest.MonkeyPatch, folder: Path, entries: Mapping[str, str]
) -> None:
    """Make this git's configuration for all repositories of the user.

    Args:
        monkeypatch: of the test.
        folder: where the file may be; outside of the repository.
        entries: by their keys.
    """
    place = folder / "user.gitconfig"
    for key, value in entries.items():
        command = ["git", "config", "--file", str(place), key, value]
        subprocess.run(command, env=git_environment(), check=True, timeout=60)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(place))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


def make_repository(root: Path, files: dict[str, str | bytes] | None = None) -> RepositoryFolder:
    """Make a repository on branch `main`; with files, one commit holds them."""
    root.mkdir(parents=True, exist_ok=True)
    folder = RepositoryFolder(Path(os.path.realpath(root)))
    folder.git("init", "--quiet", "--initial-branch=main")
    if files:
        for path, content in files.items():
            folder.write(path, content)
        folder.commit("first")
    return folder


def diverge(folder: RepositoryFolder, path: str) -> None:
    """Give a file another text on a new branch `side` than on `main`, which stays checked out."""
    folder.git("checkout", "-q", "-b", "side")
    folder.write(path, "side\n")
    folder.commit("side")
    folder.git("checkout", "-q", "main")
    folder.write(path, "main\n")
    folder.commit("main")


def committed(folder: RepositoryFolder, *names: str) -> dict[str, str]:
    """Return what the last commit has of files: mode and blob, with a space between."""
    found = {}
    for name in names:
        mode, _, blob = folder.git("ls-tree", "HEAD", "--", name).partition("\t")[0].split(" ")
        found[name] = f"{mode} {blob}"
    return found


def scripted_git(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """Put a `git` first on PATH that is a shell script."""
    folder.mkdir()
    program = folder / "git"
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
