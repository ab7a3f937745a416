"""Brings instances in line with elements: reuses those that match, by key or by place.

A component that fails keeps what it showed before; a new one shows nothing.
"""

from itertools import count
from typing import Final

from jupyter_ac.panels.component_runner import ComponentRunner
from jupyter_ac.panels.effects import EffectHook
from jupyter_ac.panels.elements import Child, Children, ComponentElement, Element, Fragment
from jupyter_ac.panels.form_values import FormValues
from jupyter_ac.panels.handlers import HandlerRegistry
from jupyter_ac.panels.instances import (
    ComponentInstance,
    ElementInstance,
    FragmentInstance,
    Item,
    Owner,
    RenderListener,
    TextInstance,
    nodes_of,
)
from jupyter_ac.panels.tree_changes import Change, TreeChanges
from jupyter_ac.panels.wire import handler_id_props
from jupyter_ac.rpc.codec import encode

_IDS: Final = count(1)
"""Of nodes: also panels that follow each other in one view never share any."""


class Reconciler:
    """The instances of a panel, their nodes and their functions.

    Args:
        runner: runs the components.
        listener: is told of components with new state.

    Attributes:
        root: has what is shown as its children.
        handlers: the functions of all nodes.
        form_values: what people have done to the form controls.
        effects: to be run after the commit, with the component of each; inner ones first.
        cleanups: effects of removed components, to be cleaned up after the commit.
        tree_bytes: of all nodes as JSON, as of the last commit.
    """

    def __init__(self, runner: ComponentRunner, listener: RenderListener) -> None:
        self.root = ElementInstance("", Element("root", None, {}, {}, Children(())), None, 0, 0)
        self.handlers = HandlerRegistry()
        self.form_values = FormValues()
        self.effects: list[tuple[ComponentInstance, EffectHook]] = []
        self.cleanups: list[tuple[ComponentInstance, EffectHook]] = []
        self.tree_bytes = 0
        self._runner = runner
        self._listener = listener
        self._changes = TreeChanges()
        self._commit = 1

    def show(self, child: Child) -> None:
        """Show an element as the only one, or nothing."""
        self._reconcile(self.root, Children((child,)))

    def run(self, instance: ComponentInstance) -> None:
        """Run a component, and bring what it shows in line with its result."""
        done = self._runner.run(instance)
        if done is None:
            return
        self._reconcile(instance, done.shown)
        for effect, function, dependencies in done.effects:
            effect.stage(function, dependencies)
            self.effects.append((instance, effect))

    def commit(self) -> list[Change]:
        """Bring the nodes in line with the instances; returns the changes but for the root's."""
        changes, grown_bytes = self._changes.commit(self._commit)
        self.tree_bytes += grown_bytes
        self._commit += 1
        return changes

    def _reconcile(self, owner: Owner, children: Children) -> None:
        if not owner.slots:
            self._fill(owner, children)
            is_changed = bool(children.slots)
        elif children.slots == owner.slots:
            is_changed = self._update_in_place(owner.items, children, owner)
        else:
            self._update_by_slots(owner, children)
            is_changed = True
        if is_changed:
            self._changes.parents[owner.host] = None

    def _update_in_place(self, items: list[Item], children: Children, owner: Owner) -> bool:
        is_changed = False
        for place, child in enumerate(children.items):
            item = items[place]
            if _matches(item, child):
                self._update(item, child)
            else:
                self._remove(item)
                items[place] = self._add(child, owner)
                is_changed = True
        return is_changed

    def _update_by_slots(self, owner: Owner, children: Children) -> None:
        before = dict(zip(owner.slots, owner.items, strict=True))
        items: list[Item] = []
        for slot, child in zip(children.slots, children.items, strict=True):
            item = before.get(slot)
            if item is not None and _matches(item, child):
                del before[slot]
                items.append(item)
            else:
                items.append(None)
        for item in before.values():
            self._remove(item)
        for place, child in enumerate(children.items):
            item = items[place]
            if item is None:
                items[place] = self._add(child, owner)
            else:
                self._update(item, child)
        owner.items = items
        owner.slots = children.slots

    def _add(self, child: Child, owner: Owner) -> Item:
        if child is None:
            return None
        if isinstance(child, str):
            return self._add_text(child, owner)
        if isinstance(child, Element):
            return self._add_element(child, owner)
        if isinstance(child, ComponentElement):
            component = ComponentInstance(child, owner, self._listener)
            self.run(component)
            return component
        fragment = FragmentInstance(child, owner)
        self._fill(fragment, child.children)
        return fragment

    def _add_text(self, text: str, owner: Owner) -> TextInstance:
        added = TextInstance(f"text-{next(_IDS)}", text, owner.host, self._commit)
        self.tree_bytes += added.measure()
        return added

    def _add_element(self, element: Element, owner: Owner) -> ElementInstance:
        added = ElementInstance(
            f"node-{next(_IDS)}", element, owner, owner.host.depth + 1, self._commit
        )
        self._set_props(added, element)
        self._fill(added, element.children)
        added.nodes = nodes_of(added.items)
        self.tree_bytes += added.measure()
        return added

    def _fill(self, owner: Owner, children: Children) -> None:
        add = self._add
        owner.items = [add(child, owner) for child in children.items]
        owner.slots = children.slots

    def _set_props(self, instance: ElementInstance, element: Element) -> bool:
        """Set props and functions; returns whether the props are others on the wire."""
        if element.handlers or instance.handlers:
            self.handlers.replace(instance.id, instance.handlers, element.handlers)
            instance.handlers = element.handlers
        props = element.props
        if element.handlers:
            props = {**props, **handler_id_props(instance.id, element.handlers)}
        props_json = encode(props) if props else "{}"
        if props_json == instance.props_json:
            return False
        instance.props, instance.props_json = props, props_json
        return True

    def _update(self, item: Item, child: Child) -> None:
        if isinstance(item, TextInstance) and isinstance(child, str):
            if item.text != child:
                item.text = child
                self.tree_bytes += item.measure()
                self._changes.texts[item] = None
        elif isinstance(item, ElementInstance) and isinstance(child, Element):
            self._update_element(item, child)
        elif isinstance(item, ComponentInstance) and isinstance(child, ComponentElement):
            self._update_component(item, child)
        elif isinstance(item, FragmentInstance) and isinstance(child, Fragment):
            item.element = child
            self._reconcile(item, child.children)

    def _update_element(self, instance: ElementInstance, element: Element) -> None:
        if element is instance.element:
            return
        instance.element = element
        has_news = self._set_props(instance, element)
        if has_news:
            self.tree_bytes += instance.measure()
        if self.form_values.take_difference(instance) or has_news:
            self._changes.props[instance] = None
        self._reconcile(instance, element.children)

    def _update_component(self, instance: ComponentInstance, element: ComponentElement) -> None:
        if element is instance.element:
            return
        instance.element = element
        if not self._runner.may_skip(instance, element):
            self.run(instance)

    def _remove(self, item: Item) -> None:
        if item is None:
            return
        if isinstance(item, TextInstance):
            item.is_alive = False
            self.tree_bytes -= item.size_bytes
            return
        for inner in item.items:
            self._remove(inner)
        if isinstance(item, ElementInstance):
            item.is_alive = False
            self.tree_bytes -= item.size_bytes
            self.handlers.replace(item.id, item.handlers, {})
            self.form_values.forget(item.id)
        elif isinstance(item, ComponentInstance):
            self._remove_component(item)

    def _remove_component(self, instance: ComponentInstance) -> None:
        instance.is_alive = False
        self._runner.forget(instance)
        for hook in instance.hooks:
            hook.release()
            if isinstance(hook, EffectHook):
                self.cleanups.append((instance, hook))


def _matches(item: Item, child: Child) -> bool:
    """Return whether an instance can show an element and keep its state."""
    if child is None:
        return item is None
    if isinstance(child, str):
        return isinstance(item, TextInstance)
    if isinstance(child, Element):
        return isinstance(item, ElementInstance) and item.element.type == child.type
    if isinstance(child, ComponentElement):
        return isinstance(item, ComponentInstance) and item.element.component is child.component
    return isinstance(item, FragmentInstance)
