"""The user's effective settings, reloaded when a file changes.

If a changed file is invalid, its previous values stay effective and the problem is reported.
Nothing here raises because of a file's content.
"""

import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Generic, TypeAlias, TypeVar

from jupyter_ac.settings.app import AppSettings, read_app
from jupyter_ac.settings.changes import without_locked
from jupyter_ac.settings.files import APP, FILES, LITELLM, SNIPPETS, SettingsKind
from jupyter_ac.settings.limit_overrides import NO_OVERRIDES, LimitOverrides
from jupyter_ac.settings.llm import LlmSettings, read_llm
from jupyter_ac.settings.schema import BrokenSettings, SettingsText
from jupyter_ac.settings.snippets import Snippets, read_snippets

V = TypeVar("V")

Stamp: TypeAlias = tuple[int, ...]
"""Version of a file: its times (ctime changes with permissions), size and inode."""

_ABSENT: Final[Stamp] = ()


class WatchedFile(Generic[V]):
    """The effective value of a file. Not thread-safe.

    Attributes:
        value: from the last valid version of the file, or the default.
        problem: why that isn't the content on disk; None if it is.
        was_sound: whether the file was ever valid; a missing file is.
        ignored: settings in it that the administrator has locked.

    Args:
        kind: the type of settings.
        read: creates the value from the parsed text.
        default: the value until then.
    """

    def __init__(self, kind: SettingsKind, read: Callable[[SettingsText], V], default: V) -> None:
        self.kind = kind
        self.value = default
        self.problem: BrokenSettings | None = None
        self.was_sound = False
        self.ignored: Sequence[str] = ()
        self._read = read
        self._stamp: Stamp | None = None

    def reload(self, config_dir: Path, locked: Sequence[str], *, force: bool = False) -> bool:
        """Reload the file if it has changed; returns whether the value or a problem has changed.

        Args:
            config_dir: its folder.
            locked: settings that users can't change.
            force: reload it even if it seems unchanged.
        """
        path = config_dir / self.kind.file
        stamp = _stamp(path)
        if stamp == self._stamp and not force:
            return False
        before = self.value, self._problem_text(), self.ignored
        self._stamp = stamp
        try:
            source = self.kind.check(self.kind.read(config_dir))
            ignored: Sequence[str] = ()
            if locked and not _is_others(path):
                values, ignored = without_locked(self.kind, locked, source.values)
                source = replace(source, values=values)
            self.value, self.ignored = self._read(source), ignored
            self.problem, self.was_sound = None, True
        except BrokenSettings as error:
            self.problem = error
        return (self.value, self._problem_text(), self.ignored) != before

    def notices(self) -> list[str]:
        """Return sentences about parts of the file on disk that are not effective."""
        sentences = []
        if self.problem is not None:
            effective = "Its last valid version" if self.was_sound else "Nothing of it"
            sentences.append(f"{self.problem.message} {effective} is effective.")
        if self.ignored:
            names = ", ".join(self.ignored)
            sentences.append(
                f"The administrator has locked {names}; {self.kind.file} can't set it."
            )
        return sentences

    def _problem_text(self) -> str:
        return self.problem.message if self.problem is not None else ""


def _stamp(path: Path) -> Stamp:
    try:
        found = path.stat()
    except FileNotFoundError:
        return _ABSENT
    except OSError as error:
        return (error.errno or 0,)
    return found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino


def _is_others(path: Path) -> bool:
    """Return whether the file belongs to another user, who then counts as administrator."""
    try:
        return path.stat().st_uid != os.geteuid()
    except OSError:
        return False


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
        self._overrides = NO_OVERRIDES
        self.version = 0
        """Increases when a setting or a problem changes."""

    @property
    def llm(self) -> LlmSettings:
        """The model's settings."""
        return self._llm.value

    @property
    def app(self) -> AppSettings:
        """The application's settings."""
        return self._overrides.applied(self._app.value)

    def override(self, limits: LimitOverrides) -> None:
        """Let limits of the command line count instead of those in `app.json`.

        Raises:
            AccessDenied: the administrator has locked one of them.
        """
        limits.require_free(self._locked)
        self._overrides = limits

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
