"""What an import leads to."""

from jupyter_ac.index.project.import_target import Binding, bound


def test_names_and_alias_are_bound_and_a_star_opens() -> None:
    found = bound(("a.ts",), (("x", "y"), ("*", "*")), "all")
    assert found.bindings == (Binding("y", "x", ("a.ts",)), Binding("all", "", ("a.ts",)))
    assert found.opened == ("a.ts",)


def test_a_name_from_outside_is_known_to_be_from_outside() -> None:
    found = bound((), (("x", "x"),), "")
    assert found.bindings == (Binding("x", "x", ()),)
    assert found.files == found.opened == ()
