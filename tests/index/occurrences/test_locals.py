"""Which names are local, and where they are declared."""

import pytest

from jupyter_ac.index.occurrences.find_occurrences import occurrences_of


@pytest.mark.parametrize(
    ("language", "text", "declared"),
    [
        # Each use of x, with the column of its declaration on the same line; -1 for none.
        ("go", "package a; func f(x int) { x := x; g(x) }", [18, 27, 18, 27]),
        ("go", "package a; func f() { for _, x := range y { g(x) }; g(x) }", [29, 29, -1]),
        ("rust", "fn f(x: u8) { let x = x + 1; g(|y| x + y); }", [5, 18, 5, 18]),
        ("rust", "fn f() { match y { Some(x) => x, X => x } }", [24, 24, -1]),
        (
            "java",
            "class A { int x; void f(int x) { g(() -> x); } void h() { x(); } }",
            [-1, 28, 28, -1],
        ),
        ("c", "int x; int f(int *x) { return x; } int g(void) { return x; }", [-1, 18, 18, -1]),
        ("cpp", "int f() { for (auto &x : y) x(); auto [x, z] = y; return x; }", [21, 21, 39, 39]),
        ("typescript", "x; function f({ x }: T) { return () => x }", [-1, 16, 16]),
        ("javascript", "try { x } catch (x) { x } for (const [x] of y) x", [-1, 17, 17, 38, 38]),
        ("ruby", "def f(x); y { |z| x + z }; end; x", [6, 6, -1]),
        ("ruby", "x = 1; y { x }; def f; x; end; class A; x; end; x", [0, 0, -1, -1, 0]),
        ("python", "def f(x): return [x for x in x]", [6, 24, 24, 24]),
        ("php", "<?php function f($x) { x(); return $x; }", [18, -1, 18]),
        ("bash", "f() { local x=1; g $x; }; echo $x", [12, 12, -1]),
    ],
)
def test_local_names_are_known_by_their_declaration(
    language: str, text: str, declared: list[int]
) -> None:
    found = occurrences_of(language, text.encode(), ("x",))
    assert [each.local[1] if each.is_local else -1 for each in found] == declared


@pytest.mark.parametrize("name", ["X", "$x"])
def test_constants_and_global_variables_of_ruby_are_not_local(name: str) -> None:
    found = occurrences_of("ruby", f"{name} = 1\n{name}\n".encode(), (name.strip("$"),))
    assert [each.is_local for each in found] == [False, False]


@pytest.mark.parametrize(
    ("language", "text", "first"),
    [
        ("javascript", "class A {\n a() { this.x = 1 }\n b() { return this.x }\n}\nthis.x", 2),
        ("ruby", "class A\n def a; @x = 1; end\n def b; @x; end\nend", 2),
        ("python", "class A:\n def a(self): self.x = 1\n def b(self): return self.x", 2),
    ],
)
def test_a_field_is_declared_by_the_first_assignment_in_its_class(
    language: str, text: str, first: int
) -> None:
    places = [each.local[0] for each in occurrences_of(language, text.encode(), ("x",))]
    assert places[:2] == [first, first]
