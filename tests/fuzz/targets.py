"""The decoders that are fuzzed, by their names."""

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

from tests.fuzz.byte_targets import (
    BodyTarget,
    Cut,
    EventsTarget,
    LinesTarget,
    LinkTarget,
    RelayTarget,
    SocketTarget,
    any_pieces,
)
from tests.fuzz.call_targets import (
    DIALECTS,
    ChainTarget,
    CodecTarget,
    ConnectionTarget,
    SignatureTarget,
    StreamTarget,
)

Check: TypeAlias = Callable[[bytes], None]

_BY_DIALECT: Final = {profile.name: profile for profile in DIALECTS}

TARGETS: Final[dict[str, str]] = {
    "codec": "frames",
    **{f"connection {name}": "frames" for name in _BY_DIALECT},
    **{f"chain {name}": "frames" for name in _BY_DIALECT},
    "signatures": "frames",
    "text streams": "frames",
    "lines": "lines",
    "links": "lines",
    "relay": "relay",
    "events": "events",
    "bodies": "bodies",
    "sockets": "sockets",
}
"""Name to the kind of its kept inputs."""


def check_of(name: str, loop: asyncio.AbstractEventLoop, cut: Cut = any_pieces) -> Check:
    """Return the check of a target.

    Args:
        name: in `TARGETS`.
        loop: runs what waits; it isn't running.
        cut: how what comes in pieces is cut.
    """
    group, _, dialect = name.partition(" ")
    if dialect in _BY_DIALECT:
        profile = _BY_DIALECT[dialect]
        is_chain = group == "chain"
        return ChainTarget(profile, loop).check if is_chain else ConnectionTarget(profile).check
    made: dict[str, Callable[[], Check]] = {
        "codec": lambda: CodecTarget().check,
        "signatures": lambda: SignatureTarget().check,
        "text streams": lambda: StreamTarget().check,
        "lines": lambda: LinesTarget(cut).check,
        "links": lambda: LinkTarget().check,
        "relay": lambda: RelayTarget().check,
        "events": lambda: EventsTarget(cut).check,
        "bodies": lambda: BodyTarget(cut).check,
        "sockets": lambda: SocketTarget(cut, loop).check,
    }
    return made[name]()
