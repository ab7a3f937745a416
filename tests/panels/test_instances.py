"""Sizes and wire forms of nodes."""

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.panels import html
from jupyter_ac.panels.components import Component
from jupyter_ac.panels.elements import ComponentElement, Fragment
from jupyter_ac.panels.instances import (
    ComponentInstance,
    ElementInstance,
    FragmentInstance,
    TextInstance,
    nodes_of,
)
from jupyter_ac.rpc.codec import encode, utf8_bytes


def element(name: str = "node-1") -> ElementInstance:
    return ElementInstance(name, html.p(), None, 0, 1)


@given(st.text())
def test_the_size_of_a_text_is_that_of_its_json(text: str) -> None:
    instance = TextInstance("text-1", text, element(), 1)
    grown = instance.measure()
    assert grown == instance.size_bytes == utf8_bytes(encode(instance.to_wire()))
    instance.text = "another"
    assert instance.measure() == instance.size_bytes - grown


def test_the_size_of_an_element_leaves_its_children_out() -> None:
    parent = element()
    parent.nodes = [element("node-2"), element("node-3")]
    children = sum(node.measure() for node in parent.nodes)
    parent.measure()
    assert parent.size_bytes + children == len(encode(parent.to_wire()))


def test_components_and_fragments_are_no_nodes() -> None:
    class Deaf:
        def invalidated(self, instance: ComponentInstance) -> None: ...

        def on_loop(self, work: object) -> None: ...

    root, text, inner = element(), TextInstance("t", "", element(), 1), element("node-2")
    fragment = FragmentInstance(Fragment(), root)
    shows = ComponentInstance(ComponentElement(Component(print), (), {}), fragment, Deaf())
    shows.items = [text, None]
    fragment.items = [None, shows, inner]
    assert nodes_of([fragment, None, root]) == [text, inner, root]
    assert (shows.level, shows.host) == (2, root)
