"""The real package `keyring`, with test backends."""

import logging
import threading
import time
from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import PasswordDeleteError

from jupyter_ac.errors import AcError
from jupyter_ac.settings.keyring import Keyring, system_backend

KEY = "sk-ant-0123456789abcdefghijkl"


class Memory(KeyringBackend):
    """A keyring as it should be."""

    priority = 1

    def __init__(self) -> None:
        super().__init__()
        self.kept: dict[tuple[str, str], str] = {}
        self.asked = 0

    def get_password(self, service: str, username: str) -> str | None:
        self.asked += 1
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        if (service, username) not in self.kept:
            raise PasswordDeleteError(username)
        del self.kept[service, username]


class Locked(Memory):
    """A keyring that refuses, and says what it was given."""

    def get_password(self, service: str, username: str) -> str | None:
        raise RuntimeError(f"locked: {service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise RuntimeError(f"locked: {service} {username} {password}")


class Silent(Memory):
    """A keyring that waits for somebody to unlock it."""

    def __init__(self) -> None:
        super().__init__()
        self.answer = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.answer.wait()
        return super().get_password(service, username)


@pytest.fixture
def memory() -> Iterator[Memory]:
    before, backend = keyring.get_keyring(), Memory()
    keyring.set_keyring(backend)
    yield backend
    keyring.set_keyring(before)


def test_the_keyring_in_use_is_found(memory: Memory) -> None:
    assert system_backend() is memory


@pytest.mark.parametrize("name", ["keyring.backends.fail.Keyring", "keyring.backends.null.Keyring"])
def test_one_that_keeps_nothing_is_none(memory: Memory, name: str) -> None:
    assert memory
    keyring.set_keyring(keyring.core.load_keyring(name))
    assert system_backend() is None
    assert not Keyring().available()
    assert Keyring().read(["A_KEY"]) == {}


def test_without_the_package_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jupyter_ac.settings.keyring.find_spec", lambda _name: None)
    assert system_backend() is None


def test_a_key_is_kept_found_and_forgotten(memory: Memory) -> None:
    ring = Keyring()
    assert ring.available()
    ring.write("A_KEY", KEY)
    assert memory.kept == {("jupyter_ac", "A_KEY"): KEY}
    assert ring.read(["A_KEY", "B_KEY"]) == {"A_KEY": KEY}
    ring.write("A_KEY", "")
    ring.write("A_KEY", "")
    assert ring.read(["A_KEY"]) == {}
    assert memory.kept == {}
    assert ring.version == 3


def test_what_was_read_is_remembered_until_it_is_to_be_read_anew(memory: Memory) -> None:
    memory.kept["jupyter_ac", "A_KEY"] = KEY
    ring = Keyring()
    for _ in range(3):
        assert ring.read(["A_KEY", "B_KEY"]) == {"A_KEY": KEY}
    assert memory.asked == 2
    memory.kept.clear()
    ring.forget()
    assert ring.read(["A_KEY"]) == {}


def test_a_refusal_tells_nobody_the_key(caplog: pytest.LogCaptureFixture) -> None:
    ring = Keyring(Locked)
    with (
        caplog.at_level(logging.DEBUG),
        pytest.raises(AcError, match="refused A_KEY") as caught,
    ):
        ring.write("A_KEY", KEY)
    assert ring.read(["A_KEY"]) == {}
    assert KEY not in caught.value.message + caplog.text
    assert caught.value.__cause__ is caught.value.__context__ is None


def test_a_keyring_that_is_slow_is_not_waited_for_and_heard_when_it_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("jupyter_ac.settings.keyring.WAIT_S", 0.05)
    silent = Silent()
    silent.kept["jupyter_ac", "A_KEY"] = KEY
    ring = Keyring(lambda: silent)
    for _ in range(3):
        assert ring.read(["A_KEY"]) == {}
    assert (ring.version, silent.asked) == (0, 0)
    silent.answer.set()
    end = time.monotonic() + 30
    while not ring.version and time.monotonic() < end:
        time.sleep(0.005)
    assert ring.version == 1
    assert ring.read(["A_KEY"]) == {"A_KEY": KEY}
    assert silent.asked == 1


def test_an_answer_from_before_a_change_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jupyter_ac.settings.keyring.WAIT_S", 0.05)
    silent = Silent()
    ring = Keyring(lambda: silent)
    assert ring.read(["A_KEY"]) == {}
    ring.forget()
    silent.kept["jupyter_ac", "A_KEY"] = KEY
    silent.answer.set()
    monkeypatch.setattr("jupyter_ac.settings.keyring.WAIT_S", 10)
    assert ring.read(["A_KEY"]) == {"A_KEY": KEY}
    assert ring.version == 1
