import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.planner.plans.plan import PlanLimits
from jupyter_ac.planner.plans.plan_prompt import (
    MAX_FILES_CHARACTERS,
    PlanQuestion,
    plan_text,
    read_draft,
    repair_text,
)
from tests.planner.plans.planning_model import answer_of

PLAN = answer_of(("a", []), ("b", ["a"]), estimated_time_seconds=120)


@pytest.mark.parametrize(
    "answer",
    [
        PLAN,
        f"Here it is:\n```json\n{PLAN}\n```\nGood luck.",
        f"<think>{{}} maybe</think>\n{PLAN}",
        f'{{"plan": {PLAN}}}',
        f"I use {{}} and {{braces}}: {PLAN}",
    ],
)
def test_a_plan_is_found_in_an_answer(answer: str) -> None:
    draft = read_draft(answer, 10)
    assert draft.faults == []
    assert [task.task_id for task in draft.tasks] == ["a", "b"]
    assert (draft.explanation, draft.estimated_s) == ("because", 120)


@pytest.mark.parametrize("answer", ["", "no", "[1]", "{", "{" * 100_000, '{"a": ' * 50_000])
def test_other_answers_have_a_fault(answer: str) -> None:
    assert read_draft(answer, 10).faults == ["the answer isn't one JSON object"]


@given(st.text() | st.recursive(st.none() | st.booleans() | st.text(max_size=3), st.lists))
def test_an_answer_of_another_form_always_has_a_fault(value: object) -> None:
    answer = json.dumps({"tasks": value, "estimated_time_seconds": value})
    assert read_draft(answer, 3).faults


@pytest.mark.parametrize("value", [-1, True, "1", None, 1e99])
def test_a_guess_that_is_none_is_left_out(value: object) -> None:
    assert read_draft(answer_of(("a", []), estimated_time_seconds=value), 3).estimated_s == 0


def test_the_question_is_json_with_the_names_that_fit() -> None:
    question = PlanQuestion("make \ud800 it", PlanLimits(max_tasks=3), {"completed_tasks": []})
    files = [f"folder/file_{number}.py" for number in range(5000)]
    members = json.loads(plan_text(question, files))
    assert members["constraints"] == {"max_tasks": 3}
    assert members["files_left_out"] + len(members["files"]) == 5000
    assert sum(map(len, members["files"])) <= MAX_FILES_CHARACTERS
    assert "files_left_out" not in json.loads(plan_text(question, files[:2]))


def test_a_repair_names_the_faults_and_a_bounded_answer() -> None:
    text = repair_text("question", "x" * 10**6, ["one", "two"])
    assert "- one\n- two" in text
    assert text.startswith("question\n")
    assert len(text) < 21_000
