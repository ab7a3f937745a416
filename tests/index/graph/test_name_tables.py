"""Names by their packages and by what imports bind."""

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.graph.keys import key_of, place
from jupyter_ac.index.graph.name_tables import BoundNames, Definers, PackagedNames, UniqueNames
from jupyter_ac.index.records import NOBODY
from tests.support.indexed import state_of

FILES = {
    "b.cs": "namespace P;\npartial class Row { }\n",
    "a.cs": "namespace P;\npartial class Row { void Grow() { } }\n",
    "c.cs": "namespace Q;\nclass Other { }\nclass Row { }\n",
    "m.cs": "using Mine = P.Row;\nusing Far = System.IO.File;\n",
    "r.py": "class Row: ...\n",
}


def test_names_at_top_level_are_found_by_family_and_package() -> None:
    tables = state_of(FILES).graph.tables
    packaged = PackagedNames(tables)
    paths = {str(path): slot for path, slot in tables.slots.items()}
    assert packaged[key_of("Row")] == {
        ("csharp", "P"): [paths["a.cs"], paths["b.cs"]],
        ("csharp", "Q"): [paths["c.cs"]],
    }
    assert packaged[key_of("Grow")] == {}
    assert packaged.taken("csharp", key_of("Row"), "P") == (paths["a.cs"], NOBODY)
    assert packaged.taken("csharp", key_of("Nothing"), "P") is None


def test_a_member_is_taken_out_of_the_class_that_the_package_ends_with() -> None:
    tables = state_of(FILES).graph.tables
    found = PackagedNames(tables).taken("csharp", key_of("Grow"), "Q.Row")
    assert found == (tables.slots[RepoPath("c.cs")], 1)


def test_a_class_is_named_by_its_package_and_the_classes_around_it() -> None:
    text = "package p.q\nclass A {\n class B {\n class C\n }\n}\n"
    tables = state_of(
        {"a.kt": text, "b.java": "package p; class A { void f() { } }\n"}
    ).graph.tables
    packaged, slots = PackagedNames(tables), tables.slots
    kotlin = slots[RepoPath("a.kt")]
    assert packaged.class_named("jvm", "p.q.A.B.C") == place(kotlin, 2)
    assert packaged.class_named("jvm", "p.q.A") == place(kotlin, 0)
    assert packaged.class_named("jvm", "p.A") == place(slots[RepoPath("b.java")], 0)
    assert packaged.class_named("jvm", "p.A.f") is None
    assert packaged.class_named("csharp", "p.q.A") is None


def test_bound_names_have_the_files_of_their_package() -> None:
    tables = state_of(FILES).graph.tables
    slots = {str(path): slot for path, slot in tables.slots.items()}
    bound = BoundNames(tables, PackagedNames(tables))[slots["m.cs"]]
    assert bound[key_of("Mine")] == [(key_of("Row"), (slots["a.cs"],), NOBODY)]
    assert bound[key_of("Far")] == [(key_of("File"), (), NOBODY)]


def test_definers_are_all_files_that_define_a_name() -> None:
    tables = state_of(FILES).graph.tables
    found = {str(tables.paths[slot]) for slot in Definers(tables)[key_of("Row")]}
    assert found == {"a.cs", "b.cs", "c.cs", "r.py"}


def test_a_name_is_unique_in_its_family_if_one_scope_defines_it() -> None:
    files = {
        "a.pyi": "def make_rows(): ...\n",
        "b.py": "def make_rows(): ...\ndef make_rows(x): ...\ndef fetch(): ...\n",
        "c.py": "def fetch(): ...\n",
        "d.ts": "function fetch() {}\n",
    }
    tables = state_of(files).graph.tables
    unique, slots = UniqueNames(tables, Definers(tables)), tables.slots
    assert unique[key_of("make_rows"), "python"] == place(slots[RepoPath("b.py")], 0)
    assert unique[key_of("fetch"), "python"] is None
    assert unique[key_of("nothing"), "python"] is None
