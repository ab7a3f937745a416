import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.implicit_scope import ImplicitScope
from tests.index.navigation.trees import Tree

TREE = Tree(
    {
        "c/deep.h": "enum { LIM_A, LIM_B };\n#define LIM 3\n",
        "c/near.h": '#include "deep.h"\nint lim_of(int);\n',
        "c/far.h": "int lim_far(int);\n",
        "c/m.c": '#include "near.h"\nint main(void) { return li; }\n',
        "cpp/s.hpp": "namespace geo { class Shape { public: int area(); }; }\nint make();\n",
        "cpp/m.cpp": '#include "s.hpp"\nint main() { return 1; }\n',
        "cs/a/Bed.cs": "namespace Plot.Beds;\nclass Bed { }\n",
        "cs/b/Row.cs": "namespace Plot;\nclass Row { }\n",
        "cs/Main.cs": "using Plot;\nnamespace Plot.Beds;\nclass Main { }\n",
        "cs/Maths.cs": "namespace Far;\nclass Maths { int Twice; }\n",
        "cs/Use.cs": "using static Far.Maths;\n",
        "go/go.mod": "module e.com/m\n",
        "go/a.go": "package m\nfunc one() {}\n",
        "go/b.go": "package m\nfunc two() {}\n",
        "go/x/x.go": "package x\nfunc Other() {}\n",
        "java/p/A.java": "package p;\nclass A { int goNow() { return 1; } }\n",
        "java/p/B.java": "package p;\nclass B extends A { int run() {\n  return 1; } }\n",
        "java/q/C.java": "package q;\nimport p.*;\nimport static p.A.*;\nclass C { }\n",
        "py/a.py": "def shown(): ...\ndef _own(): ...\n",
        "py/b.py": "from a import *\n",
        "rb/shop.rb": "class Cart\n  def total; end\nend\n",
        "rb/m.rb": "require_relative 'shop'\n",
        "rs/src/lib.rs": "mod eng;\nuse eng::*;\n",
        "rs/src/eng.rs": "pub fn spin() {}\nfn own() {}\n",
        "rs/src/far.rs": "pub fn far() {}\n",
        "sh/lib.sh": "say_hi() { :; }\n",
        "sh/m.sh": "source ./lib.sh\n",
        "sql/t.sql": "CREATE TABLE users (id int);\n",
        "sql/q.sql": "SELECT * FROM x;\n",
        "db/old.sql": "CREATE TABLE users_old (id int);\n",
    }
)


def known(path: str, line: int, word: str = "", tree: Tree = TREE) -> list[str]:
    """The names that a file knows on a line and that stand elsewhere: `path:name`."""
    record = tree.view.record(RepoPath(path))
    assert record is not None
    found = ImplicitScope(tree.view, RepoPath(path), record).known(line, word)
    return [f"{each.path}:{each.record.symbols[each.symbol].name}" for each in found]


@pytest.mark.parametrize(
    ("path", "line", "names"),
    [
        ("c/m.c", 2, ["c/near.h:lim_of", "c/deep.h:LIM_A", "c/deep.h:LIM_B", "c/deep.h:LIM"]),
        ("cpp/m.cpp", 2, ["cpp/s.hpp:geo", "cpp/s.hpp:Shape", "cpp/s.hpp:make"]),
        ("cs/Main.cs", 3, ["cs/a/Bed.cs:Bed", "cs/b/Row.cs:Row"]),
        ("cs/Use.cs", 1, ["cs/Maths.cs:Twice"]),
        ("go/a.go", 2, ["go/b.go:two"]),
        ("java/p/B.java", 1, ["java/p/A.java:A"]),
        ("java/q/C.java", 3, ["java/p/A.java:A", "java/p/B.java:B", "java/p/A.java:goNow"]),
        ("py/b.py", 1, ["py/a.py:shown"]),
        ("rb/m.rb", 1, ["rb/shop.rb:Cart"]),
        ("rs/src/lib.rs", 2, ["rs/src/eng.rs:spin"]),
        ("sh/m.sh", 1, ["sh/lib.sh:say_hi"]),
        ("sql/q.sql", 1, ["sql/t.sql:users", "db/old.sql:users_old"]),
    ],
)
def test_what_an_open_import_or_the_package_brings_is_known(
    path: str, line: int, names: list[str]
) -> None:
    assert known(path, line) == names


def test_members_of_the_class_around_and_of_what_it_extends_are_known() -> None:
    inside = [name for name in known("java/p/B.java", 3) if name != "java/p/A.java:A"]
    assert inside == ["java/p/B.java:run", "java/p/A.java:goNow"]


def test_only_names_that_begin_with_the_word_are_known() -> None:
    assert known("c/m.c", 2, "lim_") == [
        "c/near.h:lim_of",
        "c/deep.h:LIM_A",
        "c/deep.h:LIM_B",
    ]


def test_headers_that_include_each_other_and_many_names_come_to_an_end() -> None:
    many = "".join(f"int f_{at}(int);\n" for at in range(300))
    tree = Tree(
        {
            "a.h": f'#include "b.h"\n{many}',
            "b.h": f'#include "a.h"\n{many}',
            "m.c": '#include "a.h"\n',
        }
    )
    assert len(known("m.c", 1, tree=tree)) == 100
    assert known("m.c", 1, "f_299", tree=tree) == ["a.h:f_299", "b.h:f_299"]


def test_only_some_of_many_files_are_looked_at() -> None:
    tree = Tree({f"{at:03}.sql": f"CREATE TABLE t_{at} (id int);\n" for at in range(130)})
    assert len(known("000.sql", 1, tree=tree)) == 100
    assert known("000.sql", 1, "t_129", tree=tree) == []
