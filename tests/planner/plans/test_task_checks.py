import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.planner.plans.task_checks import MAX_TASKS, checked_tasks

ROWS = st.lists(
    st.fixed_dictionaries(
        {"id": st.sampled_from(["a", "b", "c"]), "type": st.just("testing")},
        optional={
            "description": st.text(max_size=3) | st.none(),
            "dependencies": st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=3),
            "priority": st.integers(0, 6) | st.booleans(),
            "needs_all": st.booleans() | st.none(),
        },
    )
    | st.integers(),
    max_size=4,
)


def row(task_id: str, *dependencies: str) -> dict[str, object]:
    return {
        "id": task_id,
        "type": "analysis",
        "description": "x",
        "dependencies": list(dependencies),
        "priority": 1,
    }


def test_sound_tasks_are_read() -> None:
    tasks, faults = checked_tasks([row("b", "a"), row("a"), {**row("c"), "needs_all": False}], 10)
    assert faults == []
    assert [(task.task_id, task.dependencies, task.needs_all) for task in tasks] == [
        ("b", ("a",), True),
        ("a", (), True),
        ("c", (), False),
    ]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "at least one"),
        ({}, "list"),
        ([row("a"), row("a")], "used twice"),
        ([row("a", "z")], "'z', which is no task"),
        ([row("a", "a")], "cycle"),
        ([row("a", "c"), row("b", "a"), row("c", "b")], "cycle: "),
        ([row(f"t{number}") for number in range(4)], "at most 3"),
        ([{**row("a"), "priority": 0}], "from 1"),
        ([{**row("a"), "priority": True}], "from 1"),
        ([{**row("a"), "type": "cooking"}], "code_generation"),
        ([{**row("a"), "id": "../x"}], "id must"),
        ([{**row("a"), "description": " "}], "description"),
        ([{**row("a"), "description": "x" * 10_001}], "10,000"),
        ([{**row("a"), "dependencies": ["b", "b"]}], "twice"),
        ([{**row("a"), "dependencies": "b"}], "list of ids"),
        ([7], "object"),
    ],
)
def test_what_is_wrong_is_said(rows: object, words: str) -> None:
    _, faults = checked_tasks(rows, 3)
    assert any(words in fault for fault in faults), faults


def test_there_are_never_too_many() -> None:
    assert checked_tasks([row(f"t{n}") for n in range(MAX_TASKS + 1)], 10**9)[1]
    assert len(checked_tasks([{} for _ in range(100)], 100)[1]) == 20


@given(ROWS)
def test_tasks_without_faults_can_all_be_done_one_after_another(rows: list[object]) -> None:
    tasks, faults = checked_tasks(rows, 10)
    if faults:
        return
    done: set[str] = set()
    while len(done) < len(tasks):
        ready = [t for t in tasks if t.task_id not in done and done.issuperset(t.dependencies)]
        assert ready
        done |= {task.task_id for task in ready}
