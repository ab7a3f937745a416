from jupyter_ac.services.planner.executor_listing import ExecutorMethods, ExecutorRow


def test_the_list_is_that_of_the_moment() -> None:
    rows = [ExecutorRow(name="agent", kind="agent", note="")]
    methods = ExecutorMethods(lambda: rows)
    assert methods.list_executors() == {"executors": rows}
    rows = [*rows, ExecutorRow(name="claude", kind="acp", note="Install it.")]
    assert [one["name"] for one in methods.list_executors()["executors"]] == ["agent", "claude"]
