"""Panels: interactive user interfaces, written in Python as components with hooks.

    @component
    def Counter(start=0):
        count, set_count = use_state(start)
        return html.button({"on_click": lambda: set_count(count + 1)}, f"{count} clicks")

A component returns elements; when its state changes, it runs again, and the hosts that show it get
the difference. Importing this package loads the standard library and our RPC peer's codec only.
docs/panels.md has the rules.
"""

from jupyter_ac.panels.components import Component, component
from jupyter_ac.panels.contexts import Context, create_context, use_context
from jupyter_ac.panels.current_panel import log, report_error
from jupyter_ac.panels.elements import Fragment, h
from jupyter_ac.panels.environment import Environment, use_environment
from jupyter_ac.panels.error_boundary import ErrorBoundary
from jupyter_ac.panels.hooks import Ref, use_effect, use_memo, use_reducer, use_ref, use_state
from jupyter_ac.panels.plugin import Plugin
from jupyter_ac.panels.runtime import PanelRuntime
from jupyter_ac.panels.services import Services, use_services
from jupyter_ac.panels.tags import Tag, html
from jupyter_ac.panels.views import PanelView, view_methods

__all__ = [
    "Component",
    "Context",
    "Environment",
    "ErrorBoundary",
    "Fragment",
    "PanelRuntime",
    "PanelView",
    "Plugin",
    "Ref",
    "Services",
    "Tag",
    "component",
    "create_context",
    "h",
    "html",
    "log",
    "report_error",
    "use_context",
    "use_effect",
    "use_environment",
    "use_memo",
    "use_reducer",
    "use_ref",
    "use_services",
    "use_state",
    "view_methods",
]
