"""Imports of Java."""

from tests.support.indexed import imported, meant, state_of

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
