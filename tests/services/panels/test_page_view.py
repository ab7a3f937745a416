"""A page that shows a panel, and what it is left out of."""

from jupyter_ac.rpc.codec import Encoded
from jupyter_ac.services.panels.page_view import BACKLOG_BYTES, PageView
from jupyter_ac.services.panels.pending_changes import Change, PendingChanges
from tests.services.panels.fake_pages import FakePage, tree

BATCH = Change("applyMutations", Encoded(['[{"type":"setText","nodeId":"t","text":"b"}]']))
MOVES = Change("applyMutations", Encoded(["[]"]), has_moves=True)


def whole() -> Change:
    changes = PendingChanges()
    changes.replace(tree("a"))
    change = changes.take()
    assert change is not None
    return change


def test_a_page_gets_the_tree_first_and_then_changes() -> None:
    page = FakePage()
    view = PageView("fake", page, knows_moves=True)
    view.show(BATCH)
    assert page.host.sent == []
    view.show(whole())
    view.show(BATCH)
    view.show(MOVES)
    assert page.host.text() == "b"
    assert not view.needs_tree


def test_a_page_that_does_not_know_moves_needs_the_tree_instead() -> None:
    page = FakePage()
    view = PageView("fake", page, knows_moves=False)
    view.show(whole())
    view.show(MOVES)
    view.show(BATCH)
    assert page.host.names() == ["updateTree"]
    assert view.waits_for_tree


def test_a_page_that_is_behind_gets_nothing_until_it_has_read() -> None:
    page = FakePage()
    view = PageView("fake", page, knows_moves=True)
    view.show(whole())
    page.unread = BACKLOG_BYTES + 1
    view.show(BATCH)
    assert not view.tell("log", "info", [1])
    assert not view.waits_for_tree
    page.unread = 0
    view.show(BATCH)
    assert view.needs_tree
    assert page.host.names() == ["updateTree"]


def test_what_can_not_be_sent_is_missed() -> None:
    page = FakePage()
    view = PageView("fake", page, knows_moves=True)
    page.refuses = True
    view.show(whole())
    assert view.needs_tree
    assert page.host.sent == []


def test_a_page_that_is_gone_gets_nothing() -> None:
    page = FakePage()
    page.closed = True
    view = PageView("fake", page, knows_moves=True)
    view.show(whole())
    assert not view.tell("log", "info", [])
    assert page.host.sent == []
    assert not view.waits_for_tree
