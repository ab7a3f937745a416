"""A host in memory: applies what a panel sends, strictly, and keeps what it was told."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import cast

from jupyter_ac.panels.wire import JsonValue, Mutation, UINode


class Diverged(AssertionError):
    """A batch doesn't fit the tree."""


class MemoryHost:
    """A host as the protocol says, but without tolerance.

    Attributes:
        tree: what it shows.
        sent: all that it got: names and arguments.
        batches: the mutations among them.
        errors: messages of `reportError`.
        logs: levels and arguments of `log`.
    """

    def __init__(self) -> None:
        self.tree: UINode | None = None
        self.sent: list[tuple[str, tuple[object, ...]]] = []
        self.batches: list[list[Mutation]] = []
        self.errors: list[str] = []
        self.stacks: list[str] = []
        self.logs: list[tuple[str, list[JsonValue]]] = []

    def send(self, method: str, /, *args: object) -> None:
        """Take a notification, as JSON would bring it."""
        args = tuple(json.loads(json.dumps(args, allow_nan=False)))
        self.sent.append((method, args))
        if method == "updateTree":
            self.tree = cast("UINode | None", args[0])
            self._check_ids()
        elif method == "applyMutations":
            batch = cast("list[Mutation]", args[0])
            self.batches.append(batch)
            self.apply(batch)
        elif method == "reportError":
            report = cast("Mapping[str, str]", args[0])
            self.errors.append(report["message"])
            self.stacks.append(report.get("stack", ""))
        elif method == "log":
            self.logs.append((cast("str", args[0]), cast("list[JsonValue]", args[1])))
        else:
            raise Diverged(f"no such method: {method}")

    def apply(self, batch: Sequence[Mutation]) -> None:
        """Apply a batch as a whole, or not at all."""
        tree = json.loads(json.dumps(self.tree))
        for mutation in batch:
            tree = _Applied(tree).apply(json.loads(json.dumps(mutation)))
        self.tree = tree
        self._check_ids()

    def names(self) -> list[str]:
        """The methods that were called, in order."""
        return [name for name, _ in self.sent]

    def find(self, matches: Callable[[UINode], bool]) -> UINode:
        """The first node for which a test holds."""
        return next(node for node in nodes(self.tree) if matches(node))

    def handler(self, prop: str, text: str = "") -> str:
        """The id of the function of an event, of the first node with this text that has one."""
        name = f"_{prop}HandlerId"
        node = self.find(lambda node: name in node["props"] and text in text_of(node))
        return cast("str", node["props"][name])

    def text(self) -> str:
        """All texts of the tree."""
        return "" if self.tree is None else text_of(self.tree)

    def handler_ids(self) -> set[str]:
        """The ids of all functions in the tree."""
        return {
            cast("str", value)
            for node in nodes(self.tree)
            for name, value in node["props"].items()
            if name.startswith("_on") and name.endswith("HandlerId")
        }

    def _check_ids(self) -> None:
        ids = [node["id"] for node in nodes(self.tree)]
        if len(ids) != len(set(ids)):
            raise Diverged("an id is there twice")


def nodes(tree: UINode | None) -> Iterator[UINode]:
    """All nodes of a tree, the outer ones first."""
    if tree is not None:
        yield tree
        for child in tree["children"]:
            if isinstance(child, str):
                raise Diverged("a bare text can't be changed")
            yield from nodes(child)


def text_of(node: UINode) -> str:
    """The texts of a node and below."""
    return "".join(each.get("text", "") for each in nodes(node))


class _Applied:
    """A tree with its index, to which one mutation is applied."""

    def __init__(self, tree: UINode | None) -> None:
        self._tree = tree
        self._nodes = {node["id"]: node for node in nodes(tree)}

    def apply(self, mutation: Mutation) -> UINode | None:
        kind = mutation["type"]
        if mutation["type"] == "setRoot":
            return mutation["node"]
        if mutation["type"] == "setText":
            node = self._node(mutation["nodeId"])
            if node["type"] != "#text":
                raise Diverged("setText of an element")
            node["text"] = mutation["text"]
        elif mutation["type"] == "setProps":
            self._node(mutation["nodeId"])["props"] = mutation["props"]
        elif mutation["type"] == "removeChild":
            self._take_out(self._node(mutation["parentId"]), mutation["nodeId"])
        elif mutation["type"] == "moveBefore":
            parent = self._node(mutation["parentId"])
            node = self._take_out(parent, mutation["nodeId"])
            self._put(parent, node, mutation["beforeId"])
        elif mutation["type"] == "appendChild" or mutation["type"] == "insertBefore":
            self._place(mutation["parentId"], mutation["node"], mutation.get("beforeId"))
        else:
            raise Diverged(f"no such mutation: {kind}")
        return self._tree

    def _place(self, parent_id: str, node: UINode, before_id: object) -> None:
        parent = self._node(parent_id)
        known = self._nodes.get(node["id"])
        if known is not None:
            if known != node:
                raise Diverged("a move brings another node than is there")
            self._take_out(self._parent_of(node["id"]), node["id"])
        self._put(parent, node, before_id)

    def _node(self, node_id: str) -> UINode:
        if node_id not in self._nodes:
            raise Diverged(f"no such node: {node_id}")
        return self._nodes[node_id]

    def _parent_of(self, node_id: str) -> UINode:
        for parent in self._nodes.values():
            if node_id in _ids(parent):
                return parent
        raise Diverged(f"{node_id} has no parent")

    def _take_out(self, parent: UINode, node_id: str) -> UINode:
        ids = _ids(parent)
        if node_id not in ids:
            raise Diverged(f"{node_id} is no child of {parent['id']}")
        return cast("UINode", parent["children"].pop(ids.index(node_id)))

    def _put(self, parent: UINode, node: UINode, before_id: object) -> None:
        ids = _ids(parent)
        if before_id is None:
            parent["children"].append(node)
        elif before_id in ids:
            parent["children"].insert(ids.index(before_id), node)
        else:
            raise Diverged(f"no such anchor: {before_id}")


def _ids(parent: UINode) -> list[str]:
    return [cast("UINode", child)["id"] for child in parent["children"]]
