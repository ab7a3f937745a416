"""Estimators and networks, those of the user's classes among them."""

import sys
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec

import pytest

from jupyter_ac.inspection.summaries.models import MOST_MODULES
from jupyter_ac.inspection.variables import describe_variable
from tests.inspection.conftest import Describe
from tests.inspection.hostile import hostile_class, nothing_may_run

CODE = """
from sklearn.base import BaseEstimator
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
fresh = LinearRegression(positive=True)
fitted = LinearRegression().fit([[1], [2]], [1, 2])
steps = make_pipeline(StandardScaler(), LinearRegression())
class Mine(BaseEstimator):
    def __init__(self, depth=3): self.depth = depth
    def __repr__(self): RAN.append("repr"); return "?"
    def get_params(self, deep=True): RAN.append("get_params"); return {}
    def __sklearn_is_fitted__(self): RAN.append("is_fitted"); return True
mine = Mine()
"""


@pytest.mark.soak
def test_estimators(describe: Describe) -> None:
    found = describe(CODE)
    assert found["fresh"]["line"] == "an estimator, not fitted"
    assert "positive=True" in found["fresh"]["text"]
    assert found["fitted"]["line"] == "a fitted estimator"
    assert "coef_" in found["fitted"]["text"]
    assert "StandardScaler" in found["steps"]["text"]
    assert found["mine"]["facts"] == [["settings", "depth=3"], ["learned", ""]]


TORCH = """
import os, tempfile, torch
path = os.path.join(tempfile.mkdtemp(), "file")
with open(path, "wb") as file: file.truncate(8 << 30)
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = torch.nn.Linear(3, 4), torch.nn.Sequential(torch.nn.Linear(4, 1))
    def __repr__(self): RAN.append("repr"); return "?"
    def parameters(self, recurse=True): RAN.append("parameters"); return iter(())
network = Net()
plain = torch.tensor([[1.0, float("nan")], [-2, 4]])
weight = network.first.weight
sparse, other_device = torch.eye(3).to_sparse(), torch.zeros(3, device="meta")
mapped = torch.from_file(path, size=1 << 31, dtype=torch.float32)
truths, numbers = torch.tensor([True]), torch.tensor(5)
class Mine(torch.Tensor):
    @classmethod
    def __torch_function__(cls, *more, **options):
        RAN.append("function")
        return super().__torch_function__(*more, **options)
mine = torch.zeros(3).as_subclass(Mine)
many = torch.zeros(2_000_000)
"""


@pytest.mark.soak
def test_tensors_and_networks(describe_torch: Describe) -> None:
    found = describe_torch(TORCH)
    plain = found["plain"]
    assert (plain["shape"], plain["dtype"], plain["size_bytes"]) == ([2, 2], "float32", 16)
    assert plain["facts"] == [
        ["first values", "[1.0, nan, -2.0, 4.0]"],
        ["NaN", "1"],
        ["range", "-2.0 to 4.0"],
    ]
    assert found["network"]["facts"][0] == ["parameters", "21"]
    assert found["weight"]["shape"] == [4, 3]
    for name in ("sparse", "other_device", "mapped"):
        assert (found[name]["facts"], found[name]["is_known"]) == ([], True)
    assert "mapped from a file" in found["mapped"]["note"]
    assert found["mapped"]["size_bytes"] == 8 << 30
    assert found["numbers"]["facts"][-1] == ["range", "5 to 5"]
    assert found["truths"]["facts"][0] == ["first values", "[True]"]
    assert not found["mine"]["is_known"]
    assert found["many"]["facts"][-1][0] == "counted"


class Module:
    """As torch's keeps its parts: in dictionaries of each instance."""

    def __init__(self, **parts: object) -> None:
        self._modules = parts
        self._parameters: dict[str, object] = {}
        self.training = True


class Model:
    """As keras' keeps its layers."""

    def __init__(self, layers: list[object]) -> None:
        self._layers = layers
        self._name = "mine"


@pytest.fixture
def libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stand where torch and keras keep their base classes."""
    for name, cls in {
        "torch.nn.modules.module": Module,
        "keras.src.models.model": Model,
    }.items():
        module = module_from_spec(ModuleSpec(name, None))
        module.__dict__[cls.__name__] = cls
        monkeypatch.setattr(cls, "__module__", name)
        monkeypatch.setitem(sys.modules, name, module)


@pytest.mark.usefixtures("libraries")
def test_networks_are_read_from_their_dictionaries() -> None:
    inner = Module()
    network = Module(first=inner, second=Module(again=inner))
    inner._modules["circle"] = network
    found = describe_variable({"x": network}, "x", None)
    assert found["line"] == "a network of 2 parts"
    assert found["facts"] == [
        ["parameters", "0"],
        ["parts", f"first: {Module.__module__}.Module, second: {Module.__module__}.Module"],
        ["training", "True"],
    ]


@pytest.mark.usefixtures("libraries")
def test_models_say_their_layers() -> None:
    found = describe_variable({"x": Model([1, "a"])}, "x", None)
    assert found["line"] == "a model of 2 layers"
    assert found["facts"] == [["name", "'mine'"], ["layers", "int, str"]]


@pytest.mark.usefixtures("libraries")
def test_nothing_of_a_network_of_the_users_runs() -> None:
    cls = hostile_class("Net", Module)
    network: object = object.__new__(cls)
    with nothing_may_run():
        found = describe_variable({"x": network}, "x", None)
    assert found["line"] == "a network of 0 parts"


@pytest.mark.usefixtures("libraries")
def test_a_network_without_end_is_counted_in_part() -> None:
    network = Module()
    for _ in range(3 * MOST_MODULES):
        network = Module(inner=network)
    assert describe_variable({"x": network}, "x", None)["facts"][0] == ["parameters", "0"]
