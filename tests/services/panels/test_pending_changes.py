"""Changes that wait are joined, and never too many."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.services.panels import pending_changes
from jupyter_ac.services.panels.pending_changes import Change, PendingChanges

MUTATIONS = st.lists(st.lists(st.fixed_dictionaries({"type": st.just("x"), "text": st.text()})))


def content(change: Change | None) -> object:
    assert change is not None
    value: object = json.loads(change.payload.text)
    return value


@given(MUTATIONS)
def test_batches_are_joined_in_order(batches: list[list[dict[str, str]]]) -> None:
    changes = PendingChanges()
    for batch in batches:
        changes.add(batch)
    joined = [mutation for batch in batches for mutation in batch]
    assert bool(changes) == bool(joined)
    if joined:
        assert content(changes.take()) == joined
    assert changes.take() is None


def test_a_tree_takes_the_place_of_what_waits_and_comes_before_what_follows() -> None:
    changes = PendingChanges()
    changes.add([{"type": "a"}])
    changes.replace({"id": "one"})
    changes.replace({"id": "two", "text": "ü☃\U0001f600"})
    changes.add([{"type": "b"}])
    tree, batch = changes.take(), changes.take()
    assert tree is not None
    assert tree.is_tree
    assert content(tree) == {"id": "two", "text": "ü☃\U0001f600"}
    assert content(batch) == [{"type": "b"}]
    changes.replace(None)
    assert content(changes.take()) is None


def test_a_batch_with_a_move_says_so() -> None:
    changes = PendingChanges()
    changes.add([{"type": "setText"}])
    changes.add([{"type": "moveBefore"}])
    change = changes.take()
    assert change is not None
    assert change.has_moves
    changes.add([{"type": "setText"}, 3])
    change = changes.take()
    assert change is not None
    assert not change.has_moves


@pytest.mark.parametrize("limit", ["MAX_MUTATIONS", "MAX_BYTES"])
def test_what_is_too_much_is_given_up_for_a_whole_tree(
    monkeypatch: pytest.MonkeyPatch, limit: str
) -> None:
    monkeypatch.setattr(pending_changes, limit, 3)
    changes = PendingChanges()
    changes.replace({"id": "a"})
    for _ in range(10):
        changes.add([{"type": "x"}])
    assert changes.is_torn
    assert content(changes.take()) == {"id": "a"}
    assert changes.take() is None
    changes.add([{"type": "x"}])
    assert not changes
    changes.clear()
    assert not changes.is_torn


def test_what_is_no_json_is_given_up() -> None:
    changes = PendingChanges()
    changes.replace({"id": object()})
    assert changes.is_torn
    changes.clear()
    changes.add([object()])
    assert changes.is_torn
