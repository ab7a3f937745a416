"""Reloads one settings file when it changes, and keeps the last valid value."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, Generic, TypeAlias, TypeVar

from jupyter_ac.settings.changes import without_locked
from jupyter_ac.settings.files import SettingsKind
from jupyter_ac.settings.schema import BrokenSettings, SettingsText

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
