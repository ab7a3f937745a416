"""Approvals to run code: each is for one kernel and the exact bytes of one code, and good once.

The host issues one after the user's decision. Whoever runs the code redeems it first.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from jupyter_ac.errors import AccessDenied, Busy, InvalidParams

LIFETIME_S: Final = 600.0
MAX_APPROVALS: Final = 100


@dataclass(frozen=True, slots=True)
class Approval:
    """The permission to run one code in one kernel, once.

    Attributes:
        token: redeems it; never sent to a page.
        kernel_id: the kernel.
        sha256: of the code, hexadecimal.
        code: its bytes.
        approved_by: the person.
        expires_s: by the clock of the approvals.
    """

    token: str = field(repr=False)
    kernel_id: str
    sha256: str
    code: bytes = field(repr=False)
    approved_by: str
    expires_s: float


def code_bytes(code: str) -> bytes:
    """Return the bytes of a code by which it is approved.

    Raises:
        InvalidParams: it isn't valid Unicode.
    """
    try:
        return code.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidParams("The code holds half a character; send valid Unicode.") from error


def code_sha256(code: str) -> str:
    """Return the SHA-256 of a code in UTF-8, hexadecimal.

    Raises:
        InvalidParams: it isn't valid Unicode.
    """
    return hashlib.sha256(code_bytes(code)).hexdigest()


class Approvals:
    """The approvals of a host that weren't redeemed yet; at most `MAX_APPROVALS`.

    Args:
        clock: monotonic, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: dict[str, Approval] = {}

    def issue(self, kernel_id: str, code: str, approved_by: str) -> Approval:
        """Approve a code, after the user has decided so.

        Raises:
            Busy: too many approvals are open.
            InvalidParams: the code isn't valid Unicode.
        """
        now = self._clock()
        self._open = {token: each for token, each in self._open.items() if each.expires_s > now}
        if len(self._open) >= MAX_APPROVALS:
            raise Busy(f"{MAX_APPROVALS} approved cells wait to be run; wait until some have run.")
        approval = Approval(
            token=secrets.token_hex(16),
            kernel_id=kernel_id,
            sha256=code_sha256(code),
            code=code_bytes(code),
            approved_by=approved_by,
            expires_s=now + LIFETIME_S,
        )
        self._open[approval.token] = approval
        return approval

    def redeem(self, token: str, kernel_id: str, code: str) -> Approval:
        """Use an approval up; do this immediately before the code is run.

        It is used up as well when the kernel or the code is another one.

        Raises:
            AccessDenied: it was used, has expired, or is for another kernel or another code.
        """
        approval = self._open.pop(token, None)
        if approval is None:
            raise AccessDenied("This cell isn't approved, or it was run already; request it again.")
        if approval.expires_s <= self._clock():
            raise AccessDenied(
                f"The approval is older than {LIFETIME_S / 60:.0f} minutes; request the cell again."
            )
        is_same = approval.kernel_id == kernel_id and hmac.compare_digest(
            approval.code, code_bytes(code)
        )
        if not is_same:
            raise AccessDenied("Another kernel or other code was approved; request the cell again.")
        return approval
