"""Random trees: as a plain description, as elements, and as what a host must show of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from hypothesis import strategies as st

from jupyter_ac.panels import Fragment, component, h
from jupyter_ac.panels.wire import JsonValue, UINode

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.sampled_from([0.5, 1.0, "", "a", "é", "\n"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner),
    max_leaves=4,
)


@dataclass(frozen=True)
class Described:
    """A part of a tree.

    Attributes:
        kind: an element's type, `text`, `hole`, `component`, `memo` or `fragment`.
        key: among its siblings.
        text: of a text.
        props: of an element, and the names of those that are functions.
        children: below.
    """

    kind: str
    key: str | int | None = None
    text: str = ""
    props: dict[str, JsonValue] = field(default_factory=dict)
    events: tuple[str, ...] = ()
    children: tuple["Described", ...] = ()


def _unique_keys(children: Sequence[Described]) -> tuple[Described, ...]:
    seen: set[object] = set()
    found = []
    for child in children:
        if child.key is None or (type(child.key), child.key) not in seen:
            found.append(child)
        seen.add((type(child.key), child.key))
    return tuple(found)


_KEYS = st.none() | st.sampled_from(["a", "b", "c", "1", 1, 2])
_LEAVES = st.builds(
    Described, st.just("text"), text=st.sampled_from(["", "x", "y", "ü", '"'])
) | st.just(Described("hole"))


def _inner(below: st.SearchStrategy[Described]) -> st.SearchStrategy[Described]:
    children = st.lists(below, max_size=6).map(_unique_keys)
    kinds = st.sampled_from(["div", "li", "p", "Chart", "component", "memo", "fragment"])
    props = st.dictionaries(st.sampled_from(["title", "style", "value"]), JSON, max_size=2)
    events = st.sets(st.sampled_from(["onClick", "onInput"])).map(
        lambda found: tuple(sorted(found))
    )
    return st.builds(Described, kinds, key=_KEYS, props=props, events=events, children=children)


PARTS = st.recursive(_LEAVES, _inner, max_leaves=12)
TREES = st.builds(Described, st.just("div"), children=st.lists(PARTS, max_size=8).map(_unique_keys))


def elements(described: Described, handler: Callable[[], None] = lambda: None) -> object:
    """The elements of a description."""
    children = [elements(child, handler) for child in described.children]
    if described.kind == "text":
        return described.text
    if described.kind == "hole":
        return None
    if described.kind == "fragment":
        return Fragment(*children, key=described.key)
    if described.kind == "component":
        return _shows(children, key=described.key)
    if described.kind == "memo":
        return _shows_memo(described, key=described.key)
    events = dict.fromkeys(described.events, handler)
    return h(described.kind, described.props, events, *children, key=described.key)


@component
def _shows(children: list[object]) -> object:
    return children


@component(memo=True)
def _shows_memo(described: Described) -> object:
    return [elements(child) for child in described.children]


def expected(described: Described) -> list[object]:
    """What a host must show: types, props, names of events, children; no ids."""
    below = [shown for child in described.children for shown in expected(child)]
    if described.kind == "text":
        return [described.text]
    if described.kind in {"hole", "component", "memo", "fragment"}:
        return below
    return [(described.kind, described.props, described.events, below)]


def without_ids(node: UINode | str) -> object:
    """What a host shows, in the form of `expected`."""
    assert not isinstance(node, str)
    if node["type"] == "#text":
        return node["text"]
    names = {name: f"_{name}HandlerId" for name in ("onClick", "onInput")}
    events = tuple(name for name, prop in names.items() if prop in node["props"])
    for name in events:
        assert node["props"][names[name]] == f"{node['id']}:{name}"
    props = {name: value for name, value in node["props"].items() if name not in names.values()}
    return (node["type"], props, events, [without_ids(child) for child in node["children"]])
