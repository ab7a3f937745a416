from pathlib import Path

import pytest

from jupyter_ac.errors import AccessDenied, AcError, Busy, GitError, TooLarge
from jupyter_ac.git.stderr import complaint, failure, shown

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
    assert len(said) == 2000
    assert " … " in said


def test_what_follows_a_mark_belongs_to_it_and_asides_do_not() -> None:
    stderr = b"progress\nerror: would be overwritten:\n\ta.py\nhint: x\nPlease move it.\nAborting\n"
    assert complaint(stderr, ROOT) == "would be overwritten: a.py Please move it. Aborting"
    assert complaint(b"hint: only this\n", ROOT) == "only this"


def test_a_program_that_git_ran_says_more_than_that_it_hung_up() -> None:
    stderr = b"git-lfs: 1: git-lfs: not found\nfatal: the remote end hung up unexpectedly\n"
    assert complaint(stderr, ROOT).startswith("git-lfs: 1: git-lfs: not found the remote end")


def test_colours_and_what_shows_nothing_are_left_out() -> None:
    assert complaint(b"\x1b[31;1mred\x1b[0m \0\x07bell\r\n", ROOT) == "red bell"


def test_what_a_partial_clone_lacks_is_said_with_the_remedy() -> None:
    said = complaint(b"fatal: could not fetch 1234 from promisor remote\n", ROOT)
    assert said.startswith("could not fetch 1234 from promisor remote. The clone is a partial one")
    assert "`git show`" in said


@pytest.mark.parametrize(
    ("said", "kind", "remedy"),
    [
        ("sha1 file '.git/index.lock' write error. Out of diskspace", TooLarge, "free some space."),
        ("unable to write file: No space left on device", TooLarge, "free some space."),
        ("'.git/index.lock': Read-only file system", AccessDenied, "remount the disk."),
        ("unable to create pipe: Too many open files", Busy, "and try again."),
        ("bad revision 'x'", GitError, "bad revision 'x'"),
    ],
)
def test_what_the_system_refuses_has_a_type_and_a_remedy(
    said: str, kind: type[AcError], remedy: str
) -> None:
    error = failure("reset", said)
    assert type(error) is kind
    assert error.message.startswith(f"`git reset` failed: {said}")
    assert error.message.endswith(remedy)
