"""Reads classes, attributes and sizes without running code that a value's class defines.

`type(x)` is the only question whose answer a class can't change. Attributes of classes are read
through the descriptors of `type`, those of instances from slots and the instance's dictionary, both
found by going through the class's members one by one: looking a name up in a dictionary would call
`__eq__` of a strange key with the same hash.
"""

import sys
import types
from collections.abc import Iterable, Iterator
from typing import Final, TypeGuard

from jupyter_ac.errors import Busy

NAME_CHARS: Final = 200
"""A longer name of a class is cut."""

_BASES = type.__dict__["__mro__"].__get__
_QUALIFIED_NAME = type.__dict__["__qualname__"].__get__
_STATIC_MODULE = type.__dict__["__module__"].__get__
_BASIC_SIZE = type.__dict__["__basicsize__"].__get__
_FLAGS = type.__dict__["__flags__"].__get__
_MEMBERS = type.__dict__["__dict__"].__get__
_MODULE_MEMBERS = vars(types.ModuleType)["__dict__"].__get__
_FRAME_HOLDERS: Final = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)
_HEAP_TYPE: Final = 1 << 9
_TRIES: Final = 100
_PLAIN_MODULES: Final = frozenset({"builtins", "__main__"})


def bases_of(cls: type) -> tuple[type, ...]:
    """Return the classes that a class inherits from, itself first."""
    found: tuple[type, ...] = _BASES(cls)
    return found


def inherits(cls: type, base: type) -> bool:
    """Return whether a class inherits from another; no `__subclasscheck__` is asked."""
    return any(each is base for each in bases_of(cls))


def is_class(value: object) -> TypeGuard[type]:
    """Return whether a value is a class, whatever its metaclass says."""
    return inherits(type(value), type)


def is_dict(value: object) -> TypeGuard[dict[object, object]]:
    """Return whether a value is a dictionary, also of a subclass. Read it by `items_of`."""
    return inherits(type(value), dict)


def exact_text(text: str, limit: int) -> str:
    """Return the beginning of a text as an exact `str`, also of a subclass; copies no more."""
    return str.__getitem__(text, slice(0, limit))


def bare_name(cls: type) -> str:
    """Return a class's name without its module, as the class says it."""
    return exact_text(_QUALIFIED_NAME(cls), NAME_CHARS)


def class_name(cls: type) -> str:
    """Return a class's name with its module; without it for builtins and for `__main__`.

    Both are what the class says of itself: not an identity.
    """
    name = bare_name(cls)
    module = class_member(cls, "__module__") if _FLAGS(cls) & _HEAP_TYPE else _STATIC_MODULE(cls)
    if type(module) is not str or module in _PLAIN_MODULES:
        return name
    return f"{module[:NAME_CHARS]}.{name}"


def class_members(cls: type) -> Iterator[tuple[str, object]]:
    """Yield the members that a class itself defines, by name."""
    for key, member in _snapshot(_MEMBERS(cls).items()):
        if type(key) is str:
            yield key, member


def class_member(cls: type, name: str) -> object:
    """Return a member that a class itself defines, as it is stored; None if it has none."""
    return next((member for key, member in class_members(cls) if key == name), None)


def instance_members(value: object) -> dict[object, object] | None:
    """Return the dictionary of an instance; None if it has none. Go through it by `items_of`."""
    for base in bases_of(type(value)):
        entry = class_member(base, "__dict__")
        if type(entry) is types.GetSetDescriptorType or type(entry) is types.MemberDescriptorType:
            if entry.__name__ != "__dict__" or entry.__objclass__ is not base:
                return None  # a class may keep another descriptor there, which runs code
            try:
                found = entry.__get__(value, type(value))
            except (AttributeError, TypeError):
                return None
            return found if is_dict(found) else None
    return None


def items_of(mapping: dict[object, object]) -> list[tuple[object, object]]:
    """Return the items of a dictionary at one moment, also while other threads change it.

    Raises:
        Busy: it changes all the time.
    """
    return _snapshot(dict.items(mapping))


def _snapshot(items: Iterable[tuple[object, object]]) -> list[tuple[object, object]]:
    for _ in range(_TRIES):
        try:
            return list(items)
        except RuntimeError:  # another thread has changed the size of the dictionary
            continue
    raise Busy("The variables change too fast to be listed; try again in a moment.")


def attribute(value: object, name: str) -> object:
    """Return what an instance holds under a name in a slot or in its dictionary; else None.

    Properties, `__getattr__` and what the class itself holds are not looked at.
    """
    for base in bases_of(type(value)):
        entry = class_member(base, name)
        if type(entry) is types.MemberDescriptorType:
            try:
                found: object = entry.__get__(value, type(value))
            except (AttributeError, TypeError):  # an empty slot; a slot of another class
                return None
            return found
    members = instance_members(value)
    if members is None:
        return None
    return next((held for key, held in items_of(members) if type(key) is str and key == name), None)


def library_attribute(value: object, name: str) -> object:
    """Return an attribute in the usual way; None if there is none.

    Args:
        value: of exactly a class of a known library, so that only its code runs.
        name: may be private to the library.
    """
    return getattr(value, name, None)


def loaded_module(name: str) -> dict[str, object] | None:
    """Return the members of a module that is loaded; nothing is ever imported."""
    module = sys.modules.get(name)
    if type(module) is not types.ModuleType:  # another class may run code
        return None
    members: dict[str, object] = _MODULE_MEMBERS(module)
    return members


def loaded_class(module: str, name: str) -> type | None:
    """Return a library's class in a loaded module; None if there is none.

    Modules that were made rather than imported, and classes from elsewhere that were put into a
    module, stand for libraries in tests: their code is the user's.
    """
    members = loaded_module(module) or {}
    found = members.get(name)
    if members.get("__spec__") is None or not is_class(found):
        return None
    if not _FLAGS(found) & _HEAP_TYPE:  # written in C
        return found
    home = class_member(found, "__module__")
    return found if type(home) is str and home.startswith(module.partition(".")[0]) else None


def is_own_class(cls: type, module: str) -> bool:
    """Return whether a loaded module holds exactly this class under the class's name."""
    return cls is loaded_class(module, bare_name(cls))


def sizeof(value: object) -> int:
    """Return the bytes of an object itself, as `object` counts them: not what it refers to.

    Of generators and coroutines it is the size without their frame: of these classes, `object`
    multiplies what is no number of items.
    """
    cls = type(value)
    if any(cls is each for each in _FRAME_HOLDERS):
        size: int = _BASIC_SIZE(cls)
        return size
    return object.__sizeof__(value)
