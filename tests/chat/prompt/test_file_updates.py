from jupyter_ac.chat.prompt.blocks import file_block
from jupyter_ac.chat.prompt.file_updates import news
from jupyter_ac.chat.prompt.log import Copy
from jupyter_ac.ids import RepoPath

A, B = RepoPath("a.py"), RepoPath("b.py")
ONE, OTHER = file_block(A, "1"), file_block(B, "2")


def test_a_newly_selected_file_goes_out_whole() -> None:
    assert news({}, [ONE, OTHER], ()) == [ONE, OTHER]


def test_an_unchanged_file_is_not_sent_again() -> None:
    assert news({A: Copy(ONE.source, current=True)}, [ONE], ()) == []


def test_a_changed_file_is_sent_again_whole() -> None:
    assert news({A: Copy("older", current=True)}, [ONE], ()) == [ONE]


def test_a_deselected_file_is_one_line() -> None:
    (block,) = news({A: Copy(ONE.source, current=True)}, [], ())
    assert block.text == "a.py is no longer selected.\n"
    assert block.path == A


def test_a_file_that_was_taken_back_is_not_taken_back_twice() -> None:
    assert news({A: Copy(ONE.source, current=False)}, [], ()) == []


def test_a_file_selected_again_unchanged_is_one_line_and_changed_it_is_whole() -> None:
    (line,) = news({A: Copy(ONE.source, current=False)}, [ONE], ())
    assert "selected again" in line.text
    assert news({A: Copy("older", current=False)}, [ONE], ()) == [ONE]


def test_a_file_that_can_no_longer_be_read_is_called_out_of_date() -> None:
    (line,) = news({A: Copy(ONE.source, current=True)}, [], {A})
    assert "can no longer be read" in line.text


def test_what_went_stands_before_what_came() -> None:
    blocks = news({A: Copy(ONE.source, current=True)}, [OTHER], ())
    assert [block.path for block in blocks] == [A, B]
