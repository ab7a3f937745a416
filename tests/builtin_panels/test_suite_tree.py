import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.builtin_panels.suite_tree import SuiteTree, TreeView, parts_of
from jupyter_ac.suite_rows import Outcome, OutcomeRow

FILE, OTHER = "tests/test_a.py", "tests/test_b.py"


def row(test_id: str, outcome: Outcome = "", at: int = 0) -> OutcomeRow:
    return {
        "id": test_id,
        "at": at,
        "outcome": outcome,
        "duration_ms": 1,
        "has_output": outcome == "failed",
    }


def tree_of(*rows: OutcomeRow) -> SuiteTree:
    tree = SuiteTree()
    tree.update(rows)
    return tree


def names(tree: SuiteTree, view: TreeView | None = None) -> list[str]:
    return [f"{'  ' * each.depth}{each.node.name}" for each in tree.rows(view or TreeView())]


@pytest.mark.parametrize(
    ("test_id", "parts"),
    [
        ("a.py", ["a.py"]),
        ("a.py::test", ["a.py", "test"]),
        ("a.py::Shape::test[x::y]", ["a.py", "Shape", "test[x::y]"]),
        ("a.py::test[[]]", ["a.py", "test[[]]"]),
        ("a[1].py::test", ["a[1].py", "test"]),
    ],
)
def test_an_id_has_parts(test_id: str, parts: list[str]) -> None:
    assert parts_of(test_id) == parts


def test_files_have_classes_and_classes_have_tests() -> None:
    tree = tree_of(row(f"{FILE}::Shape::test_a"), row(f"{FILE}::test_b"), row(f"{OTHER}::test_c"))
    assert names(tree) == [FILE, "  Shape", "    test_a", "  test_b", OTHER, "  test_c"]
    assert tree.total == 3


def test_the_order_is_that_of_the_tests_not_of_the_news() -> None:
    tree = tree_of(row(f"{OTHER}::z", at=2), row(f"{FILE}::b", at=1), row(f"{FILE}::a", at=0))
    assert names(tree) == [FILE, "  a", "  b", OTHER, "  z"]


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["f::a", "f::b", "f::C::a", "g::a", "g"]),
            st.sampled_from(["", "waiting", "running", "passed", "failed", "error", "skipped"]),
        ),
        max_size=30,
    )
)
def test_counts_are_those_of_the_last_outcomes(changes: list[tuple[str, Outcome]]) -> None:
    tree = SuiteTree()
    last: dict[str, Outcome] = {}
    for test_id, outcome in changes:
        tree.update([row(test_id, outcome)])
        last[test_id] = outcome
    counted = {name: outcome for name, outcome in last.items() if "::" in name or outcome}
    assert tree.total == len(counted)
    for outcome in set(last.values()):
        assert tree.counts[outcome] == list(counted.values()).count(outcome)
    for file in {name.partition("::")[0] for name in counted}:
        node = tree.get(file)
        assert node is not None
        assert node.counts.total() == sum(name.partition("::")[0] == file for name in counted)
    failed = [name for name, outcome in last.items() if outcome in {"failed", "error"}]
    assert sorted(node.id for node in tree.failed()) == sorted(failed)


def test_a_view_narrows_by_outcome_and_by_text() -> None:
    tree = tree_of(
        row(f"{FILE}::Shape::test_round", "failed"),
        row(f"{FILE}::test_flat", "passed"),
        row(f"{OTHER}::test_soil", "skipped"),
    )
    assert names(tree, TreeView("failed")) == [FILE, "  Shape", "    test_round"]
    assert names(tree, TreeView("passed")) == [FILE, "  test_flat"]
    assert names(tree, TreeView("skipped")) == [OTHER, "  test_soil"]
    assert names(tree, TreeView("not-run")) == []
    assert names(tree, TreeView(text="SOIL")) == [OTHER, "  test_soil"]
    assert names(tree, TreeView(text="shape")) == [FILE, "  Shape", "    test_round"]


def test_many_tests_are_closed_but_for_groups_with_failures() -> None:
    rows = [row(f"f{file}.py::t{at}", "passed") for file in range(10) for at in range(10)]
    tree = tree_of(*rows)
    assert names(tree) == [f"f{file}.py" for file in range(10)]
    tree.update([row("f3.py::t5", "failed")])
    assert len(names(tree)) == 20
    assert len(names(tree, TreeView(toggled={"f3.py": False}))) == 10
    assert len(names(tree, TreeView(toggled={"f4.py": True}))) == 30


def test_a_file_that_cannot_be_collected_counts_until_it_can() -> None:
    tree = tree_of(row(FILE, "error"))
    assert (tree.total, names(tree)) == (1, [FILE])
    tree.update([row(FILE), row(f"{FILE}::test_a", "passed")])
    assert (tree.total, names(tree)) == (1, [FILE, "  test_a"])


def test_ten_thousand_tests_are_taken_and_forgotten() -> None:
    tree = SuiteTree()
    tree.update(row(f"f{at // 100}.py::t{at}", "passed", at) for at in range(10_000))
    assert tree.total == 10_000
    assert len(names(tree)) == 100
    tree.clear()
    assert (tree.total, names(tree), tree.get("f0.py")) == (0, [], None)
