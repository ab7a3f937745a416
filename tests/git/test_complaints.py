from pathlib import Path

from jupyter_ac.git.complaints import complaint, shown

ROOT = Path("/home/ada/project")


def test_the_marked_lines_are_the_message() -> None:
    stderr = b"warning: loud\nfatal: bad revision 'x'\nhint: try harder\n"
    assert complaint(stderr, ROOT) == "bad revision 'x'"


def test_without_a_mark_everything_is_the_message() -> None:
    assert complaint(b"first\n\nsecond\n", ROOT) == "first second"


def test_silence_is_said() -> None:
    assert complaint(b"", ROOT) == "it gave no reason"


def test_paths_in_the_repository_become_relative_and_others_keep_their_name_only() -> None:
    text = "bad line 3 in /home/ada/.gitconfig, see /home/ada/project/d/x.txt"
    assert shown(text, ROOT) == "bad line 3 in .gitconfig, see d/x.txt"


def test_the_root_itself_is_shown_by_name() -> None:
    assert shown("cannot read '/home/ada/project'", ROOT) == "cannot read 'project'"


def test_bytes_that_are_no_text_and_long_messages_are_shown_as_far_as_possible() -> None:
    said = complaint(b"fatal: \xff" + b"x" * 10_000, ROOT)
    assert said.startswith("\ufffdx")
    assert len(said) == 500
