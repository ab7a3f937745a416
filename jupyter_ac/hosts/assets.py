"""The built front-end files that are included in the package.

`npm run build` writes it; a source checkout without a build has none, which both hosts must be
able to say in one sentence.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from jupyter_ac.errors import NotFound

STATIC_DIR: Final = Path(__file__).resolve().parent.parent / "static"
"""Everything in it is public code, served without a login."""

Chunk: TypeAlias = Literal[
    "viewer",
    "markdown",
    "maths",
    "colours",
    "dialogs",
    "browser",
    "agent",
    "plans",
    "panels",
    "context",
    "picker",
]
"""A part of the front end that pages load on demand."""

NOT_BUILT: Final = (
    "The front end of jupyter_ac has not been built; run `npm ci && npm run build` in its source "
    "folder, or install the package from a wheel."
)


@dataclass(frozen=True, slots=True)
class Build:
    """One build of the front end.

    Attributes:
        hash: six hex digits over the sources; part of the custom elements' tags.
        ui: file name of the whole UI, an ES module.
        version: the package version that it was built for.
    """

    hash: str
    ui: str
    version: str


def load_build(static_dir: Path = STATIC_DIR) -> Build:
    """Read which build is there.

    Raises:
        NotFound: nothing was built, or its description is damaged.
    """
    try:
        found: object = json.loads((static_dir / "build.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise NotFound(NOT_BUILT) from error
    match found:
        case {"hash": str(hash_), "ui": str(ui), "version": str(version)}:
            return Build(hash_, Path(ui).name, version)
        case _:
            raise NotFound(NOT_BUILT)


def ui_source(static_dir: Path = STATIC_DIR) -> tuple[Build, str]:
    """Read the whole UI, for a page that cannot fetch it from a server.

    Raises:
        NotFound: nothing was built.
    """
    build = load_build(static_dir)
    return build, _source(static_dir / build.ui)


def chunk_source(chunk: Chunk, static_dir: Path = STATIC_DIR) -> tuple[Build, str]:
    """Read a part of the UI that it loads when it is first wanted.

    Raises:
        NotFound: nothing was built.
    """
    build = load_build(static_dir)
    return build, _source(static_dir / f"{chunk}-{build.hash}.js")


def _source(bundle: Path) -> str:
    try:
        return bundle.read_text(encoding="utf-8")
    except OSError as error:
        raise NotFound(NOT_BUILT) from error
