import json

from jupyter_ac.index.navigation.locations import range_of
from jupyter_ac.index.navigation.rows import HoverFound, SymbolRow, Target
from tests.support.conformance import problems


def test_rows_are_what_they_promise_also_after_json() -> None:
    target: Target = {"file": "a.py", "range": range_of(1, 0, 3)}
    assert problems(json.loads(json.dumps(target)), Target) == []
    hover: HoverFound = {"contents": "x", "certainty": "guess"}
    assert problems(hover, HoverFound) == []
    assert problems({**hover, "certainty": "sure"}, HoverFound) != []
    assert problems({"name": "x"}, SymbolRow) != []
