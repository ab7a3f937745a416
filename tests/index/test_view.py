"""The names by which readers of the index speak of places."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.view import Definition, Spot


def test_places_are_sorted_by_file_and_position() -> None:
    early, late = Spot(RepoPath("a"), 2, 0, 3), Spot(RepoPath("a"), 10, 0, 3)
    assert sorted([late, early]) == [early, late]
    assert Definition(RepoPath("a"), 1) < Definition(RepoPath("b"), 0)
