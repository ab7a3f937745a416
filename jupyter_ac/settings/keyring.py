"""Keys in the system's keyring, where there is one: the optional package `keyring`.

A keyring may ask the user to unlock it, and wait for that as long as it takes. So it is asked in a
thread of its own that nobody waits for longer than `WAIT_S`, not even the end of the process.
"""

import logging
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from importlib.util import find_spec
from typing import Final, Protocol, TypeVar, cast

from jupyter_ac.errors import AcError

SERVICE: Final = "jupyter_ac"
WAIT_S: Final = 2.0
WRITE_WAIT_S: Final = 30.0
"""Somebody is there to unlock it."""

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Backend(Protocol):
    """A keyring, as the package `keyring` has them."""

    @property
    def priority(self) -> float:
        """Return how well it suits; 0 and less for one that only stands in for a keyring."""

    def get_password(self, service: str, username: str, /) -> str | None:
        """Return a secret, or None."""

    def set_password(self, service: str, username: str, password: str, /) -> None:
        """Keep a secret."""

    def delete_password(self, service: str, username: str, /) -> None:
        """Forget a secret."""


class _Package(Protocol):
    def get_keyring(self) -> Backend:
        """Return the keyring in use."""


def system_backend() -> Backend | None:
    """Return the system's keyring; None without the package, or where it has no real one."""
    if find_spec("keyring") is None:
        return None
    backend = cast("_Package", import_module("keyring")).get_keyring()
    return backend if backend.priority > 0 else None


class Keyring:
    """Keys by the names of their variables. What was read is remembered until `forget`.

    Args:
        find: gives the keyring, None where there is none; may take long.
    """

    def __init__(self, find: Callable[[], Backend | None] = system_backend) -> None:
        self._find = find
        self._known: dict[str, str | None] = {}
        self._lock = threading.Lock()
        self._is_silent = False
        self._is_there: bool | None = None
        self.version = 0
        """Goes up with every change that was made here."""

    def available(self) -> bool:
        """Tell whether keys can be kept; blocks for up to `WAIT_S` the first time."""
        if self._is_there is None:
            self._is_there = self._ask(lambda backend: backend is not None, fallback=False)
        return self._is_there

    def read(self, names: Iterable[str]) -> Mapping[str, str]:
        """Return the keys that are there; blocks for up to `WAIT_S`."""
        wanted = [name for name in names if name not in self._known]
        if wanted and not self._is_silent:
            found = self._ask(lambda backend: _look_up(backend, wanted), fallback=None)
            self._is_silent = found is None
            with self._lock:
                self._known.update(found or {})
        return {name: key for name in names if (key := self._known.get(name))}

    def write(self, name: str, key: str) -> None:
        """Keep a key, or forget it when it is empty; blocks for up to `WRITE_WAIT_S`.

        Raises:
            AcError: the keyring doesn't take it.
        """
        refused = self._ask(lambda backend: _keep(backend, name, key), "no answer", WRITE_WAIT_S)
        if refused:
            raise AcError(
                f"The system's keyring did not take {name} ({refused}); unlock it and try again, "
                "or put the key under `env` in llm.json."
            )
        self.forget()

    def forget(self) -> None:
        """Read everything anew the next time."""
        with self._lock:
            self._known.clear()
            self._is_silent = False
            self._is_there = None
            self.version += 1

    def _ask(
        self, question: Callable[[Backend | None], T], fallback: T, wait_s: float = WAIT_S
    ) -> T:
        answers: list[T] = []

        def ask() -> None:
            # A backend may raise anything, and in its text what was to be kept.
            with suppress(Exception):
                answers.append(question(self._find()))

        thread = threading.Thread(target=ask, name="jupyter-ac-keyring", daemon=True)
        thread.start()
        thread.join(wait_s)
        if not answers:
            logger.warning("the system's keyring does not answer")
        return answers[0] if answers else fallback


def _look_up(backend: Backend | None, names: Iterable[str]) -> dict[str, str | None] | None:
    if backend is None:
        return None
    return {name: backend.get_password(SERVICE, name) for name in names}


def _keep(backend: Backend | None, name: str, key: str) -> str:
    """Keep a key or forget it; returns what went wrong, in a word."""
    if backend is None:
        return "there is none"
    with suppress(Exception):  # as above
        if key:
            backend.set_password(SERVICE, name, key)
        elif backend.get_password(SERVICE, name) is not None:
            backend.delete_password(SERVICE, name)
        return ""
    return "it refuses"
