"""Where the value before a dot comes from."""

import pytest

from jupyter_ac.index.occurrences.find_occurrences import occurrences_of
from jupyter_ac.index.occurrences.occurrence import NOWHERE, SELF, SUPER, Origin


@pytest.mark.parametrize(
    ("language", "text", "origin"),
    [
        ("go", "package a; func f(s *Store) { s.log.x() }", Origin("", ("Store",), ("log",))),
        ("go", "package a; func f() { s := New(); s.x() }", Origin("New", (), ())),
        ("go", "package a; var a = b.Type{x: 1}", Origin("", ("b", "Type"), ())),
        ("rust", "fn f(s: &mut Store) { s.rows()?.x(); }", Origin("", ("Store",), ("rows",))),
        ("rust", "fn f() { Store::x(); }", Origin("Store", (), ())),
        ("rust", "fn f(s: S) { assert!(s.x()); }", Origin("", ("S",), ())),
        ("java", "class A { void f() { new Store().x(); } }", Origin("", ("Store",), ())),
        ("java", "class A { void f() { this.log.x(); } }", Origin(SELF, (), ("log",))),
        ("java", "class A { void f() { super.log.x(); } }", Origin(SUPER, (), ("log",))),
        ("csharp", "class A { void F() { base.x(); } }", Origin(SUPER, (), ())),
        ("csharp", "class A { void F() { super.x(); } }", Origin("super", (), ())),
        ("kotlin", "class A { fun f() { super<B>.x() } }", Origin(SUPER, (), ())),
        ("python", "class A:\n def f(self): super().x()", Origin(SUPER, (), ())),
        ("c", "int f(struct a *b) { return (*b).c->x; }", Origin("", ("a",), ("c",))),
        ("cpp", "int f() { auto a = make(); a.x(); }", Origin("make", (), ())),
        ("typescript", "(a as Store).x", Origin("a", (), ())),
        (
            "typescript",
            "function f(a?: Store<T>) { a!.b[0].x }",
            Origin("", ("Store", "T"), ("b",)),
        ),
        ("javascript", "const a = async () => { (await go()).x() }", Origin("go", (), ())),
        ("ruby", "Store.new(1).x", Origin("Store", (), ("new",))),
        ("javascript", "class A extends B { f() { super.x() } }", Origin(SUPER, (), ())),
        (
            "javascript",
            "class A { constructor() { this.s = new Store() } f() { this.s.x() } }",
            Origin("", ("Store",), ()),
        ),
        ("php", "<?php \\A\\B::f()->x();", Origin("A", (), ("B", "f"))),
        ("php", "<?php \\B::x();", Origin("B", (), ())),
        ("php", "<?php A::$y->x();", Origin("A", (), ("y",))),
        ("python", "'a'.x", NOWHERE),
        ("javascript", "({ x: 1 })", NOWHERE),
    ],
)
def test_the_origin_is_a_root_and_what_is_taken_off_it(
    language: str, text: str, origin: Origin
) -> None:
    (found,) = occurrences_of(language, text.encode(), ("x",))
    assert found.is_member
    assert found.origin == origin


def test_values_that_come_from_each_other_end() -> None:
    text = "function f() { let a = b.x, b = a }"
    (found,) = occurrences_of("javascript", text.encode(), ("x",))
    assert found.origin == NOWHERE
