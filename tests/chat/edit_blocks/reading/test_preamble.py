"""The line ahead of a marker, and the fence around a block."""

from jupyter_ac.chat.edit_blocks.reading.preamble import Preamble


def _seen(text: str, *, is_content: bool = False) -> tuple[Preamble, int]:
    lead, at = Preamble(is_content=is_content), 0
    for line in text.splitlines(keepends=True):
        lead.see(line.strip(), at)
        at += len(line)
    return lead, at


def _opened_at(text: str) -> int:
    lead, at = _seen(text)
    return lead.open_block(at, has_path=bool(lead.line))


def test_the_last_line_of_text_leads() -> None:
    assert _seen("a.py\nb.py\n")[0].line == "b.py"
    assert _seen("a.py\n\n\n")[0].line == "a.py"
    assert _seen("")[0].line == ""


def test_an_opening_fence_between_path_and_marker_is_tolerated() -> None:
    for text in ("a.py\n```\n", "a.py\n\n```python\n\n", "a.py\n~~~\n", "a.py\n````md\n"):
        assert _seen(text)[0].line == "a.py"
        assert _opened_at(text) == 0


def test_a_closing_fence_between_line_and_marker_is_not() -> None:
    assert _seen("```\na.py\n```\n")[0].line == ""
    assert _seen("```\nx\n```\na.py\n```\n")[0].line == "a.py"
    assert _seen("````\n```\na.py\n````\n")[0].line == ""


def test_two_fences_between_path_and_marker_are_not() -> None:
    assert _seen("a.py\n```\n```\n")[0].line == ""


def test_a_block_begins_at_the_fence_around_its_path() -> None:
    assert _opened_at("say\n```\na.py\n") == len("say\n")
    assert _opened_at("say\n```\ncode\na.py\n") == len("say\n```\ncode\n")


def test_a_block_without_a_path_begins_at_its_marker_or_the_fence_before_it() -> None:
    lead, at = _seen("some prose\n")
    assert lead.open_block(at, has_path=False) == at
    lead, at = _seen("some prose\n```\n")
    assert lead.open_block(at, has_path=False) == len("some prose\n")


def test_the_closing_fence_of_a_block_is_known() -> None:
    lead, at = _seen("a.py\n```python\n")
    lead.open_block(at, has_path=True)
    lead.close_block()
    assert not lead.see("", at)
    assert lead.see("```", at)
    assert not lead.see("```", at)


def test_a_fence_behind_prose_is_not_the_blocks() -> None:
    lead, at = _seen("a.py\n```\n")
    lead.open_block(at, has_path=True)
    lead.close_block()
    assert not lead.see("prose", at)
    assert not lead.see("```", at)


def test_a_fence_that_other_text_opened_is_not_the_blocks() -> None:
    lead, at = _seen("```\ncode\na.py\n")
    lead.open_block(at, has_path=True)
    lead.close_block()
    assert not lead.see("```", at)


def test_in_content_no_fence_closes_another() -> None:
    assert _seen("```\nb.py\n```\n", is_content=True)[0].line == "b.py"
