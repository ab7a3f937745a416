"""The file of filter groups, which a team shares with its repository.

    {"groups": {"ads": {"hide": {"types": ["Ping"], "urls": ["*://ads.example.com/*"]}}}}

Whoever writes to the repository writes this file, so it isn't trusted: it mustn't be a link or
long, and all in it is checked. What is in it beside the groups is kept when it is written.
"""

import errno
import fcntl
import json
import os
import secrets
import stat
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final, NoReturn, TypedDict, cast

from jupyter_ac.browser.cdp import Json
from jupyter_ac.browser.url_globs import MAX_GLOB_CHARS
from jupyter_ac.errors import Busy, Conflict, InvalidParams, RefusedPath, TooLarge
from jupyter_ac.os_errors import explained_os_error

MAX_FILE_BYTES: Final = 2 << 20
MAX_GROUPS: Final = 100
MAX_NAME_CHARS: Final = 64
MAX_GLOBS: Final = 10_000
"""Of all groups together."""
MAX_ALL_GLOB_CHARS: Final = 500_000
MAX_TYPES: Final = 50
RESERVED_NAMES: Final = frozenset({"__proto__", "all", "constructor", "none", "prototype"})
"""They mean something else to commands, or to scripts of the page that shows the groups."""

_LOCK_S: Final = 2.0
_LOCK_STEP_S: Final = 0.02
_FOLDER_FLAGS: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE_FLAGS: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_DRAFT_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class FilterHide(TypedDict):
    """What a filter group hides.

    Attributes:
        types: resource types of the DevTools Protocol: `Image`, `Font`, ….
        urls: globs of addresses: `*`, `?` and `[…]`; upper and lower case are different.
    """

    types: list[str]
    urls: list[str]


Groups = Mapping[str, FilterHide]
Edit = Callable[[dict[str, object]], None]
"""Changes the groups as they are in the file."""


def checked_name(name: object) -> str:
    """Return the name of a group.

    Raises:
        InvalidParams: it can't be one.
    """
    if not isinstance(name, str) or not name.strip():
        raise InvalidParams("A filter group has no name; give it one.")
    shown = json.dumps(name[:MAX_NAME_CHARS])
    if len(name) > MAX_NAME_CHARS or not name.isprintable() or name != name.strip():
        raise InvalidParams(
            f"The filter group's name {shown} must have at most {MAX_NAME_CHARS} printable "
            "characters, without spaces around them."
        )
    if name in RESERVED_NAMES:
        raise InvalidParams(f"The filter group's name {shown} is reserved; choose another one.")
    return name


def checked_hide(name: str, hide: object) -> FilterHide:
    """Return what a group hides.

    Args:
        name: of the group, for messages.
        hide: as a caller or a file has it.

    Raises:
        InvalidParams: it isn't in the form of `FilterHide`, or hides nothing.
    """
    if not isinstance(hide, dict) or not hide.keys() <= {"types", "urls"}:
        raise InvalidParams(
            f'"hide" of the filter group "{name}" must be an object with "types" and "urls".'
        )
    types = _texts(name, "types", hide.get("types", []), MAX_TYPES)
    urls = _texts(name, "urls", hide.get("urls", []), MAX_GLOBS)
    if not types and not urls:
        raise InvalidParams(f'The filter group "{name}" hides nothing; add types or urls.')
    return FilterHide(types=types, urls=urls)


def read_groups(path: Path) -> dict[str, FilterHide]:
    """Read the groups; there are none if there is no file.

    Raises:
        Conflict: the file is broken; the message says where.
        TooLarge: it is too long.
        AcError: it can't be read.
    """
    with _explained(path):
        try:
            folder = os.open(path.parent, _FOLDER_FLAGS)
        except FileNotFoundError:
            return {}
        try:
            return _groups(path, _document(path, folder))
        finally:
            os.close(folder)


def change_groups(path: Path, edit: Edit) -> dict[str, FilterHide]:
    """Change the groups in the file as it is now, and return them.

    Args:
        path: of the file; its folder is created if only that is missing.
        edit: changes the groups.

    Raises:
        Conflict: the file is broken; it stays as it is.
        InvalidParams, TooLarge: it would be, after the change.
        Busy: another program has been writing it for seconds.
        AcError: it can't be written.
    """
    with _explained(path):
        with suppress(FileExistsError):
            path.parent.mkdir()
        folder = os.open(path.parent, _FOLDER_FLAGS)
        try:
            _lock(path, folder)
            document = _document(path, folder)
            _groups(path, document)
            raw = cast("dict[str, object]", document.setdefault("groups", {}))
            edit(raw)
            groups = _checked(raw)
            _replace(path, folder, _encoded(document))
            return groups
        finally:
            os.close(folder)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise explained_os_error(error, f'The filter file "{path.name}"') from error


