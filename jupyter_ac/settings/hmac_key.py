"""The key for signed messages, from the environment."""

from collections.abc import MutableMapping
from typing import Final

from jupyter_ac.errors import NotReady
from jupyter_ac.settings.admin import JupyterAC

HMAC_KEY_VARIABLE: Final = "JUPYTER_AC_HMAC_KEY"

SHORTEST_BYTES: Final = 32
"""RFC 2104 advises against keys shorter than the hash."""


def take_hmac_key(environ: MutableMapping[str, str], admin: JupyterAC) -> bytes | None:
    """Return the key, and remove it from the environment, so that no child process has it.

    Args:
        environ: of this process. Read once, at the start of a host.
        admin: says whether messages are signed.

    Returns:
        The UTF-8 bytes of the variable; None if `signatures` is `off`.

    Raises:
        NotReady: messages are to be signed, and there is no key or a short one.
    """
    text = environ.pop(HMAC_KEY_VARIABLE, "")
    if admin.signatures == "off":
        return None
    key = text.encode("utf-8", "surrogateescape")
    if len(key) < SHORTEST_BYTES:
        state = "is too short" if key else "is not set"
        raise NotReady(
            f"c.JupyterAC.signatures is {admin.signatures!r}, but {HMAC_KEY_VARIABLE} {state}; set "
            f"it to a random text of at least {SHORTEST_BYTES} bytes."
        )
    return key
