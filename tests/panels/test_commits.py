"""Which form of a commit is sent."""

from typing import TYPE_CHECKING

from jupyter_ac.panels import html
from jupyter_ac.panels.commits import Commit
from jupyter_ac.panels.instances import ElementInstance, TextInstance
from jupyter_ac.panels.tree_changes import Placement
from jupyter_ac.rpc.codec import encode

if TYPE_CHECKING:
    from jupyter_ac.panels.wire import SetText

ROOT = ElementInstance("node-1", html.ul(), None, 0, 1)
ONE = TextInstance("text-2", "one", ROOT, 1)
TWO = TextInstance("text-3", "two", ROOT, 1)
ROOT.nodes = [ONE, TWO]
TREE_BYTES = len(encode(ROOT.to_wire()))


def test_a_batch_is_taken_while_it_is_shorter_than_the_tree() -> None:
    text: SetText = {"type": "setText", "nodeId": "text-2", "text": "one"}
    commit = Commit(ROOT, TREE_BYTES, [text], is_new_tree=False)
    assert commit.mutations == [text]
    long = Commit(ROOT, TREE_BYTES, [text] * 9, is_new_tree=False)
    assert long.mutations == [{"type": "setRoot", "node": ROOT.to_wire()}]


def test_a_new_tree_is_sent_whole() -> None:
    commit = Commit(None, 0, (), is_new_tree=True)
    assert not commit.is_empty
    assert commit.tree is None
    assert commit.mutations == commit.mutations_with_moves == [{"type": "setRoot", "node": None}]


def test_moves_are_short_for_hosts_that_know_them() -> None:
    commit = Commit(ROOT, TREE_BYTES, [Placement(ROOT, ONE, None, is_move=True)], False)
    assert commit.mutations == [
        {"type": "appendChild", "parentId": "node-1", "node": ONE.to_wire()}
    ]
    assert commit.mutations_with_moves == [
        {"type": "moveBefore", "parentId": "node-1", "nodeId": "text-2", "beforeId": None}
    ]


def test_nothing_is_empty() -> None:
    assert Commit(ROOT, TREE_BYTES, (), is_new_tree=False).is_empty
