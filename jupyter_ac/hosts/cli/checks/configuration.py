"""The user's settings and the administrator's."""

import asyncio
import stat
from pathlib import Path
from typing import Final

from jupyter_core.paths import jupyter_config_path

from jupyter_ac.errors import AcError
from jupyter_ac.hosts.cli.checks.context import CheckContext, CheckResult, fail, ok, warn
from jupyter_ac.settings.admin import BASENAME, JupyterAC
from jupyter_ac.settings.files import FILES, SettingsKind
from jupyter_ac.settings.paths import CONFIG_VARIABLE, config_dir

_OTHERS: Final = stat.S_IRWXG | stat.S_IRWXO


async def settings(here: CheckContext) -> CheckResult:
    """Check that the user's settings files are valid."""
    return await asyncio.to_thread(_settings, config_dir(here.environ))


def _settings(folder: Path) -> CheckResult:
    present: list[str] = []
    broken: list[str] = []
    for kind in map(SettingsKind, FILES):
        try:
            text = kind.read(folder)
            if text or (folder / kind.file).exists():
                kind.check(text)
                present.append(kind.file)
        except AcError as error:
            broken.append(str(error))
    if broken:
        return fail(
            f"{folder}: {' '.join(broken)}",
            "Correct the file; until then what was in force stays, and a new host does without.",
        )
    open_to_others = [file for file in _secret_files(present) if _is_open(folder / file)]
    if open_to_others:
        file = folder / open_to_others[0]
        return warn(f"{file} may hold keys and others can read it", f"Run `chmod 600 {file}`.")
    there = ", ".join(present) or f"no files (set {CONFIG_VARIABLE} to use another folder)"
    return ok(f"{folder}: {there}")


def _secret_files(present: list[str]) -> list[str]:
    return [
        kind.file for kind in map(SettingsKind, FILES) if kind.is_secret and kind.file in present
    ]


def _is_open(path: Path) -> bool:
    return bool(path.stat().st_mode & _OTHERS)


async def administrator(here: CheckContext) -> CheckResult:
    """Report the administrator's settings for every host."""
    if isinstance(here.limits, AcError):
        return fail(
            str(here.limits), "Ask the administrator to correct it; until then nothing starts."
        )
    files = await asyncio.to_thread(_admin_files)
    said = _differences(here.limits)
    if not files:
        return ok("no limits")
    return ok(f"{', '.join(map(str, files))}: {'; '.join(said) or 'no limits'}")


def _admin_files() -> list[Path]:
    names = (f"{BASENAME}.py", f"{BASENAME}.json")
    places = (Path(folder) / name for folder in jupyter_config_path() for name in names)
    return [place for place in places if place.is_file()]


def _differences(limits: JupyterAC) -> list[str]:
    """Spell what differs from the defaults; there are no secrets among these."""
    usual = JupyterAC()
    said: list[str] = []
    for name in sorted(JupyterAC.class_trait_names(config=True)):
        value: object = getattr(limits, name)
        if value != getattr(usual, name):
            shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
            said.append(f"{name} = {shown}")
    return said
