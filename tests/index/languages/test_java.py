"""Imports of Java."""

import pytest

from tests.index.navigation.trees import Tree
from tests.support.indexed import imported, meant, put, state_of

FILES = {
    "src/main/java/a/b/Tool.java": "package a.b;\npublic class Tool { static void useIt() {} }\n",
    "src/main/java/a/c/Other.java": "package a.c;\nclass Other { void go() {} }\n",
    "src/main/java/a/c/Next.java": "package a.c;\n"
    "class Next extends Other { void f() { go(); } }\n",
}


def test_classes_static_members_and_packages_are_found() -> None:
    files = FILES | {
        "src/test/java/T.java": "import a.b.Tool;\nimport static a.b.Tool.useIt;\nimport a.c.*;\n"
        "import java.util.List;\nclass T { void m() { Tool.useIt(); new Other(); } }\n"
    }
    state = state_of(files)
    tool = "src/main/java/a/b/Tool.java"
    assert imported(state, "src/test/java/T.java") == [
        tool,
        tool,
        "src/main/java/a/c/Next.java",
        None,
    ]
    assert meant(state, "src/test/java/T.java", "useIt") == f"{tool}:Tool.useIt"
    assert meant(state, "src/test/java/T.java", "Other") == "src/main/java/a/c/Other.java:Other"


def test_a_package_knows_its_own_classes_and_inherited_members() -> None:
    path = "src/main/java/a/c/Next.java"
    assert meant(state_of(FILES), path, "go") == "src/main/java/a/c/Other.java:Other.go"


TOOL = "package p; public class Tool { static int twice(int x) { return x; } }\n"


@pytest.mark.parametrize("line", ["import static p.Tool.*;", "import static p.Tool.twice;"])
def test_static_members_that_are_imported_are_known_bare(line: str) -> None:
    other = "class Other { int twice() { return 1; } }\n"
    text = f"package q; {line}\nclass A {{ int f() {{ return twice(1); }} }}\n"
    tree = Tree({"src/p/Tool.java": TOOL, "q/A.java": text, "x/Other.java": other})
    assert meant(tree.view, "q/A.java", "twice") == "src/p/Tool.java:Tool.twice"
    assert tree.meant("q/A.java", "return |twice") == "src/p/Tool.java:1 likely"


def test_classes_of_the_same_package_are_known_in_other_folders() -> None:
    files = {f"{module}/main/p/Tool.java": TOOL for module in ("one", "two")}
    files["two/test/p/ToolTest.java"] = "package p; class ToolTest { Tool tool; }\n"
    files["Tool.java"] = "class Tool { }\n"
    state = state_of(files)
    assert meant(state, "two/test/p/ToolTest.java", "Tool") == "two/main/p/Tool.java:Tool"


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("lib/c.kt", "package p\nopen class C {\n fun twice() = 1\n}\n"),
        ("lib/c.scala", "package p\nclass C { def twice() = 1 }\n"),
    ],
)
@pytest.mark.parametrize("head", ["package q; import p.C;", "package q; import p.*;", "package p;"])
def test_classes_of_other_languages_of_the_platform_are_known(
    path: str, text: str, head: str
) -> None:
    files = {path: text, "far/C.kt": "package far\nclass C {\n fun twice() = 1\n}\n"}
    user = f"{head}\nclass A extends C {{ void f() {{ twice(); }} }}\n"
    state = state_of(files | {"app/A.java": user})
    assert meant(state, "app/A.java", "C") == f"{path}:C"
    assert meant(state, "app/A.java", "twice") == f"{path}:C.twice"
    put(state, path, text.replace("package p", "package r"))
    state.update()
    assert meant(state, "app/A.java", "C") == ""


def test_files_without_a_package_see_their_folder_alone() -> None:
    files = {"a/Main.java": "class Main { Helper h; }\n", "b/Helper.java": "class Helper { }\n"}
    state = state_of(files | {"c/Helper.java": "class Helper { }\n"})
    assert meant(state, "a/Main.java", "Helper") == ""
