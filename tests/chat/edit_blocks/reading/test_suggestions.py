"""Edits in other formats, beside the answer's own."""

import pytest

from jupyter_ac.chat.edit_blocks.blocks import EditBlock
from jupyter_ac.chat.edit_blocks.reading.parser import MAX_BLOCKS, parse
from jupyter_ac.chat.edit_blocks.reading.suggestions import Suggestion, suggestions

SEARCH = "src/a.py\n```python\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n"
INSIDE = "```\nsrc/a.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n"
DIFF = "```diff\n--- a/b.py\n+++ b/b.py\n@@ -1 +1 @@\n-1\n+2\n```\n"
OWN = "c.py\n🟧🟧🟧 EDIT\n<<<<<<< SEARCH\n🟨🟨🟨 REPL\n=======\n>>>>>>> REPLACE\n🟩🟩🟩 END\n"


def found(text: str) -> list[Suggestion]:
    return suggestions(text, parse(text, lambda _: False), lambda _: False)


def blocks(text: str) -> list[EditBlock]:
    return [block for one in found(text) for block in one.blocks]


def test_search_and_replace_with_the_path_above_or_in_the_fence() -> None:
    for text in (SEARCH, INSIDE):
        (block,) = blocks(f"So:\n\n{text}\nDone.")
        assert (block.path, block.old, block.new) == ("src/a.py", ("old",), ("new",))
        assert f"So:\n\n{text}\nDone."[block.span.start : block.span.end] == text


EDIT = "<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n```\n"


@pytest.mark.parametrize(
    "lead",
    [
        "### src/a.py\n\n```\n",
        "## `src/a.py`:\n```python\n",
        "1. **src/a.py**\n```python\n",
        "- File: `src/a.py`\n```python\n",
        "```python\n# src/a.py\n",
        "```js\n// src/a.py\n",
        "```html\n<!-- src/a.py -->\n",
        "```css\n/* src/a.py */\n",
    ],
)
def test_a_heading_or_a_comment_names_the_file_and_belongs_to_the_block(lead: str) -> None:
    (block,) = blocks(f"So:\n\n{lead}{EDIT}\nDone.")
    assert (block.path, block.old) == ("src/a.py", ("old",))
    assert (block.span.start, block.span.end) == (5, 5 + len(lead + EDIT))


@pytest.mark.parametrize(
    "info",
    [
        "src/a.py",
        "python src/a.py",
        "python:src/a.py",
        " python  src/a.py",
        'python title="src/a.py"',
        "{python filename=src/a.py}",
        "12:15:src/a.py",
    ],
)
@pytest.mark.parametrize("above", ["", "So:\n\n", "Sure\n", "In `other.py`:\n"])
def test_the_info_of_the_fence_names_the_file(info: str, above: str) -> None:
    (block,) = blocks(f"{above}```{info}\n{EDIT}Done.")
    assert (block.path, block.old) == ("src/a.py", ("old",))
    fence = f"```{info}\n{EDIT}"
    assert (block.span.start, block.span.end) == (len(above), len(above) + len(fence))


def test_it_names_the_file_of_each_block_in_the_fence() -> None:
    edit = EDIT.removesuffix("```\n")
    text = f"```python src/a.py\n{edit}\n{edit}\nb.py\n{edit}```\n{edit}"
    assert [block.path for block in blocks(text)] == ["src/a.py", "src/a.py", "b.py", ""]


@pytest.mark.parametrize(
    ("lead", "path"),
    [
        ("docker/web.Dockerfile\n```Dockerfile\n", "docker/web.Dockerfile"),
        ("src/a.py\n```python a.py\n", "src/a.py"),
        ("```python\n", ""),
        ("```a.py b.py\n", ""),
        ("```src/a.py\nb.py\n", "b.py"),
    ],
)
def test_a_path_in_a_line_goes_before_one_in_the_info(lead: str, path: str) -> None:
    (block,) = blocks(f"{lead}{EDIT}")
    assert block.path == path


def test_a_sentence_names_the_file_and_stays_in_the_text() -> None:
    lead = "In `src/a.py`, call `mean.top()`:\n\n"
    (block,) = blocks(f"{lead}```python\n{EDIT}")
    assert block.path == "src/a.py"
    assert block.span.start == len(lead)


@pytest.mark.parametrize(
    "lead",
    [
        "Like in `a.py` and `b.py`:\n\n```\n",
        "# The old way\n```\n",
        "Now:\n```\n",
        "```\n# see it\n",
    ],
)
def test_what_names_no_file_or_several_names_none(lead: str) -> None:
    (block,) = blocks(f"{lead}{EDIT}")
    assert block.path == ""


def test_our_own_blocks_are_named_in_a_line_of_their_own_only() -> None:
    for lead in ("### c.py", "In `c.py`:"):
        (block,) = parse(OWN.replace("c.py", lead, 1), lambda _: False)
        assert block.path == ""


def test_they_are_numbered_behind_the_answers_own_and_never_lie_in_them() -> None:
    text = f"{DIFF}\n{OWN}\n{SEARCH}\n{DIFF}\n{SEARCH}"
    assert [(one.is_diff, [each.index for each in one.blocks]) for one in found(text)] == [
        (True, [1]),
        (False, [2]),
        (True, [3]),
        (False, [4]),
    ]
    starts = [block.span.start for block in blocks(text)]
    assert starts == sorted(starts)
    assert blocks(OWN) == []
    assert blocks("No edits at all.") == []


def test_an_open_block_is_none() -> None:
    assert blocks("a.py\n<<<<<<< SEARCH\nold\n=======\nnew\n") == []
    assert blocks("<<<<<<< HEAD\nold\n=======\nnew\n>>>>>>> REPLACE\n") == []


def test_of_very_many_the_first_are_read() -> None:
    assert len(blocks(SEARCH * (MAX_BLOCKS + 9))) == MAX_BLOCKS
    assert len(blocks(OWN * MAX_BLOCKS + SEARCH)) == 0
