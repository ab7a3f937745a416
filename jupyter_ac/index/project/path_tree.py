"""An index of a tree's paths by folder and by name, for resolving imports."""

from bisect import bisect_left, insort
from collections.abc import Collection, Sequence
from typing import Final

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.project.manifests import Manifests
from jupyter_ac.index.project.packages import Packages
from jupyter_ac.index.project.paths import ancestors, folder_of, name_of, within

__all__ = ["PathTree", "ancestors", "folder_of", "name_of", "nearest", "within"]

_NOTHING: Final[dict[str, None]] = {}


class PathTree:
    """The paths of a working tree.

    Attributes:
        manifests: what some of its files tell of the projects in it.
        packages: that its files declare.
    """

    def __init__(self) -> None:
        self.manifests = Manifests()
        self.packages = Packages()
        self._paths: set[str] = set()
        self._sorted: list[RepoPath] | None = None
        self._contents: dict[str, dict[str, None]] = {}
        self._named: dict[str, dict[str, None]] = {}
        self._folders_named: dict[str, dict[str, None]] = {}

    def add(self, path: RepoPath) -> list[str]:
        """Add a path that isn't there and return the folders that come with it."""
        self._paths.add(path)
        if self._sorted is not None:
            insort(self._sorted, path)
        self._named.setdefault(name_of(path), {})[path] = None
        made: list[str] = []
        folder, entry = folder_of(path), name_of(path)
        while True:
            contents = self._contents.setdefault(folder, {})
            is_new, contents[entry] = not contents, None
            if not is_new or not folder:
                return made
            made.append(folder)
            self._folders_named.setdefault(name_of(folder), {})[folder] = None
            folder, entry = folder_of(folder), name_of(folder) + "/"

    def remove(self, path: RepoPath) -> list[str]:
        """Remove a path that is there and return the folders that go with it."""
        self._paths.discard(path)
        if self._sorted is not None:
            del self._sorted[bisect_left(self._sorted, path)]
        _drop(self._named, name_of(path), path)
        gone: list[str] = []
        folder, entry = folder_of(path), name_of(path)
        while _drop(self._contents, folder, entry) and folder:
            gone.append(folder)
            _drop(self._folders_named, name_of(folder), folder)
            folder, entry = folder_of(folder), name_of(folder) + "/"
        return gone

    def __contains__(self, path: str) -> bool:
        return path in self._paths

    def all(self) -> list[RepoPath]:
        """Return all paths, sorted; not to be changed."""
        if self._sorted is None:
            self._sorted = sorted(RepoPath(path) for path in self._paths)
        return self._sorted

    def below(self, folder: str) -> Sequence[RepoPath]:
        """Return all paths in a folder and its folders, sorted."""
        paths = self.all()
        if not folder:
            return paths
        start = bisect_left(paths, folder + "/")
        return paths[start : bisect_left(paths, folder + "0", start)]

    def entries(self, folder: str) -> Collection[str]:
        """Return the names of a folder's files and, with a `/` behind, of its folders."""
        return self._contents.get(folder, _NOTHING)

    def named(self, name: str) -> Collection[str]:
        """Return the paths whose last part is this name."""
        return self._named.get(name, _NOTHING)

    def folders_named(self, name: str) -> Collection[str]:
        """Return the folders whose last part is this name."""
        return self._folders_named.get(name, _NOTHING)


def _drop(index: dict[str, dict[str, None]], key: str, entry: str) -> bool:
    """Take an entry out and return whether it was the last one."""
    row = index.get(key)
    if row is None:
        return False
    row.pop(entry, None)
    if row:
        return False
    del index[key]
    return True


def nearest(paths: Collection[str], origin: str) -> str:
    """Return the path that shares most folders with another one; the shortest, first of equals."""

    def order(path: str) -> tuple[int, int, str]:
        shared = 0
        for mine, other in zip(path.split("/"), origin.split("/"), strict=False):
            if mine != other:
                break
            shared += 1
        return -shared, len(path), path

    return min(paths, key=order) if paths else ""
