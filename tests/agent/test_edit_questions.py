from jupyter_ac.agent.edit_questions import edit_question
from jupyter_ac.agent.grants import offered_scopes
from jupyter_ac.chat.edit_blocks.blocks import BlockKind, BlockOutcome, EditBlock
from jupyter_ac.edit_rows import BlockStatus


def asked(block: EditBlock, message: str = "") -> str:
    question = edit_question(BlockOutcome(block, BlockStatus.PENDING, message))
    assert offered_scopes(question) == ("once",)
    assert question.why == (message or "You review edits before they are made.")
    return question.text


def test_a_question_shows_what_would_change() -> None:
    old, new = ("a", "b", "c"), ("a", "B", "c")
    block = EditBlock(0, BlockKind.EDIT, "a.py", old, new)
    assert asked(block) == "a.py\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c"


def test_a_file_that_is_made_deleted_or_renamed_is_named() -> None:
    assert asked(EditBlock(0, BlockKind.EDIT, "a.py", (), ("x", ""))) == "a.py\n+x\n+"
    assert asked(EditBlock(0, BlockKind.DELETE, "a.py", ("x",))) == "delete a.py"
    moved = EditBlock(0, BlockKind.RENAME, "a.py", new_path="b.py")
    assert asked(moved) == "rename a.py to b.py"


def test_a_protected_file_says_why_it_waits() -> None:
    block = EditBlock(0, BlockKind.EDIT, ".envrc", ("x",), ("y\ud800",))
    text = asked(block, "It waits for an acceptance of its own: it runs by itself.")
    assert text.encode().endswith("+y\ufffd".encode())
