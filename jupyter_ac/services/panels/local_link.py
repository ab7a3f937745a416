"""The link to a plugin that runs in this process, on the loop of the pages."""

import inspect

from jupyter_ac.errors import MethodNotFound
from jupyter_ac.panels.views import PanelView, view_methods


class LocalLink:
    """A view of a plugin in this process.

    Args:
        view: of its host.
    """

    def __init__(self, view: PanelView) -> None:
        self._view = view
        self._methods = view_methods(view)

    async def call(self, method: str, /, *args: object) -> object:
        """Call a method of the protocol.

        Raises:
            MethodNotFound: there is none of this name.
            AcError: the plugin refused it.
        """
        found = self._methods.get(method)
        if found is None:
            raise MethodNotFound(f"a panel has no method {method}")
        result = found.handler(*args)
        return await result if inspect.isawaitable(result) else result

    async def end(self) -> None:
        """End the view; the plugin ends with its last one."""
        await self._view.destroy()
