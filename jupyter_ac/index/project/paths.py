"""Operations on paths as text."""

from collections.abc import Iterator


def folder_of(path: str) -> str:
    """Return the folder of a path; "" for one at the root."""
    return path.rpartition("/")[0]


def name_of(path: str) -> str:
    """Return the last part of a path."""
    return path.rpartition("/")[2]


def ancestors(folder: str) -> Iterator[str]:
    """Yield a folder and all those around it, the root last."""
    while folder:
        yield folder
        folder = folder_of(folder)
    yield ""


def within(folder: str, name: str) -> str:
    """Join a folder, "" for the root, and a relative path; "" for what leads out of the tree."""
    parts = folder.split("/") if folder else []
    for part in name.split("/"):
        if part == "..":
            if not parts:
                return ""
            parts.pop()
        elif part and part != ".":
            parts.append(part)
    return "/".join(parts)


def inside(folder: str, name: str) -> str | None:
    """Join the same; None for what leads out of the tree, which "" doesn't tell from its root."""
    first, _, rest = within(f":/{folder}" if folder else ":", name).partition("/")
    return rest if first == ":" else None
