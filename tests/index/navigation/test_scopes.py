from jupyter_ac.ids import RepoPath
from jupyter_ac.index.navigation.scopes import Goal, Scopes, around, bound_name, class_around
from jupyter_ac.index.records import NOBODY, Import
from tests.index.navigation.trees import Tree, python_tree

CLIENT = RepoPath("app/client.py")


def named(tree: Tree, goals: list[Goal]) -> list[str]:
    names = []
    for goal in goals:
        record = tree.view.record(goal.path)
        assert record is not None
        names.append(record.symbols[goal.symbol].name)
    return names


def test_a_line_is_in_the_symbols_around_it_the_innermost_first() -> None:
    record = python_tree().view.record(CLIENT)
    assert record is not None
    line = python_tree().place("app/client.py", "self.|close").line
    names = [record.symbols[at].name for at in around(record, line)]
    assert names == ["fetch_page", "Client"]
    assert record.symbols[class_around(record, line)].name == "Client"
    assert class_around(record, 1) == NOBODY


def test_a_method_is_no_bare_name_and_a_top_level_name_is() -> None:
    scopes = Scopes(python_tree().view)
    assert scopes.visible(CLIENT, "draw", 13) is None
    assert scopes.visible(CLIENT, "DEFAULT", 13) is not None


def test_the_members_of_a_class_are_its_own_and_then_those_of_its_bases() -> None:
    tree = python_tree()
    scopes = Scopes(tree.view)
    owner = scopes.visible(CLIENT, "Client", 1)
    assert owner is not None
    assert named(tree, list(scopes.members(owner))) == ["fetch_page", "draw", "close"]
    assert scopes.member(owner, "nothing") is None


def test_a_name_is_followed_through_the_files_that_pass_it_on() -> None:
    tree = Tree(
        {
            "p/__init__.py": "from p.a import thing\n",
            "p/a.py": "from p.b import thing\n",
            "p/b.py": "def thing(): ...\n",
            "p/sub.py": "x = 1\n",
            "m.py": "from p import thing, sub, missing\n",
        }
    )
    scopes = Scopes(tree.view)
    main = RepoPath("m.py")
    assert named(tree, [goal for goal in [scopes.imported(main, "thing")] if goal]) == ["thing"]
    assert scopes.imported(main, "sub") == Goal(RepoPath("p/sub.py"))
    assert scopes.imported(main, "missing") == Goal(RepoPath("p/__init__.py"))
    assert scopes.imported(main, "other") is None


def test_names_that_are_passed_on_in_a_circle_end_somewhere() -> None:
    tree = Tree({"a.py": "from b import x\n", "b.py": "from a import x\n"})
    assert Scopes(tree.view).imported(RepoPath("a.py"), "x") is not None


def test_an_import_binds_its_alias_or_its_own_name() -> None:
    assert bound_name(Import("numpy", (), "np", 0, 1)) == "np"
    assert bound_name(Import("json", (), "", 0, 1)) == "json"
    assert bound_name(Import("os.path", (), "", 0, 1)) == ""
    assert bound_name(Import("json", (("loads", "loads"),), "", 0, 1)) == ""


def test_inherited_members_are_looked_up_past_all_parts_of_the_class_itself() -> None:
    tree = Tree(
        {
            "a.cs": "namespace N; partial class A { void Own() { } }\n",
            "b.cs": "namespace N; partial class A : Base { void Go() { } }\n",
            "c.cs": "namespace N; class Base { void Go() { } }\n",
        }
    )
    scopes = Scopes(tree.view)
    owner = Goal(RepoPath("a.cs"), 0)
    assert scopes.member(owner, "Go") == Goal(RepoPath("b.cs"), 1)
    assert scopes.member(owner, "Go", inherited=True) == Goal(RepoPath("c.cs"), 1)
    assert scopes.member(owner, "Own", inherited=True) is None
    assert named(tree, list(scopes.own_members(owner))) == ["Own", "Go"]
    assert named(tree, list(scopes.members(owner))) == ["Own", "Go", "Go"]
