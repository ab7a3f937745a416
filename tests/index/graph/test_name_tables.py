"""Names by their packages and by what imports bind."""

from jupyter_ac.index.graph.keys import key_of
from jupyter_ac.index.graph.name_tables import BoundNames, Definers, PackagedNames
from tests.support.indexed import state_of

FILES = {
    "b.cs": "namespace P;\npartial class Row { }\n",
    "a.cs": "namespace P;\npartial class Row { void Grow() { } }\n",
    "c.cs": "namespace Q;\nclass Row { }\n",
    "m.cs": "using Mine = P.Row;\nusing Far = System.IO.File;\n",
    "r.py": "class Row: ...\n",
}


def test_names_at_top_level_are_found_by_family_and_package() -> None:
    tables = state_of(FILES).graph.tables
    slots, packaged = tables.slots, PackagedNames(tables)
    paths = {path: slots[path] for path in slots}
    assert packaged[key_of("Row")] == {
        ("csharp", "P"): [paths[p] for p in slots if p in {"a.cs", "b.cs"}][::-1],
        ("csharp", "Q"): [paths[p] for p in slots if p == "c.cs"],
    }
    assert packaged[key_of("Grow")] == {}
    assert tables.paths[packaged.taken("csharp", key_of("Row"), "P") or 0] == "a.cs"
    assert packaged.taken("csharp", key_of("Nothing"), "P") is None


def test_a_member_is_taken_out_of_the_class_that_the_package_ends_with() -> None:
    tables = state_of(FILES).graph.tables
    found = PackagedNames(tables).taken("csharp", key_of("Grow"), "Q.Row")
    assert found is not None
    assert tables.paths[found] == "c.cs"


def test_bound_names_have_the_files_of_their_package() -> None:
    tables = state_of(FILES).graph.tables
    slots = {str(path): slot for path, slot in tables.slots.items()}
    bound = BoundNames(tables, PackagedNames(tables))[slots["m.cs"]]
    assert bound[key_of("Mine")] == [(key_of("Row"), (slots["a.cs"],))]
    assert bound[key_of("Far")] == [(key_of("File"), ())]


def test_definers_are_all_files_that_define_a_name() -> None:
    tables = state_of(FILES).graph.tables
    found = {str(tables.paths[slot]) for slot in Definers(tables)[key_of("Row")]}
    assert found == {"a.cs", "b.cs", "c.cs", "r.py"}
