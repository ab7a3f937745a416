"""The optional steps of a host, from its settings."""

import pytest

from jupyter_ac.errors import NotReady, RateLimited
from jupyter_ac.hosts.call_guards import call_guards
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.hmac_key import HMAC_KEY_VARIABLE

KEY = "k" * 32


def test_without_settings_nothing_is_signed_and_money_is_limited() -> None:
    made = call_guards({}, JupyterAC())
    assert made.verifier is None
    assert made.limiter is not None
    assert made.metrics is not None
    assert made.log is not None
    for _ in range(60):
        made.limiter.take(("ann", ""), "LLMService.chat_streaming", is_billed=True)
    with pytest.raises(RateLimited):
        made.limiter.take(("ann", ""), "LLMService.chat_streaming", is_billed=True)


def test_the_key_is_taken_out_of_the_environment() -> None:
    environ = {HMAC_KEY_VARIABLE: KEY, "OTHER": "1"}
    made = call_guards(environ, JupyterAC(signatures="optional"))
    assert made.verifier is not None
    assert environ == {"OTHER": "1"}
    assert KEY not in repr(made)


def test_a_missing_key_is_said_at_the_start_but_not_to_a_kernels_child() -> None:
    demanded = JupyterAC(signatures="required")
    with pytest.raises(NotReady, match=HMAC_KEY_VARIABLE):
        call_guards({}, demanded)
    assert call_guards({}, demanded, is_child=True).verifier is None
