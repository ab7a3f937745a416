"""Panels of installed packages: entry points of the group `jupyter_ac.panels`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Final

from jupyter_ac.errors import InvalidParams, NotFound
from jupyter_ac.panels.components import Component
from jupyter_ac.panels.plugin import Plugin

GROUP: Final = "jupyter_ac.panels"

NAME: Final = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
MAX_NAME_CHARS: Final = 64

_OWN: Final = "jupyter-ac"
_SEPARATORS: Final = re.compile(r"[-_.]+")


@dataclass(frozen=True, slots=True)
class InstalledPanel:
    """A panel of an installed package.

    Attributes:
        name: of the entry point.
        is_own: it comes with this package.
    """

    name: str
    is_own: bool


def installed_panels() -> Sequence[InstalledPanel]:
    """List the panels of installed packages, ours first; reads the disk, imports none of them."""
    found: dict[str, InstalledPanel] = {}
    for point in _points():
        if is_panel_name(point.name) and point.name not in found:
            found[point.name] = InstalledPanel(point.name, is_own=_is_own(point))
    return tuple(found.values())


def is_panel_name(name: str) -> bool:
    """Return whether a panel may have this name."""
    return len(name) <= MAX_NAME_CHARS and NAME.fullmatch(name) is not None


def load_installed(name: str) -> Plugin:
    """Import a panel; runs its package's code.

    Raises:
        NotFound: there is no such entry point.
        InvalidParams: it is neither a `Plugin` nor a component.
    """
    point = next((each for each in _points() if each.name == name), None)
    if point is None:
        raise NotFound(f"No installed package has a panel {name!r}; see the group {GROUP}.")
    found = point.load()
    if isinstance(found, Component):
        return Plugin(found, name=name)
    if not isinstance(found, Plugin):
        raise InvalidParams(f"The entry point {name!r} must be a Plugin or a component.")
    return found


def _points() -> Sequence[EntryPoint]:
    return sorted(entry_points(group=GROUP), key=lambda point: not _is_own(point))


def _is_own(point: EntryPoint) -> bool:
    return point.dist is not None and _SEPARATORS.sub("-", point.dist.name).lower() == _OWN
