"""Writes a settings file atomically, under a lock, with the right permissions."""

import asyncio
import os
import tempfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from jupyter_ac.errors import AccessDenied, AcError, NotFound, RefusedPath, Unsupported
from jupyter_ac.os_errors import kind_of
from jupyter_ac.settings.files import SettingsKind
from jupyter_ac.store import locks

LOCK: Final = "settings"

_FOLDER_MODE: Final = 0o700


@asynccontextmanager
async def write_lock(config_dir: Path) -> AsyncIterator[None]:
    """Hold the settings lock for the body, against other hosts; creates the folder.

    Raises:
        Busy: another host has held the lock for seconds.
        AcError: the folder can't be written.
    """
    folder = await asyncio.to_thread(_prepare, config_dir)
    async with AsyncExitStack() as stack:
        try:
            await stack.enter_async_context(locks.hold(folder, LOCK))
        except (AccessDenied, RefusedPath, Unsupported) as error:
            raise type(error)(
                "The configuration folder doesn't support locks; set another one in "
                "JUPYTER_AC_CONFIG_DIR, on a file system that supports them."
            ) from error
        yield


def write(config_dir: Path, kind: SettingsKind, text: str) -> None:
    """Replace a file; if it is a link its target is replaced.

    Raises:
        AcError: it can't be written.
    """
    path = config_dir / kind.file
    try:
        target = Path(os.path.realpath(path))
        if not target.parent.is_dir():
            raise NotFound(f"{kind.file} is a link without a target; remove or correct it.")
        mode = _mode(target, kind)
        _remove_stale(target.parent, kind)
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=_temp_prefix(kind))
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8", newline="") as file:
                file.write(text)
                file.flush()
                os.fchmod(file.fileno(), mode)
                os.fsync(file.fileno())
            Path(name).replace(target)
        except BaseException:
            with suppress(OSError):
                Path(name).unlink()
            raise
        _sync_folder(target.parent)
    except OSError as error:
        raise _unwritable(error) from error


def remove(config_dir: Path, kind: SettingsKind) -> None:
    """Remove a file; the target of a link is emptied instead, since the link is the user's.

    Raises:
        AcError: it can't be removed.
    """
    path = config_dir / kind.file
    if path.is_symlink():
        write(config_dir, kind, "")
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(error) from error
    _sync_folder(config_dir)


def restrict_permissions(config_dir: Path, kind: SettingsKind) -> None:
    """Make a file with keys readable only for its owner; ignored if it belongs to another user."""
    path = config_dir / kind.file
    with suppress(OSError):
        if kind.is_secret and path.stat().st_mode & 0o077:
            path.chmod(kind.mode)


def _temp_prefix(kind: SettingsKind) -> str:
    return f".{kind.file}-"


def _remove_stale(folder: Path, kind: SettingsKind) -> None:
    """Remove temporary files of killed hosts; the caller holds the lock, so no other can exist."""
    for left in folder.glob(f"{_temp_prefix(kind)}????????"):
        with suppress(OSError):
            left.unlink()


def _prepare(config_dir: Path) -> Path:
    """Create the folder if needed, and return it with its links resolved."""
    try:
        config_dir.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=config_dir):
            return Path(os.path.realpath(config_dir))
    except OSError as error:
        raise _unwritable(error) from error


def _mode(target: Path, kind: SettingsKind) -> int:
    """Return the permissions for the new file: the present ones, unless it contains secrets."""
    try:
        known = target.stat().st_mode & 0o777
    except OSError:
        known = kind.mode
    return kind.mode if kind.is_secret else known


def _sync_folder(folder: Path) -> None:
    """Sync a folder so that a new name survives a power failure, if the file system supports it."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _unwritable(error: OSError) -> AcError:
    reason = (error.strerror or "it refuses").lower()
    return kind_of(error)(
        f"The configuration folder can't be written ({reason}); make it writable, "
        "or set another one in JUPYTER_AC_CONFIG_DIR."
    )