def _lock(path: Path, folder: int) -> None:
    deadline = time.monotonic() + _LOCK_S
    while True:
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() > deadline:
                raise Busy(
                    f'Another program is writing "{path.name}"; try again in a moment.'
                ) from None
            time.sleep(_LOCK_STEP_S)
        else:
            return


def _document(path: Path, folder: int) -> Json:
    try:
        descriptor = os.open(path.name, _FILE_FLAGS, dir_fd=folder)
    except FileNotFoundError:
        return {}
    with os.fdopen(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise RefusedPath(f'"{path.name}" is no regular file; remove it.')
        content = file.read(MAX_FILE_BYTES + 1)
    if len(content) > MAX_FILE_BYTES:
        raise TooLarge(f'"{path.name}" is longer than {MAX_FILE_BYTES} bytes; shorten it.')
    return _parsed(path, content)


def _parsed(path: Path, content: bytes) -> Json:
    try:
        value = json.loads(content.decode("utf-8-sig"), object_pairs_hook=_unique)
    except json.JSONDecodeError as error:
        _broken(path, f"line {error.lineno}, column {error.colno}: {error.msg}", error)
    except UnicodeDecodeError as error:
        _broken(path, "it isn't in UTF-8", error)
    except RecursionError as error:
        _broken(path, "it is nested too deeply", error)
    except ValueError as error:
        _broken(path, str(error), error)
    if not isinstance(value, dict):
        _broken(path, "it must be an object", None)
    return cast("Json", value)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"the name {json.dumps(twice[:MAX_NAME_CHARS])} occurs twice")
    return found


def _groups(path: Path, document: Json) -> dict[str, FilterHide]:
    raw = document.get("groups", {})
    if not isinstance(raw, dict):
        _broken(path, '"groups" must be an object', None)
    try:
        return _checked(cast("Json", raw))
    except (InvalidParams, TooLarge) as error:
        _broken(path, error.message, error)


def _checked(raw: Mapping[str, object]) -> dict[str, FilterHide]:
    if len(raw) > MAX_GROUPS:
        raise TooLarge(f"There are more than {MAX_GROUPS} filter groups; remove some.")
    groups = {}
    for name, group in raw.items():
        checked_name(name)
        if not isinstance(group, dict):
            raise InvalidParams(f'The filter group "{name}" must be an object with "hide".')
        groups[name] = checked_hide(name, group.get("hide"))
    urls = [url for hide in groups.values() for url in hide["urls"]]
    if len(urls) > MAX_GLOBS or sum(map(len, urls)) > MAX_ALL_GLOB_CHARS:
        raise TooLarge(
            f"The filter groups have more than {MAX_GLOBS} urls, or {MAX_ALL_GLOB_CHARS} "
            "characters of them; remove some."
        )
    return groups


def _texts(name: str, field: str, value: object, most: int) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise InvalidParams(f'"{field}" of the filter group "{name}" must be a list of texts.')
    texts = cast("list[str]", value)
    if len(texts) > most:
        raise TooLarge(f'"{field}" of the filter group "{name}" has more than {most} entries.')
    if any(not each or len(each) > MAX_GLOB_CHARS or not each.isprintable() for each in texts):
        raise InvalidParams(
            f'An entry of "{field}" of the filter group "{name}" is empty, longer than '
            f"{MAX_GLOB_CHARS} characters, or has unprintable ones."
        )
    return texts


def _broken(path: Path, reason: str, error: Exception | None) -> NoReturn:
    raise Conflict(f'"{path.name}" can\'t be used: {reason}. Correct the file.') from error


def _replace(path: Path, folder: int, content: bytes) -> None:
    if len(content) > MAX_FILE_BYTES:
        raise TooLarge(f'"{path.name}" would be longer than {MAX_FILE_BYTES} bytes.')
    draft = f".{path.name}-{secrets.token_hex(4)}"
    descriptor = os.open(draft, _DRAFT_FLAGS, 0o666, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            _copy_mode(path, folder, descriptor)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        os.replace(draft, path.name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(draft, dir_fd=folder)
        raise
    os.fsync(folder)


def _encoded(document: Json) -> bytes:
    try:
        return (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()
    except UnicodeEncodeError:  # halves of surrogate pairs beside the groups
        return (json.dumps(document, indent=2) + "\n").encode()


def _copy_mode(path: Path, folder: int, descriptor: int) -> None:
    try:
        before = os.stat(path.name, dir_fd=folder, follow_symlinks=False)
    except OSError as error:
        if error.errno != errno.ENOENT:
            raise
        return
    os.fchmod(descriptor, stat.S_IMODE(before.st_mode))
