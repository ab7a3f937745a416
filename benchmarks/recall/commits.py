"""Commits as questions: one changed file and the subject; the rest is to be named."""

import hashlib
import re
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.record_codec import record_in, seal
from jupyter_ac.index.map import cochange
from jupyter_ac.index.map.naming import UNNAMED
from jupyter_ac.index.parsing import language_of, parse
from jupyter_ac.index.records import FileRecord

MAX_FILES: Final = 20
"""Changed files beyond which a commit is no example: nobody names them from one."""
GIVEN: Final = 2
"""Files of a commit that are given in turn."""

_HUNK: Final = re.compile(rb"^@@ -(\d+)(?:,(\d+))? ", re.MULTILINE)


@dataclass(frozen=True)
class Case:
    """One question about a tree.

    Attributes:
        commit: whose parent is the tree.
        subject: first line of its message.
        given: the changed file that is known.
        files: the other changed files that were there before.
        others: symbols of these files whose lines are touched, with their files.
        own: symbols of the given file whose lines are touched, with it.
    """

    commit: str
    subject: str
    given: RepoPath
    files: frozenset[RepoPath]
    others: frozenset[tuple[RepoPath, str]]
    own: frozenset[tuple[RepoPath, str]]


class History:
    """A repository read commit by commit; records are kept by the hash of the content."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._records: dict[tuple[str, str], bytes] = {}
        self._reader = subprocess.Popen(
            ["git", "-C", str(root), "cat-file", "--batch"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def git(self, *arguments: str) -> bytes:
        """Run git in it and return what it wrote."""
        return subprocess.run(
            ["git", "-C", str(self._root), *arguments], capture_output=True, check=True
        ).stdout

    def commits(self) -> list[tuple[str, str]]:
        """Return hash and subject of the commits that have one parent, newest first."""
        text = self.git("log", "--no-merges", "--min-parents=1", "-z", "--format=%H %s")
        rows = text.decode("utf-8", "replace").split("\0")
        return [(row[:40], row[41:]) for row in rows if row]

    def tree(self, commit: str) -> dict[RepoPath, str]:
        """Return the files of a commit with the hashes of their contents."""
        found = {}
        for row in self.git("ls-tree", "-r", "-z", commit).split(b"\0"):
            if row.startswith((b"100644", b"100755")):
                head, _, name = row.partition(b"\t")
                path = RepoPath(name.decode("utf-8", "surrogateescape"))
                found[path] = head.split()[2].decode()
        return found

    def log(self, commit: str) -> list[cochange.HistoryCommit]:
        """Return the commits up to this one, newest first, as our map reads them."""
        return cochange.read_log(self.git(*cochange.LOG, commit))

    def sealed(self, path: RepoPath, blob: str) -> bytes:
        """Return a file's record, as the index keeps it; b"" for one in no known language."""
        language = language_of(path)
        if not language:
            return b""
        key = (blob, language)
        if key not in self._records:
            self._records[key] = seal(parse(language, self._content(blob)))
        return self._records[key]

    def record(self, path: RepoPath, blob: str) -> FileRecord | None:
        """Return what a file says of itself."""
        sealed = self.sealed(path, blob)
        return record_in(sealed) if sealed else None

    def cases(self, commit: str, subject: str) -> Iterator[Case]:
        """Yield the questions that a commit makes; none when it is too large or too small."""
        tree = self.tree(f"{commit}^")
        touched = self._touched(commit)
        files = [path for path in sorted(touched) if path in tree]
        if not 2 <= len(files) <= MAX_FILES:
            return
        symbols = {path: self._symbols(path, tree[path], touched[path]) for path in files}
        able = [path for path in files if self._has_code(path, tree[path])]
        able.sort(
            key=lambda path: hashlib.sha256(f"{commit}{path}".encode(errors="replace")).digest()
        )
        for given in able[:GIVEN]:
            others = {pair for path in files if path != given for pair in symbols[path]}
            yield Case(
                commit,
                subject,
                given,
                frozenset(files) - {given},
                frozenset(others),
                frozenset(symbols[given]),
            )

    def close(self) -> None:
        """End the helper process."""
        self._reader.communicate()

    def _has_code(self, path: RepoPath, blob: str) -> bool:
        record = self.record(path, blob)
        return record is not None and any(s.kind not in UNNAMED for s in record.symbols)

    def _content(self, blob: str) -> bytes:
        assert self._reader.stdin is not None
        assert self._reader.stdout is not None
        self._reader.stdin.write(blob.encode() + b"\n")
        self._reader.stdin.flush()
        size = int(self._reader.stdout.readline().split()[2])
        data = self._reader.stdout.read(size)
        self._reader.stdout.read(1)
        return data

    def _touched(self, commit: str) -> dict[RepoPath, list[int]]:
        """Return the lines of the parent that a commit touches, of each file."""
        names = self.git(
            "diff-tree", "-r", "-z", "--no-renames", "--name-only", f"{commit}^", commit
        )
        found: dict[RepoPath, list[int]] = {}
        for name in names.decode("utf-8", "surrogateescape").split("\0"):
            if name:
                arguments = ("--no-ext-diff", "--no-textconv", "--no-renames", "-U0")
                where = (f"{commit}^", commit, "--", f":(literal){name}")
                found[RepoPath(name)] = _lines(self.git("diff", *arguments, *where))
        return found

    def _symbols(
        self, path: RepoPath, blob: str, lines: Sequence[int]
    ) -> set[tuple[RepoPath, str]]:
        """Return the innermost symbols around lines."""
        record = self.record(path, blob)
        found = set()
        for line in lines:
            around = [
                symbol
                for symbol in (record.symbols if record else ())
                if symbol.first_line <= line <= symbol.last_line and symbol.kind not in UNNAMED
            ]
            if around:
                inner = min(around, key=lambda symbol: symbol.last_line - symbol.first_line)
                found.add((path, inner.name))
        return found


def _lines(diff: bytes) -> list[int]:
    """Return the lines of the old file that a difference without context removes or adds behind."""
    lines: list[int] = []
    for first, count in _HUNK.findall(diff):
        begin, length = int(first), int(count) if count else 1
        lines.extend(range(begin, begin + max(length, 1)))
    return lines


def records(history: History, tree: Mapping[RepoPath, str]) -> dict[RepoPath, FileRecord | None]:
    """Return the records of a whole tree."""
    return {path: history.record(path, blob) for path, blob in tree.items()}
