"""What a panel is initialized with when it starts again."""

from jupyter_ac.services.panels.panel_inputs import PanelInputs


def test_the_last_props_and_all_members_of_the_environment_are_kept() -> None:
    inputs = PanelInputs()
    assert inputs.request(knows_moves=False) == {
        "protocolVersion": 3,
        "env": {},
        "extensions": ["describe"],
    }
    inputs.add({"a": 1}, {"colorScheme": "dark"})
    inputs.add(None, {"active": False})
    inputs.note("executeHandler", "a:onClick", [])
    assert inputs.request(knows_moves=True) == {
        "protocolVersion": 3,
        "props": {"a": 1},
        "env": {"colorScheme": "dark", "active": False},
        "extensions": ["describe", "moveBefore"],
    }
    inputs.note("updateProps", {"b": 2})
    inputs.note("setEnvironment", {"colorScheme": None})
    assert inputs.request(knows_moves=False) == {
        "protocolVersion": 3,
        "props": {"b": 2},
        "extensions": ["describe"],
        "env": {"colorScheme": None, "active": False},
    }
    inputs.note("updateProps", None)
    assert inputs.request(knows_moves=False)["props"] == {}
