"""Writing a file of settings: whole or not at all, under a lock, with the permissions it needs."""

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
async def writing(config_dir: Path) -> AsyncIterator[None]:
    """Keep other hosts from writing settings for the body; makes the folder.

    Raises:
        Busy: another host has been writing for seconds.
        AcError: the folder can't be written.
    """
    folder = await asyncio.to_thread(_prepare, config_dir)
    async with AsyncExitStack() as held:
        try:
            await held.enter_async_context(locks.hold(folder, LOCK))
        except (AccessDenied, RefusedPath, Unsupported) as error:
            raise type(error)(
                "The configuration folder takes no locks; name another one in "
                "JUPYTER_AC_CONFIG_DIR, on a file system that does."
            ) from error
        yield


def write(config_dir: Path, kind: SettingsKind, text: str) -> None:
    """Replace a file; a link stays one, and what it leads to is replaced.

    Raises:
        AcError: it can't be written.
    """
    path = config_dir / kind.file
    try:
        target = Path(os.path.realpath(path))
        if not target.parent.is_dir():
            raise NotFound(f"{kind.file} is a link that leads nowhere; remove it, or mend it.")
        mode = _mode(target, kind)
        _sweep(target.parent, kind)
        descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=_draft_prefix(kind))
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
        _settle(target.parent)
    except OSError as error:
        raise _unwritable(error) from error


def remove(config_dir: Path, kind: SettingsKind) -> None:
    """Take a file away; what a link leads to is emptied, since the link is the user's.

    Raises:
        AcError: that can't be done.
    """
    path = config_dir / kind.file
    if path.is_symlink():
        write(config_dir, kind, "")
        return
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _unwritable(error) from error
    _settle(config_dir)


def close_to_others(config_dir: Path, kind: SettingsKind) -> None:
    """Take from others the right to read a file that holds keys; one that isn't ours stays."""
    path = config_dir / kind.file
    with suppress(OSError):
        if kind.is_secret and path.stat().st_mode & 0o077:
            path.chmod(kind.mode)


def _draft_prefix(kind: SettingsKind) -> str:
    return f".{kind.file}-"


def _sweep(folder: Path, kind: SettingsKind) -> None:
    """Remove what a host that was killed while it wrote has left; only its draft can be there."""
    for left in folder.glob(f"{_draft_prefix(kind)}????????"):
        with suppress(OSError):
            left.unlink()


def _prepare(config_dir: Path) -> Path:
    """Make the folder, and return where it is: it may be a link of the user's."""
    try:
        config_dir.mkdir(mode=_FOLDER_MODE, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=config_dir):
            return Path(os.path.realpath(config_dir))
    except OSError as error:
        raise _unwritable(error) from error


def _mode(target: Path, kind: SettingsKind) -> int:
    """Return the permissions to give: those that a file without secrets has already."""
    try:
        known = target.stat().st_mode & 0o777
    except OSError:
        known = kind.mode
    return kind.mode if kind.is_secret else known


def _settle(folder: Path) -> None:
    """Make the new name survive a loss of power, where the file system takes that request."""
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
        "or name another one in JUPYTER_AC_CONFIG_DIR."
    )
