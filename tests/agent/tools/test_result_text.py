import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.agent.tools.result_text import (
    MASKED_CHARS,
    ResultMasker,
    bounded,
    counted,
    one_line,
    without_middle,
)
from tests.agent.tools.calls import KEY, Caller

LINES = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=40), max_size=60)


@given(LINES, st.integers(1, 300))
def test_the_beginning_is_whole_lines_unless_the_first_is_too_long(
    lines: list[str], most: int
) -> None:
    text = "\n".join(lines)
    found = bounded(text, "ask for less", most)
    if len(text) <= most:
        assert found == text
        return
    kept, _, last = found.rpartition("\n")
    assert text.startswith(kept)
    assert len(kept) <= most
    assert last.startswith("[cut: ")
    assert "ask for less" in last
    if "\n" in text[:most]:
        assert text[len(kept)] == "\n"


@given(LINES, st.integers(10, 300))
def test_what_is_left_out_of_the_middle_is_counted(lines: list[str], most: int) -> None:
    text = "\n".join(lines)
    found = without_middle(text, "print less", most)
    if len(text) <= most:
        assert found == text
        return
    head, _, rest = found.partition("\n[cut: ")
    note, _, tail = rest.partition("]\n")
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + len(tail) <= most
    assert f"{len(text) - len(head) - len(tail):,} characters" in note


def test_one_line_is_one() -> None:
    assert one_line(" a\nb\t c ") == "a b c"
    assert one_line("x" * 300) == "x" * 199 + "…"
    assert one_line("half \ud83d") == "half �"


async def test_equal_secrets_of_a_conversation_have_one_placeholder() -> None:
    masker, ada, bob = ResultMasker({}), Caller(), Caller()
    first = await masker.masked(ada.conversation, f"key {KEY}")
    again = await masker.masked(ada.conversation, f"again {KEY} and token=ghp_{'a1' * 18}")
    assert first == "key [tool secret 1]"
    assert "again [tool secret 1]" in again
    assert "[tool secret 2]" in again
    assert await masker.masked(bob.conversation, f"{KEY}") == "[tool secret 1]"


async def test_a_text_that_looks_like_a_placeholder_stays() -> None:
    text = f"[secret 1] is literal, {KEY} is not"
    found = await ResultMasker({}).masked(Caller().conversation, text)
    assert found == "[secret 1] is literal, [tool secret 2] is not"


async def test_the_hosts_own_secrets_are_masked_wherever_they_stand() -> None:
    masker = ResultMasker({"JUPYTER_TOKEN": "plainwordsofatoken7"})
    found = await masker.masked(Caller().conversation, "it printed plainwordsofatoken7!")
    assert found == "it printed [tool secret 1]!"


async def test_values_are_masked_by_the_names_of_variables() -> None:
    masker, caller = ResultMasker({}), Caller()
    assert "hunter2!" not in await masker.masked(caller.conversation, "'hunter2!'", "db_password")
    assert await masker.masked(caller.conversation, "'fine words'", "title") == "'fine words'"


async def test_what_isnt_looked_through_isnt_returned() -> None:
    text = "x" * MASKED_CHARS + KEY
    assert await ResultMasker({}).masked(Caller().conversation, text) == "x" * MASKED_CHARS


@pytest.mark.parametrize(
    ("url", "holds"),
    [("https://example.org/?q=pumps", False), (f"https://example.org/?k={KEY}", True)],
)
async def test_it_tells_whether_there_is_a_secret(url: str, holds: bool) -> None:
    assert await ResultMasker({}).holds_secret(Caller().conversation, url) is holds


async def test_half_characters_are_replaced() -> None:
    found = await ResultMasker({}).masked(Caller().conversation, "caf\udce9")
    assert found == "caf�"


def test_numbers_and_nouns() -> None:
    assert [counted(n, "file") for n in (0, 1, 2000)] == ["0 files", "1 file", "2,000 files"]
