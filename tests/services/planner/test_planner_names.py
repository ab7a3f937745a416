from pathlib import Path

from jupyter_ac.rpc.answer_styles import AnswerStyle, style_of
from tests.services.planner.planner_world import planner_world


async def test_each_name_of_the_seed_is_also_one_of_the_planner(tmp_path: Path) -> None:
    async with planner_world(tmp_path) as world:
        table = world.table
    bare = {name for name in table if "." not in name}
    assert {"validate_code", "update_context", "get_context", "create_plan", "cancel_plan"} <= bare
    assert {f"Planner.{name}" for name in bare} <= set(table)
    for name in bare:
        assert table[name].handler == table[f"Planner.{name}"].handler
        assert table[name].key == f"Planner.{name}"
        assert style_of(name, {}) is AnswerStyle.PLANNER, name


async def test_all_are_refused_where_no_token_is_asked_for(tmp_path: Path) -> None:
    async with planner_world(tmp_path) as world:
        assert all(method.needs_login for method in world.table.values())
