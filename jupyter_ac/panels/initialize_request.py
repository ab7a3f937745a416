"""What a host begins with, and its check."""

from collections.abc import Mapping
from typing import Final, NotRequired, TypedDict

from jupyter_ac.errors import InvalidParams
from jupyter_ac.panels.wire import PROTOCOL_VERSION

MOVE_BEFORE: Final = "moveBefore"
"""The extension: a move carries ids only."""

DESCRIBE: Final = "describe"
"""The extension: the plugin says its name, its title and the methods that it wants to call."""


class InitializeRequest(TypedDict):
    """What a host begins with.

    Attributes:
        protocolVersion: must be 3.
        props: named arguments of the component.
        env: members of the environment.
        extensions: what the host can do beyond version 3.
    """

    protocolVersion: int
    props: NotRequired[dict[str, object] | None]
    env: NotRequired[dict[str, object] | None]
    extensions: NotRequired[list[str] | None]


def check_request(request: Mapping[str, object]) -> None:
    """Check the members of an `InitializeRequest`.

    Raises:
        InvalidParams: one is missing or wrong, or the version is another one.
    """
    version = request.get("protocolVersion")
    if isinstance(version, bool) or not isinstance(version, int | float):
        raise _refusal("protocolVersion", "a whole number")
    if version != PROTOCOL_VERSION:
        raise InvalidParams(
            f"The panel speaks version {PROTOCOL_VERSION} of the protocol, the host version "
            f"{version}; update the older one."
        )
    for name in ("props", "env"):
        if not isinstance(request.get(name), dict | None):
            raise _refusal(name, "an object or null")
    extensions = request.get("extensions")
    if not isinstance(extensions, list | None):
        raise _refusal("extensions", "an array of strings or null")
    if not all(isinstance(each, str) for each in extensions or ()):
        raise _refusal("extensions", "an array of strings or null")


def _refusal(name: str, kind: str) -> InvalidParams:
    return InvalidParams(f"initialize: req.{name} must be {kind}.", {"path": f"$.req.{name}"})
