"""Imports by declared packages: of a name, under another name, of all."""

import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.languages.package_imports import find
from jupyter_ac.index.project.import_target import Binding, ImportTarget
from jupyter_ac.index.project.path_tree import PathTree
from jupyter_ac.index.records import Import
from tests.support.indexed import imported, put, state_of


@pytest.fixture
def tree() -> PathTree:
    made = PathTree()
    for path, package in {"z/Row.kt": "plot.beds", "Row.kt": "other", "t.kt": "tools"}.items():
        made.add(RepoPath(path))
        made.packages.put(path, (package,))
    return made


def test_the_last_part_is_the_name_that_is_taken_out_of_the_rest(tree: PathTree) -> None:
    target = find(tree, "a.kt", Import("plot.beds.Row", (), "", 0, 1))
    assert target == ImportTarget(("z/Row.kt",), (Binding("Row", "Row", (), "plot.beds"),))
    named = find(tree, "a.kt", Import(r"\plot\beds\Row", (), "Mine", 0, 1))
    assert named.bindings == (Binding("Mine", "Row", (), "plot.beds"),)


def test_names_are_taken_out_of_the_package_that_is_written(tree: PathTree) -> None:
    line = Import("plot.beds", (("Row", "Row"), ("grow", "sow")), "", 0, 1)
    assert find(tree, "a.kt", line).bindings == (
        Binding("Row", "Row", (), "plot.beds"),
        Binding("sow", "grow", (), "plot.beds"),
    )


def test_a_name_may_stand_in_a_package_inside_of_the_one_that_is_written(tree: PathTree) -> None:
    line = Import("plot", (("beds\\Row", "beds\\Row"), ("beds\\Bed", "B")), "", 0, 1)
    assert find(tree, "a.kt", line).bindings == (
        Binding("Row", "Row", (), "plot.beds"),
        Binding("B", "Bed", (), "plot.beds"),
    )


def test_what_is_in_no_package_is_in_the_file_of_its_name(tree: PathTree) -> None:
    tree.add(RepoPath("lib/Old.kt"))
    line = Import("Old", (), "", 0, 1)
    assert find(tree, "a.kt", line).bindings == (Binding("Old", "Old", ("lib/Old.kt",)),)
    assert find(tree, "a.kt", line._replace(module="Row")).bindings[0].files == ()


def test_a_whole_package_is_opened_and_its_only_file_stands_for_it(tree: PathTree) -> None:
    line = Import("tools", (("*", "*"),), "", 0, 1)
    assert find(tree, "a.kt", line) == ImportTarget(("t.kt",), packages=("tools",))


def test_a_whole_package_is_opened_beside_names_out_of_it(tree: PathTree) -> None:
    line = Import("plot.beds", (("Row", "Line"), ("*", "*")), "", 0, 1)
    target = find(tree, "a.kt", line)
    assert target.bindings == (Binding("Line", "Row", (), "plot.beds"),)
    assert target.packages == ("plot.beds",)


def test_a_member_is_in_the_file_of_its_class(tree: PathTree) -> None:
    line = Import("plot.beds.Row.first", (), "", 0, 1)
    assert find(tree, "a.kt", line).files == ("z/Row.kt",)


def test_what_is_nowhere_declared_leads_outside(tree: PathTree) -> None:
    assert find(tree, "a.kt", Import("java.util.List", (), "", 0, 1)).files == ()
    assert find(tree, "Row.kt", Import("other.Row", (), "", 0, 1)).files == ("Row.kt",)


def test_an_import_leads_to_a_file_of_another_language_that_shares_packages() -> None:
    files = {
        "src/p/Tool.java": "package p; class Tool { static void run() { } }\n",
        "src/p/Other.java": "package p; class Other { }\n",
        "a.kt": "import p.Tool\nimport p.Tool.run\nimport p.Tool.*\nimport p.None\n",
        "b.cs": "using Tool = p.Tool;\n",
    }
    state = state_of(files)
    assert imported(state, "a.kt") == ["src/p/Tool.java"] * 3 + [None]
    assert imported(state, "b.cs") == [None]


def test_an_import_begins_at_a_package_of_its_file_where_the_language_says_so() -> None:
    files = {"in.kt": "package a.b.c\nclass D\n", "x.kt": "package a.b\nimport c.D\n"}
    files |= {"x.scala": "package a.b\nimport c.D\n", "in.scala": "package a.b.c\nclass D\n"}
    state = state_of(files)
    assert imported(state, "x.kt") == [None]
    assert imported(state, "x.scala") == [None]
    put(state, "in.kt", "package elsewhere\n")
    state.update()
    assert imported(state, "x.scala") == ["in.scala"]
