import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidParams, TooLarge
from jupyter_ac.planner.shared_context import (
    MAX_CHARACTERS,
    MAX_ENTRIES,
    Action,
    ContextType,
    ContextUpdate,
    SharedContext,
    entries_of,
    read_context,
    updated,
)

ACTIONS: tuple[Action, ...] = ("add", "remove", "modify")
TYPES: tuple[ContextType, ...] = ("file", "dependency", "state")
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=2), inner, max_size=2)
    ),
    max_leaves=4,
)
UPDATES = st.builds(
    ContextUpdate,
    st.sampled_from(ACTIONS),
    st.sampled_from(TYPES),
    st.dictionaries(st.sampled_from(["a", "b", "c"]), VALUES, min_size=1, max_size=2),
    st.booleans(),
)


@given(st.lists(UPDATES, max_size=12))
def test_each_change_has_one_version_and_the_context_is_kept_as_json(
    updates: list[ContextUpdate],
) -> None:
    context = SharedContext()
    for update in updates:
        before = context
        present = set(before.part(update.context_type))
        names = set(update.entries)
        try:
            context = updated(before, update)
        except InvalidParams:
            assert update.action == "remove" or not update.upsert
            assert names & present if update.action == "add" else names - present
            continue
        assert context.version - before.version == (context is not before)
        after = set(context.part(update.context_type))
        assert after == (present - names if update.action == "remove" else present | names)
        assert read_context(context.version, context.content()) == context


def test_what_does_not_differ_is_no_change() -> None:
    context = updated(SharedContext(), ContextUpdate("add", "state", {"a": 1}))
    assert updated(context, ContextUpdate("modify", "state", {"a": 1})) is context
    assert updated(context, ContextUpdate("modify", "state", {"a": True})).version == 2


def test_data_stands_for_entries() -> None:
    assert entries_of("file", {"path": "a.py"}) == {"a.py": ""}
    assert entries_of("dependency", {"name": "react", "version": "18"}) == {"react": "18"}
    assert entries_of("state", {"a": None}) == {"a": None}


@pytest.mark.parametrize(
    ("kind", "data", "path"),
    [
        ("file", {}, "$.data.path"),
        ("file", {"path": 1}, "$.data.path"),
        ("file", {"path": "a", "hash": 1}, "$.data.hash"),
        ("dependency", {"name": ""}, "$.data.name"),
        ("dependency", {"name": "a", "version": []}, "$.data.version"),
        ("state", {}, "$.data"),
    ],
)
def test_other_data_is_refused(kind: ContextType, data: dict[str, object], path: str) -> None:
    with pytest.raises(InvalidParams) as raised:
        entries_of(kind, data)
    assert raised.value.details["path"] == path


def test_there_is_a_limit() -> None:
    many = {str(number): "" for number in range(MAX_ENTRIES + 1)}
    for entries in (many, {"a": "x" * MAX_CHARACTERS}):
        with pytest.raises(TooLarge):
            updated(SharedContext(), ContextUpdate("add", "state", entries))
    with pytest.raises(InvalidParams):
        updated(SharedContext(), ContextUpdate("add", "state", {"": 1}))


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"file": {}, "dependency": {}}', "{"])
def test_what_is_no_context_is_not_read(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        read_context(1, text)
