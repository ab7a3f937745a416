import pytest

from jupyter_ac.errors import InvalidParams
from jupyter_ac.git.commit_advice import CommitRow
from jupyter_ac.git.commit_candidates import Candidate
from jupyter_ac.git.made_commit import Undoable
from jupyter_ac.git.temporary_index import Choice
from jupyter_ac.services.llm.commit_rows import (
    MAX_CHOICES,
    candidate_row,
    choices_of,
    message_result,
    undo_row,
)


def test_a_row_says_whether_and_why_a_file_is_ticked() -> None:
    candidate = Candidate("b", "renamed", is_staged=True, is_unstaged=True, old_path="a")
    row = candidate_row(CommitRow(candidate, "v1", 7, warning="Mind it."))
    assert row == {
        "path": "b",
        "old_path": "a",
        "kind": "renamed",
        "staged": True,
        "partly": True,
        "ticked": True,
        "reason": "Mind it.",
        "secret": False,
        "size": 7,
        "files": 0,
        "version": "v1",
    }
    left = candidate_row(CommitRow(Candidate("a", "new"), "v", reason="Large."))
    assert (left["ticked"], left["reason"], "old_path" in left) == (False, "Large.", False)


def test_a_commit_that_can_be_undone_is_named() -> None:
    found = Undoable("abcdef", "abc", "fix: it\n\nWhy.", "", "main")
    assert undo_row(found) == {"sha": "abcdef", "short_sha": "abc", "subject": "fix: it"}


def test_choices_are_paths_or_what_was_listed() -> None:
    assert choices_of(["a", {"path": "b", "part": "whole", "version": "v"}, {"path": "c"}]) == [
        Choice("a"),
        Choice("b", "whole", "v"),
        Choice("c"),
    ]


@pytest.mark.parametrize(
    "paths",
    [
        [1],
        [""],
        [None],
        [{"path": ""}],
        [{"path": 1}],
        [{"path": "a", "part": "half"}],
        [{"path": "a", "part": []}],
        [{"path": "a", "version": 1}],
        [["a"]],
        ["a"] * (MAX_CHOICES + 1),
    ],
)
def test_what_is_no_choice_is_refused(paths: list[object]) -> None:
    with pytest.raises(InvalidParams, match="paths"):
        choices_of(paths)


def test_the_end_of_a_message_is_told_as_that_of_any_stream() -> None:
    result = message_result("fix: it", is_cancelled=False, error="")
    assert result["response"] == "fix: it"
    assert "error" not in result
    stopped = message_result("fi", is_cancelled=True, error="Down.")
    assert (stopped["cancelled"], stopped["error"]) == (True, "Down.")
