"""Which methods of the server plugins may be granted, by who offers them."""

from collections.abc import Mapping
from typing import Final

from jupyter_ac.hosts.panels.plugin_calls import Grants
from jupyter_ac.rpc.methods import Access, Method
from jupyter_ac.services.panels.panel_methods import NAMESPACE

BUILT_IN_METHODS: Final[frozenset[str]] = frozenset(
    {"Tests.run", "Tests.collect", "Tests.stop", "LLMService.add_context"}
)
"""Methods that are no reads, and that panels of this package may be granted.

`Tests.*` ask the person before anything runs; what `add_context` adds is a chip in the next
question, with its secrets masked, which the person may remove.
"""


def installed_grants(table: Mapping[str, Method], *, is_own: bool) -> Grants:
    """Return what plugins of installed packages may be granted: the methods that only read.

    Args:
        table: of the workspace.
        is_own: the plugin comes with this package.
    """
    allowed = {
        name: method
        for name, method in table.items()
        if not name.startswith(f"{NAMESPACE}.")
        and (method.access is Access.READ or (is_own and name in BUILT_IN_METHODS))
    }
    return Grants(allowed, "plugins of installed packages may only read.")


def no_grants() -> Grants:
    """Return what all other plugins may be granted: nothing."""
    return Grants({}, "only plugins of installed packages are granted methods of the server.")
