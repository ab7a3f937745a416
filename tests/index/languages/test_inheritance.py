"""Members of what a class extends, and names of classes, in each language that has them."""

from typing import Final

import pytest

from jupyter_ac.ids import RepoPath
from jupyter_ac.index.view import Definition, Spot
from tests.index.navigation.trees import Tree
from tests.support.indexed import meant

SUPER: Final = {
    "a.py": ("super().|run", "class Base:\n def run(self): 0\n", "super().run()"),
    "b.py": ("self).|run", "class Base:\n def run(self): 0\n", "super(Derived, self).run()"),
    "A.java": ("super.|run", "class Base { void run() {} }\n", "super.run();"),
    "B.java": ("super.|run", "interface Base { default void run() {} }\n", "Base.super.run();"),
    "a.cs": ("base.|run", "class Base { void run() {} }\n", "base.run();"),
    "a.kt": ("super.|run", "open class Base { open fun run() {} }\n", "super.run()"),
    "b.kt": (">.|run", "open class Base { open fun run() {} }\n", "super<Base>.run()"),
    "a.scala": ("super.|run", "class Base { def run() = 0 }\n", "super.run()"),
    "b.scala": ("].|run", "trait Base { def run() = 0 }\n", "super[Base].run()"),
    "a.js": ("super.|run", "class Base { run() {} }\n", "super.run();"),
    "a.ts": ("super.|run", "class Base { run() {} }\n", "super.run();"),
    "a.cpp": ("Base::|run", "class Base { void run() {} };\n", "Base::run();"),
}
"""By the file: the place, the class that is extended, the body of the method that overrides."""
_HEADS: Final = {
    "py": "class Derived(Base):\n def run(self):\n  {}\n",
    "java": "class Derived extends Base {{ void run() {{ {} }} }}\n",
    "cs": "class Derived : Base {{ void run() {{ {} }} }}\n",
    "kt": "class Derived : Base() {{\n override fun run() {{ {} }}\n}}\n",
    "scala": "class Derived extends Base {{ override def run() = {{ {} }} }}\n",
    "js": "class Derived extends Base {{ run() {{ {} }} }}\n",
    "ts": "class Derived extends Base {{ run() {{ {} }} }}\n",
    "cpp": "class Derived : public Base {{ void run() {{ {} }} }};\n",
}


@pytest.mark.parametrize("path", SUPER)
def test_the_member_of_the_base_is_meant_and_not_what_overrides_it(path: str) -> None:
    mark, base, body = SUPER[path]
    other = "\n" if path.endswith(".py") else ""
    tree = Tree({path: base + other + _HEADS[path.partition(".")[2]].format(body)})
    assert meant(tree.view, path, "run") == f"{path}:Base.run"
    line = 2 if path.endswith(".py") else 1
    assert tree.meant(path, mark) == f"{path}:{line} likely"


@pytest.mark.parametrize(
    ("path", "text", "mark"),
    [
        ("a.py", "class A(Far):\n def run_all(self):\n  super().run_all()\n", "super().|run"),
        ("A.java", "class A extends Far { void runAll() { super.runAll(); } }\n", "super.|run"),
        ("a.cs", "class A : Far { void runAll() { base.runAll(); } }\n", "base.|run"),
    ],
)
def test_a_member_of_a_base_from_outside_leads_nowhere(path: str, text: str, mark: str) -> None:
    tree = Tree({path: text})
    assert tree.meant(path, mark) == ""
    assert tree.goal(path, mark) == ""


def test_super_alone_is_the_method_of_its_name_in_what_the_class_extends() -> None:
    files = {
        "base.rb": "class Base\n  def run\n  end\nend\n",
        "a.rb": "require_relative 'base'\nclass A < Base\n  def run\n    super\n  end\nend\n",
    }
    tree = Tree(files)
    assert meant(tree.view, "a.rb", "super") == "base.rb:Base.run"
    assert tree.goal("a.rb", "|super") == "base.rb:run"
    wanted = Definition(RepoPath("base.rb"), 1)
    assert tree.view.references(wanted) == [Spot(RepoPath("a.rb"), 4, 4, 9)]


def test_a_field_of_the_base_is_meant_behind_super() -> None:
    base, text = "class Base { int size; }\n", "class A extends Base { int size; {} }\n"
    tree = Tree({"Base.java": base, "A.java": text.replace("{}", "int f() { return super.size; }")})
    assert tree.meant("A.java", "super.|size") == "Base.java:1 likely"
    assert tree.goal("A.java", "super.|size") == "Base.java:size"


def test_other_parts_of_a_class_are_the_class_itself() -> None:
    files = {
        "p.cs": "namespace N; partial class A : Base { void Go() { } }\n",
        "a.cs": "namespace N; partial class A { void F() { base.Go(); this.Go(); } }\n",
        "z.cs": "namespace N; class Base { void Go() { } }\n",
    }
    tree = Tree(files)
    assert tree.goal("a.cs", "base.|Go") == "z.cs:Go"
    assert tree.meant("a.cs", "base.|Go") == "z.cs:1 likely"
    assert tree.goal("a.cs", "this.|Go") == "p.cs:Go"
    assert tree.meant("a.cs", "this.|Go") == "p.cs:1 likely"


@pytest.mark.parametrize(
    ("end", "base", "text"),
    [
        ("cs", "class Base { Base(int x) { } Base next; }\n", "class A : Base { Base f; }\n"),
        (
            "java",
            "class Base { Base(int x) { } Base next; }\n",
            "class A extends Base { Base f; }\n",
        ),
    ],
)
def test_the_name_of_a_class_means_the_class_and_not_its_constructor(
    end: str, base: str, text: str
) -> None:
    tree = Tree({f"Base.{end}": base, f"A.{end}": text})
    for path, mark in (
        (f"A.{end}", " |Base {"),
        (f"A.{end}", "|Base f"),
        (f"Base.{end}", "|Base n"),
    ):
        found = tree.found(path, mark)
        assert found is not None
        assert found.goal == (f"Base.{end}", 0, -1, None)
        assert tree.meant(path, mark) == f"Base.{end}:1 likely"
