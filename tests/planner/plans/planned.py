"""Plans for tests, and what makes them by chance."""

from collections.abc import Mapping, Sequence

from hypothesis import strategies as st

from jupyter_ac.ids import Identity
from jupyter_ac.planner.plans.plan import (
    AppliedChanges,
    FileConflict,
    Plan,
    PlanLimits,
    Task,
    TaskOutcome,
    TaskType,
)
from jupyter_ac.planner.plans.plan_changes import (
    BranchStarted,
    ChangesApplied,
    PlanChange,
    PlanMoved,
    TaskMoved,
)

ADA = Identity("ada")


def plan_of(
    dependencies: Mapping[str, Sequence[str]], *, concurrency: int = 2, plan_id: str = "plan_1"
) -> Plan:
    """A draft whose tasks depend on each other."""
    tasks = tuple(
        Task(task_id, TaskType.ANALYSIS, f"do {task_id}", tuple(needed))
        for task_id, needed in dependencies.items()
    )
    return Plan(plan_id, ADA, "make it", tasks, PlanLimits(concurrency=concurrency))


@st.composite
def plans(draw: st.DrawFn) -> Plan:
    """A plan of up to seven tasks, each depending on earlier ones only."""
    names = [f"t{number}" for number in range(draw(st.integers(1, 7)))]
    tasks = [
        Task(
            name,
            draw(st.sampled_from(TaskType)),
            "é",
            tuple(sorted(draw(st.sets(st.sampled_from(names[:at]), max_size=3)))) if at else (),
            draw(st.integers(1, 5)),
            draw(st.booleans()),
        )
        for at, name in enumerate(names)
    ]
    limits = PlanLimits(concurrency=draw(st.integers(1, 3)))
    return Plan("plan_1", ADA, "make it", tuple(draw(st.permutations(tasks))), limits)


CHANGES: st.SearchStrategy[PlanChange] = st.one_of(
    st.builds(
        PlanMoved,
        st.sampled_from(
            ["propose", "approve", "pause", "resume", "complete", "fail", "retry", "cancel", "end"]
        ),
        st.text(max_size=3),
    ),
    st.builds(
        TaskMoved,
        st.sampled_from([f"t{number}" for number in range(7)]),
        st.sampled_from(
            [
                *("get_ready", "start", "start", "validate", "validate", "finish", "finish"),
                *("fail", "try_again", "block", "retry", "cancel", "skip"),
            ]
        ),
        st.text(max_size=3),
        st.none()
        | st.builds(
            TaskOutcome,
            explanation=st.text(max_size=3),
            files_modified=st.tuples(st.text(max_size=3)),
            tokens_used=st.integers(0, 9),
            cost_usd=st.floats(0, 9),
            conflicts=st.tuples(st.builds(FileConflict, st.text(max_size=3), st.text(max_size=3))),
        ),
    ),
    st.builds(BranchStarted, st.text(max_size=3), st.text(max_size=3)),
    st.builds(
        ChangesApplied,
        st.none()
        | st.builds(
            AppliedChanges,
            st.text(max_size=3),
            st.text(max_size=3),
            st.tuples(st.text(max_size=3)),
        ),
    ),
)
