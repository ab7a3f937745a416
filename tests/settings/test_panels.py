"""The user's own panels in `app.json`."""

import json

import pytest

from jupyter_ac.settings.app import read_app
from jupyter_ac.settings.panels import PanelCommand, PanelSettings
from jupyter_ac.settings.schema import BrokenSettings, parse


def read(commands: object) -> PanelSettings:
    return read_app(parse("app.json", json.dumps({"panels": {"commands": commands}}))).panels


def test_commands_have_a_name_a_program_and_a_protocol() -> None:
    found = read(
        {"my panel": {"command": ["node", "p.mjs"], "protocol": "kkrpc"}, "b": {"command": ["x"]}}
    )
    assert found.commands == {
        "my panel": PanelCommand(("node", "p.mjs"), "kkrpc"),
        "b": PanelCommand(("x",), "json-rpc"),
    }
    assert read({}).commands == {}


@pytest.mark.parametrize(
    ("commands", "reason"),
    [
        ([], "panels.commands must be an object"),
        ({"a": {}}, "panels.commands.a.command is missing"),
        ({"a": {"command": []}}, "panels.commands.a.command must name a program"),
        ({"a": {"command": [" "]}}, "panels.commands.a.command must name a program"),
        ({"a": {"command": "node p.mjs"}}, "panels.commands.a.command must be a list"),
        ({"a": {"command": [1]}}, "panels.commands.a.command[0] must be a text"),
        ({"a": {"command": ["x\0"]}}, "without a NUL"),
        ({"a": {"command": ["x"] * 51}}, "is too long"),
        ({"a": {"command": ["x"], "protocol": "grpc"}}, "must be one of json-rpc, kkrpc"),
        ({"a/b": {"command": ["x"]}}, "must be named by letters"),
        ({"": {"command": ["x"]}}, "must be named by letters"),
        ({str(n): {"command": ["x"]} for n in range(51)}, "50 are allowed"),
    ],
)
def test_others_are_refused_with_their_place(commands: object, reason: str) -> None:
    with pytest.raises(BrokenSettings) as caught:
        read(commands)
    assert reason in caught.value.message
