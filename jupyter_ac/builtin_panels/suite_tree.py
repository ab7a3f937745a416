"""The tests of a repository as a tree of files, classes and tests, with what came of each.

A change of a test costs as much as it is deep; the rows that are shown are found again for each
look, without those in groups that are closed.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

from jupyter_ac.suite_rows import Outcome, OutcomeRow

Shown: TypeAlias = Literal["all", "failed", "skipped", "passed", "not-run"]
"""Which tests are shown."""

FAILED: Final[frozenset[Outcome]] = frozenset({"failed", "error"})
OUTCOMES_OF: Final[Mapping[Shown, frozenset[Outcome]]] = {
    "failed": FAILED,
    "skipped": frozenset({"skipped", "xfailed"}),
    "passed": frozenset({"passed", "xpassed"}),
    "not-run": frozenset({"", "waiting", "running"}),
}
SEPARATOR: Final = "::"

_OPEN_TESTS: Final = 60
"""With no more tests than that, all groups are open."""

_OPEN_FAILED: Final = 100
"""With no more tests than that in it, a group is open in which something has failed."""


@dataclass(slots=True, eq=False)
class SuiteNode:
    """A file, a class, or a test.

    Attributes:
        id: pytest's.
        name: its last part.
        parent: the group that it is in; None for a file.
        at: its place in the order of the tests: that of its first one.
        outcome: of a test, or of a file that can't be collected.
        duration_ms: of a test's last run.
        has_output: there is a text about it.
        is_test: it has no others in it.
        is_counted: `counts` has it itself.
        children: by their ids.
        counts: the number of tests in it by outcome; of a test, itself.
    """

    id: str
    name: str
    parent: "SuiteNode | None"
    at: int
    outcome: Outcome = ""
    duration_ms: int = 0
    has_output: bool = False
    is_test: bool = False
    is_counted: bool = False
    children: "dict[str, SuiteNode]" = field(default_factory=dict)
    counts: Counter[Outcome] = field(default_factory=Counter)
    is_sorted: bool = True

    @property
    def failures(self) -> int:
        """The number of tests in it that have failed, itself included."""
        return sum(self.counts[outcome] for outcome in FAILED)

    def in_order(self) -> "Iterable[SuiteNode]":
        """Return what is in it, in the order of the tests."""
        if not self.is_sorted:
            ordered = sorted(self.children.values(), key=lambda node: node.at)
            self.children = {node.id: node for node in ordered}
            self.is_sorted = True
        return self.children.values()


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of the tree as it is shown.

    Attributes:
        node: what it is of.
        depth: groups above it.
        is_open: of a group, whether what is in it is shown.
    """

    node: SuiteNode
    depth: int
    is_open: bool


@dataclass(frozen=True, slots=True)
class TreeView:
    """What of the tree is shown.

    Attributes:
        shown: which tests.
        text: a part of the ids, in any case; "" for all.
        toggled: groups that the person has opened or closed, by their ids.
    """

    shown: Shown = "all"
    text: str = ""
    toggled: Mapping[str, bool] = field(default_factory=dict)


class SuiteTree:
    """The tree. Belongs to one event loop."""

    def __init__(self) -> None:
        self._root = SuiteNode("", "", None, 0)
        self._nodes: dict[str, SuiteNode] = {}

    @property
    def counts(self) -> Counter[Outcome]:
        """The number of all tests by outcome."""
        return self._root.counts

    @property
    def total(self) -> int:
        """The number of all tests."""
        return self._root.counts.total()

    def get(self, node_id: str) -> SuiteNode | None:
        """Find a node."""
        return self._nodes.get(node_id)

    def clear(self) -> None:
        """Forget all tests."""
        self._root = SuiteNode("", "", None, 0)
        self._nodes = {}

    def update(self, rows: Iterable[OutcomeRow]) -> None:
        """Take tests that are new or have changed."""
        for row in rows:
            node = self._nodes.get(row["id"]) or self._make(row)
            if node.is_counted:
                self._count(node, node.outcome, -1)
            node.outcome, node.duration_ms = row["outcome"], row["duration_ms"]
            node.has_output = row["has_output"]
            # A file counts by itself only as long as its tests aren't known.
            node.is_counted = node.is_test or bool(node.outcome)
            if node.is_counted:
                self._count(node, node.outcome, 1)

    def failed(self) -> list[SuiteNode]:
        """Return what has failed, in the order of the tests: tests, and files as a whole."""
        return [node for node in self._walk(self._root) if node.outcome in FAILED]

    def rows(self, view: TreeView) -> list[ShownRow]:
        """Return the rows that a view has."""
        found: list[ShownRow] = []
        self._add_rows(self._root, 0, view, found)
        return found

    def matches(self, node: SuiteNode, view: TreeView) -> bool:
        """Return whether a node is shown, or something in it."""
        if view.shown != "all" and not any(node.counts[o] for o in OUTCOMES_OF[view.shown]):
            return False
        text = view.text.casefold()
        if not text or text in node.id.casefold():
            return True
        return any(self.matches(child, view) for child in node.children.values())

    def is_open(self, node: SuiteNode, view: TreeView) -> bool:
        """Return whether what is in a group is shown."""
        chosen = view.toggled.get(node.id)
        if chosen is not None:
            return chosen
        if self.total <= _OPEN_TESTS or view.text or view.shown == "failed":
            return True
        return bool(node.failures) and node.counts.total() <= _OPEN_FAILED

    def _add_rows(
        self, group: SuiteNode, depth: int, view: TreeView, found: list[ShownRow]
    ) -> None:
        for node in group.in_order():
            if not self.matches(node, view):
                continue
            is_open = bool(node.children) and self.is_open(node, view)
            found.append(ShownRow(node, depth, is_open))
            if is_open:
                self._add_rows(node, depth + 1, view, found)

    def _walk(self, group: SuiteNode) -> Iterator[SuiteNode]:
        for node in group.in_order():
            yield node
            yield from self._walk(node)

    def _make(self, row: OutcomeRow) -> SuiteNode:
        *above, last = parts_of(row["id"])
        parent = self._root
        for part in above:
            parent = self._node(parent, part, row["at"])
        node = self._node(parent, last, row["at"])
        node.is_test = bool(above)
        return node

    def _node(self, parent: SuiteNode, part: str, at: int) -> SuiteNode:
        node_id = f"{parent.id}{SEPARATOR}{part}" if parent is not self._root else part
        node = parent.children.get(node_id)
        if node is None:
            above = None if parent is self._root else parent
            node = SuiteNode(node_id, part, above, at)
            parent.is_sorted = parent.is_sorted and not parent.children
            parent.children[node_id] = self._nodes[node_id] = node
        return node

    def _count(self, node: SuiteNode, outcome: Outcome, change: int) -> None:
        group: SuiteNode | None = node
        while group is not None:
            group.counts[outcome] += change
            group = group.parent
        self._root.counts[outcome] += change


def parts_of(test_id: str) -> list[str]:
    """Return the parts of a test's id: its file, classes, and name with its parameters."""
    named, bracket, parameters = test_id.partition("[")
    *above, last = named.split(SEPARATOR)
    # A bracket in the path of a file begins no parameters.
    if bracket and not above:
        return test_id.split(SEPARATOR)
    return [*above, f"{last}{bracket}{parameters}"]
