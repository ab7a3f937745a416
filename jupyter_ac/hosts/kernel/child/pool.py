"""A pool of the child processes of one kernel, one for each repository and model."""

import atexit
import os
import threading
from pathlib import Path
from typing import Final

from IPython.core.interactiveshell import InteractiveShell

from jupyter_ac.hosts.kernel.child.host import HostChild

_SHELL_KEY: Final = "jupyter_ac_children"

OTHER_MODELS: Final = 2
"""So many hosts with a model of their own at once: each takes about 400 MB."""

_EXIT_S: Final = 1.0
"""How long the kernel's shutdown waits for each child; they end by themselves after it."""


class ChildPool:
    """Hosts, made when they are first asked for and closed with the kernel. Thread-safe."""

    def __init__(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._children: dict[tuple[Path, str], HostChild] = {}

    def get(self, folder: Path, model: str = "") -> HostChild:
        """Return the host for the repository around a folder; starts nothing yet.

        Hosts for other models than the user's choice are evicted, least recently used first.

        Args:
            folder: absolute and without links.
            model: for all questions; "" for the user's choice.
        """
        key = (repository_around(folder), model)
        with self._lock:
            if not self._children:
                atexit.register(self.close, _EXIT_S)
            child = self._children.pop(key, None) or HostChild(key[0], model=model)
            self._children[key] = child  # at the end: the one used last
            others = [other for other in self._children if other[1]]
            surplus = [self._children.pop(other) for other in others[:-OTHER_MODELS]]
        for unused in surplus:
            unused.close()
        return child

    def close(self, wait_s: float = 0.0) -> None:
        """End all of them; those asked for later are new. In a forked process there are none."""
        if os.getpid() != self._pid:
            return
        with self._lock:
            children, self._children = self._children, {}
            atexit.unregister(self.close)
        for child in children.values():
            child.close()
        for child in children.values():
            child.close(wait_s)


def children_of(shell: InteractiveShell | None) -> ChildPool:
    """Give the pool of this kernel, which all panels and magics share.

    Args:
        shell: the kernel's, as `get_ipython()` gives it; None outside IPython: a pool of one's own.
    """
    if shell is None:
        return ChildPool()
    # `meta` is what IPython sets aside for extensions to keep things in.
    pool = shell.meta.get(_SHELL_KEY)
    if not isinstance(pool, ChildPool):
        pool = shell.meta[_SHELL_KEY] = ChildPool()
    return pool


def repository_around(folder: Path) -> Path:
    """Find the top of the repository by its `.git`, so that its folders share a child.

    A guess is enough: the child looks for itself, with git. Without one, it is the folder itself.
    """
    for candidate in (folder, *folder.parents):
        if (candidate / ".git").exists():
            return candidate
    return folder
