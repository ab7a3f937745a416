"""Objects of which every method notes that it has run, and does harm besides.

`RAN` must stay empty whatever is read of them.
"""

import collections
import contextlib
import sys
import weakref
from collections.abc import Callable, Iterator

RAN: list[str] = []
_LOOKED_AT = (
    *("__repr__", "__str__", "__len__", "__iter__", "__bool__", "__eq__", "__hash__", "__dir__"),
    *(
        "__sizeof__",
        "__getitem__",
        "__contains__",
        "__format__",
        "__int__",
        "__float__",
        "__index__",
    ),
    *("__getattr__", "__getattribute__", "__reduce_ex__", "__array__", "__dataframe__", "__call__"),
    *("_repr_html_", "_repr_mimebundle_", "_ipython_display_", "__instancecheck__", "__fspath__"),
    *("__subclasscheck__", "__subclasshook__", "__length_hint__", "__reversed__", "__bytes__"),
)


def _noting(name: str) -> Callable[..., object]:
    def run(*_args: object, **_kwargs: object) -> object:
        RAN.append(name)
        sys.stdout.write(f"{name} has run\n")
        raise RuntimeError(name)

    return run


def noting_members(*without: str) -> dict[str, object]:
    """Make all members that looking at a value might call; each is noted."""
    return {name: _noting(name) for name in _LOOKED_AT if name not in without}


class NotingMeta(type):
    """A metaclass that notes, prints and raises, whatever its classes are asked."""


for _name, _member in noting_members().items():
    type.__setattr__(NotingMeta, _name, _member)


def hostile_class(name: str, *bases: type, module: str = "__main__") -> type:
    """Make a class of the noting metaclass, with noting members and properties."""
    properties = {
        each: property(_noting(each))
        for each in ("shape", "dtype", "columns", "__class__", "__dict__", "size", "nbytes")
    }
    return type.__new__(
        NotingMeta, name, bases, {**noting_members(), **properties, "__module__": module}
    )


def make(cls: type) -> object:
    """Make an instance by the builtin class that it inherits from."""
    builtin = (list, dict, str, int, tuple, bytes, set, float, object)
    bases = type.__dict__["__mro__"].__get__(cls)
    base = next(each for each in builtin if any(each is found for found in bases))
    found: object = base.__new__(cls)
    return found


class LyingKey:
    """A key with the hash of a name: looking the name up would compare with it."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __hash__(self) -> int:
        return hash(self.name)

    def __eq__(self, other: object) -> bool:
        RAN.append("__eq__")
        return False


def hostile_values() -> Iterator[tuple[str, object]]:
    """Yield hostile values with names for them."""
    plain = hostile_class("Plain")
    yield "plain", make(plain)
    yield "its_class", plain
    for base in (list, dict, str, int, tuple, bytes, set, float):
        yield f"of_{base.__name__}", make(hostile_class("Sub", base))
    yield "spoofed_frame", make(hostile_class("DataFrame", module="pandas"))
    yield "spoofed_array", make(hostile_class("ndarray", module="numpy"))
    inner = make(plain)
    circular: list[object] = [inner]
    circular.append(circular)
    yield "circular", circular
    yield "in_dict", {"a": inner, 1: [inner]}
    yield "in_deque", collections.deque([inner])
    referent = make(hostile_class("Referent"))
    yield "referent", referent
    with contextlib.suppress(TypeError):
        yield "proxy", weakref.proxy(referent)
    yield "partly", {LyingKey("x"): inner}


@contextlib.contextmanager
def nothing_may_run() -> Iterator[None]:
    """Fail if a noting member runs."""
    RAN.clear()
    yield
    found, RAN[:] = list(RAN), []
    assert found == []
