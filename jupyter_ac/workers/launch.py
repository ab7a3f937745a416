"""The start parameters of a child interpreter: command line, environment, directory.

The directory in which the host runs may be a hostile repository, so the child starts elsewhere and
imports nothing by a relative path.
"""

import os
import site
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Final

_PACKAGE_ROOT: Final = Path(__file__).resolve().parents[2]
_LOOPBACK: Final = "127.0.0.1,localhost"

_FIXED: Final[Mapping[str, str]] = {
    # The list of models comes from the installed package, never from the network.
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    # In its development mode litellm reads `.env` files that it finds.
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_TELEMETRY": "False",
    "PYTHONUNBUFFERED": "1",
}


def command(kind: str) -> list[str]:
    """Give the command line of a worker."""
    return [sys.executable, "-P", "-m", "jupyter_ac.worker", kind]


def working_directory() -> str:
    """Return a directory to which only the administrator can write."""
    return str(Path(os.sep).absolute())


def environment(environ: Mapping[str, str], extra: Mapping[str, str]) -> dict[str, str]:
    """Return a worker's environment: the host's, with `extra` and safety settings."""
    merged = {**environ, **extra, **_FIXED}
    merged["PYTHONPATH"] = os.pathsep.join(python_path(merged.get("PYTHONPATH", "")))
    # The embedded model and other local servers are never behind a proxy.
    direct = [merged.get("no_proxy", ""), merged.get("NO_PROXY", ""), _LOOPBACK]
    merged["no_proxy"] = merged["NO_PROXY"] = ",".join(filter(None, direct))
    tables = _tokenizer_tables()
    if tables is not None:
        merged["TIKTOKEN_CACHE_DIR"] = str(tables)
    return merged


def python_path(inherited: str) -> list[str]:
    """Return the `PYTHONPATH` of a child that runs the same code as this process."""
    entries = [entry for entry in inherited.split(os.pathsep) if Path(entry).is_absolute()]
    installed = [*site.getsitepackages(), site.getusersitepackages()]
    if _PACKAGE_ROOT not in map(Path.resolve, map(Path, installed)):
        # A checkout: the child shall run the same code as its parent.
        entries.insert(0, str(_PACKAGE_ROOT))
    return entries


def _tokenizer_tables() -> Path | None:
    """Find litellm's copies of tiktoken's tables without importing litellm."""
    found = find_spec("litellm")
    if found is None or found.origin is None:
        return None
    return Path(found.origin).parent / "litellm_core_utils" / "tokenizers"
