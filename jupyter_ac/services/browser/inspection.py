"""Methods by which the user chooses elements in a page."""

from typing import TypedDict, cast

from jupyter_ac.browser.selected_element import SelectedElement
from jupyter_ac.rpc.methods import Access, CallRules, method
from jupyter_ac.rpc.target_states import CONNECTED, INSPECTING
from jupyter_ac.services.browser.page_connection import PageConnection
from jupyter_ac.services.browser.watched_targets import OPEN, WatchedTargets


class InspectMode(TypedDict):
    """Whether the user is choosing elements.

    Attributes:
        success: true.
        inspect_active: a click in the page chooses an element.
    """

    success: bool
    inspect_active: bool


class ClearedSelections(TypedDict):
    """The result of `browser.clear`: no element is chosen.

    Attributes:
        success: true.
        selections: empty.
    """

    success: bool
    selections: dict[str, object]


class InspectMethods:
    """Choosing elements.

    Args:
        targets: the watched ones.
        page: that of seed 003's clients.
    """

    def __init__(self, targets: WatchedTargets, page: PageConnection) -> None:
        self._targets = targets
        self._page = page

    @method(
        Access.WRITE,
        rules=CallRules(requires_state=(CONNECTED,), trigger="start_inspect", changes_state=True),
    )
    async def start_inspect(self, target: str = "") -> InspectMode:
        """Let the user choose elements: each click in the page chooses one, Escape ends it."""
        await self._targets.act(target, "start_inspect")
        self._page.mirror(target, "start_inspect")
        return {"success": True, "inspect_active": True}

    @method(
        Access.WRITE,
        rules=CallRules(requires_state=(INSPECTING,), trigger="stop_inspect", changes_state=True),
    )
    async def stop_inspect(self, target: str = "") -> InspectMode:
        """End the choosing of elements; what was chosen stays."""
        await self._targets.act(target, "stop_inspect")
        self._page.mirror(target, "stop_inspect")
        return {"success": True, "inspect_active": False}

    @method(Access.WRITE, rules=CallRules(requires_state=OPEN, changes_state=True))
    async def clear_selections(self, target: str = "") -> ClearedSelections:
        """Forget the chosen elements."""
        await self._targets.act(target, "clear_selections")
        return {"success": True, "selections": {}}

    @method(Access.READ, rules=CallRules(requires_state=OPEN))
    async def get_selection(self, id: str, target: str = "") -> SelectedElement:
        """Return a chosen element: selector, role and name, HTML, styles, place, screenshot."""
        return cast(
            "SelectedElement", await self._targets.act(target, "selection", {"element_id": id})
        )
