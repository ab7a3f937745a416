"""Signed messages: what is accepted once, and everything else that is refused."""

import base64
import json
import logging
import os
import shutil
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jupyter_ac.errors import SignatureRefused
from jupyter_ac.rpc import signatures
from jupyter_ac.rpc.codec import SerialisationError
from jupyter_ac.rpc.signatures import WINDOW_S, SignatureVerifier, canonical, sign
from tests.meta.sources import ROOT

EXAMPLES = ROOT / "docs" / "examples"
VECTORS = json.loads((EXAMPLES / "hmac_vectors.json").read_text(encoding="utf-8"))

KEY = b"a key of thirty-two bytes or more"
NOW = 1_705_314_600
CALL: dict[str, object] = {"jsonrpc": "2.0", "method": "m", "params": {"a": [1.0, "ü"]}, "id": 1}


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = float(NOW)

    def __call__(self) -> float:
        return self.now


def verifier(*, required: bool = True, clock: Clock | None = None) -> SignatureVerifier:
    return SignatureVerifier(KEY, required=required, clock=clock or Clock())


def signed(timestamp: int = NOW, nonce: str = "n", **more: object) -> dict[str, object]:
    message = {**CALL, **more}
    return {**message, "auth": sign(KEY, message, timestamp, nonce)}


def refuses(checking: SignatureVerifier, message: dict[str, object]) -> bool:
    try:
        checking.verify(message)
    except SignatureRefused:
        return True
    return False


@pytest.mark.parametrize("vector", VECTORS, ids=[vector["name"] for vector in VECTORS])
def test_the_published_vectors(vector: dict[str, str]) -> None:
    message, key = json.loads(vector["message"]), vector["key"].encode()
    timestamp = int(vector["timestamp"])
    assert canonical(message).decode() == vector["canonical"]
    assert sign(key, message, timestamp, vector["nonce"]) == message["auth"]
    assert message["auth"]["signature"] == vector["signature"]
    SignatureVerifier(key, required=True, clock=lambda: timestamp).verify(message)


def test_the_vectors_have_what_two_languages_write_differently() -> None:
    assert len(VECTORS) == 5
    wire = "".join(vector["message"] for vector in VECTORS)
    for form in ("1.0", "1e21", "1E-7", "-0.0", "\\ud83d", "\\ufb33"):
        assert form in wire
    names = list(json.loads(VECTORS[4]["canonical"])["params"])
    assert names == sorted(names, key=lambda name: name.encode("utf-16be")) != sorted(names)


@pytest.mark.parametrize("name", ["verify_hmac.py", "verify_hmac.mjs"])
def test_the_published_checks_verify_the_vectors(name: str, tmp_path: Path) -> None:
    script = Path(shutil.copy(EXAMPLES / name, tmp_path))
    vectors = tmp_path / "hmac_vectors.json"
    vectors.write_text(json.dumps(VECTORS))
    done = run(script)
    assert done.stdout.split("\n") == [f"{vector['name']}: verified" for vector in VECTORS] + [""]
    vectors.write_text(json.dumps(VECTORS).replace("execute_task", "execute_tusk"))
    done = run(script)
    assert done.returncode == 1
    assert "no nonce: wrong" in done.stderr


def run(script: Path) -> subprocess.CompletedProcess[str]:
    # As in the Makefile: node may come from the environment.
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    program = sys.executable if script.suffix == ".py" else shutil.which("node", path=path)
    assert program is not None, "node is missing; see `make setup`"
    return subprocess.run([program, script], capture_output=True, text=True, check=False)


