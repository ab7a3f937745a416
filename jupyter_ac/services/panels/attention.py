"""Which pages see a panel: its plugin is active as long as one of them does."""

from collections.abc import Mapping
from typing import Final

from jupyter_ac.services.panels.page_view import PageLink

_ACTIVE: Final = "active"


class Attention:
    """The pages that show one panel, and whether a person sees it there."""

    def __init__(self) -> None:
        self._is_seen: dict[PageLink, bool] = {}

    @property
    def is_active(self) -> bool:
        """Whether any page sees the panel."""
        return any(self._is_seen.values())

    def note(self, page: PageLink, env: Mapping[str, object]) -> dict[str, object]:
        """Note what a page says of itself.

        Returns:
            What the plugin is told: whether it is active by what all pages say. Values that are no
            environment stay as they are: the plugin refuses them.
        """
        told = dict(env)
        was_active = not self._is_seen or self.is_active
        self._is_seen.setdefault(page, True)
        active = told.get(_ACTIVE)
        if not (active is None or isinstance(active, bool)):
            return told
        if _ACTIVE in told:
            self._is_seen[page] = active is not False
        if _ACTIVE in told or self.is_active != was_active:
            told[_ACTIVE] = self.is_active
        return told

    def forget(self, page: PageLink) -> bool:
        """Forget a page; returns whether the others, which are there, don't see the panel."""
        was_seen = self._is_seen.pop(page, False)
        return was_seen and bool(self._is_seen) and not self.is_active
