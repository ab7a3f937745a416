"""torch's tensors, and models of torch, keras and scikit-learn: layers, parameters, settings.

Models are usually of classes of the user's own. They are known by their library's base class and
read from their dictionaries, so that none of their methods and properties runs.
"""

from collections.abc import Iterator
from typing import Final, Protocol, cast

from jupyter_ac.inspection.mapped_memory import is_file_mapped
from jupyter_ac.inspection.raw_access import (
    attribute,
    class_name,
    inherits,
    instance_members,
    is_dict,
    items_of,
    loaded_class,
)
from jupyter_ac.inspection.summaries.summary import LAZY, MAPPED, Brief, Details, Summarizer
from jupyter_ac.inspection.value_text import value_text

MOST_MODULES: Final = 1000
"""Modules of a network that are counted."""

_MOST_VALUES: Final = 1_000_000
_FIRST: Final = 10
_SHOWN: Final = 30
_TEXT: Final = 1000
_KERAS: Final = (
    *("keras.src.models.model", "keras.src.engine.training", "tf_keras.src.engine.training"),
)
"""Where versions of keras define their base class."""


class Elements(Protocol):
    """What is read of the elements of torch's `Tensor`."""

    def isnan(self) -> "Elements":
        """Tell which elements are NaN."""

    def sum(self) -> "Elements":
        """Add the elements."""

    def min(self) -> "Elements":
        """Return the smallest element."""

    def max(self) -> "Elements":
        """Return the largest element."""

    def numel(self) -> int:
        """Count the elements."""

    def item(self) -> object:
        """Convert to a builtin value."""

    def logical_not(self) -> "Elements":
        """Negate truth values."""

    def tolist(self) -> list[object]:
        """Convert to builtin values."""

    def __getitem__(self, key: object) -> "Elements":
        """Select elements."""


class Tensor(Elements, Protocol):
    """What is read of torch's `Tensor`."""

    shape: tuple[int, ...]
    dtype: object
    device: object
    layout: object
    is_quantized: bool
    is_nested: bool

    def data_ptr(self) -> int:
        """Return the address of the first element."""

    def element_size(self) -> int:
        """Return the bytes of an element."""

    def detach(self) -> "Tensor":
        """Leave gradients out."""

    def is_contiguous(self) -> bool:
        """Return whether the elements stand in order."""

    def view(self, shape: int) -> Elements:
        """Change the shape without copying."""


def tensor_summarizers() -> Iterator[tuple[type | None, Summarizer]]:
    """Yield the classes that are loaded, with their summarizers."""
    summarizer = Summarizer(_tensor_brief, _tensor_details)
    yield loaded_class("torch", "Tensor"), summarizer
    yield loaded_class("torch.nn.parameter", "Parameter"), summarizer


def model_summarizers() -> Iterator[tuple[type | None, Summarizer]]:
    """Yield base classes whose subclasses are summarised too, with their summarizers."""
    yield (
        loaded_class("torch.nn.modules.module", "Module"),
        Summarizer(_module_brief, _module_facts),
    )
    yield loaded_class("sklearn.base", "BaseEstimator"), Summarizer(_fitted_brief, _fitted_details)
    for home in _KERAS:
        yield loaded_class(home, "Model"), Summarizer(_keras_brief, _keras_details)


def _tensor_brief(value: object) -> Brief:
    tensor = cast("Tensor", value)
    shape = tuple(int(each) for each in tensor.shape)
    dtype = str(tensor.dtype).removeprefix("torch.")
    size = tensor.numel() * tensor.element_size()
    line = f"{dtype} {' x '.join(map(str, shape)) or 'scalar'} on {tensor.device}"
    return Brief(line, shape, shape[0] if shape else None, dtype, size)


def _is_mapped(tensor: Tensor) -> bool:
    """Return whether a tensor's memory may be mapped from a file; torch itself can't tell."""
    return is_file_mapped(tensor.data_ptr()) is not False


