"""Gathers what has changed since the last commit, and makes mutations of it.

The order of a batch matters to hosts that check it: texts and props first, then children, the
deepest parents first. So a node that is moved is sent as it already is at the host.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from jupyter_ac.panels.child_order import staying
from jupyter_ac.panels.instances import ElementInstance, Node, TextInstance, nodes_of
from jupyter_ac.panels.wire import Mutation


@dataclass(frozen=True, slots=True)
class Placement:
    """A child that is new, or moves.

    Attributes:
        parent: of the child.
        node: the child.
        before: the sibling that it comes before; None: behind all.
        is_move: the host has it already.
    """

    parent: ElementInstance
    node: Node
    before: Node | None
    is_move: bool

    def to_wire(self, *, moves: bool) -> Mutation:
        """Return the mutation.

        Args:
            moves: the host knows `moveBefore`.
        """
        parent_id = self.parent.id
        before_id = None if self.before is None else self.before.id
        if self.is_move and moves:
            return {
                "type": "moveBefore",
                "parentId": parent_id,
                "nodeId": self.node.id,
                "beforeId": before_id,
            }
        node = self.node.to_wire()
        if before_id is None:
            return {"type": "appendChild", "parentId": parent_id, "node": node}
        return {
            "type": "insertBefore",
            "parentId": parent_id,
            "node": node,
            "beforeId": before_id,
        }


Change: TypeAlias = Mutation | Placement


@dataclass(slots=True)
class TreeChanges:
    """What has changed since the last commit; each node once, in the order of the first change.

    Attributes:
        texts: nodes with another text.
        props: nodes with other props.
        parents: nodes with other children, or with children in another order.
    """

    texts: dict[TextInstance, None] = field(default_factory=dict)
    props: dict[ElementInstance, None] = field(default_factory=dict)
    parents: dict[ElementInstance, None] = field(default_factory=dict)

    def commit(self, number: int) -> tuple[list[Change], int]:
        """Bring the nodes up to date, and begin anew.

        Args:
            number: of the commit; older nodes are at the host.

        Returns:
            The changes, those of the root's children not among them, and by how many bytes the tree
            has grown since the nodes were measured.
        """
        known = [parent for parent in self.parents if parent.is_alive and parent.born < number]
        grown = sum(
            _update_nodes(parent)
            for parent in self.parents
            if parent.is_alive and parent.born >= number
        )
        changes: list[Change] = [
            {"type": "setText", "nodeId": node.id, "text": node.text}
            for node in self.texts
            if node.is_alive and node.born < number
        ]
        changes += [
            {"type": "setProps", "nodeId": node.id, "props": node.props}
            for node in self.props
            if node.is_alive and node.born < number
        ]
        for parent in sorted(known, key=_depth, reverse=True):
            before = parent.nodes
            grown += _update_nodes(parent)
            if parent.id:
                changes += _child_changes(parent, before, number)
        self.texts.clear()
        self.props.clear()
        self.parents.clear()
        return changes, grown


def _depth(node: ElementInstance) -> int:
    return node.depth


def _update_nodes(parent: ElementInstance) -> int:
    parent.nodes = nodes_of(parent.items)
    return parent.measure() if parent.id else 0


def _child_changes(parent: ElementInstance, before: Sequence[Node], number: int) -> list[Change]:
    after = parent.nodes
    changes: list[Change] = [
        {"type": "removeChild", "parentId": parent.id, "nodeId": node.id}
        for node in before
        if not node.is_alive
    ]
    stay = staying([node.id for node in before if node.is_alive], [node.id for node in after])
    anchor: Node | None = None
    anchors: list[Node | None] = []
    for node in reversed(after):
        anchors.append(anchor)
        if node.id in stay:
            anchor = node
    anchors.reverse()
    changes += [
        Placement(parent, node, anchor, node.born < number)
        for node, anchor in zip(after, anchors, strict=True)
        if node.id not in stay
    ]
    return changes
