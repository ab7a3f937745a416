"""Translates errors of the operating system to typed errors with a remedy.

This is the only table from `errno` to the exception tree; `jupyter_ac.rpc.dispatch` uses it for
errors that were not translated earlier. A message never contains an absolute path.
"""

import errno
from typing import Final

from jupyter_ac.errors import (
    AccessDenied,
    AcError,
    AlreadyExists,
    Busy,
    Conflict,
    NotFound,
    NotReady,
    RefusedPath,
    TooLarge,
    Unsupported,
)

FORBIDDEN: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
NOT_A_FOLDER: Final = frozenset({errno.ENOTDIR, errno.ELOOP})

_FORBIDDEN_WORDS: Final = (AccessDenied, "may not be used; change its permissions or its folder's.")
_FULL_WORDS: Final = (TooLarge, "couldn't be written: the disk is full; free some space.")
_NO_FOLDER_WORDS: Final = (RefusedPath, "leads through a link, or something that isn't a folder.")
_NO_LOCK_WORDS: Final = (
    Unsupported,
    "can't be locked: its file system has no locks. Move it to a local disk.",
)
_NOT_SUPPORTED_WORDS: Final = (
    Unsupported,
    "doesn't support this on its file system; move it to a local disk.",
)
_MANY_FILES: Final = (
    "couldn't be opened: too many files are open. Close other programs or connections, "
    "or raise the limit (`ulimit -n`), and try again."
)
_NO_RESOURCES: Final = (
    "couldn't be processed: the machine is short of memory or processes. "
    "Close other programs and try again."
)

_WORDS: Final[dict[int, tuple[type[AcError], str]]] = {
    errno.ENOSPC: _FULL_WORDS,
    errno.EDQUOT: (TooLarge, "couldn't be written: your quota is used up; free some space."),
    errno.EFBIG: (
        TooLarge,
        "would be longer than the file system or `ulimit -f` allows.",
    ),
    errno.EROFS: (AccessDenied, "couldn't be written: the disk is read-only; remount it."),
    errno.EACCES: _FORBIDDEN_WORDS,
    errno.EPERM: _FORBIDDEN_WORDS,
    errno.EMFILE: (Busy, _MANY_FILES),
    errno.ENFILE: (Busy, _MANY_FILES),
    errno.ENOMEM: (Busy, _NO_RESOURCES),
    errno.EAGAIN: (Busy, _NO_RESOURCES),
    errno.EBUSY: (Busy, "is in use by another program; try again when it has ended."),
    errno.ETXTBSY: (Busy, "is being executed; try again when it has ended."),
    errno.EIO: (NotReady, "couldn't be read or written: the disk fails. Check it, then try again."),
    errno.ESTALE: (Conflict, "was replaced on its network file system; try again."),
    errno.ELOOP: _NO_FOLDER_WORDS,
    errno.ENOTDIR: _NO_FOLDER_WORDS,
    errno.EISDIR: (RefusedPath, "is a folder; name a file in it."),
    errno.ENXIO: (RefusedPath, "is a pipe or a socket; name a regular file."),
    errno.ENODEV: (RefusedPath, "is a device; name a regular file."),
    errno.EINVAL: (RefusedPath, "can't be opened in this way; name a regular file."),
    errno.ENAMETOOLONG: (RefusedPath, "is too long a name for the file system; shorten it."),
    errno.EILSEQ: (
        RefusedPath,
        "contains characters that the file system rejects; rename it.",
    ),
    errno.ENOENT: (NotFound, "doesn't exist; check the name, or read its folder again."),
    errno.EEXIST: (AlreadyExists, "already exists; choose another name."),
    errno.ENOTEMPTY: (AlreadyExists, "is a folder with files in it; choose another name."),
    errno.EXDEV: (Unsupported, "is on another disk; copy it there and delete the old one."),
    errno.EMLINK: (Unsupported, "has too many links for its file system."),
    errno.ENOLCK: _NO_LOCK_WORDS,
    errno.EDEADLK: _NO_LOCK_WORDS,
    errno.ENOSYS: _NOT_SUPPORTED_WORDS,
    errno.ENOTSUP: _NOT_SUPPORTED_WORDS,
    errno.EOPNOTSUPP: _NOT_SUPPORTED_WORDS,
}


def kind_of(error: OSError) -> type[AcError]:
    """Return the error type for an `errno`, for callers with a more specific message."""
    return _WORDS.get(error.errno or 0, (NotReady, ""))[0]


def explained_os_error(error: OSError, subject: str) -> AcError:
    """Return the error to show to the user.

    Args:
        error: raised by the system.
        subject: the beginning of the sentence: a path in quotes, or a noun.
    """
    kind, words = _WORDS.get(error.errno or 0, (None, ""))
    if kind is None:
        reason = error.strerror or type(error).__name__
        return NotReady(f"{subject} couldn't be processed: {reason}. Check it, then try again.")
    return kind(f"{subject} {words}")
