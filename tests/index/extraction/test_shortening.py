import pytest

from jupyter_ac.index.extraction.shortening import (
    base_names,
    one_line,
    pieces,
    short_parameters,
    short_result,
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("()", "()"),
        ("(self)", "()"),
        ("(self, a, *, b=1, **c)", "(a,*,b?,**c)"),
        ("(a: dict[str, int], b: int = 2, /, *c: str)", "(a,b?,*c)"),
        ("(a, { b = 1, c }, [d, e], ...rest)", "(a,{…},[…],...rest)"),
        ("(private readonly a: A, b?: B, c: (x: X) => void)", "(a,b?,c)"),
        ("(@Api internal val a: A, noinline b: () -> B, private[shop] val c: C)", "(a,b,c)"),
        ("(ref = 1, open: bool, final : Int, using)", "(ref?,open,final,using)"),
        ("(&mut self, a: &'a str, b: HashMap<K, V>)", "(a,b)"),
        ('(a = "x, y", b: str = ",")', "(a?,b?)"),
        ("(ctx context.Context, names ...string)", "(ctx,names)"),
        ("x", "(x)"),
        ("(" + ", ".join(f"parameter_{n}" for n in range(50)) + ")", None),
    ],
)
def test_parameters_by_name(text: str, expected: str | None) -> None:
    found = short_parameters(text, "name first")
    assert found == expected if expected else len(found) <= 120


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(void)", "()"),
        ("(const char *a, int b[], int (*c)(int), ...)", "(a,b,c,...)"),
        ("(std::map<int, T> a, const T& b = T{}, T... c)", "(a,b?,...c)"),
        ("(@Nullable final String a, int... b)", "(a,...b)"),
    ],
)
def test_parameters_behind_their_types(text: str, expected: str) -> None:
    assert short_parameters(text, "name last") == expected


def test_results() -> None:
    assert short_result("-> int") == "->int"
    assert short_result(": Promise<\n  A>") == "->Promise< A>"
    assert short_result("") == ""
    assert len(short_result("x" * 100)) <= 42


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(A, b.C[T], metaclass=M)", ("A", "C")),
        ("extends A.B<C> implements D, E", ("B", "D", "E")),
        (": public A<T>, private x::B", ("A", "B")),
        ("extends \\A\\B", ("B",)),
        ("use C, \\D\\E { C::f as g; }", ("C", "E")),
        ("extends mixin(A, B)", ("mixin",)),
        ("Send + Sync", ("Send", "Sync")),
        ("()", ()),
    ],
)
def test_bases(text: str, expected: tuple[str, ...]) -> None:
    assert base_names(text) == expected


def test_pieces_are_split_outside_of_brackets_only() -> None:
    assert pieces("a, b(c, d), e") == ["a", " b(c, d)", " e"]
    assert pieces("a: (x) => y, b") == ["a: (x) => y", " b"]
    assert pieces(")))a, b") == [")))a", " b"]


def test_a_declaration_stands_on_one_line() -> None:
    assert one_line("def f(\n    a,\n\tb):\n") == "def f( a, b)"
    assert one_line("class A {") == "class A"
    assert one_line("f = (a) =>") == "f = (a)"
    assert len(one_line("x " * 500)) == 200
