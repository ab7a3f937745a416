"""All files in numbers."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.facts import Facts
from jupyter_ac.index.graph.tables import FileTables


def test_a_number_is_given_again_once_it_is_released() -> None:
    world = FileTables()
    assert [world.new_slot(RepoPath(path)) for path in "ab"] == [0, 1]
    del world.slots[RepoPath("a")]
    world.release(0)
    assert world.new_slot(RepoPath("c")) == 0
    assert world.paths == ["c", "b"]


def test_neighbours_are_the_files_of_the_folder_in_languages_that_have_packages() -> None:
    world = FileTables()
    for path, language in {
        "m/a.go": "go",
        "m/b.go": "go",
        "c.go": "go",
        "m/d.py": "python",
    }.items():
        slot = world.new_slot(RepoPath(path))
        world.tree.add(RepoPath(path))
        world.facts[slot] = Facts(path, language)
    assert [world.paths[slot] for slot in world.neighbours(0)] == ["m/b.go"]
    assert list(world.neighbours(3)) == []
