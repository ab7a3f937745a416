"""Builds the optional steps that all connections of a host share, from its settings."""

from collections.abc import MutableMapping

from jupyter_ac.hosts.call_lines import call_log
from jupyter_ac.rpc.call_metrics import CallMetrics
from jupyter_ac.rpc.dispatch import CallGuards
from jupyter_ac.rpc.repeated_calls import RepeatedCalls
from jupyter_ac.rpc.signatures import SignatureVerifier
from jupyter_ac.rpc.token_bucket import RateLimiter
from jupyter_ac.settings.admin import JupyterAC
from jupyter_ac.settings.hmac_key import take_hmac_key


def call_guards(
    environ: MutableMapping[str, str], admin: JupyterAC, *, is_child: bool = False
) -> CallGuards:
    """Return the steps of a host; the states of targets belong to each workspace.

    Args:
        environ: of this process; the key for signed messages is removed from it.
        admin: the administrator's settings.
        is_child: of a kernel, which is the only client: no signatures are asked for.

    Raises:
        NotReady: messages are to be signed, and there is no key.
    """
    key = None if is_child else take_hmac_key(environ, admin)
    is_required = admin.signatures == "required"
    return CallGuards(
        verifier=None if key is None else SignatureVerifier(key, required=is_required),
        limiter=RateLimiter(admin.call_limits),
        repeated=RepeatedCalls(),
        metrics=CallMetrics(),
        log=call_log(),
    )
