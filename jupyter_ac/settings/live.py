"""The user's effective settings, reloaded when a file changes.

If a changed file is invalid, its previous values stay effective and the problem is reported.
Nothing here raises because of a file's content.
"""

import threading
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, TypeAlias

from jupyter_ac.settings.app import AppSettings, read_app
from jupyter_ac.settings.files import APP, FILES, LITELLM, SNIPPETS, SettingsKind
from jupyter_ac.settings.llm import LlmSettings, read_llm
from jupyter_ac.settings.schema import BrokenSettings, SettingsText
from jupyter_ac.settings.snippets import Snippets, read_snippets
from jupyter_ac.settings.watched import WatchedFile

_Any: TypeAlias = (
    WatchedFile[LlmSettings] | WatchedFile[AppSettings] | WatchedFile[Snippets] | WatchedFile[str]
)

_PROMPTS: Final = tuple(name for name in FILES if not SettingsKind(name).is_json)


class LiveSettings:
    """The effective settings of a host. Values are immutable: read one and use it for a turn.

    The caller must call `refresh` for the first read; until then the defaults are effective.
    Thread-safe.

    Args:
        config_dir: the folder of the files.
        locked: settings that users can't change, as `type` or `type.key`.
    """

    def __init__(self, config_dir: Path, locked: Iterable[str] = ()) -> None:
        self._config_dir = config_dir
        self._locked = tuple(locked)
        self._lock = threading.Lock()
        self._llm = WatchedFile(SettingsKind(LITELLM), read_llm, LlmSettings())
        self._app = WatchedFile(SettingsKind(APP), read_app, AppSettings())
        self._snippets = WatchedFile[Snippets](SettingsKind(SNIPPETS), read_snippets, {})
        self._prompts = {name: WatchedFile(SettingsKind(name), _text_of, "") for name in _PROMPTS}
        self.version = 0
        """Increases when a setting or a problem changes."""

    @property
    def llm(self) -> LlmSettings:
        """The model's settings."""
        return self._llm.value

    @property
    def app(self) -> AppSettings:
        """The application's settings."""
        return self._app.value

    def shows_jupyter_files(self) -> bool:
        """Return whether untracked files that Jupyter writes beside documents are shown."""
        return self.app.files.show_jupyter_files

    @property
    def snippets(self) -> Snippets:
        """The user's snippets."""
        return self._snippets.value

    def prompt(self, name: str) -> str:
        """Return the user's prompt of a type, such as `system`; "" if there is none."""
        return self._prompts[name].value

    def problem(self, name: str) -> BrokenSettings | None:
        """Return why a file on disk is not effective; None if it is."""
        return self._files()[name].problem

    def was_sound(self, name: str) -> bool:
        """Return whether a file was valid at any time since the start of this process."""
        return self._files()[name].was_sound

    def notices(self) -> list[str]:
        """Return sentences about parts of the files that are not effective."""
        return [notice for file in self._files().values() for notice in file.notices()]

    def refresh(self, force: Iterable[str] = ()) -> frozenset[str]:
        """Reload changed files; blocks, for a few microseconds if nothing has changed.

        Args:
            force: types to reload even if they seem unchanged.

        Returns:
            The types that have changed, or became invalid or valid.
        """
        forced = set(force)
        with self._lock:
            changed = frozenset(
                name
                for name, file in self._files().items()
                if file.reload(self._config_dir, self._locked, force=name in forced)
            )
            self.version += bool(changed)
        return changed

    def _files(self) -> Mapping[str, _Any]:
        files: dict[str, _Any] = {LITELLM: self._llm, APP: self._app, SNIPPETS: self._snippets}
        files.update(self._prompts)
        return files


def _text_of(source: SettingsText) -> str:
    return str(source.values.get("text", "")).strip()
