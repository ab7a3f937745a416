"""The snippets of a workspace: the repository's before the user's before ours, mode by mode."""

import threading
from pathlib import Path
from typing import Final

from jupyter_ac.settings.files import SNIPPETS, SettingsKind
from jupyter_ac.settings.live import LiveSettings
from jupyter_ac.settings.snippets import Mode, Snippet, Snippets, bundled_snippets, read_snippets
from jupyter_ac.settings.watched import WatchedFile

FOLDER: Final = ".jupyter_ac"
"""In the repository; holds `snippets.json`."""

_KIND: Final = SettingsKind(SNIPPETS)


class SnippetShelf:
    """Snippets by mode.

    Args:
        live: the user's settings.
        repo_root: the repository's top folder.
        uses_repository: False where the administrator has locked the snippets.
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

    def take(self, mode: Mode) -> tuple[Snippet, ...]:
        """Return the snippets for a mode; reads the files if they have changed."""
        self._live.refresh()
        with self._lock:
            if self._uses_repository and self._is_plain():
                self._own.renew(self._folder, ())
            else:
                self._own = _unread()
            places = (self._own.value, self._live.snippets, self._bundled)
        return next((place[mode] for place in places if mode in place), ())

    def notices(self) -> list[str]:
        """Say what of the repository's file is not in force."""
        return [f"{FOLDER}/{notice}" for notice in self._own.notices()]

    def _is_plain(self) -> bool:
        """Tell whether the file is there without links, which could lead out of the repository."""
        path = self._folder / _KIND.file
        return path.is_file() and not path.is_symlink() and not self._folder.is_symlink()


def _unread() -> WatchedFile[Snippets]:
    return WatchedFile(_KIND, read_snippets, {})
