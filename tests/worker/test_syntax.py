"""The `syntax` worker, in its process."""

import pytest

from jupyter_ac.errors import RemoteError
from jupyter_ac.workers.process import Worker

LIMIT_S = 120.0


async def test_it_finds_errors_and_says_with_what() -> None:
    worker = Worker("syntax")
    try:
        found = await worker.call("Syntax.find", "rust", "fn f( {}\n", timeout_s=LIMIT_S)
        assert isinstance(found, dict)
        assert found["tool"] == "tree-sitter"
        assert found["diagnostics"]
        found = await worker.call("Syntax.find", "toml", "a = 1\n", timeout_s=LIMIT_S)
        assert isinstance(found, dict)
        assert (found["tool"], found["diagnostics"]) == ("tomllib", [])
        with pytest.raises(RemoteError, match="no parser"):
            await worker.call("Syntax.find", "x", "", timeout_s=LIMIT_S)
    finally:
        await worker.aclose()
