"""All files in numbers."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.facts import Facts
from jupyter_ac.index.graph.tables import FileTables


def test_a_number_is_given_again_once_it_is_released() -> None:
    tables = FileTables()
    assert [tables.new_slot(RepoPath(path)) for path in "ab"] == [0, 1]
    del tables.slots[RepoPath("a")]
    tables.release(0)
    assert tables.new_slot(RepoPath("c")) == 0
    assert tables.paths == ["c", "b"]


def test_neighbours_are_the_files_of_the_folder_in_languages_that_have_packages() -> None:
    tables = FileTables()
    for path, language in {
        "m/a.go": "go",
        "m/b.go": "go",
        "c.go": "go",
        "m/d.py": "python",
    }.items():
        slot = tables.new_slot(RepoPath(path))
        tables.tree.add(RepoPath(path))
        tables.facts[slot] = Facts(path, language)
    assert [tables.paths[slot] for slot in tables.neighbours(0)] == ["m/b.go"]
    assert list(tables.neighbours(3)) == []
