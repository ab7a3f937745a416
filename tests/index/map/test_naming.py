import pytest

from jupyter_ac.index.map.naming import MAX_NAMES, Name, core, is_test, names_of
from jupyter_ac.index.records import FileRecord, Symbol


def symbol(name: str, line: int, last: int, parent: int = -1) -> Symbol:
    return Symbol(name, "function", line, 0, line, last, parent, "(a)")


def test_a_name_that_is_defined_twice_in_one_place_is_one() -> None:
    rows = (symbol("a", 1, 2), symbol("A", 3, 9), symbol("a", 4, 5, 1), symbol("a", 20, 29))
    assert names_of(FileRecord("python", rows)) == (
        Name("a", "function", 12, -1, "(a)"),
        Name("A", "function", 7, -1, "(a)"),
        Name("a", "function", 2, 1, "(a)"),
    )


def test_keys_elements_and_rules_are_not_named_and_members_move_up() -> None:
    key = symbol("k", 1, 5)._replace(kind="key")
    assert names_of(FileRecord("json", (key, symbol("f", 2, 3, 0)))) == (
        Name("f", "function", 2, -1, "(a)"),
    )
    assert names_of(None) == ()


def test_a_file_with_too_many_names_is_cut() -> None:
    rows = tuple(symbol(f"f{at}", at + 1, at + 1) for at in range(MAX_NAMES + 5))
    assert len(names_of(FileRecord("python", rows))) == MAX_NAMES


@pytest.mark.parametrize(
    ("path", "other"),
    [
        ("a/test_foo.py", "b/foo.py"),
        ("foo_test.go", "foo.go"),
        ("FooTest.java", "Foo.java"),
        ("foo.spec.ts", "foo.ts"),
        ("foo.test.jsx", "src/foo.jsx"),
    ],
)
def test_a_test_pairs_with_its_source(path: str, other: str) -> None:
    assert core(path) == core(other)
    assert is_test(path)
    assert not is_test(other)


def test_a_file_that_stands_for_its_folder_pairs_by_the_folders_name() -> None:
    assert core("shop/store/__init__.py") == core("tests/test_store.py") == "store"
    assert core("src/button/index.tsx") == "button"
    assert core("shop/store/__init__.py") != core("shop/paint/__init__.py")
    assert core("__init__.py") == ""


def test_folders_make_tests_too() -> None:
    assert is_test("src/test/java/Foo.java")
    assert is_test("tests/helpers.py")
    assert not is_test("contest/latest.py")
    assert core(".gitignore") == "gitignore"
