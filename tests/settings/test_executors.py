import json

import pytest

from jupyter_ac.settings.app import read_app
from jupyter_ac.settings.executors import ExecutorSettings
from jupyter_ac.settings.schema import BrokenSettings, parse

CLAUDE = {"name": "claude", "kind": "acp", "command": ["claude-code-acp"]}


def read(*executors: object) -> tuple[ExecutorSettings, ...]:
    return read_app(parse("app.json", json.dumps({"executors": list(executors)}))).executors


def test_executors_have_a_name_a_kind_and_what_starts_them() -> None:
    more = {"env": ["KEY", "A=b=c"], "shows": ["~/.claude"], "network": False, "sandbox": False}
    claude, cluster = read({**CLAUDE, **more}, {"name": "cluster", "kind": "dask"})
    assert claude == ExecutorSettings(
        "claude",
        "acp",
        ("claude-code-acp",),
        ("KEY", "A=b=c"),
        ("~/.claude",),
        network=False,
        sandbox=False,
    )
    assert cluster == ExecutorSettings("cluster", "dask")
    assert cluster.network
    assert cluster.sandbox
    assert read() == ()


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"name": "agent"}, "executors[1].name 'agent' is taken"),
        ({"name": "claude"}, "executors[1].name 'claude' is taken"),
        ({"name": ""}, "executors[1].name must be letters"),
        ({"name": "a b"}, "executors[1].name must be letters"),
        ({"name": "x" * 41}, "executors[1].name is too long"),
        ({"kind": "shell"}, "executors[1].kind must be one of acp, dask"),
        ({"command": []}, "executors[1].command must name a program"),
        ({"command": [" "]}, "executors[1].command must name a program"),
        ({"command": "claude"}, "executors[1].command must be a list"),
        ({"env": ["1=a"]}, "executors[1].env[0] must be NAME"),
        ({"env": ["A", "B=\0"]}, "executors[1].env[1] must be NAME"),
        ({"sandbox": "no"}, "executors[1].sandbox must be true or false"),
    ],
)
def test_a_slip_is_named_with_its_place(changed: dict[str, object], reason: str) -> None:
    with pytest.raises(BrokenSettings) as raised:
        read(CLAUDE, {**CLAUDE, "name": "other", **changed})
    assert reason in raised.value.message
