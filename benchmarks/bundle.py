"""How much the browser loads."""

import gzip
import json
from pathlib import Path

from benchmarks.figure import at_most

STATIC = Path(__file__).parents[1] / "jupyter_ac" / "static"


def kilobytes(path: Path) -> float:
    """The size over the wire, compressed as a server would."""
    return len(gzip.compress(path.read_bytes(), 9)) / 1000


def main() -> None:
    """Measure the UI and the widget's loader; `make build` makes them."""
    build = json.loads((STATIC / "build.json").read_text(encoding="utf-8"))
    at_most("UI bundle, gzip", [kilobytes(STATIC / build["ui"])], "kB", 150).emit()
    at_most("widget loader, gzip", [kilobytes(STATIC / "widget.js")], "kB", 8).emit()
    at_most("loader of panels in cells, gzip", [kilobytes(STATIC / "plugin.js")], "kB", 4).emit()


if __name__ == "__main__":
    main()
