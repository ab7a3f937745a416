import subprocess

import pytest

from jupyter_ac.index.indexing.blobs import blob_hash


@pytest.mark.parametrize("data", [b"", b"word\n", bytes(range(256))])
def test_a_content_has_the_name_that_git_gives_it(data: bytes) -> None:
    command = ["git", "hash-object", "--stdin"]
    told = subprocess.run(command, input=data, capture_output=True, check=True).stdout
    assert blob_hash(data) == told.decode().strip()


def test_a_repository_with_long_hashes_has_long_names() -> None:
    # From git's own tests of its object format: the empty blob.
    empty = "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813"
    assert blob_hash(b"", len(empty)) == empty
