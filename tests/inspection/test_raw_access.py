"""Reading classes and attributes without running their code."""

import fractions
import io
import sys
import threading
import types
from collections.abc import AsyncIterator

import pytest

from jupyter_ac.inspection import raw_access
from jupyter_ac.inspection.raw_access import (
    attribute,
    bare_name,
    class_name,
    exact_text,
    inherits,
    instance_members,
    is_class,
    is_dict,
    is_own_class,
    items_of,
    loaded_class,
    loaded_module,
    sizeof,
)
from tests.inspection.hostile import RAN, hostile_class, hostile_values, make, nothing_may_run


class Slotted:
    __slots__ = ("empty", "filled")

    def __init__(self) -> None:
        self.filled = 7


class Plain:
    held_by_class = 1

    def __init__(self) -> None:
        self.value = 3

    @property
    def computed(self) -> int:
        raise AssertionError


class Text(str):
    __slots__ = ()

    def __getitem__(self, key: object) -> str:
        raise AssertionError


def test_nothing_of_a_hostile_value_runs() -> None:
    values = list(hostile_values())
    with nothing_may_run():
        for name, value in values:
            cls = type(value)
            assert class_name(cls).endswith(bare_name(cls))
            assert is_class(value) == (name == "its_class")
            assert is_dict(value) == (name in {"of_dict", "in_dict", "partly"})
            assert not is_own_class(cls, "pandas")
            assert attribute(value, "shape") is None
            assert attribute(value, "__dict__") is None
            assert sizeof(value) >= object.__basicsize__
            members = instance_members(value)
            assert members is None or type(members) is dict


def test_generators_and_coroutines_have_a_plausible_size() -> None:
    async def coroutine() -> None:
        pass

    async def generator() -> AsyncIterator[int]:
        yield 1

    waiting = coroutine()
    values = ((each for each in [1]), waiting, generator())
    assert [sizeof(value) for value in values] == [type(value).__basicsize__ for value in values]
    waiting.close()
    assert sizeof([]) == object.__sizeof__([])


def test_the_hostile_values_would_notice() -> None:
    value = dict(hostile_values())["plain"]
    looks = (
        lambda: repr(value),
        lambda: isinstance(value, dict),
        lambda: hash(type(value)),
        lambda: [int, str].count(type(value)),
        lambda: type(value).__name__,
    )
    for look in looks:
        RAN.clear()
        with pytest.raises(RuntimeError):
            look()
        assert len(RAN) == 1
    RAN.clear()


def test_attributes_come_from_slots_and_dictionaries_only() -> None:
    assert attribute(Slotted(), "filled") == 7
    assert attribute(Slotted(), "empty") is None
    assert attribute(Plain(), "value") == 3
    assert attribute(Plain(), "computed") is None
    assert attribute(Plain(), "held_by_class") is None
    assert attribute(sys, "__name__") == "sys"
    assert instance_members(Slotted()) is None


def test_a_hidden_dictionary_is_read_nevertheless() -> None:
    cls = hostile_class("Hidden", Plain)
    value: object = object.__new__(cls)
    with nothing_may_run():
        members = instance_members(value)
        assert members is not None
        dict.__setitem__(members, "value", 4)
        assert attribute(value, "value") == 4


def test_a_descriptor_of_another_class_is_not_taken_for_the_dictionary() -> None:
    class Buffer(io.BytesIO):
        @property
        def name(self) -> dict[object, object]:
            RAN.append("name")
            return {}

    class Wrapper(io.TextIOWrapper):
        __dict__ = vars(io.TextIOWrapper)["name"]

    wrapper = Wrapper(Buffer())
    with nothing_may_run():
        assert instance_members(wrapper) is None
        assert attribute(wrapper, "x") is None


def test_names_are_those_of_the_class() -> None:
    assert class_name(int) == "int"
    assert class_name(types.SimpleNamespace) == "types.SimpleNamespace"
    assert class_name(Plain) == f"{__name__}.Plain"
    assert class_name(hostile_class("DataFrame", module="pandas")) == "pandas.DataFrame"
    assert len(bare_name(type("x" * 1000, (), {}))) == 200
    assert class_name(type("NoModule", (), {"__module__": 7})) == "NoModule"


def test_a_class_is_known_only_by_identity() -> None:
    spoofed = hostile_class("OrderedDict", module="collections")
    import collections

    assert loaded_class("collections", "OrderedDict") is collections.OrderedDict
    assert is_own_class(collections.OrderedDict, "collections")
    assert not is_own_class(spoofed, "collections")


def test_modules_are_not_imported_and_strange_ones_not_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Strange(types.ModuleType):
        def __getattr__(self, name: str) -> object:
            raise AssertionError(name)

    monkeypatch.setitem(sys.modules, "strange", Strange("strange"))
    assert loaded_module("strange") is None
    assert loaded_class("strange", "Thing") is None
    sys.modules.pop("sched", None)
    assert loaded_class("sched", "scheduler") is None
    assert "sched" not in sys.modules


def test_classes_that_stand_for_those_of_a_library_are_not_known(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stub = types.ModuleType("torch")
    stub.__dict__["Tensor"] = type("Tensor", (), {"__module__": "torch"})
    monkeypatch.setitem(sys.modules, "torch", stub)
    assert loaded_class("torch", "Tensor") is None
    assert loaded_class("fractions", "Fraction") is fractions.Fraction
    monkeypatch.setattr(fractions, "Fraction", Plain)
    assert loaded_class("fractions", "Fraction") is None


def test_what_is_no_class_is_none() -> None:
    assert loaded_class("sys", "path") is None
    assert not is_class(make(hostile_class("Instance")))
    assert is_class(hostile_class("Class"))
    assert inherits(bool, int)
    assert not inherits(int, bool)


def test_texts_are_cut_by_the_methods_of_str() -> None:
    found = exact_text(Text("hello"), 3)
    assert (found, type(found)) == ("hel", str)
    assert type(exact_text(Text("hello"), 5)) is str


def test_items_are_listed_while_another_thread_adds_some() -> None:
    mapping: dict[object, object] = {}
    is_done = threading.Event()

    def grow() -> None:
        for number in range(20_000):
            mapping.setdefault(number, number)
        is_done.set()

    thread = threading.Thread(target=grow)
    thread.start()
    while not is_done.is_set():
        items_of(mapping)
    thread.join()
    assert len(items_of(mapping)) == 20_000


def test_library_attributes_are_read_as_usual() -> None:
    assert raw_access.library_attribute(1 + 2j, "imag") == 2.0
    assert raw_access.library_attribute(1, "missing") is None
