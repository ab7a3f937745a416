import hashlib

import pytest

from jupyter_ac.errors import AccessDenied, Busy, InvalidParams
from jupyter_ac.execution.approvals import (
    LIFETIME_S,
    MAX_APPROVALS,
    Approvals,
    code_bytes,
    code_sha256,
)


class Clock:
    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s


def test_an_approval_is_good_once() -> None:
    approvals = Approvals()
    issued = approvals.issue("k1", "x = 'é'", "ada")
    assert issued.sha256 == hashlib.sha256("x = 'é'".encode()).hexdigest()
    assert approvals.redeem(issued.token, "k1", "x = 'é'") == issued
    with pytest.raises(AccessDenied, match="run already"):
        approvals.redeem(issued.token, "k1", "x = 'é'")


@pytest.mark.parametrize(
    ("kernel_id", "code"), [("k2", "x = 1"), ("k1", "x = 2"), ("k1", "x = 1 "), ("k1", "x = 1\n")]
)
def test_another_kernel_or_code_is_refused_and_uses_the_approval_up(
    kernel_id: str, code: str
) -> None:
    approvals = Approvals()
    token = approvals.issue("k1", "x = 1", "ada").token
    with pytest.raises(AccessDenied, match="Another kernel or other code"):
        approvals.redeem(token, kernel_id, code)
    with pytest.raises(AccessDenied):
        approvals.redeem(token, "k1", "x = 1")


def test_a_made_up_token_is_refused() -> None:
    with pytest.raises(AccessDenied, match="isn't approved"):
        Approvals().redeem("", "k1", "1")


def test_an_approval_expires() -> None:
    clock = Clock()
    approvals = Approvals(clock)
    late, in_time = (approvals.issue("k1", "1", "ada").token for _ in range(2))
    clock.now_s += LIFETIME_S - 1
    approvals.redeem(in_time, "k1", "1")
    clock.now_s += 1
    with pytest.raises(AccessDenied, match="10 minutes"):
        approvals.redeem(late, "k1", "1")


def test_approvals_are_bounded_until_some_expire() -> None:
    clock = Clock()
    approvals = Approvals(clock)
    for _ in range(MAX_APPROVALS):
        approvals.issue("k1", "1", "ada")
    with pytest.raises(Busy):
        approvals.issue("k1", "1", "ada")
    clock.now_s += LIFETIME_S
    approvals.issue("k1", "1", "ada")


def test_the_token_and_the_code_are_not_in_a_repr() -> None:
    issued = Approvals().issue("k1", "very secret code", "ada")
    assert issued.token not in repr(issued)
    assert "secret" not in repr(issued)


def test_code_that_is_not_unicode_is_refused() -> None:
    for function in (code_bytes, code_sha256):
        with pytest.raises(InvalidParams):
            function("\ud800")
