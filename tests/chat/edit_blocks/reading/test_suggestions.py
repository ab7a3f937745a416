"""Edits in other formats, beside the answer's own."""

from pathlib import Path

import pytest

from jupyter_ac.answer_rows import CompletionResult
from jupyter_ac.chat.edit_blocks.blocks import EditBlock
from jupyter_ac.chat.edit_blocks.reading.parser import MAX_BLOCKS, parse
from jupyter_ac.chat.edit_blocks.reading.suggestions import Suggestion, suggestions
from jupyter_ac.errors import Conflict
from tests.chat.edited import Reply, edit, editing, editing_again, statuses

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


A = "one\ntwo\nthree\n"
A_DIFF = "```diff\n--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n```\n"
A_SEARCH = "a.txt\n<<<<<<< SEARCH\ntwo\n=======\nzwei\n>>>>>>> REPLACE\n"


async def asked(folder: Path, answer: str, **files: str) -> CompletionResult:
    async with editing(folder, {"a.txt": A, **files}) as world:
        result = await world.ask(await world.conversation("a.txt"), answer)
        assert world.text("a.txt") == A
        assert len(world.model.requests) == 1
        return result


@pytest.mark.parametrize(
    ("answer", "text"), [(A_DIFF, "one\n2\nthree\n"), (A_SEARCH, "one\nzwei\nthree\n")]
)
async def test_a_suggestion_waits_for_a_click_also_after_a_restart(
    tmp_path: Path, answer: str, text: str
) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        result = await world.ask(conversation, f"So 😀:\n\n{answer}")
        (row,) = result["edit_results"]
        assert (row["status"], row["error_type"], row["file"]) == ("suggested", "", "a.txt")
        assert (row["texts"] is None) == (answer == A_SEARCH)
        assert (result["failed"], result["pending"], result["retry_prompt"]) == (0, 0, "")
        assert world.text("a.txt") == A
        with pytest.raises(Conflict):
            await world.decider.accept(conversation, "r1", ())
        folder = world.folder
    async with editing_again(folder, tmp_path) as world:
        conversation = await world.conversation()
        turn = await world.decider.accept(conversation, "r1", [0])
        assert [each["status"] for each in turn.edits.results] == ["applied"]
        assert turn.edits.results[0]["span"] == row["span"]
        assert world.text("a.txt") == text
        await world.undo(conversation)
        assert world.text("a.txt") == A


async def test_behind_the_answers_own_blocks_and_on_what_they_leave(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation("a.txt")
        result = await world.ask(conversation, A_DIFF + edit("a.txt", "one\n", "1\n") + A_SEARCH)
        assert statuses(result) == ["applied", "suggested"]  # the diff is about the text before
        await world.decider.accept(conversation, "r1", [2])
        assert world.text("a.txt") == "1\nzwei\nthree\n"


@pytest.mark.parametrize(
    "answer",
    [
        A_DIFF.replace("two", "2").replace("+2", "+two"),  # the user has it already
        A_DIFF.replace(" one", " eins"),  # about another text
        A_DIFF.replace("a.txt", "none.txt"),
        A_DIFF.replace("a.txt", ".git/config"),
        A_DIFF.replace("a.txt", "../a.txt"),
        A_SEARCH.replace("a.txt", "none.txt"),
        A_SEARCH.replace("zwei", "two"),
        "No path:\n\n" + A_SEARCH.removeprefix("a.txt\n"),
        "```diff\n--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-other\n```\n",
    ],
)
async def test_what_does_not_fit_or_is_there_already_stays_prose(
    tmp_path: Path, answer: str
) -> None:
    assert (await asked(tmp_path, answer))["edit_results"] == []


async def test_of_blocks_that_stand_together_those_that_do_not_fit_say_why(tmp_path: Path) -> None:
    two_hunks = A_DIFF.removesuffix("```\n") + "@@ -9 +9 @@\n-nine\n+9\n```\n"
    rows = (await asked(tmp_path, two_hunks))["edit_results"]
    assert [(row["status"], row["error_type"]) for row in rows] == [
        ("suggested", ""),
        ("suggested", "anchor_not_found"),
    ]


async def test_a_search_block_that_nearly_fits_says_why(tmp_path: Path) -> None:
    (row,) = (await asked(tmp_path, A_SEARCH.replace("two", "tow")))["edit_results"]
    assert (row["status"], row["error_type"]) == ("suggested", "anchor_not_found")


async def test_files_that_run_by_themselves_say_so_and_are_applied_by_name(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        conversation = await world.conversation()
        answer = "```diff\n--- /dev/null\n+++ b/conftest.py\n@@ -0,0 +1 @@\n+x = 1\n```\n"
        result = await world.ask(conversation, answer)
        (row,) = result["edit_results"]
        assert (row["status"], row["kind"]) == ("suggested", "create")
        assert "pytest" in row["protected"]
        await world.decider.accept(conversation, "r1", [0])
        assert world.text("conftest.py") == "x = 1\n"


async def test_files_that_go_and_move(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A, "b.txt": "b\n", "c.txt": "c\n"}) as world:
        conversation = await world.conversation()
        answer = (
            "```diff\ndiff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n"
            "+++ /dev/null\n@@ -1 +0,0 @@\n-b\ndiff --git a/c.txt b/d.txt\n"
            "rename from c.txt\nrename to d.txt\n```\n"
        )
        result = await world.ask(conversation, answer)
        assert statuses(result) == ["suggested", "suggested"]
        await world.decider.accept(conversation, "r1", [0, 1])
        assert not (world.folder.root / "b.txt").exists()
        assert world.text("d.txt") == "c\n"


async def test_nothing_is_offered_of_an_answer_that_was_cut(tmp_path: Path) -> None:
    async with editing(tmp_path, {"a.txt": A}) as world:
        result = await world.ask(await world.conversation("a.txt"), Reply(A_DIFF, "length"))
        assert result["edit_results"] == []
