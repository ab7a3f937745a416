import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jupyter_ac.chat.history import acdc_import
from jupyter_ac.chat.history.acdc_import import read_foreign
from jupyter_ac.errors import TooLarge
from tests.support.examples import examples

NOW = 1_800_000_000_000


def line(**record: object) -> str:
    return json.dumps({"session_id": "s", "role": "user", "content": "Why?"} | record)


def test_what_is_needed_is_read_and_the_rest_passed_over() -> None:
    found = read_foreign(
        [
            line(id="1-a", timestamp="2023-11-14T22:13:20Z", files=["a"], agent_blocks=[{}]),
            line(role="assistant", content="So.", timestamp="2023-11-14T22:13:21.5+00:00"),
            line(content="Committed", system_event=True),
            line(content=[{"type": "text", "text": "a"}, {"type": "image_url"}, 3]),
            b'{"session_id": "s", "role": "user", "content": "bytes"}\n',
            "",
        ],
        NOW,
    )
    assert [(each.role, each.content) for each in found.messages] == [
        ("user", "Why?"),
        ("assistant", "So."),
        ("system", "Committed"),
        ("user", "a"),
        ("user", "bytes"),
    ]
    times = [each.at_ms for each in found.messages]
    assert times[:3] == [1_700_000_000_000, 1_700_000_001_500, 1_700_000_001_501]
    assert found.messages[0].name == "1-a"
    assert found.bad == 0


@pytest.mark.parametrize(
    "bad",
    [
        "no json",
        "[1]",
        '"text"',
        "{",
        "[" * 100_000,
        '{"session_id": ' + "9" * 5000 + "}",
        line(session_id=" "),
        line(session_id=3),
        line(role="tool"),
        line(role=["user"]),
        line(content=None),
        line(content={"a": 1}),
        b"\xff\xfe\x00",
    ],
)
def test_a_line_that_can_not_be_used_is_counted_and_named(bad: str | bytes) -> None:
    found = read_foreign([line(), bad, line()], NOW)
    assert (len(found.messages), found.bad, found.bad_lines) == (2, 1, [2])


def test_a_mark_before_the_first_line_is_no_part_of_it() -> None:
    for first in ("\ufeff" + line(), ("\ufeff" + line()).encode()):
        assert [each.content for each in read_foreign([first, line()], NOW).messages] == [
            "Why?"
        ] * 2


def test_only_the_first_bad_lines_are_named() -> None:
    found = read_foreign(["x"] * 50, NOW)
    assert (found.bad, found.bad_lines) == (50, list(range(1, 21)))


@pytest.mark.parametrize(
    ("stamp", "at_ms"),
    [
        (1_700_000_000, 1_700_000_000_000),
        (1_700_000_000_123, 1_700_000_000_123),
        ("2023-11-14T22:13:20", 1_700_000_000_000),
        ("9999-01-01T00:00:00Z", 1),
        ("yesterday", 1),
        (float("nan"), 1),
        (float("inf"), 1),
        (True, 1),
        (-5, 0),
        (None, 1),
    ],
)
def test_a_time_is_read_where_there_is_one_and_never_lies_ahead(stamp: object, at_ms: int) -> None:
    (message,) = read_foreign([line(timestamp=stamp)], NOW).messages
    assert message.at_ms == at_ms


def test_what_is_too_long_is_cut_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(acdc_import, "MAX_CONTENT_CHARS", 10)
    monkeypatch.setattr(acdc_import, "MAX_LINE_CHARS", 200)
    found = read_foreign([line(content="x" * 20), line(content="y" * 300)], NOW)
    assert [each.content for each in found.messages] == ["x" * 10]
    assert found.bad_lines == [2]
    monkeypatch.setattr(acdc_import, "MAX_MESSAGES", 3)
    with pytest.raises(TooLarge, match="more than 3 messages"):
        read_foreign([line()] * 4, NOW)


def test_images_are_counted() -> None:
    found = read_foreign([line(images=2), line(image_refs=["a"]), line(images=True)], NOW)
    assert found.images == 3


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)
fields = ("id", "session_id", "timestamp", "role", "content", "images", "system_event")


@settings(deadline=None, max_examples=examples(100))
@given(st.dictionaries(st.sampled_from(fields), anything))
def test_nothing_in_a_line_makes_it_fail(record: dict[str, object]) -> None:
    found = read_foreign([line(**record)], NOW)
    assert found.bad + len(found.messages) == 1
    assert all(0 <= each.at_ms <= NOW for each in found.messages)
