"""Which file is in which packages."""

from jupyter_ac.index.project.packages import Packages, declared, enclosing


def test_rows_name_packages_each_once() -> None:
    assert declared((("package", "a", "a.b"), ("name", "x"), ("package", "a"))) == ("a", "a.b")
    assert declared(()) == ()


def test_a_package_is_in_those_around_it_and_in_the_unnamed_one() -> None:
    assert [*enclosing("a.b.c")] == ["a.b.c", "a.b", "a", ""]
    assert [*enclosing("")] == [""]


def test_files_come_into_packages_and_go_out_of_them() -> None:
    packages = Packages()
    assert packages.put("x.cs", ("a", "b")) == {"a", "b"}
    assert packages.put("y.cs", ("a",)) == {"a"}
    assert [*packages.files("a")] == ["x.cs", "y.cs"]
    assert packages.put("x.cs", ("b", "c")) == {"a", "c"}
    assert packages.of("x.cs") == ("b", "c")
    assert packages.put("x.cs", ("b", "c")) == set()
    assert packages.all() == {"x.cs": ("b", "c"), "y.cs": ("a",)}
    assert packages.put("y.cs", ()) == {"a"}
    assert [*packages.files("a")] == []
    assert packages.of("y.cs") == ("",)
