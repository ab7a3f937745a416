"""The life of a panel: when it renders, and to whom its tree is sent.

All of it happens on one event loop; state may be set from other threads. Whatever happens within an
iteration of the loop is rendered once. What follows within the same frame is rendered at its end.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from jupyter_ac.panels.components import Component
from jupyter_ac.panels.elements import ComponentElement
from jupyter_ac.panels.environment import ENVIRONMENT, Environment, merged
from jupyter_ac.panels.frame_pacer import FramePacer
from jupyter_ac.panels.panel_code import PanelCode
from jupyter_ac.panels.renderer import Renderer
from jupyter_ac.panels.reports import Audience
from jupyter_ac.panels.services import NO_SERVICES, SERVICES, Services
from jupyter_ac.panels.wire import UINode

_SHOWN_CHARS: Final = 100
"""Of an id that a host has made up."""


class PanelRuntime:
    """A panel that can be shown by any number of views, which share its state.

    Args:
        app: the component that is shown; gets the props as its named arguments.
        props: these until a host gives others.
        services: what `use_services()` returns.
    """

    def __init__(
        self,
        app: Component,
        props: Mapping[str, object] | None = None,
        services: Services = NO_SERVICES,
    ) -> None:
        self._app = app
        self._services = services
        self._first_props = dict(props or {})
        self._element = ComponentElement(app, (), self._first_props)
        self._environment = Environment()
        self._audience: dict[Audience, None] = {}
        self._pacer = FramePacer(self.flush)
        self._code = PanelCode(self._audience)
        self._renderer = Renderer(
            self._schedule, self._code.on_loop, self._code.report, self._note_caught
        )

    @property
    def is_running(self) -> bool:
        """Whether it has views."""
        return self._code.loop is not None

    def start(
        self, view: Audience, props: Mapping[str, object] | None, environment: Environment
    ) -> None:
        """Render for the first time, on the running loop; the view is told.

        Args:
            view: the first one.
            props: in place of the first ones; None: those.
            environment: of the view's host.
        """
        self._code.start()
        self._audience[view] = None
        self._environment = environment
        self._set_element(self._first_props if props is None else props)
        self._show()
        self.flush()

    def join(self, view: Audience) -> None:
        """Add a view to a running panel."""
        self.flush()
        self._audience[view] = None

    async def leave(self, view: Audience) -> None:
        """Remove a view; with the last one the panel ends."""
        self._audience.pop(view, None)
        if not self._audience:
            await self.close()

    async def close(self) -> None:
        """Remove all components, clean up after their effects, and end their tasks; idempotent."""
        if self._code.loop is None:
            return
        self._pacer.cancel()
        self._code.run(self._renderer.close)
        self._audience.clear()
        await self._code.end()

    def set_props(self, props: Mapping[str, object]) -> None:
        """Replace the props."""
        self._set_element(props)
        self._show()

    def set_environment(self, environment: Mapping[str, object]) -> None:
        """Change members of the environment; only components that use it run again.

        Raises:
            InvalidParams: a wrong value.
        """
        self._environment = merged(self._environment, environment)
        self._show()

    def execute(self, handler_id: str, args: Sequence[object]) -> None:
        """Run the function of an event; one that is no longer there is noted in the log.

        What earlier events have changed is rendered before: the function knows it.

        Raises:
            Busy: too many of them are running.
        """
        if self._renderer.is_dirty:
            self.flush()
        handler = self._renderer.take_event(handler_id, args)
        if handler is None:
            self._code.log(
                "warn", f"There is no handler {handler_id[:_SHOWN_CHARS]}; its node has gone."
            )
            return
        self._code.handle(handler, args)

    def tree(self) -> UINode | None:
        """Return the tree, with all that has changed until now."""
        self.flush()
        return self._renderer.tree()

    def flush(self) -> None:
        """Render what has new state, tell the views, and run effects."""
        self._pacer.cancel()
        loop = self._code.loop
        if loop is None:
            return
        commit = self._code.run(self._renderer.flush)
        if not commit.is_empty:
            self._pacer.note_frame(loop)
            for view in tuple(self._audience):
                view.committed(commit)
        self._code.run(self._renderer.run_effects)

    def _set_element(self, props: Mapping[str, object]) -> None:
        self._element = ComponentElement(self._app, (), dict(props))

    def _show(self) -> None:
        element = ENVIRONMENT.provide(self._environment, self._element)
        self._renderer.show(SERVICES.provide(self._services, element))

    def _schedule(self) -> None:
        loop = self._code.loop
        if loop is not None:
            self._pacer.ask(loop)

    def _note_caught(self, error: BaseException) -> None:
        self._code.log("error", f"An error boundary shows: {type(error).__name__}: {error}")
