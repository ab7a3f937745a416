"""A notebook as the text of its cells.

The percent form: each cell after a `# %%` line, text cells as comments in the notebook's language.
Outputs, which may be long and hold data, are left out, and so is all metadata but tags.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from jupyter_ac.errors import Unsupported

MAX_CELLS: Final = 10_000

_KNOWN_VERSIONS: Final = frozenset({3, 4})
_FILTERS: Final = {"notebook_metadata_filter": "-all", "cell_metadata_filter": "tags,-all"}
_CELL_TYPES: Final = frozenset({"code", "markdown", "raw"})


def percent_text(ipynb: str) -> str:
    """Return the cells of a notebook file as percent text; "" when there are none.

    The first call loads jupytext, which takes up to a second outside a Jupyter server.

    Args:
        ipynb: the file's text; versions 3 and 4 of the format, faulty cells tolerated.

    Raises:
        Unsupported: it isn't a notebook, of a version that isn't known, or has too many cells.
    """
    if not ipynb.strip():
        return ""
    notebook = _parse(ipynb)
    cells = list(_cells(notebook))
    if len(cells) > MAX_CELLS:
        raise Unsupported(f"The notebook has more than {MAX_CELLS} cells; split it.")
    return _write(_metadata(notebook), cells)


def load() -> None:
    """Load now what the first notebook would wait for."""
    _write({"jupytext": _FILTERS}, [])


def _parse(ipynb: str) -> Mapping[str, object]:
    remedy = "open it in Jupyter and save it again, or take it out of the selection"
    try:
        notebook = json.loads(ipynb.removeprefix("\ufeff"))
    except json.JSONDecodeError as error:
        raise Unsupported(
            f"The notebook is not JSON (line {error.lineno}: {error.msg}); {remedy}."
        ) from error
    except (RecursionError, ValueError) as error:
        raise Unsupported(f"The notebook is nested too deep; {remedy}.") from error
    if not isinstance(notebook, dict) or not ({"cells", "worksheets"} & notebook.keys()):
        raise Unsupported(f"The file is JSON but not a notebook; {remedy}.")
    version = notebook.get("nbformat", 4)
    if not isinstance(version, int) or version not in _KNOWN_VERSIONS:
        raise Unsupported(f"The notebook's format, version {version}, is not known; {remedy}.")
    return notebook


def _cells(notebook: Mapping[str, object]) -> Iterator[dict[str, object]]:
    """Give the cells in the form of version 4, without outputs."""
    sheets: Sequence[Mapping[str, object]] = _objects(notebook.get("worksheets")) or [notebook]
    for sheet in sheets:
        for cell in _objects(sheet.get("cells")):
            kind, source = cell.get("cell_type"), _text(cell.get("source", cell.get("input")))
            if kind == "heading":  # version 3
                level = cell.get("level")
                kind, source = (
                    "markdown",
                    f"{'#' * (level if isinstance(level, int) else 1)} {source}",
                )
            metadata = cell.get("metadata")
            tags = metadata.get("tags") if isinstance(metadata, dict) else None
            known = kind if kind in _CELL_TYPES else "raw"
            yield {
                "cell_type": known,
                "source": source,
                "metadata": {"tags": tags} if tags and isinstance(tags, list) else {},
                **({"outputs": [], "execution_count": None} if known == "code" else {}),
            }


def _objects(value: object) -> list[dict[str, object]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    """Return a source, which is a text or a list of lines that keep their ends."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def _metadata(notebook: Mapping[str, object]) -> dict[str, object]:
    """Return what tells the language; Python where nothing does."""
    metadata = notebook.get("metadata")
    found: dict[str, object] = {"jupytext": _FILTERS}
    for key in ("kernelspec", "language_info"):
        value = metadata.get(key) if isinstance(metadata, dict) else None
        if isinstance(value, dict):
            found[key] = {name: item for name, item in value.items() if isinstance(item, str)}
    return found


def _write(metadata: dict[str, object], cells: list[dict[str, object]]) -> str:
    from jupyter_ac.notebook.writing import write  # noqa: PLC0415 - seconds, for notebooks only

    return write(metadata, cells)
