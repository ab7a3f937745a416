import pytest

from jupyter_ac.errors import NotReady
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.files import LITELLM, SettingsKind
from jupyter_ac.settings.hmac_key import HMAC_KEY_VARIABLE, take_hmac_key
from jupyter_ac.settings.masks import hide
from jupyter_ac.workers.redaction import redact

KEY = "a key of thirty-two bytes or mor"


@pytest.mark.parametrize("mode", ["optional", "required"])
def test_the_key_is_taken_out_of_the_environment(mode: str) -> None:
    environ = {HMAC_KEY_VARIABLE: KEY, "HOME": "/home"}
    assert take_hmac_key(environ, JupyterAC(signatures=mode)) == KEY.encode()
    assert environ == {"HOME": "/home"}


def test_without_signatures_it_is_not_used_and_not_left() -> None:
    environ = {HMAC_KEY_VARIABLE: KEY}
    assert take_hmac_key(environ, JupyterAC()) is None
    assert environ == {}


@pytest.mark.parametrize(
    ("environ", "state"),
    [
        ({}, "is not set"),
        ({HMAC_KEY_VARIABLE: ""}, "not set"),
        ({HMAC_KEY_VARIABLE: "k" * 31}, "short"),
    ],
)
def test_no_host_starts_without_a_good_key(environ: dict[str, str], state: str) -> None:
    with pytest.raises(
        NotReady, match=f"'required'.*{HMAC_KEY_VARIABLE}.*{state}.*32 bytes"
    ) as caught:
        take_hmac_key(environ, JupyterAC(signatures="required"))
    assert "kkk" not in str(caught.value)


def test_bytes_are_counted_not_characters() -> None:
    assert take_hmac_key({HMAC_KEY_VARIABLE: "ü" * 16}, JupyterAC(signatures="optional"))


def test_the_key_is_masked_wherever_it_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HMAC_KEY_VARIABLE, KEY)
    assert KEY not in redact(f"the key is {KEY}")
    shown = hide(SettingsKind(LITELLM), f'{{"env": {{"{HMAC_KEY_VARIABLE}": "{KEY}"}}}}')
    assert HMAC_KEY_VARIABLE in shown
    assert KEY not in shown
