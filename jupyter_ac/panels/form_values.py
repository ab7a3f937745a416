"""What people have done to form controls since their elements were last compared.

A host shows what a person has typed, whatever it was told before. So an element whose props are as
before may still have to be sent: to be shown as the component says, such as an empty field.
"""

from collections.abc import Sequence
from typing import Final

from jupyter_ac.panels.instances import ElementInstance

_EVENTS: Final = frozenset({"onChange", "onInput"})
_TYPES: Final = frozenset({"input", "textarea", "select"})
_OTHER_INPUTS: Final = frozenset({"radio", "file", "button", "submit", "reset"})
"""Their events say nothing of their value, or it can't be set."""


class FormValues:
    """Values that hosts have reported, by the nodes of their controls."""

    def __init__(self) -> None:
        self._reported: dict[str, object] = {}

    def note(self, handler_id: str, args: Sequence[object]) -> None:
        """Note what an event says of the control that its function belongs to."""
        node_id, _, event = handler_id.rpartition(":")
        if event in _EVENTS and args:
            self._reported[node_id] = args[0]

    def forget(self, node_id: str) -> None:
        """Forget a node that has gone."""
        self._reported.pop(node_id, None)

    def take_difference(self, instance: ElementInstance) -> bool:
        """Return whether a control may show something else than its props say; asks once."""
        if instance.id not in self._reported:
            return False
        reported = self._reported.pop(instance.id)
        kind, props = instance.element.type, instance.props
        if kind not in _TYPES or (kind == "input" and props.get("type") in _OTHER_INPUTS):
            return False
        is_checkbox = kind == "input" and props.get("type") == "checkbox"
        said = props.get("checked" if is_checkbox else "value")
        return said is not None and _comparable(said) != _comparable(reported)


def _comparable(value: object) -> object:
    """Return numbers as the text that a control has."""
    if isinstance(value, list):
        return [_comparable(item) for item in value]
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    return value
