"""Pages of a conversation never have more bytes than they say, whatever is in it."""

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock, Near
from jupyter_ac.chat.edit_blocks.rows import Utf16Offsets, block_row, result_row
from jupyter_ac.chat.pagination import MESSAGE_BYTES, fitting, json_bytes, page_of, shorten
from jupyter_ac.edit_rows import BlockStatus
from jupyter_ac.message_rows import ChatMessage

UGLY = st.text(max_size=50) | st.sampled_from(["\0" * 500, "🟧" * 500, "\ud800" * 99, "x" * 2000])


def message(content: str, request_id: str = "r") -> ChatMessage:
    return ChatMessage(role="assistant", content=content, request_id=request_id, state="done")


def with_edits(count: int) -> ChatMessage:
    """A message with so many blocks of which each row has all that it may have."""
    found = message("🟧" * 100)
    blocks = [EditBlock(n, BlockKind.EDIT, "p" * 100, ("o" * 500,), ("n",)) for n in range(count)]
    near = Near(1, ("x" * 99_999,))
    results = [
        result_row(
            BlockOutcome(block, BlockStatus.FAILED, "w" * 99_999, near=near),
            Utf16Offsets("", [block]),
            0,
        )
        for block in blocks
    ]
    found["edit_results"] = results
    found["edit_blocks"] = [block_row(row) for row in results]
    return found


def test_the_newest_messages_that_fit_are_on_a_page() -> None:
    page = page_of(range(10), lambda n: [message(f"q{n}"), message(f"a{n}")], most=5)
    assert [each["content"] for each in page.messages] == ["q8", "a8", "q9", "a9"]
    assert page.begin == 8
    assert page_of(range(2), lambda n: [message(str(n))]).begin == 0
    assert page_of([], lambda n: [message(str(n))]).messages == []


def test_one_item_is_on_a_page_in_any_case() -> None:
    page = page_of(["x" * 9000], lambda text: [message(text)], most_bytes=1000)
    assert len(page.messages) == 1


@given(st.lists(UGLY, max_size=20), st.integers(400, 4000))
def test_the_bytes_of_a_page_are_bounded(contents: list[str], most_bytes: int) -> None:
    page = page_of(contents, lambda text: [message(text)], most_bytes=most_bytes)
    shown = [each["content"] for each in page.messages]
    assert shown == contents[page.begin :]
    if len(shown) > 1:
        assert sum(map(json_bytes, page.messages)) <= most_bytes


@given(UGLY, UGLY, st.integers(1000, 3000))
def test_a_message_that_is_too_long_is_cut_and_says_how_much(
    content: str, reasoning: str, most_bytes: int
) -> None:
    found = message(content)
    found["reasoning"] = reasoning
    assert shorten(found, most_bytes) == json_bytes(found) <= most_bytes
    for whole, part, left_out in (
        (content, found["content"], found.get("content_left_out", 0)),
        (reasoning, found.get("reasoning", ""), found.get("reasoning_left_out", 0)),
    ):
        assert whole.startswith(part)
        rest = whole[len(part) :].encode("utf-16-le", "surrogatepass")
        assert left_out == len(rest) // 2


def test_what_is_short_enough_stays_as_it_is() -> None:
    found = with_edits(2)
    assert shorten(found) == json_bytes(found)
    assert found == with_edits(2)


def test_rows_of_edits_are_left_out_from_the_end() -> None:
    found = with_edits(500)
    assert json_bytes(found) > MESSAGE_BYTES
    assert shorten(found) <= MESSAGE_BYTES
    kept = [row["index"] for row in found["edit_results"]]
    assert kept == list(range(len(kept)))
    assert [block["index"] for block in found["edit_blocks"]] == kept
    assert len(kept) + found["edits_left_out"] == 500
    assert found["content"] == "🟧" * 100


def test_a_message_that_is_large_everywhere_keeps_its_place() -> None:
    found = message("hello", "r" * 90_000)
    found["model"] = "m" * 90_000
    found["images"] = [{"id": "i" * 9000, "mime": "image/png"}] * 200
    found["error"] = {"type": "e" * 9000, "message": "e" * 90_000}
    assert shorten(found, 5000) <= 5000
    assert found["role"] == "assistant"
    assert found["content"] == "This message is too large to be shown."


@given(UGLY, st.integers(2, 3000))
def test_the_beginning_of_a_text_that_fits(text: str, most_bytes: int) -> None:
    part = fitting(text, most_bytes)
    assert text.startswith(part)
    assert json_bytes(part) <= most_bytes or not part
    assert part == text or json_bytes(text) > most_bytes
