import pytest

from jupyter_ac.hosts.sockets.handler import REASON_BYTES, shorten


@pytest.mark.parametrize("reason", ["", "short", "ä" * 61])
def test_a_reason_that_fits_stays(reason: str) -> None:
    assert shorten(reason) == reason


def test_a_long_reason_is_cut_between_characters() -> None:
    cut = shorten("€" * 100)
    assert len(cut.encode()) <= REASON_BYTES
    assert cut.rstrip("…") == "€" * (len(cut) - 1)
