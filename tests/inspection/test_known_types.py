"""The table of known classes."""

import sys
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec

import numpy as np
import pytest

from jupyter_ac.inspection.known_types import KnownTypes
from tests.inspection.hostile import hostile_class, nothing_may_run


class Subclass(np.ndarray):
    pass


def test_exactly_the_classes_of_loaded_libraries_are_known() -> None:
    known = KnownTypes()
    assert known.summarizer(np.ndarray) is not None
    assert known.summarizer(Subclass) is None
    assert known.summarizer(object) is None


def test_subclasses_of_models_are_known(monkeypatch: pytest.MonkeyPatch) -> None:
    base = type("BaseEstimator", (), {"__module__": "sklearn.base"})
    module = module_from_spec(ModuleSpec("sklearn.base", None))
    module.__dict__["BaseEstimator"] = base
    monkeypatch.setitem(sys.modules, "sklearn.base", module)
    known = KnownTypes()
    assert known.summarizer(type("Mine", (base,), {})) is not None
    assert known.summarizer(type("Other", (), {})) is None


def test_strange_classes_are_not_asked() -> None:
    strange = hostile_class("ndarray", module="numpy")
    with nothing_may_run():
        assert KnownTypes().summarizer(strange) is None


def test_scalars_of_libraries_are_converted() -> None:
    scalars = KnownTypes().scalars
    assert scalars[id(np.float64)](np.float64(2)) == 2.0
