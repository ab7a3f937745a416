"""What files know by packages."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.keys import key_of, slot_of, symbol_of
from jupyter_ac.index.graph.name_tables import PackagedNames
from jupyter_ac.index.graph.package_scope import PackageScope
from jupyter_ac.index.graph.tables import FileTables
from tests.support.indexed import state_of


def scope_of(files: dict[str, str]) -> tuple[FileTables, PackageScope]:
    tables = state_of(files).graph.tables
    return tables, PackageScope(tables, PackagedNames(tables))


def test_packages_around_a_files_own_are_known_where_the_language_says_so() -> None:
    files = {
        "a.cs": "using Far;\nnamespace P.Q;\nclass A { }\n",
        "a.kt": "package p.q\nimport far.*\n",
    }
    tables, scope = scope_of(files)
    slots = tables.slots
    assert scope.known(slots[RepoPath("a.cs")]) == ("P.Q", "P", "", "P.Q.Far", "P.Far", "Far")
    assert scope.known(slots[RepoPath("a.kt")]) == ("p.q", "far")


def test_the_unnamed_package_is_none_where_folders_are_the_scope() -> None:
    files = {"x/A.java": "class A { }\n", "y/B.java": "class B { }\n", "z.kt": "class Z\n"}
    tables, scope = scope_of(files)
    slots = tables.slots
    assert scope.known(slots[RepoPath("y/B.java")]) == ()
    assert scope.holder(slots[RepoPath("y/B.java")], key_of("A")) is None
    assert scope.holder(slots[RepoPath("z.kt")], key_of("A")) == slots[RepoPath("x/A.java")]


def test_of_several_files_of_a_package_the_nearest_has_the_name() -> None:
    text = "package p; class A { }\n"
    files = {f"{folder}/main/A.java": text for folder in ("one", "two")}
    tables, scope = scope_of(files | {"two/test/B.java": "package p; class B { }\n"})
    slots = tables.slots
    found = scope.holder(slots[RepoPath("two/test/B.java")], key_of("A"))
    assert found == slots[RepoPath("two/main/A.java")]


def test_an_opened_class_is_found_with_all_files_that_declare_it() -> None:
    files = {
        "a.cs": "namespace N; static partial class C { }\n",
        "b.cs": "namespace N; static partial class C { }\n",
        "u.cs": "using static N.C;\nusing N;\n",
    }
    tables, scope = scope_of(files)
    slots = tables.slots
    (found,) = scope.opened_classes(slots[RepoPath("u.cs")])
    assert (slot_of(found), symbol_of(found)) == (slots[RepoPath("a.cs")], 0)
    declaring = [slots[RepoPath("a.cs")], slots[RepoPath("b.cs")]]
    assert [*scope.with_parts(found)] == declaring
    assert [*map(slot_of, scope.parts(declaring[0], 0))] == declaring[1:]
    assert scope.opened_classes(slots[RepoPath("a.cs")]) == ()


def test_the_unnamed_package_comes_last_where_it_is_seen_from_others() -> None:
    tables, scope = scope_of({"a.php": "<?php namespace A\\B;\n", "b.php": "<?php f();\n"})
    assert scope.known(tables.slots[RepoPath("a.php")]) == ("A.B", "")
    assert scope.known(tables.slots[RepoPath("b.php")]) == ("",)


def test_a_name_behind_the_end_of_a_package_is_found_in_all_languages_of_a_platform() -> None:
    files = {
        "one.kt": "package p.shop\nclass Item\n",
        "two.scala": "package q.shop\nclass Item\n",
        "a.java": "package q; class A { }\n",
        "b.java": "package r; class B { }\n",
    }
    tables, scope = scope_of(files)
    slots, item, shop = tables.slots, key_of("Item"), key_of("shop")
    assert scope.holder(slots[RepoPath("a.java")], item, shop) == slots[RepoPath("two.scala")]
    assert scope.holder(slots[RepoPath("b.java")], item, shop) is None
