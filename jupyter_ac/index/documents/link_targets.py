"""Resolves links of documents to files and sections."""

import posixpath
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from typing import Final, NamedTuple
from urllib.parse import unquote

from jupyter_ac.ids import RepoPath

_SUFFIXES: Final = ("", ".md", ".rst", ".mdx", ".markdown", ".ipynb", ".txt")
_FRONT_PAGES: Final = ("README.md", "index.md", "index.rst", "README.rst", "_index.md", "index.mdx")
_RENDERED: Final = (".html", ".htm")
_PATH: Final = re.compile(r"/|\.[A-Za-z][A-Za-z0-9]{0,9}(?:[:#]\S*)?$")
_MAX_PARTS: Final = 100


class DocumentTarget(NamedTuple):
    """A file, and the heading in it that a link names; "" for the whole."""

    path: RepoPath
    slug: str


class LinkTargets:
    """The files of a tree as links name them.

    Args:
        paths: all of them.
    """

    def __init__(self, paths: Iterable[RepoPath]) -> None:
        self._paths = frozenset(paths)
        self._by_name: dict[str, list[RepoPath]] = defaultdict(list)
        for path in self._paths:
            self._by_name[path.rpartition("/")[2]].append(path)

    def link(self, source: RepoPath, target: str) -> DocumentTarget | None:
        """Follow a link.

        Args:
            source: the document that it stands in.
            target: as written; relative to the document, or to the root behind a first `/`.

        Returns:
            None when no file is there, or it would be outside of the repository.
        """
        written, _, slug = target.partition("#")
        path = _decoded(written.partition("?")[0])
        if not path:
            return DocumentTarget(source, _decoded(slug)) if slug else None
        for candidate in _candidates(source, path):
            found = self._existing(candidate)
            if found is not None:
                return DocumentTarget(found, _decoded(slug))
        return None

    def named(self, source: RepoPath, name: str) -> RepoPath | None:
        """Return the file that a path in backticks means.

        Beside links' rules it may be the end of a path, when only one file's path ends so.

        Args:
            source: the document that it stands in.
            name: as written, with a `/` or a suffix.
        """
        written = name.partition("#")[0].partition(":")[0].rstrip("/")
        for base in ("", posixpath.dirname(source)):
            joined = _joined(base, written)
            if joined is not None and joined in self._paths:
                return RepoPath(joined)
        end = written.removeprefix("./").lstrip("/")
        same = self._by_name.get(end.rpartition("/")[2], ())
        ending = [path for path in same if path.endswith("/" + end)] if end else []
        return ending[0] if len(ending) == 1 else None

    def _existing(self, candidate: str) -> RepoPath | None:
        bare = candidate.rstrip("/")
        stems = [bare, *(bare.removesuffix(end) for end in _RENDERED if bare.endswith(end))]
        for stem in stems:
            for suffix in _SUFFIXES:
                if stem and stem + suffix in self._paths:
                    return RepoPath(stem + suffix)
        for page in _FRONT_PAGES:
            if (found := posixpath.join(bare, page)) in self._paths:
                return RepoPath(found)
        return None


def looks_like_path(name: str) -> bool:
    """Tell whether what stands in backticks may be a file's path rather than a symbol's name."""
    return _PATH.search(name) is not None


def _candidates(source: RepoPath, path: str) -> Iterator[str]:
    """Give what a link may name, the likeliest first."""
    if not path.startswith("/"):
        joined = _joined(posixpath.dirname(source), path)
        if joined is not None:
            yield joined
        return
    rooted = _joined("", path.lstrip("/"))
    if rooted is None:
        return
    # Sites are rooted where their sources are: in the repository's root, or in a folder above.
    for folder in ("", *(parent.as_posix() for parent in PurePosixPath(source).parents)):
        yield posixpath.normpath(posixpath.join(folder, rooted))


def _joined(folder: str, path: str) -> str | None:
    """Join and normalise; None for what leads out of the repository."""
    if "\0" in path or path.count("/") > _MAX_PARTS:
        return None
    joined = posixpath.normpath(posixpath.join(folder, path))
    if joined == ".":
        return ""
    return None if joined.startswith(("../", "/")) or joined == ".." else joined


def _decoded(text: str) -> str:
    return unquote(text, errors="surrogateescape")
