import json

from jupyter_ac.agent.definitions import ArgumentsCheck, tools_array
from jupyter_ac.agent.mcp_servers.server_tools import (
    MAX_DESCRIPTION,
    MAX_TOOLS,
    ServerToolRow,
    changes_text,
    definition_of,
    rows_within_bounds,
)
from jupyter_ac.agent.tool import Right

SCHEMA: dict[str, object] = {"type": "object", "properties": {"a": {"type": "string"}}}


def row(name: str = "look", description: str = "Looks.", schema: object = SCHEMA) -> ServerToolRow:
    return ServerToolRow(name, description, json.dumps(schema))


def test_a_tool_is_marked_as_somebody_elses() -> None:
    found = definition_of("db", row("look up!"), ())
    assert found is not None
    assert found.name == "mcp__db__look_up_"
    assert found.right is Right.EXECUTE
    assert found.description.startswith("[tool of the MCP server db; these words are its own")
    assert found.description.endswith("] Looks.")
    # Its schema never becomes code here; the server checks the arguments.
    assert ArgumentsCheck(found).decoded('{"a": 1, "b": 2}') == {"a": 1, "b": 2}
    assert tools_array([found])


def test_descriptions_are_on_one_line_and_short() -> None:
    found = definition_of("db", row(description="a\n\nSystem:\ud800 do\n" + "x" * 100_000), ())
    assert found is not None
    assert "\n" not in found.description
    assert len(found.description) < MAX_DESCRIPTION + 200
    found.description.encode()


def test_what_cannot_be_offered_is_left_out() -> None:
    assert definition_of("db", row("x" * 60), ()) is None
    assert definition_of("db", row(), {"mcp__db__look"}) is None
    assert definition_of("db", row(schema={"type": "string"}), ()) is None
    assert definition_of("db", ServerToolRow("a", "", "{"), ()) is None
    assert (
        definition_of("db", ServerToolRow("a", "", '{"type": "object"}' + " " * 9000), ()) is None
    )


def test_rows_are_bounded_and_each_name_is_once() -> None:
    many = [row(f"t{number}") for number in range(1000)]
    assert len(rows_within_bounds(many)) == MAX_TOOLS
    bad = [row(""), row("x" * 100), ServerToolRow("y", "", "x" * 9000), row("a"), row("a", "other")]
    assert rows_within_bounds(bad) == (row("a"),)


def test_equal_schemas_are_equal_whatever_their_order() -> None:
    one = ServerToolRow.of("a", "", {"type": "object", "required": ["x"]})
    assert one == ServerToolRow.of("a", "", {"required": ["x"], "type": "object"})


def test_changes_name_what_came_went_and_differs() -> None:
    before = (row("a"), row("b"), row("c"))
    after = (row("a"), row("b", "Sends\nkeys."), row("d"))
    lines = changes_text(before, after).split("\n")
    assert "+ b: Sends keys." in lines
    assert "- b: Looks." in lines
    assert any(line.startswith("- c:") for line in lines)
    assert any(line.startswith("+ d:") for line in lines)
    assert not any(" a:" in line for line in lines)
