"""Which methods of an object are exposed, how they run, and what is added to the object."""

import asyncio
import functools
import logging
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from jupyter_ac.errors import AcError, Busy
from jupyter_ac.jrpc_oo.exposure import TEXT_LIMIT, Getter, calls_nothing, exposed_methods, inject
from jupyter_ac.jrpc_oo.threads import Threads
from jupyter_ac.rpc.methods import Method


class Base:
    def inherited(self) -> str:
        return "from the base"

    def overridden(self) -> str:
        return "base"


class Leaf(Base):
    attribute = len

    def __init__(self) -> None:
        self.of_the_object = lambda: 1

    def plain(self) -> int:
        """Say one."""
        return 1

    async def waits(self) -> int:
        await asyncio.sleep(0)
        return 2

    @staticmethod
    def static(a: int) -> int:
        return a + 1

    @classmethod
    def of_the_class(cls) -> str:
        return cls.__name__

    @property
    def evaluated(self) -> int:
        raise AssertionError("a property is not to be read")

    def overridden(self) -> str:
        return "leaf"

    def _private(self) -> int:
        return 1

    def __mangled(self) -> int:
        return 1


def methods_of(instance: object, name: str = "N") -> dict[str, Method]:
    return {method.name: method for method in exposed_methods(instance, name, Threads())}


async def run(method: Method, *args: object) -> object:
    waits = method.handler(*args)
    assert asyncio.iscoroutine(waits)
    result: object = await waits
    return result


def test_public_functions_of_the_class_are_served_under_one_name() -> None:
    assert set(methods_of(Leaf())) == {
        "N.plain",
        "N.waits",
        "N.static",
        "N.inherited",
        "N.overridden",
    }
    assert methods_of(Leaf())["N.plain"].doc == "Say one."


async def test_each_kind_of_method_gives_its_result() -> None:
    methods = methods_of(Leaf())
    assert await run(methods["N.plain"]) == 1
    assert await run(methods["N.waits"]) == 2
    assert await run(methods["N.static"], 4) == 5
    assert await run(methods["N.inherited"]) == "from the base"
    assert await run(methods["N.overridden"]) == "leaf"


async def test_plain_methods_run_in_threads_and_coroutines_on_the_loop() -> None:
    class Where:
        def plain(self) -> str:
            return threading.current_thread().name

        async def waits(self) -> str:
            return threading.current_thread().name

    methods = methods_of(Where())
    assert await run(methods["N.waits"]) == threading.current_thread().name
    assert await run(methods["N.plain"]) == "jrpc_oo"


async def test_a_plain_method_may_give_something_to_wait_for() -> None:
    class Wrapped:
        def later(self) -> object:
            async def found() -> int:
                return 7

            return found()

    assert await run(methods_of(Wrapped())["N.later"]) == 7


async def test_a_decorated_method_keeps_its_signature() -> None:
    def loud(function: Callable[..., str]) -> Callable[..., str]:
        @functools.wraps(function)
        def wrapper(*args: object) -> str:
            return function(*args).upper()

        return wrapper

    class Decorated:
        @loud
        def say(self, text: str) -> str:
            return text

    method = methods_of(Decorated())["N.say"]
    assert list(method.signature.parameters) == ["text"]
    assert await run(method, "quiet") == "QUIET"


