"""One file of settings: read again when it has changed, and what it last said when it is broken."""

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
"""What tells a file from what it was: its times (one knows of new permissions), size, identity."""

_ABSENT: Final[Stamp] = ()


class WatchedFile(Generic[V]):
    """A file's value in force. Not for two threads at once.

    Attributes:
        value: what was last said by a file that could be used, or the default.
        problem: why that isn't what is on disk; None when it is.
        was_sound: whether the file could ever be used, an absent one included.
        ignored: settings in it that are the administrator's to make.

    Args:
        kind: which file.
        read: makes the value out of what the file says.
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

    def renew(self, config_dir: Path, locked: Sequence[str], *, force: bool = False) -> bool:
        """Read it if it has changed; returns whether anything about it is different now.

        Args:
            config_dir: where it is.
            locked: settings that users can't make.
            force: read it even if it seems unchanged.
        """
        path = config_dir / self.kind.file
        stamp = _stamp(path)
        if stamp == self._stamp and not force:
            return False
        before = self.value, self._said(), self.ignored
        self._stamp = stamp
        try:
            source = self.kind.check(self.kind.read(config_dir))
            ignored: Sequence[str] = ()
            if locked and not _is_others(path):
                said, ignored = without_locked(self.kind, locked, source.said)
                source = replace(source, said=said)
            self.value, self.ignored = self._read(source), ignored
            self.problem, self.was_sound = None, True
        except BrokenSettings as error:
            self.problem = error
        return (self.value, self._said(), self.ignored) != before

    def notices(self) -> list[str]:
        """Say in a sentence each what of the file on disk is not in force."""
        said = []
        if self.problem is not None:
            holds = "What it said before" if self.was_sound else "Nothing of it"
            said.append(f"{self.problem.message} {holds} is in force.")
        if self.ignored:
            names = ", ".join(self.ignored)
            said.append(f"The administrator has locked {names}; {self.kind.file} can't set it.")
        return said

    def _said(self) -> str:
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
    """Tell whether the file belongs to somebody else, who then is the administrator."""
    try:
        return path.stat().st_uid != os.geteuid()
    except OSError:
        return False
