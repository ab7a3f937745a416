"""What is rendered now: a tree of instances, and in it the nodes that a host shows.

Elements and texts are nodes. Components and fragments aren't: what they show belongs to the nearest
element around them, their *host*. `nodes` of an element are its children as last committed.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol, TypeAlias

from jupyter_ac.panels.elements import ComponentElement, Element, Fragment, Handler, Slot
from jupyter_ac.panels.hook_slots import Hook
from jupyter_ac.panels.wire import TEXT, JsonValue, UINode
from jupyter_ac.rpc.codec import encode, utf8_bytes

_ELEMENT_BYTES: Final = len('{"id":"","type":"","props":,"children":[]}')
_TEXT_BYTES: Final = len('{"id":"","type":"#text","props":{},"children":[],"text":}')


class RenderListener(Protocol):
    """What components tell those who render them."""

    def invalidated(self, instance: "ComponentInstance") -> None:
        """A component must run again."""

    def on_loop(self, work: Callable[[], None]) -> None:
        """Do work on the loop's thread: at once if this is it."""


class TextInstance:
    """A text.

    Attributes:
        id: of its node.
        text: as it is now.
        host: the element around it.
        born: the commit that shows it first.
        is_alive: False after it was removed.
        size_bytes: of its node as JSON.
    """

    __slots__ = ("born", "host", "id", "is_alive", "size_bytes", "text")

    def __init__(self, id_: str, text: str, host: "ElementInstance", born: int) -> None:
        self.id = id_
        self.text = text
        self.host = host
        self.born = born
        self.is_alive = True
        self.size_bytes = 0

    def measure(self) -> int:
        """Bring `size_bytes` up to date; returns by how much it has grown."""
        before = self.size_bytes
        self.size_bytes = _TEXT_BYTES + len(self.id) + _text_bytes(self.text)
        return self.size_bytes - before

    def to_wire(self) -> UINode:
        """Return its node."""
        return {"id": self.id, "type": TEXT, "props": {}, "children": [], "text": self.text}


class ElementInstance:
    """An element; also the root, which has no id and isn't shown.

    Attributes:
        id: of its node; "" for the root.
        element: what it was made of last.
        props: as sent.
        handlers: functions by props.
        owner: the instance around it; None for the root.
        items: its children; None for holes.
        slots: of its children.
        nodes: the nodes of its children, as of the last commit.
        level: instances around it.
        depth: elements around it.
        born: the commit that shows it first.
        is_alive: False after it was removed.
        size_bytes: of its node as JSON, without its children.
    """

    __slots__ = (
        "born",
        "depth",
        "element",
        "handlers",
        "id",
        "is_alive",
        "items",
        "level",
        "nodes",
        "owner",
        "props",
        "props_json",
        "size_bytes",
        "slots",
    )

    def __init__(
        self, id_: str, element: Element, owner: "Owner | None", depth: int, born: int
    ) -> None:
        self.id = id_
        self.element = element
        self.owner = owner
        self.level: int = 0 if owner is None else owner.level + 1
        self.depth = depth
        self.born = born
        self.is_alive = True
        self.items: list[Item] = []
        self.slots: Sequence[Slot] = ()
        self.nodes: list[Node] = []
        self.props: dict[str, JsonValue] = {}
        self.props_json = "{}"
        self.handlers: Mapping[str, Handler] = {}
        self.size_bytes = 0

    @property
    def host(self) -> "ElementInstance":
        """Itself: what its children belong to."""
        return self

    def measure(self) -> int:
        """Bring `size_bytes` up to date; returns by how much it has grown."""
        before = self.size_bytes
        separators = max(0, len(self.nodes) - 1)
        props_bytes = utf8_bytes(self.props_json)
        type_bytes = len(self.element.type)
        self.size_bytes = _ELEMENT_BYTES + len(self.id) + type_bytes + props_bytes + separators
        return self.size_bytes - before

    def to_wire(self) -> UINode:
        """Return its node with all below it."""
        return {
            "id": self.id,
            "type": self.element.type,
            "props": self.props,
            "children": [node.to_wire() for node in self.nodes],
        }


class FragmentInstance:
    """A fragment, or a list among children.

    Attributes:
        element: what it was made of last.
        owner: the instance around it.
        host: the element around it.
        items: its children; None for holes.
        slots: of its children.
        level: instances around it.
    """

    __slots__ = ("element", "host", "items", "level", "owner", "slots")

    def __init__(self, element: Fragment, owner: "Owner") -> None:
        self.element = element
        self.owner = owner
        self.host: ElementInstance = owner.host
        self.level: int = owner.level + 1
        self.items: list[Item] = []
        self.slots: Sequence[Slot] = ()


class ComponentInstance:
    """A component with its state; what its hooks need to have it run again.

    Attributes:
        element: what it was made of last.
        owner: the instance around it.
        listener: is told of new state.
        host: the element around it.
        items: what it shows; None for holes.
        slots: of these.
        level: instances around it.
        hooks: in the order of their calls.
        is_mounted: it has run without an error.
        is_dirty: its state has changed since it ran.
        is_alive: False after it was removed.
        size: nodes that its last result stands for.
        seen: its arguments at that time, for a memo.
        runs: how often it ran in the flush `flush`.
    """

    __slots__ = (
        "element",
        "flush",
        "hooks",
        "host",
        "is_alive",
        "is_dirty",
        "is_mounted",
        "items",
        "level",
        "listener",
        "owner",
        "runs",
        "seen",
        "size",
        "slots",
    )

    def __init__(self, element: ComponentElement, owner: "Owner", listener: RenderListener) -> None:
        self.element = element
        self.owner = owner
        self.listener = listener
        self.host: ElementInstance = owner.host
        self.level: int = owner.level + 1
        self.items: list[Item] = []
        self.slots: Sequence[Slot] = ()
        self.hooks: list[Hook] = []
        self.is_mounted = self.is_dirty = False
        self.is_alive = True
        self.size = 0
        self.seen: object = None
        self.runs = self.flush = 0

    def invalidate(self) -> None:
        """Run again, with the next flush."""
        if self.is_alive and not self.is_dirty:
            self.is_dirty = True
            self.listener.invalidated(self)

    def on_loop(self, work: Callable[[], None]) -> None:
        """Do work on the loop's thread: at once if this is it."""
        self.listener.on_loop(work)

    def outer_hooks(self) -> Iterator[Hook]:
        """Yield the hooks of the components around this one, the nearest first."""
        owner: Owner | None = self.owner
        while owner is not None:
            if isinstance(owner, ComponentInstance):
                yield from owner.hooks
            owner = owner.owner


Node: TypeAlias = TextInstance | ElementInstance
Instance: TypeAlias = Node | FragmentInstance | ComponentInstance
Item: TypeAlias = Instance | None
Owner: TypeAlias = ElementInstance | FragmentInstance | ComponentInstance


def _text_bytes(text: str) -> int:
    """Return the length of a text as JSON."""
    if text.isascii() and text.isprintable() and '"' not in text and "\\" not in text:
        return len(text) + 2
    return utf8_bytes(encode(text))


def nodes_of(items: Iterable[Item]) -> list[Node]:
    """Return the nodes of instances, in order."""
    found: list[Node] = []
    for item in items:
        if item is None:
            continue
        if isinstance(item, ElementInstance | TextInstance):
            found.append(item)
        else:
            found += nodes_of(item.items)
    return found
