from pathlib import Path

import pytest

from jupyter_ac.hosts.signing import row_signer
from jupyter_ac.store.signing_key import FILE, KEY_BYTES
from tests.support.edited import repository_of
from tests.support.repositories import make_repository


def test_a_key_that_came_with_the_repository_is_not_the_users(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTER_DATA_DIR", str(tmp_path / "data"))
    made = make_repository(tmp_path / "r", {"a": "1\n", f".config/{FILE}": b"x" * KEY_BYTES})
    (made.root / ".config" / FILE).chmod(0o600)
    key, _ = row_signer(repository_of(made), made.root / ".config")
    assert key.key != b"x" * KEY_BYTES
    assert key.notice is None
    other, _ = row_signer(repository_of(made), tmp_path / "config")
    assert other.key == key.key  # which is the user's own, wherever it was made
