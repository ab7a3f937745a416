import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.planner.plans.plan import Plan
from jupyter_ac.planner.plans.plan_changes import PlanChange, PlanCreated, TasksReplaced
from jupyter_ac.planner.plans.plan_codec import decode_change, encode_change
from tests.planner.plans.planned import CHANGES, plans


@given(CHANGES | st.builds(PlanCreated, plans()) | plans().map(lambda p: TasksReplaced(p.tasks)))
def test_a_change_is_read_as_it_was_written(change: PlanChange) -> None:
    assert decode_change(encode_change(change)) == change


@given(plans(), st.data())
def test_a_change_that_lacks_something_is_none(plan: Plan, data: st.DataObject) -> None:
    row = json.loads(encode_change(PlanCreated(plan)))
    inner = row["plan"]
    name = data.draw(st.sampled_from(["plan_id", "tasks", "limits", "state"]))
    inner[name] = data.draw(st.sampled_from([None, 7, "x"])) if name != "plan_id" else inner[name]
    if name == "plan_id":
        del inner[name]
    with pytest.raises(ValueError, match=r"."):
        decode_change(json.dumps(row))


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", '{"kind": "x"}', '{"kind": "plan_moved", "trigger": "x", "reason": ""}'],
)
def test_other_texts_are_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        decode_change(text)
