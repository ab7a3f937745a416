"""Effects: what components do after they were shown, and how that is undone."""

import inspect
from collections.abc import Callable
from typing import Final

from jupyter_ac.errors import PanelError
from jupyter_ac.panels.current_panel import current_panel

NEVER: Final = object()
"""In place of the dependencies of what hasn't run yet, or runs each time."""


class EffectHook:
    """An effect, what it depends on, and how to clean up after it.

    Attributes:
        dependencies: a snapshot of those that it last ran with.
    """

    name: Final = "use_effect"

    def __init__(self) -> None:
        self.dependencies: object = NEVER
        self._staged: Callable[[], object] | None = None
        self._cleanup: Callable[[], object] | None = None

    def stage(self, effect: Callable[[], object], dependencies: object) -> None:
        """Take the effect of a run that has succeeded."""
        self._staged = effect
        self.dependencies = dependencies

    def run(self) -> None:
        """Clean up after the last time, and start what is staged; raises what they raise."""
        effect, self._staged = self._staged, None
        if effect is None:
            return
        self.clean_up()
        result = effect()
        if inspect.iscoroutine(result):
            self._cleanup = current_panel().start_task(result).cancel
        elif result is None or callable(result):
            self._cleanup = result
        else:
            raise PanelError(
                "An effect returns None or a function that cleans up, not an object of the type "
                f"{type(result).__name__}."
            )

    def clean_up(self) -> None:
        """Clean up after the last time; raises what that raises."""
        cleanup, self._cleanup = self._cleanup, None
        if cleanup is not None:
            cleanup()

    def release(self) -> None:
        """Drop an effect that hasn't been started."""
        self._staged = None
