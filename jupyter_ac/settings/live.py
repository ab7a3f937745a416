"""The user's settings as they are in force.

A file is read again when it has changed on disk; one that is broken leaves what held before it in
force and says so. Nothing here raises because of what somebody wrote into a file.
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
    """What all parts of a host ask for a setting. Values are frozen: take one, keep it for a turn.

    The first reading is the caller's to ask for, by `refresh`; until then all defaults hold. May be
    used from several threads.

    Args:
        config_dir: the folder of the files.
        locked: settings that users can't make, as `type` or `type.key`.
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
        """Goes up whenever something changes, a problem included."""

    @property
    def llm(self) -> LlmSettings:
        """The model's settings."""
        return self._llm.value

    @property
    def app(self) -> AppSettings:
        """The application's settings."""
        return self._app.value

    def shows_jupyter_files(self) -> bool:
        """Tell whether untracked files that Jupyter writes beside documents are shown."""
        return self.app.files.show_jupyter_files

    @property
    def snippets(self) -> Snippets:
        """The user's snippets."""
        return self._snippets.value

    def prompt(self, name: str) -> str:
        """Return the user's prompt of a type, such as `system`; "" when there is none."""
        return self._prompts[name].value

    def problem(self, name: str) -> BrokenSettings | None:
        """Say why a file on disk is not what is in force; None when it is."""
        return self._files()[name].problem

    def was_sound(self, name: str) -> bool:
        """Tell whether a file could be used at any time since this process looks at it."""
        return self._files()[name].was_sound

    def notices(self) -> list[str]:
        """Say in a sentence each what of the files on disk is not in force."""
        return [notice for file in self._files().values() for notice in file.notices()]

    def refresh(self, force: Iterable[str] = ()) -> frozenset[str]:
        """Read what has changed on disk; blocks, a few microseconds when nothing has.

        Args:
            force: types that are read even if they seem unchanged.

        Returns:
            The types that have changed, or become broken or sound.
        """
        forced = set(force)
        with self._lock:
            changed = frozenset(
                name
                for name, file in self._files().items()
                if file.renew(self._config_dir, self._locked, force=name in forced)
            )
            self.version += bool(changed)
        return changed

    def _files(self) -> Mapping[str, _Any]:
        files: dict[str, _Any] = {LITELLM: self._llm, APP: self._app, SNIPPETS: self._snippets}
        files.update(self._prompts)
        return files


def _text_of(source: SettingsText) -> str:
    return str(source.said.get("text", "")).strip()
