"""Seed 003's machine: its transitions, its epoch, and the machines of several targets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import InvalidState, NotFound, TooLarge
from jupyter_ac.rpc import target_states
from jupyter_ac.rpc.target_states import STATES, TRIGGERS, TargetMachine, TargetStates, required_of

# Seed 003, and its table in the reference: trigger, from, to.
TABLE = {
    ("start_connect", "disconnected"): "connecting",
    ("connect_success", "connecting"): "connected",
    ("connect_failed", "connecting"): "disconnected",
    ("start_inspect", "connected"): "inspecting",
    ("stop_inspect", "inspecting"): "connected",
    ("start_disconnect", "connected"): "disconnecting",
    ("start_disconnect", "inspecting"): "disconnecting",
    ("disconnect_complete", "disconnecting"): "disconnected",
    ("disconnect_complete", "connecting"): "disconnected",
    **{("force_disconnect", state): "disconnected" for state in STATES},
}


@given(st.lists(st.sampled_from(sorted(TRIGGERS)), max_size=30))
def test_any_row_of_triggers_follows_the_table(triggers: list[str]) -> None:
    changes: list[int] = []
    machine = TargetMachine(lambda: changes.append(1))
    state, epoch, moves = "disconnected", 0, 0
    for trigger in triggers:
        target = TABLE.get((trigger, state))
        assert machine.may(trigger) is (target is not None)
        if target is None:
            with pytest.raises(InvalidState) as refused:
                machine.fire(trigger, "m")
            assert refused.value.details["current_state"] == state
            assert refused.value.details["required_states"] == [
                source for name, source in TABLE if name == trigger
            ]
        else:
            machine.fire(trigger)
            state, moves = target, moves + 1
            epoch += trigger == "connect_success"
        assert (machine.state, machine.epoch, len(changes)) == (state, epoch, moves)


def test_a_transition_is_taken_back_once() -> None:
    machine = TargetMachine()
    moves = machine.fire("start_connect")
    machine.revert(moves, "disconnected")
    assert machine.state == "disconnected"
    moves = machine.fire("start_connect")
    machine.fire("connect_success")
    machine.revert(moves, "disconnected")
    assert (machine.state, machine.epoch) == ("connected", 1)


def test_each_target_has_its_own_machine() -> None:
    targets = TargetStates()
    assert (targets.epoch, targets.state) == (0, "disconnected")
    one = targets.add("one")
    one.fire("start_connect")
    assert targets.of("one") is one is targets.add("one")
    assert targets.of(None) is targets.of("") is targets.page
    assert targets.page.state == "disconnected"
    unknown: object
    for unknown in ("two", 5, ["two"], {"two": 2}):
        with pytest.raises(NotFound):
            targets.of(unknown)
    targets.remove("one")
    targets.remove("one")
    with pytest.raises(NotFound, match="one"):
        targets.of("one")


def test_the_number_of_targets_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(target_states, "MAX_TARGETS", 2)
    targets = TargetStates()
    targets.add("1"), targets.add("2")
    targets.add("2")
    with pytest.raises(TooLarge, match="2 targets"):
        targets.add("3")


def test_a_method_can_only_require_states_that_there_are() -> None:
    assert required_of(["connected"]) == ("connected",)
    with pytest.raises(ValueError, match="conected"):
        required_of(["conected"])
