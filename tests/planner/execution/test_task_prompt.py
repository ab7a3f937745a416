from dataclasses import replace

from jupyter_ac.git.excluded_paths import NONE_EXCLUDED, ExcludedPaths
from jupyter_ac.ids import RepoPath
from jupyter_ac.planner.execution.task_prompt import opening_prompt, repair_prompt
from jupyter_ac.planner.plans.plan import FileConflict, TaskOutcome, TaskState
from tests.planner.plans.planned import plan_of

PLAN = plan_of({"a": [], "b": ["a"], "c": []})


def test_a_task_is_told_of_the_plan_itself_and_what_it_depends_on() -> None:
    done = TaskOutcome("Made the parser.", files_modified=("p.py",), files_created=("q.py",))
    tasks = tuple(
        replace(task, state=TaskState.DONE, outcome=done) if task.task_id == "a" else task
        for task in PLAN.tasks
    )
    plan = replace(PLAN, tasks=tasks)
    prompt = opening_prompt(plan, plan.task("b"), NONE_EXCLUDED)
    assert "make it" in prompt
    assert "Your task (analysis):\ndo b" in prompt
    assert "Made the parser.\nFiles that it changed: p.py, q.py" in prompt
    other = opening_prompt(plan, plan.task("c"), NONE_EXCLUDED)
    assert "Made the parser." not in other
    assert "do a" not in other


def test_a_plan_of_one_task_isn_t_told_twice() -> None:
    plan = plan_of({"a": []})
    assert "make it" not in opening_prompt(plan, plan.task("a"), NONE_EXCLUDED)


def test_another_attempt_is_told_why_the_last_one_failed_and_its_conflicts() -> None:
    outcome = TaskOutcome(conflicts=(FileConflict("a.py", "<<<<<<< plan"),))
    task = replace(PLAN.task("a"), attempts=1, reason="Mind the tests.", outcome=outcome)
    prompt = opening_prompt(PLAN, task, NONE_EXCLUDED)
    assert "a.py:\n<<<<<<< plan" in prompt
    assert "Mind the tests." in prompt
    assert "attempt before" not in opening_prompt(PLAN, replace(task, attempts=0), NONE_EXCLUDED)


def test_problems_are_told_a_line_each() -> None:
    problems = ["a.py:1:1: one", "b.py:2:1: two"]
    told = repair_prompt(problems, NONE_EXCLUDED)
    assert "- a.py:1:1: one\n- b.py:2:1: two\n" in told
    told = repair_prompt(problems, ExcludedPaths((RepoPath("b.py"),)))
    assert "- a.py:1:1: one\n- It isn't told" in told
    assert "two" not in told


def test_nothing_is_told_of_files_that_were_excluded_since() -> None:
    excluded = ExcludedPaths((RepoPath("vault"),))
    conflicts = (FileConflict("vault/a.py", "wordmoon"), FileConflict("b.py", "shown"))
    done = TaskOutcome("Done.", files_modified=("vault/a.py", "b.py"))
    failed = TaskOutcome(conflicts=conflicts)
    reason = "Other tasks have changed the same lines of vault/a.py, b.py."
    first, second, third = PLAN.tasks
    second = replace(second, attempts=1, reason=reason, outcome=failed)
    plan = replace(PLAN, tasks=(replace(first, outcome=done), second, third))
    told = opening_prompt(plan, second, excluded)
    assert "Files that it changed: b.py" in told
    assert "b.py:\nshown" in told
    assert "vault" not in told
    assert "wordmoon" not in told
    assert "vault/a.py, b.py" in opening_prompt(plan, second, NONE_EXCLUDED)
