"""Signatures that mark the rows of a repository's history as written by its user."""

from pathlib import Path

from jupyter_ac.git.repository import Repository
from jupyter_ac.store.row_signing import RowSigner
from jupyter_ac.store.signing_key import SigningKey, signing_key


def row_signer(repository: Repository, config_dir: Path) -> tuple[SigningKey, RowSigner]:
    """Return the user's key, and what signs with it; looks at the disk.

    Args:
        repository: its git directory is the place that signatures are bound to.
        config_dir: the user's configuration directory.
    """
    key = signing_key(config_dir, (repository.root, repository.common_dir))
    return key, RowSigner(key.key, repository.common_dir)
