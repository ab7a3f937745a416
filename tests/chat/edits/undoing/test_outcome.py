"""What came of taking edits back."""

from jupyter_ac.chat.edits.undoing.outcome import Undone


def test_nothing_is_said_where_nothing_was_done() -> None:
    nothing = Undone()
    assert (nothing.reason, list(nothing.blocks), list(nothing.files)) == ("", [], [])
