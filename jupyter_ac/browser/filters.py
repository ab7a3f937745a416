"""Filter groups that hide requests from lists: defined in a file, switched on in memory."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypedDict

from jupyter_ac.browser.filter_file import (
    Edit,
    FilterHide,
    change_groups,
    checked_hide,
    checked_name,
    read_groups,
)
from jupyter_ac.browser.url_globs import MAX_URL_CHARS, UrlGlobs
from jupyter_ac.errors import AcError, InvalidParams

_MAX_CACHED: Final = 20_000


class FilterState(TypedDict):
    """A filter group.

    Attributes:
        enabled: whether it hides now.
        hide: what it hides.
    """

    enabled: bool
    hide: FilterHide


@dataclass(frozen=True)
class _Group:
    hide: FilterHide
    types: frozenset[str]
    urls: UrlGlobs


class Filters:
    """The filter groups of a repository; all are off at first.

    Args:
        path: of the file, which needn't exist.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = asyncio.Lock()
        self._groups: dict[str, _Group] = {}
        self._enabled: set[str] = set()
        self._cache: dict[tuple[str, str], bool] = {}

    async def load(self) -> None:
        """Read the file, and switch all groups off.

        Raises:
            Conflict: the file is broken; there are no groups then.
            AcError: it can't be read; likewise.
        """
        async with self._lock:
            self._take({}, set())
            self._take(await asyncio.to_thread(_compiled, self._path), set())

    def status(self) -> dict[str, FilterState]:
        """Return the groups by their names."""
        return {
            name: FilterState(enabled=name in self._enabled, hide=group.hide)
            for name, group in self._groups.items()
        }

    async def add(self, name: str, hide: object) -> None:
        """Define a group in the file, in the place of one of the same name.

        Raises:
            InvalidParams: the name or what it hides is wrong.
            Conflict: the file is broken; it stays as it is.
            AcError: it can't be written.
        """
        checked_name(name)
        checked = checked_hide(name, hide)

        def edit(groups: dict[str, object]) -> None:
            before = groups.get(name)
            kept = before if isinstance(before, dict) else {}
            groups[name] = kept | {"hide": checked}

        await self._change(edit)

    async def remove(self, name: str) -> None:
        """Remove a group from the file.

        Raises:
            InvalidParams: there is no such group.
            Conflict: the file is broken; it stays as it is.
            AcError: it can't be written.
        """

        def edit(groups: dict[str, object]) -> None:
            if name not in groups:
                raise self._unknown(name)
            del groups[name]

        await self._change(edit)

    def enable(self, name: str) -> None:
        """Switch a group on.

        Raises:
            InvalidParams: there is no such group.
        """
        if name not in self._groups:
            raise self._unknown(name)
        self._enabled.add(name)
        self._cache.clear()

    def disable(self, name: str) -> None:
        """Switch a group off.

        Raises:
            InvalidParams: there is no such group.
        """
        if name not in self._groups:
            raise self._unknown(name)
        self._enabled.discard(name)
        self._cache.clear()

    def enable_all(self) -> list[str]:
        """Switch all groups on, and return their names."""
        self._enabled = set(self._groups)
        self._cache.clear()
        return list(self._groups)

    def disable_all(self) -> None:
        """Switch all groups off."""
        self._enabled.clear()
        self._cache.clear()

    def hides(self, resource_type: str, url: str) -> bool:
        """Whether a request is hidden now.

        Args:
            resource_type: of the DevTools Protocol; upper and lower case are the same.
            url: its address.
        """
        if not self._enabled:
            return False
        key = resource_type, url[:MAX_URL_CHARS]
        found = self._cache.get(key)
        if found is None:
            if len(self._cache) >= _MAX_CACHED:
                self._cache.clear()
            kind = resource_type.casefold()
            groups = [self._groups[name] for name in self._enabled]
            found = any(kind in group.types for group in groups) or any(
                group.urls.matches(url) for group in groups
            )
            self._cache[key] = found
        return found

    async def _change(self, edit: Edit) -> None:
        async with self._lock:
            groups = await asyncio.to_thread(_changed, self._path, edit)
            self._take(groups, self._enabled & groups.keys())

    def _take(self, groups: dict[str, _Group], enabled: set[str]) -> None:
        self._groups, self._enabled = groups, enabled
        self._cache.clear()

    def _unknown(self, name: str) -> AcError:
        known = ", ".join(list(self._groups)[:10]) or "none"
        return InvalidParams(f'There is no filter group "{name[:64]}"; there are: {known}.')


def _compiled(path: Path) -> dict[str, _Group]:
    return _compile(read_groups(path))


def _changed(path: Path, edit: Edit) -> dict[str, _Group]:
    return _compile(change_groups(path, edit))


def _compile(groups: Mapping[str, FilterHide]) -> dict[str, _Group]:
    return {
        name: _Group(hide, frozenset(map(str.casefold, hide["types"])), UrlGlobs(hide["urls"]))
        for name, hide in groups.items()
    }
