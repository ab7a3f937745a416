"""Elements: what components return. Values that describe a part of the tree, checked when made.

Each element knows how many nodes it stands for and how deep it is, so that a tree which is too
large is refused before anything is done with it, also one that shares its parts.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from itertools import islice
from typing import Final, Protocol, TypeAlias

from jupyter_ac.errors import PanelError, TooLarge
from jupyter_ac.panels.json_values import json_copy
from jupyter_ac.panels.wire import MAX_NODES, JsonValue, is_event_prop

Key: TypeAlias = str | int
Handler: TypeAlias = Callable[..., object]
Child: TypeAlias = "Element | ComponentElement | Fragment | str | None"
"""None is a hole: it shows nothing and keeps the places of those behind it."""

Slot: TypeAlias = str | int | tuple[int]
"""Identifies a child among its siblings: a key of text, its place, or a key of a number."""

_TYPE: Final = re.compile(r"[A-Za-z][A-Za-z0-9._:-]{0,63}")
_PROP: Final = re.compile(r"[A-Za-z][A-Za-z0-9._:-]{0,127}")
_ALIASES: Final = {"class": "className", "for": "htmlFor"}
_DASHED: Final = ("data_", "aria_")


class Children:
    """Checked children of an element.

    Attributes:
        items: as they are shown.
        slots: one for each, all different.
        size: the nodes that they stand for.
        height: elements, fragments and texts above each other.
    """

    __slots__ = ("height", "items", "size", "slots")

    def __init__(self, given: Iterable[object]) -> None:
        items: list[Child] = []
        slots: list[Slot] = []
        size = height = 0
        has_keys = False
        for place, value in enumerate(given):
            child = value if type(value) is str or value is None else _as_child(value)
            items.append(child)
            slot: Slot = place
            if isinstance(child, str):
                size += 1
                height = height or 1
            elif child is not None:
                if child.key is not None:
                    has_keys = True
                    slot = child.key if isinstance(child.key, str) else (child.key,)
                size += child.size
                height = max(height, child.height)
            slots.append(slot)
        if has_keys and len(set(slots)) < len(slots):
            raise PanelError(
                f"Two children have the key {_repeated(slots)!r}; keys are unique among siblings."
            )
        self.items = items
        self.slots = slots
        self.size: int = size
        self.height: int = height


class Element:
    """An element of the page, or a custom component of the host.

    Attributes:
        type: a layout tag or the component's name.
        key: identifies it among its siblings; None: its place does.
        props: what is sent, without its functions.
        handlers: functions by the names of their props, such as `onClick`.
        children: its children.
        size: nodes that it stands for.
        height: of these and what is below, see `Children`.
    """

    __slots__ = ("children", "handlers", "height", "key", "props", "size", "type")

    def __init__(
        self,
        type_: str,
        key: Key | None,
        props: dict[str, JsonValue],
        handlers: Mapping[str, Handler],
        children: Children,
    ) -> None:
        self.type = type_
        self.key = key
        self.props = props
        self.handlers = handlers
        self.children = children
        self.size: int = children.size + 1
        self.height: int = children.height + 1


class Fragment:
    """Several children in the place of one.

    Args:
        children: as of an element.
        key: identifies it among its siblings.
    """

    __slots__ = ("children", "height", "key", "size")

    def __init__(self, *children: object, key: Key | None = None) -> None:
        self.key = checked_key(key)
        self.children = Children(children)
        self.size: int = self.children.size
        self.height: int = self.children.height + 1


class Runnable(Protocol):
    """A component: what a `ComponentElement` refers to."""

    @property
    def name(self) -> str:
        """For messages."""

    @property
    def is_memo(self) -> bool:
        """Whether it need not run again while its arguments are unchanged."""

    def run(self, args: tuple[object, ...], kwargs: Mapping[str, object]) -> object:
        """Return what it shows; may raise anything."""


class ComponentElement:
    """A component with its arguments; runs when it is rendered.

    Attributes:
        component: what is run.
        args: its positional arguments.
        kwargs: its named arguments.
        key: identifies it among its siblings; None: its place does.
        size: counts as one node, beside those that it renders.
        height: what it shows isn't known before it runs.
    """

    __slots__ = ("args", "component", "key", "kwargs")

    size: Final = 1
    height: Final = 0

    def __init__(
        self,
        component: Runnable,
        args: tuple[object, ...],
        kwargs: Mapping[str, object],
        key: Key | None = None,
    ) -> None:
        self.component = component
        self.args = args
        self.kwargs = kwargs
        self.key = key


def h(type_: str, /, *children: object, key: Key | None = None, **props: object) -> Element:
    """Return an element.

    Args:
        type_: a layout tag, or the name of a custom component of the host.
        children: elements, texts, numbers, lists of them; None and bools show nothing. A dict among
            them has props, for names that aren't Python's.
        key: identifies it among its siblings, so that it keeps its state when it moves.
        props: JSON values, and functions for events; `on_click` and `onClick` are the same, so are
            `class_name` and `className`, `for_` and `htmlFor`. They are copied.

    Raises:
        PanelError: a name, a prop or a child that can't be sent.
        TooLarge: more than a tree may have.
    """
    if not isinstance(type_, str):
        raise PanelError("h needs the name of a type; a component is called: Counter(start=5).")
    if _TYPE.fullmatch(type_) is None:
        raise PanelError(
            f"{type_[:64]!r} is no type of an element; it has letters, digits, . _ : and -"
        )
    kinds = set(map(type, children))
    if not kinds <= _NO_MAPPINGS:
        shown: list[object] = []
        for child in children:
            if isinstance(child, Mapping):
                props = {**child, **props}
            else:
                shown.append(child)
        inner_key = props.pop("key", None)
        key = checked_key(inner_key) if key is None else key
        children = tuple(shown)
    sent: dict[str, JsonValue] = {}
    handlers: dict[str, Handler] = {}
    for written, value in props.items():
        name = prop_name(written)
        if is_event_prop(name):
            if value is not None:
                handlers[name] = _checked_handler(name, value)
        else:
            sent[name] = json_copy(value, name)
    return Element(type_, checked_key(key), sent, handlers, Children(children))


_NO_MAPPINGS: Final = frozenset(
    {
        *(str, int, float, bool, list, type(None)),
        *(Element, ComponentElement, Fragment),
    }
)
"""Types of children that need not be asked whether they are mappings, which takes long."""


def checked_key(key: object) -> Key | None:
    """Return a key.

    Raises:
        PanelError: it is neither a text nor a whole number.
    """
    if key is None or type(key) is str:
        return key
    if isinstance(key, bool) or not isinstance(key, str | int):
        raise PanelError(
            f"A key is a text or a whole number, not of the type {type(key).__name__}."
        )
    return str.__str__(key) if isinstance(key, str) else int(key)


@lru_cache(maxsize=2_048)
def prop_name(written: str) -> str:
    """Return the name of a prop on the wire: `on_click` → `onClick`, `aria_label` → `aria-label`.

    Raises:
        PanelError: a name that can't be used.
    """
    if _PROP.fullmatch(written) is None or written == "children":
        raise PanelError(
            f"{written[:64]!r} is no name of a prop; it begins with a letter, and children are "
            "positional arguments."
        )
    name = written.removesuffix("_")
    if name.startswith(_DASHED):
        return name.replace("_", "-")
    first, *others = name.split("_")
    camel = first + "".join(part[:1].upper() + part[1:] for part in others)
    return _ALIASES.get(camel, camel)


def _as_child(value: object) -> Child:
    if isinstance(value, Element | ComponentElement | Fragment):
        return value
    if isinstance(value, bool):
        return None
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int | float):
        return str(value)
    if callable(value):
        raise PanelError(f"{_name_of(value)} is a function, which can't be shown; call it.")
    if isinstance(value, Iterable) and not isinstance(value, bytes | Mapping):
        return Fragment(*_bounded(value))
    raise PanelError(
        f"A child can't be of the type {type(value).__name__}; it is an element, a text, a number, "
        "a list of these or None."
    )


def _bounded(values: Iterable[object]) -> list[object]:
    found = list(islice(values, MAX_NODES + 1))
    if len(found) > MAX_NODES:
        raise TooLarge(f"A list of children has more than {MAX_NODES:,}; show a part of it.")
    return found


def _checked_handler(name: str, value: object) -> Handler:
    if not callable(value):
        raise PanelError(f"{name} must be a function, not of the type {type(value).__name__}.")
    return value


def _name_of(value: object) -> str:
    name = getattr(value, "name", None) or getattr(value, "__qualname__", None)
    return name if isinstance(name, str) else type(value).__name__


def _repeated(slots: list[Slot]) -> object:
    seen: set[Slot] = set()
    for slot in slots:
        if slot in seen:
            return slot[0] if isinstance(slot, tuple) else slot
        seen.add(slot)
    return None
