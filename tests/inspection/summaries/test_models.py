"""Estimators and networks, those of the user's classes among them."""

import sys
import types

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
        module = types.ModuleType(name)
        module.__dict__[cls.__name__] = cls
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
        ["parts", f"first: {__name__}.Module, second: {__name__}.Module"],
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
