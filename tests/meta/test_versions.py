"""One version, and a bundle made from the sources beside it."""

import hashlib
import json

from jupyter_ac.version import __version__
from tests.meta.sources import ROOT


def source_hash() -> str:
    """The rule of js/tools/hash.mjs, written down a second time."""
    files = [path for path in (ROOT / "js/packages").glob("*/src/**/*") if path.is_file()]
    files.append(ROOT / "package-lock.json")
    digest = hashlib.sha256()
    for name, path in sorted((path.relative_to(ROOT).as_posix(), path) for path in files):
        digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:6]


def test_the_front_end_carries_the_same_version() -> None:
    for path in [ROOT / "package.json", *(ROOT / "js/packages").glob("*/package.json")]:
        assert json.loads(path.read_text(encoding="utf-8"))["version"] == __version__, path


def test_the_bundle_was_built_from_these_sources() -> None:
    build = json.loads((ROOT / "jupyter_ac/static/build.json").read_text(encoding="utf-8"))
    assert build["hash"] == source_hash(), "run: make build"
    assert build["version"] == __version__
