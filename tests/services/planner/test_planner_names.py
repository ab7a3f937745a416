import os
from pathlib import Path

from jupyter_ac.planner.validation.validator import Checkers, CodeValidator
from jupyter_ac.rpc.answer_styles import AnswerStyle, style_of
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.planner.planner_names import planner_methods


def table(root: Path) -> MethodTable:
    return MethodTable(*planner_methods(CodeValidator(Checkers.of(root, os.environ))))


def test_each_name_of_the_seed_is_also_one_of_the_planner(tmp_path: Path) -> None:
    found = table(tmp_path)
    bare = {name for name in found if "." not in name}
    assert {f"Planner.{name}" for name in bare} <= set(found)
    for name in bare:
        assert found[name].handler == found[f"Planner.{name}"].handler
        assert found[name].key == f"Planner.{name}"
        assert style_of(name, {}) is AnswerStyle.PLANNER, name


def test_all_are_refused_where_no_token_is_asked_for(tmp_path: Path) -> None:
    assert all(method.needs_login for method in table(tmp_path).values())
