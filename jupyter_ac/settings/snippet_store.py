"""Snippets of a workspace by mode: the repository's, else the user's, else the bundled ones."""

import threading
from pathlib import Path
from typing import Final

from jupyter_ac.settings.files import SNIPPETS, SettingsKind
from jupyter_ac.settings.live import LiveSettings, WatchedFile
from jupyter_ac.settings.snippets import Mode, Snippet, Snippets, bundled_snippets, read_snippets

FOLDER: Final = ".jupyter_ac"
"""Folder in the repository that contains `snippets.json`."""

_KIND: Final = SettingsKind(SNIPPETS)


class SnippetStore:
    """Snippets by mode.

    Args:
        live: the user's settings.
        repo_root: the repository's top folder.
        uses_repository: False if the administrator has locked the snippets.
    """

    def __init__(
        self, live: LiveSettings, repo_root: Path, *, uses_repository: bool = True
    ) -> None:
        self._live = live
        self._folder = repo_root / FOLDER
        self._uses_repository = uses_repository
        self._own = _unread()
        self._bundled = bundled_snippets()
        self._lock = threading.Lock()

    def get(self, mode: Mode) -> tuple[Snippet, ...]:
        """Return the snippets for a mode; reloads changed files."""
        self._live.refresh()
        with self._lock:
            if self._uses_repository and self._is_plain():
                self._own.reload(self._folder, ())
            else:
                self._own = _unread()
            places = (self._own.value, self._live.snippets, self._bundled)
        return next((place[mode] for place in places if mode in place), ())

    def notices(self) -> list[str]:
        """Return sentences about parts of the repository's file that are not effective."""
        return [f"{FOLDER}/{notice}" for notice in self._own.notices()]

    def _is_plain(self) -> bool:
        """Return whether the file exists without links, which could lead out of the repository."""
        path = self._folder / _KIND.file
        return path.is_file() and not path.is_symlink() and not self._folder.is_symlink()


def _unread() -> WatchedFile[Snippets]:
    return WatchedFile(_KIND, read_snippets, {})
