"""Imports of all languages, and the paths that could change where they lead."""

from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.importing import family_marked, find, parts_given, parts_wanted
from jupyter_ac.index.project.path_tree import PathTree
from jupyter_ac.index.records import Import

FAMILIES = {"py": "python", "ts": "javascript", "rs": "rust", "c": "c", "rb": "ruby", "go": "go"}
folders = st.sampled_from(["", "a/", "a/b/", "src/", "lib/", "a/src/", "b/lib/a/"])
names = st.sampled_from(["a", "b", "index", "mod", "lib", "package.json", "my-b"])
modules = st.sampled_from(["a", "b", "./a", "../b", "a/b", "a.b", "a.h", "self::a", "my_b", "@x/a"])


@given(folders, names, st.sampled_from(sorted(FAMILIES)), folders, names, modules)
def test_an_import_that_a_new_file_leads_elsewhere_wants_a_part_of_its_path(
    folder: str, name: str, ending: str, home: str, other: str, module: str
) -> None:
    path, tree = RepoPath(f"{home}{other}.{ending}"), PathTree()
    tree.add(path)
    new = RepoPath(f"{folder}{name}" if "." in name else f"{folder}{name}.{ending}")
    if new == path or family_marked(new):
        return
    line = Import(module, (), "", 0, 1)
    before = find(tree, path, FAMILIES[ending], line)
    given_parts = parts_given(new, tree.add(new))
    if find(tree, path, FAMILIES[ending], line) != before:
        assert given_parts & parts_wanted(path, line)
