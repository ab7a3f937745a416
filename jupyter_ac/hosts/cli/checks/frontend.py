"""Checks of the front end: the files in the package, and the extension that JupyterLab finds."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from jupyter_core.paths import jupyter_config_path, jupyter_path

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.assets import STATIC_DIR, load_build
from jupyter_ac.hosts.cli.checks.context import CheckContext, CheckResult, fail, ok, warn
from jupyter_ac.version import PROTOCOL, __version__

NAME: Final = "jupyter-ac"

_OURS: Final = STATIC_DIR.parent / "labextension" / "package.json"
_REINSTALL: Final = "Reinstall jupyter-ac in the environment of JupyterLab and reload the page."
_REBUILD: Final = "Run `npm ci && npm run build` in the source folder, or reinstall jupyter-ac."


async def versions(_here: CheckContext) -> CheckResult:
    """Do the package and the front end that it brings fit."""
    try:
        build = load_build()
    except AcError as error:
        return fail(f"package {__version__}, no front end", str(error))
    text = f"package {__version__}, front end {build.version} ({build.hash}), protocol {PROTOCOL}"
    return ok(text) if build.version == __version__ else fail(text, _REBUILD)


async def labextension(_here: CheckContext) -> CheckResult:
    """Does JupyterLab find the side panel, and is it the one of this package."""
    return await asyncio.to_thread(_labextension)


def _labextension() -> CheckResult:
    place = next(_installed(), None)
    if place is None:
        return warn("not installed where JupyterLab looks: no side panel", _REINSTALL)
    version, entry = _described(place)
    disabled = next(_disabling(), None)
    if disabled is not None:
        return warn(
            f"disabled in {disabled}", f"Run `jupyter labextension enable {NAME}` and reload."
        )
    ours = _described(_OURS)
    if ours == ("", ""):
        return warn(f"{version} in {place.parent}; the package itself brings none", _REBUILD)
    if (version, entry) != ours:
        return warn(f"{version} in {place.parent} is another build than the package's", _REINSTALL)
    return ok(f"{version} in {place.parent}")


def _installed() -> Iterator[Path]:
    for folder in jupyter_path("labextensions"):
        place = Path(folder) / NAME / "package.json"
        if place.is_file():
            yield place


def _described(package: Path) -> tuple[str, str]:
    """Return version and entry file, which has a hash in its name."""
    match _read(package):
        case {"version": str(version), "jupyterlab": {"_build": {"load": str(entry)}}}:
            return version, entry
        case _:
            return "", ""


def _disabling() -> Iterator[Path]:
    """Give the files that switch the panel off."""
    for folder in jupyter_config_path():
        place = Path(folder) / "labconfig" / "page_config.json"
        match _read(place):
            case {"disabledExtensions": dict(disabled)} if _names_us(disabled):
                yield place


def _names_us(disabled: dict[str, object]) -> bool:
    return any(value and name.partition(":")[0] == NAME for name, value in disabled.items())


def _read(place: Path) -> object:
    try:
        return json.loads(place.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
