"""What holds for a language of which its module says nothing else."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.extraction.code import read_code
from jupyter_ac.index.languages.language import UNKNOWN, Language
from jupyter_ac.index.project.path_tree import PathTree
from jupyter_ac.index.records import Import

PLAIN = Language("json", (".plain",), ("tree_sitter_json", "language"))


def test_its_queries_have_its_name_and_all_symbols_count() -> None:
    data = b"{" + b",\n".join(b'"k%d": 1' % at for at in range(300)) + b"}"
    assert len(read_code(PLAIN, data).symbols) == 300


def test_its_imports_are_paths_as_written() -> None:
    tree = PathTree()
    for path in ("a/x.plain", "a/y.plain"):
        tree.add(RepoPath(path))
    found = PLAIN.imports.find(tree, "a/x.plain", Import("y.plain", (), "", 0, 1))
    assert found.files == ("a/y.plain",)


def test_two_that_say_the_same_are_two() -> None:
    assert Language("json", (), ("", "")) != Language("json", (), ("", ""))
    assert len({PLAIN, UNKNOWN, PLAIN}) == 2
