from dataclasses import fields

from jupyter_ac.models.client import CompletionRequest, ModelInfo, Usage
from jupyter_ac.workers.wire import CompletionWire, InfoWire, UsageWire


def test_the_wire_carries_what_the_clients_values_have() -> None:
    names = {field.name for field in fields(CompletionRequest)}
    assert set(CompletionWire.__annotations__) == names | {"progress"}
    counted = {field.name for field in fields(Usage)} - {"estimated"}  # only the host guesses
    assert set(UsageWire.__annotations__) == counted
    assert set(InfoWire.__annotations__) == {field.name for field in fields(ModelInfo)}
