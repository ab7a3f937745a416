"""The kept inputs of the fuzz tests: one file each, in a folder for each kind of decoder."""

import json
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent / "corpus"
VECTORS: Final = Path(__file__).parents[1] / "rpc" / "vectors.json"


def seeds(kind: str) -> list[bytes]:
    """Return the inputs of one kind, always in the same order; frames include the test vectors.

    Args:
        kind: the folder's name.
    """
    kept = [path.read_bytes() for path in sorted((FOLDER / kind).iterdir())]
    if kind == "frames":
        kept += [str(each["send"]).encode() for each in json.loads(VECTORS.read_text("utf-8"))]
    return kept