def _tensor_details(value: object) -> Details:
    tensor = cast("Tensor", value)
    if str(tensor.device) != "cpu" or str(tensor.layout) != "torch.strided":
        return Details(note="values are read only of dense tensors in the processor's memory")
    if tensor.is_quantized or tensor.is_nested or not tensor.is_contiguous():
        return Details(note="values are read only of plain contiguous tensors")
    if _is_mapped(tensor):
        return Details(note=MAPPED)
    values = tensor.detach().view(-1)[:_MOST_VALUES]
    if not values.numel() or "complex" in str(tensor.dtype):
        return Details()
    is_missing = values.isnan()
    facts = [
        ("first values", value_text(values[:_FIRST].tolist())),
        ("NaN", f"{is_missing.sum().item()}"),
    ]
    values = values[is_missing.logical_not()]
    if values.numel() and "bool" not in str(tensor.dtype):
        facts.append(("range", f"{values.min().item()!r} to {values.max().item()!r}"))
    if tensor.numel() > _MOST_VALUES:
        facts.append(("counted", f"the first {_MOST_VALUES:,} of {tensor.numel():,} values"))
    return Details(tuple(facts))


def _named(value: object, name: str) -> list[tuple[str, object]]:
    """Return what a dictionary in an attribute holds under plain names."""
    held = attribute(value, name)
    if not is_dict(held):
        return []
    return [(key, each) for key, each in items_of(held) if type(key) is str]


def _modules(value: object) -> Iterator[object]:
    """Yield a network's modules, itself first, each once; the first `MOST_MODULES`."""
    module = loaded_class("torch.nn.modules.module", "Module")
    waiting, seen = [value], {id(value)}
    while waiting and len(seen) <= MOST_MODULES:
        found = waiting.pop()
        yield found
        for _, child in _named(found, "_modules"):
            is_module = module is not None and inherits(type(child), module)
            if is_module and id(child) not in seen:
                seen.add(id(child))
                waiting.append(child)


def _parameters(value: object) -> int:
    known = [cls for cls, _ in tensor_summarizers() if cls is not None]
    counted, total = set[int](), 0
    for module in _modules(value):
        for _, tensor in _named(module, "_parameters"):
            if any(type(tensor) is cls for cls in known) and id(tensor) not in counted:
                counted.add(id(tensor))
                total += cast("Tensor", tensor).numel()
    return total


def _module_brief(value: object) -> Brief:
    return Brief(f"a network of {len(_named(value, '_modules'))} parts")


def _module_facts(value: object) -> Details:
    parts = _named(value, "_modules")[:_SHOWN]
    return Details(
        (
            ("parameters", f"{_parameters(value):,}"),
            ("parts", ", ".join(f"{name[:60]}: {class_name(type(part))}" for name, part in parts)),
            ("training", value_text(attribute(value, "training"))),
        )
    )


def _settings(value: object) -> tuple[list[tuple[str, object]], list[str]]:
    """Return an estimator's settings, and the names of what it has learned."""
    members = instance_members(value) or {}
    named = [(key, each) for key, each in items_of(members) if type(key) is str]
    settings = [(key, each) for key, each in named if not key.startswith("_") and key[-1:] != "_"]
    return settings, [key for key, _ in named if key[-1:] == "_" and not key.startswith("_")]


def _fitted_brief(value: object) -> Brief:
    _, learned = _settings(value)
    return Brief("a fitted estimator" if learned else "an estimator, not fitted")


def _fitted_details(value: object) -> Details:
    settings, learned = _settings(value)
    shown = "; ".join(f"{key[:60]}={value_text(each)}" for key, each in settings[:_SHOWN])
    names = ", ".join(name[:60] for name in learned[:_SHOWN])
    return Details((("settings", shown[:_TEXT]), ("learned", names)))


def _layers(value: object) -> list[object]:
    for name in ("_layers", "_operations"):
        held = attribute(value, name)
        if type(held) is list:
            return list(held)
    return []


def _keras_brief(value: object) -> Brief:
    layers = _layers(value)
    return Brief(f"a model of {len(layers)} layers" if layers else f"a model, {LAZY}")


def _keras_details(value: object) -> Details:
    layers = ", ".join(class_name(type(layer)) for layer in _layers(value)[:_SHOWN])
    names = (attribute(value, "_name"), attribute(value, "name"))
    name = next((each for each in names if type(each) is str), "")
    return Details((("name", value_text(name)), ("layers", layers)))