def test_a_method_that_no_client_can_call_is_left_out_and_named(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Odd:
        def needs(self, *, name: str) -> str:
            return name

        def fine(self, *, name: str = "") -> str:
            return name

    with caplog.at_level(logging.WARNING):
        assert set(methods_of(Odd())) == {"N.fine"}
    assert "N.needs" in caplog.text


def test_an_attribute_that_hides_a_method_is_not_served() -> None:
    class Hidden:
        def name(self) -> str:
            return ""

    hidden = Hidden()
    vars(hidden)["name"] = "text"
    assert methods_of(hidden) == {}


@pytest.mark.parametrize("kind", ["plain", "waits"])
@pytest.mark.parametrize(
    ("error", "message", "details"),
    [
        (ValueError("this is why"), "this is why", {"exception": "ValueError"}),
        (ValueError(), "ValueError", {"exception": "ValueError"}),
        (StopIteration(), "StopIteration", {"exception": "StopIteration"}),
        (ValueError("x" * 9000), "x" * TEXT_LIMIT, {"exception": "ValueError"}),
        (SystemExit("usage"), "usage", {"exception": "SystemExit"}),
    ],
)
async def test_what_a_method_raises_reaches_the_caller_with_text_and_class(
    kind: str, error: BaseException, message: str, details: object
) -> None:
    class Fails:
        def plain(self) -> None:
            raise error

        async def waits(self) -> None:
            raise error

    if kind == "waits" and isinstance(error, StopIteration):
        message, details = "coroutine raised StopIteration", {"exception": "RuntimeError"}
    async with asyncio.timeout(30):
        with pytest.raises(AcError) as caught:
            await run(methods_of(Fails())[f"N.{kind}"])
    assert caught.value.code == -32000
    assert caught.value.message == message
    assert caught.value.details == details


async def test_a_thread_outlives_whatever_a_method_raises() -> None:
    class Fails:
        def plain(self) -> None:
            raise KeyboardInterrupt

        def thread(self) -> int:
            return threading.get_ident()

    methods = methods_of(Fails())
    async with asyncio.timeout(30):
        before = await run(methods["N.thread"])
        with pytest.raises(AcError, match="KeyboardInterrupt"):
            await run(methods["N.plain"])
        assert await run(methods["N.thread"]) == before


async def test_errors_of_ours_pass_as_they_are(caplog: pytest.LogCaptureFixture) -> None:
    class Fails:
        def plain(self) -> None:
            raise Busy("later", {"a": 1})

    with pytest.raises(Busy) as caught:
        await run(methods_of(Fails())["N.plain"])
    assert caught.value.details == {"a": 1}
    assert not caplog.records


async def test_an_unexpected_error_is_logged_with_its_place(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Fails:
        def plain(self) -> None:
            raise KeyError("k")

    with pytest.raises(AcError):
        await run(methods_of(Fails())["N.plain"])
    assert "N.plain failed" in caplog.text
    assert "in plain" in caplog.text


def test_an_object_is_given_functions() -> None:
    leaf = Leaf()
    inject(leaf, {"get_call": Getter({"a": 1})})
    assert vars(leaf)["get_call"]() == {"a": 1}
    inject(leaf, {"get_call": Getter("newer")})
    assert vars(leaf)["get_call"]() == "newer"


def test_a_method_of_the_objects_own_stays(caplog: pytest.LogCaptureFixture) -> None:
    class Own:
        def get_call(self) -> str:
            return "mine"

    own = Own()
    with caplog.at_level(logging.INFO):
        inject(own, {"get_call": Getter("injected"), "get_server": Getter("injected")})
    assert own.get_call() == "mine"
    assert vars(own)["get_server"]() == "injected"
    assert "Own has a get_call of its own" in caplog.text


def test_fault_of_upstream_an_object_that_takes_no_attributes_is_served() -> None:
    class Slots:
        __slots__ = ()

        def fine(self) -> int:
            return 1

    @dataclass(frozen=True)
    class Frozen:
        value: int = 1

        def fine(self) -> int:
            return self.value

    for instance in (Slots(), Frozen()):
        inject(instance, {"get_call": Getter(1)})
        assert not hasattr(instance, "get_call")
        assert set(methods_of(instance)) == {"N.fine"}


class Leaves:
    """Methods that only compute."""

    def nothing(self) -> None:
        pass

    def echo(self, value: object) -> object:
        return value

    def add(self, one: int = 1, two: int = 2) -> int:
        return one + two

    def pair(self, one: object, two: object) -> dict[str, object]:
        return {"both": [one, two], "same": one is two}

    @staticmethod
    def static(one: int) -> int:
        return -one * 2


class Others:
    """Methods that may wait, or run code of others."""

    count = 0

    def __add__(self, other: object) -> object:
        time.sleep(0)
        return other

    def calls(self) -> float:
        return time.monotonic()

    def attribute(self) -> int:
        return self.count

    def operator(self, one: object) -> object:
        return self + one

    def loops(self, most: int) -> int:
        while most:
            most -= 1
        return most

    def iterates(self, values: list[int]) -> list[int]:
        return [value + 1 for value in values]

    def gives(self) -> Iterator[int]:
        yield 1

    def deletes(self, values: list[int]) -> None:
        del values[0]


def of(instance: object) -> dict[str, Callable[..., object]]:
    return {name: getattr(instance, name) for name in vars(type(instance)) if name[0] != "_"}


@pytest.mark.parametrize("name", of(Leaves()))
def test_what_only_computes_is_a_leaf(name: str) -> None:
    assert calls_nothing(of(Leaves())[name])


@pytest.mark.parametrize("name", [name for name in of(Others()) if name != "count"])
def test_what_calls_loops_or_looks_at_its_object_is_none(name: str) -> None:
    assert not calls_nothing(of(Others())[name])


@pytest.mark.parametrize("other", [len, int, Leaves, lambda: len(()), [].append])
def test_what_is_no_plain_function_is_none(other: Callable[..., object]) -> None:
    assert not calls_nothing(other)
