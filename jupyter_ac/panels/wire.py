"""Names and shapes of the panel protocol, version 3: nodes, mutations, limits."""

from collections.abc import Iterable
from typing import Final, Literal, NotRequired, TypeAlias, TypedDict

PROTOCOL_VERSION: Final = 3

MAX_DEPTH: Final = 64
"""Nodes above each other in a tree, and containers above each other in a prop."""

MAX_NODES: Final = 20_000
"""Elements, texts and components of a panel."""

MAX_TREE_BYTES: Final = 1 << 20
"""Size of a whole tree as JSON."""

TEXT: Final = "#text"
"""Type of the nodes that are text."""

LAYOUT_TAGS: Final = frozenset(
    {
        *(
            "a",
            "article",
            "aside",
            "br",
            "button",
            "code",
            "div",
            "em",
            "footer",
            "form",
            "h1",
            "h2",
        ),
        *(
            "h3",
            "h4",
            "h5",
            "h6",
            "header",
            "hr",
            "img",
            "input",
            "label",
            "li",
            "main",
            "nav",
            "ol",
        ),
        *("option", "p", "pre", "section", "select", "span", "strong", "table", "tbody", "td"),
        *("textarea", "th", "thead", "tr", "ul"),
    }
)
"""Types that every host shows; other types are custom components of a host."""

JsonValue: TypeAlias = "bool | int | float | str | list[JsonValue] | dict[str, JsonValue] | None"


class UINode(TypedDict):
    """A node of a tree.

    Attributes:
        id: unique in the tree, stable as long as the node lives.
        type: a layout tag, the name of a custom component, or `#text`.
        props: a function is there by its id, as `_onClickHandlerId`.
        children: a bare string is a text that can't be changed by itself; this SDK sends none.
        text: of a node of the type `#text` only.
    """

    id: str
    type: str
    props: dict[str, JsonValue]
    children: "list[UINode | str]"
    text: NotRequired[str]


class SetRoot(TypedDict):
    """Replaces the whole tree."""

    type: Literal["setRoot"]
    node: UINode | None


class AppendChild(TypedDict):
    """Adds a node behind a parent's children; moves it when it is in the tree already."""

    type: Literal["appendChild"]
    parentId: str
    node: UINode


class InsertBefore(TypedDict):
    """Adds a node before one of a parent's children; moves it when it is in the tree already."""

    type: Literal["insertBefore"]
    parentId: str
    node: UINode
    beforeId: str


class RemoveChild(TypedDict):
    """Removes a node with all below it."""

    type: Literal["removeChild"]
    parentId: str
    nodeId: str


class SetText(TypedDict):
    """Replaces the text of a text node."""

    type: Literal["setText"]
    nodeId: str
    text: str


class SetProps(TypedDict):
    """Replaces all props of a node."""

    type: Literal["setProps"]
    nodeId: str
    props: dict[str, JsonValue]


class MoveBefore(TypedDict):
    """Moves a node among its siblings without sending it again; only for hosts that ask for it.

    Attributes:
        beforeId: None: behind all others.
    """

    type: Literal["moveBefore"]
    parentId: str
    nodeId: str
    beforeId: str | None


Mutation: TypeAlias = (
    SetRoot | AppendChild | InsertBefore | RemoveChild | SetText | SetProps | MoveBefore
)


def is_event_prop(name: str) -> bool:
    """Return whether a prop is an event: `on` and an upper-case letter, such as `onClick`."""
    return name.startswith("on") and name[2:3].isupper()


def handler_id(node_id: str, prop: str) -> str:
    """Return the id of a node's function: the same one as long as the node lives."""
    return f"{node_id}:{prop}"


def handler_id_prop(prop: str) -> str:
    """Return the prop that has the id of an event's function: `onClick` → `_onClickHandlerId`."""
    return f"_{prop}HandlerId"


def handler_id_props(node_id: str, events: Iterable[str]) -> dict[str, JsonValue]:
    """Return the props with the ids of a node's functions."""
    return {handler_id_prop(prop): handler_id(node_id, prop) for prop in events}
