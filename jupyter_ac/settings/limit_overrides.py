"""Limits of agents' runs that a command line gives instead of those in `app.json`."""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from jupyter_ac.errors import AccessDenied
from jupyter_ac.settings.app import AppSettings


@dataclass(frozen=True, slots=True)
class LimitOverrides:
    """Limits for the runs of one process; None leaves the user's.

    Attributes:
        max_steps: requests to the model.
        max_usd: in US dollars.
    """

    max_steps: int | None = None
    max_usd: float | None = None

    def applied(self, settings: AppSettings) -> AppSettings:
        """Return the settings with these limits."""
        if self == NO_OVERRIDES:
            return settings
        agent = settings.agent
        steps = agent.max_steps if self.max_steps is None else self.max_steps
        usd = agent.max_usd if self.max_usd is None else self.max_usd
        return replace(settings, agent=replace(agent, max_steps=steps, max_usd=usd))

    def require_free(self, locked: Collection[str]) -> None:
        """Check that the administrator leaves these limits to the user.

        Args:
            locked: settings that users can't change, as `type` or `type.key`.

        Raises:
            AccessDenied: one of them is locked.
        """
        for name, value in (("max_steps", self.max_steps), ("max_usd", self.max_usd)):
            setting = f"app.agent.{name}"
            if value is not None and not {"app", "app.agent", setting}.isdisjoint(locked):
                option = f"--{name.replace('_', '-')}"
                raise AccessDenied(f"The administrator has locked {setting}; leave out {option}.")

    def words(self) -> list[str]:
        """Return them as options of `jupyter ac stdio`."""
        steps = [] if self.max_steps is None else [f"--max-steps={self.max_steps}"]
        return [*steps, *([] if self.max_usd is None else [f"--max-usd={self.max_usd!r}"])]


NO_OVERRIDES: Final = LimitOverrides()
