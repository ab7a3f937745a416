"""What a client takes, by its headers `Accept` and `Accept-Encoding` (RFC 9110, section 12)."""

import re
from typing import Final


def takes_gzip(accepted: str) -> bool:
    """Return whether a client unpacks gzip.

    Args:
        accepted: the value of `Accept-Encoding`, "" if there is none.
    """
    return accepts(accepted, "gzip")


def accepts(header: str, name: str) -> bool:
    """Return whether an `Accept` header takes something (RFC 9110, section 12).

    Args:
        header: names with weights, separated by commas; untrusted.
        name: what is asked for; a name in its place or `*` with a weight of 0 means no.
    """
    weights = dict(map(_weighed, header.lower().split(",")))
    return weights.get(name, weights.get("*", 0.0)) > 0


def _weighed(part: str) -> tuple[str, float]:
    name, *parameters = (piece.strip() for piece in part.split(";"))
    for parameter in parameters:
        key, _, value = parameter.partition("=")
        if key.strip() == "q":
            return name, 0.0 if _NO_WEIGHT.fullmatch(value.strip()) else 1.0
    return name, 1.0


_NO_WEIGHT: Final = re.compile(r"0(?:\.0{0,3})?")
