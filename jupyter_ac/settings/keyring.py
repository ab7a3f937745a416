"""Stores keys in the system's keyring, if available, with the optional package `keyring`.

A keyring may wait for the user to unlock it. So each access runs in a separate daemon thread, and
nothing waits for it longer than `WAIT_S`, not even the end of the process.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from importlib.util import find_spec
from typing import Final, Protocol, TypeVar, cast

from jupyter_ac.errors import NotReady

SERVICE: Final = "jupyter_ac"
WAIT_S: Final = 2.0
WRITE_WAIT_S: Final = 30.0
"""Longer, because the user is present to unlock it."""

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Backend(Protocol):
    """A backend of the package `keyring`."""

    @property
    def priority(self) -> float:
        """Return its rank; 0 or less for one that is no real keyring."""

    def get_password(self, service: str, username: str, /) -> str | None:
        """Return a secret, or None."""

    def set_password(self, service: str, username: str, password: str, /) -> None:
        """Store a secret."""

    def delete_password(self, service: str, username: str, /) -> None:
        """Delete a secret."""


class _Package(Protocol):
    def get_keyring(self) -> Backend:
        """Return the keyring in use."""


def system_backend() -> Backend | None:
    """Return the system's keyring; None without the package, or if there is no real keyring."""
    if find_spec("keyring") is None:
        return None
    backend = cast("_Package", import_module("keyring")).get_keyring()
    return backend if backend.priority > 0 else None


class Keyring:
    """Keys by the names of their environment variables, cached until `forget`.

    Attributes:
        version: increases when keys may have changed: after a change made here, and when a late
            answer has arrived.

    Args:
        find: returns the keyring, None if there is none; may block.
    """

    def __init__(self, find: Callable[[], Backend | None] = system_backend) -> None:
        self.version = 0
        self._find = find
        self._known: dict[str, str | None] = {}
        self._lock = threading.Lock()
        self._asking: _Reading | None = None
        self._is_there: bool | None = None

    def available(self) -> bool:
        """Return whether keys can be stored; blocks for up to `WAIT_S` the first time."""
        if self._is_there is None:
            self._is_there = self._ask(lambda backend: backend is not None, None, WAIT_S)
        return bool(self._is_there)

    def read(self, names: Iterable[str]) -> Mapping[str, str]:
        """Return the existing keys among the names; blocks for up to `WAIT_S`."""
        names = list(names)
        with self._lock:
            wanted = [name for name in names if name not in self._known]
            reading = self._asking
            if wanted and reading is None:
                reading = self._asking = _Reading(tuple(wanted))
                _beside(lambda: self._look_up(reading))
            is_new = reading is not None and not reading.is_late
        if wanted and reading is not None and is_new and not reading.done.wait(WAIT_S):
            with self._lock:
                reading.is_late = not reading.done.is_set()
            logger.warning("the system's keyring takes long to answer; unlock it")
        with self._lock:
            return {name: key for name in names if (key := self._known.get(name))}

    def write(self, name: str, key: str) -> None:
        """Store a key, or delete it if it is empty; blocks for up to `WRITE_WAIT_S`.

        Raises:
            NotReady: the keyring refuses.
        """
        refused = self._ask(lambda backend: _store(backend, name, key), "no answer", WRITE_WAIT_S)
        if refused:
            raise NotReady(
                f"The system's keyring refused {name} ({refused}); unlock it and try again, "
                "or put the key under `env` in llm.json."
            )
        self.forget()

    def forget(self) -> None:
        """Clear the cache."""
        with self._lock:
            self._known.clear()
            self._asking = self._is_there = None
            self.version += 1

    def _look_up(self, reading: "_Reading") -> None:
        found: dict[str, str | None] = dict.fromkeys(reading.names)
        with suppress(Exception):  # a backend may raise anything
            backend = self._find()
            if backend is not None:
                found = {name: backend.get_password(SERVICE, name) for name in reading.names}
        with self._lock:
            if self._asking is reading:
                self._known.update(found)
                self._asking = None
                self.version += reading.is_late
            reading.done.set()

    def _ask(self, question: Callable[[Backend | None], T], fallback: T, wait_s: float) -> T:
        answers: list[T] = []

        def ask() -> None:
            # A backend may raise anything, even with the key in its message.
            with suppress(Exception):
                answers.append(question(self._find()))

        _beside(ask).join(wait_s)
        return answers[0] if answers else fallback


@dataclass(slots=True)
class _Reading:
    """A pending read.

    Attributes:
        names: the requested names.
        done: set at its end.
        is_late: the caller has stopped waiting.
    """

    names: tuple[str, ...]
    done: threading.Event = field(default_factory=threading.Event)
    is_late: bool = False


def _beside(work: Callable[[], None]) -> threading.Thread:
    thread = threading.Thread(target=work, name="jupyter-ac-keyring", daemon=True)
    thread.start()
    return thread


def _store(backend: Backend | None, name: str, key: str) -> str:
    """Store or delete a key; returns the problem in a few words, "" for none."""
    if backend is None:
        return "there is none"
    with suppress(Exception):  # a backend may raise anything
        if key:
            backend.set_password(SERVICE, name, key)
        elif backend.get_password(SERVICE, name) is not None:
            backend.delete_password(SERVICE, name)
        return ""
    return "it refuses"
