from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.chat.prompt.blocks import (
    Block,
    Category,
    answer_block,
    diff_block,
    edited_block,
    file_block,
    question_block,
    shorten,
)
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.turn.own_edits import text_with_own_edits
from jupyter_ac.ids import RepoPath
from tests.chat.edited import edit, editing
from tests.support.json_values import JsonValue

A = RepoPath("src/a.py")
WHOLE = file_block(A, "one\ntwo\nthree\n")


def exchange(answer: str, *sent: Block) -> Exchange:
    return Exchange((*sent, question_block("q")), answer_block(answer))


def test_the_edits_since_the_last_whole_copy_are_made_in_order() -> None:
    old = exchange(edit("src/a.py", "x\n", "y\n"), file_block(A, "x\n"))
    first = exchange(edit("src/a.py", "one\n", "ONE\n1\n"), WHOLE)
    second = exchange("So.\n" + edit("src/a.py", "1\ntwo\n", "") + edit("b.py", "q\n", "r\n"))
    assert text_with_own_edits(A, [old, first, second]) == "ONE\nthree\n"


@pytest.mark.parametrize(
    "log",
    [
        [],
        [exchange("Nothing.", WHOLE)],
        [exchange(edit("src/a.py", "one\n", "ONE\n"))],
        [exchange(edit("src/a.py", "one\n", "ONE\n"), shorten(WHOLE, 4))],
        [exchange(edit("src/a.py", "gone\n", "ONE\n"), WHOLE)],
        [exchange(edit("src/a.py", "x\n", "y\n"), file_block(A, "x\nx\n"))],
        [exchange(edit("src/a.py", "", "fresh\n"), WHOLE)],
        [exchange("src/a.py\n🟧🟧🟧 DELETE\n🟩🟩🟩 END\n", WHOLE)],
        [exchange("src/a.py\n🟧🟧🟧 EDIT\none\n🟨🟨🟨 REPL\nONE\n", WHOLE)],
        [exchange("b.py\n🟧🟧🟧 RENAME\nsrc/a.py\n🟩🟩🟩 END\n", WHOLE)],
    ],
    ids=[
        "no log",
        "no edit",
        "no copy",
        "cut",
        "missed",
        "twice",
        "new",
        "deleted",
        "open",
        "moved",
    ],
)
def test_what_is_not_known_exactly_is_not_told(log: list[Exchange]) -> None:
    assert text_with_own_edits(A, log) is None


def test_a_difference_between_is_no_whole_copy() -> None:
    changed = diff_block(file_block(A, "one\n"), "@@ -2,2 +1,0 @@\n-two\n-three\n")
    log = [exchange(edit("src/a.py", "one\n", "ONE\n"), WHOLE), exchange("Hm.", changed)]
    assert text_with_own_edits(A, log) == "ONE\ntwo\nthree\n"


LINE = st.text(st.characters(exclude_characters="\n\r", codec="utf-8"), max_size=5)


@given(st.lists(LINE, min_size=1, max_size=8), st.data())
def test_a_line_that_is_replaced_by_a_block_is_replaced_in_the_text(
    lines: list[str], data: st.DataObject
) -> None:
    at = data.draw(st.integers(0, len(lines) - 1))
    text = "".join(f"{line}\n" for line in lines)
    log = [exchange(edit("src/a.py", f"{lines[at]}\n", "the new line\n"), file_block(A, text))]
    found = text_with_own_edits(A, log)
    if found is not None:
        assert lines.count(lines[at]) == 1
        after = [*lines[:at], "the new line", *lines[at + 1 :]]
        assert found == "".join(f"{line}\n" for line in after)


def updates(message: JsonValue) -> list[str]:
    content = message["content"]
    texts = [content] if isinstance(content, str) else [part["text"] for part in content]
    return [text for text in texts if text.startswith("a.txt")]


NOTE = "a.txt is now as its last whole copy above with your edits of it since.\n"


async def test_after_its_own_edit_the_model_is_not_sent_the_difference(tmp_path: Path) -> None:
    body = "".join(f"line {number}\n" for number in range(300))
    async with editing(tmp_path, {"a.txt": body}) as world:
        conversation = await world.conversation("a.txt")
        await world.ask(conversation, edit("a.txt", "line 7\n", "seven\n"))
        await world.ask(conversation, edit("a.txt", "line 9\n", "nine\n"), number=2)
        assert updates(dict(world.model.requests[-1].messages[-1])) == [NOTE]
        world.folder.write("a.txt", world.text("a.txt").replace("line 20\n", "mine\n"))
        await world.ask(conversation, "I see.", number=3)
        (update,) = updates(dict(world.model.requests[-1].messages[-1]))
        assert "-line 7\n+seven\n" in update
        assert "+mine\n" in update
        await world.ask(conversation, "I see.", number=4)
        assert updates(dict(world.model.requests[-1].messages[-1])) == []


async def test_an_edit_that_the_user_has_taken_back_is_told(tmp_path: Path) -> None:
    body = "".join(f"line {number}\n" for number in range(300))
    async with editing(tmp_path, {"a.txt": body}) as world:
        conversation = await world.conversation("a.txt")
        edits = edit("a.txt", "line 7\n", "seven\n") + edit("a.txt", "line 9\n", "nine\n")
        await world.ask(conversation, edits)
        await world.decider.undo(conversation, "r1", [1])
        await world.ask(conversation, "So.", number=2)
        (update,) = updates(dict(world.model.requests[-1].messages[-1]))
        assert "+seven\n" in update
        assert "nine" not in update


def test_the_note_is_a_difference_with_the_hash_of_the_file() -> None:
    note = edited_block(WHOLE)
    assert (note.category, note.source, note.path) == (Category.DIFF, WHOLE.source, A)