def test_rfc8785_is_loaded_only_for_a_message() -> None:
    program = (
        "import sys; from jupyter_ac.rpc.signatures import SignatureVerifier, sign\n"
        "SignatureVerifier(b'k' * 32, required=False).verify({})\n"
        "assert 'rfc8785' not in sys.modules\n"
        "sign(b'k' * 32, {}, 1)\n"
        "assert 'rfc8785' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_signature_is_accepted_once_whatever_the_order_of_members() -> None:
    checking = verifier()
    message = signed()
    checking.verify(dict(reversed(message.items())))
    assert refuses(checking, message)
    checking.verify(signed(nonce="other"))


def test_without_a_nonce_equal_messages_of_one_second_are_one() -> None:
    checking = verifier()
    auth = sign(KEY, CALL, NOW)
    assert "nonce" not in auth
    checking.verify({**CALL, "auth": auth})
    assert refuses(checking, {**CALL, "auth": auth})
    assert refuses(checking, {**CALL, "auth": {**auth, "nonce": ""}})
    checking.verify(signed(NOW + 1, ""))


def test_a_message_without_auth_passes_only_if_none_is_required() -> None:
    with pytest.raises(SignatureRefused) as caught:
        verifier().verify(CALL)
    assert (caught.value.message, caught.value.details) == ("Authentication failed", {})
    verifier(required=False).verify(CALL)
    assert refuses(verifier(required=False), {**CALL, "auth": None})
    assert refuses(verifier(required=False), signed() | {"id": 2})


@pytest.mark.parametrize(
    "change",
    [
        {"timestamp": True},
        {"timestamp": float(NOW)},
        {"timestamp": str(NOW)},
        {"timestamp": None},
        {"timestamp": 10**400},
        {"timestamp": -(10**400)},
        {"signature": None},
        {"signature": 1},
        {"signature": ""},
        {"signature": "not base64"},
        {"signature": "ü" * 44},
        {"signature": base64.b64encode(b"short").decode()},
        {"signature": base64.b64encode(bytes(33)).decode()},
        {"signature": base64.b64encode(bytes(32)).decode()},
        {"nonce": None},
        {"nonce": 1},
        {"nonce": "\ud800"},
        {"nonce": "n" * 129},
        {"more": 1},
    ],
)
def test_a_malformed_auth_is_refused(change: dict[str, object]) -> None:
    message = signed()
    auth = message["auth"]
    assert isinstance(auth, dict)
    assert refuses(verifier(), {**message, "auth": {**auth, **change}})


@pytest.mark.parametrize("auth", [[], "text", 1, {}, {"timestamp": NOW}, {"signature": "a"}])
def test_an_incomplete_auth_is_refused(auth: object) -> None:
    assert refuses(verifier(), {**CALL, "auth": auth})


def test_another_base64_text_of_the_same_bytes_is_refused() -> None:
    message = signed()
    auth = message["auth"]
    assert isinstance(auth, dict)
    text = auth["signature"]
    # The last digit before `=` has two bits that don't count.
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    twin = text[:-2] + digits[digits.index(text[-2]) + 1] + "="
    assert base64.b64decode(twin) == base64.b64decode(text)
    assert refuses(verifier(), {**message, "auth": {**auth, "signature": twin}})


@pytest.mark.parametrize(
    ("off_s", "is_refused"),
    [(0, False), (WINDOW_S, False), (-WINDOW_S, False), (WINDOW_S + 1, True), (-301, True)],
)
def test_the_window_is_300_seconds_either_way(off_s: int, is_refused: bool) -> None:
    assert refuses(verifier(), signed(NOW + off_s)) is is_refused


def test_a_signature_is_remembered_as_long_as_its_timestamp_is_good() -> None:
    clock = Clock()
    checking = verifier(clock=clock)
    message = signed(NOW + WINDOW_S)
    checking.verify(message)
    for clock.now in (NOW + 1.0, NOW + 300.0, NOW + 599.5, NOW + 600.0, NOW + 601.0):
        assert refuses(checking, message)


def test_a_clock_that_goes_back_makes_no_old_signature_good() -> None:
    clock = Clock()
    checking = verifier(clock=clock)
    message = signed()
    checking.verify(message)
    clock.now += WINDOW_S + 1
    assert refuses(checking, message)
    clock.now -= WINDOW_S + 1
    assert refuses(checking, message)


def test_a_full_memory_refuses_rather_than_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signatures, "MAX_REMEMBERED", 3)
    clock = Clock()
    checking = verifier(clock=clock)
    first = [signed(nonce=nonce) for nonce in "abc"]
    for message in first:
        checking.verify(message)
    assert refuses(checking, signed(nonce="d"))
    assert all(refuses(checking, message) for message in first)
    clock.now += WINDOW_S + 1
    checking.verify(signed(int(clock.now), "d"))


@pytest.mark.parametrize(
    "value", [2**53, -(2**53), "\ud800", {"\ud800": 1}, float("nan"), float("inf"), {1, 2}, {1: 2}]
)
def test_what_rfc_8785_has_no_form_for_is_refused(value: object) -> None:
    message = {**CALL, "params": [value], "auth": sign(KEY, CALL, NOW)}
    assert refuses(verifier(), message)
    with pytest.raises(SerialisationError) as caught:
        sign(KEY, message, NOW)
    assert str(2**53) not in "".join(traceback.format_exception(caught.value))


def test_deep_nesting_is_refused() -> None:
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    assert refuses(verifier(), {**CALL, "params": deep, "auth": sign(KEY, CALL, NOW)})


def test_the_key_is_nowhere_to_be_seen(caplog: pytest.LogCaptureFixture) -> None:
    checking = verifier()
    with caplog.at_level(logging.DEBUG):
        checking.verify(signed())
        with pytest.raises(SignatureRefused) as caught:
            checking.verify(CALL)
    seen = [repr(checking), *map(repr, vars(checking).values()), caplog.text]
    seen += traceback.format_exception(caught.value)
    assert not any(KEY.decode() in text for text in seen)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53) + 1, 2**53 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=8,
)
MESSAGES = st.dictionaries(st.text().filter(lambda name: name != "auth"), JSON, max_size=4)
NONCES = st.text(max_size=128).filter(lambda text: text.isprintable())


@given(MESSAGES, st.integers(NOW - 300, NOW + 300), NONCES)
def test_what_was_signed_is_verified_after_a_journey(
    message: dict[str, object], timestamp: int, nonce: str
) -> None:
    checking = verifier()
    frame = json.dumps({**message, "auth": sign(KEY, message, timestamp, nonce)}, indent=1)
    checking.verify(json.loads(frame))
    assert refuses(checking, json.loads(frame))


@given(MESSAGES, NONCES, st.data())
def test_any_changed_byte_is_refused(
    message: dict[str, object], nonce: str, data: st.DataObject
) -> None:
    whole = {**message, "auth": sign(KEY, message, NOW, nonce)}
    frame = json.dumps(whole, ensure_ascii=False).encode()
    at = data.draw(st.integers(0, len(frame) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda value: value != frame[at]))
    try:
        changed = json.loads(frame[:at] + bytes([byte]) + frame[at + 1 :])
    except ValueError:
        return
    # Another form of the same message isn't another message, and `auth` itself may be renamed.
    if not isinstance(changed, dict) or _is_same(changed, whole):
        return
    assert refuses(verifier(), changed)


def _is_same(changed: dict[str, object], whole: dict[str, object]) -> bool:
    try:
        return changed.get("auth") == whole["auth"] and canonical(changed) == canonical(whole)
    except SerialisationError:
        return False
