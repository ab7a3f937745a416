"""Checks whether a panel that is connected through the kernel works while a cell runs."""

import asyncio
import re
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

from jupyter_core.paths import jupyter_config_dir

from jupyter_ac.hosts.cli.checks.context import CheckContext, CheckResult, ok, warn

_FIRST_KERNEL: Final = (7, 0)
_FIRST_LAB: Final = (4, 4)
_SETTINGS: Final = "@jupyterlab/apputils-extension/kernels-settings.jupyterlab-settings"
_SETTING: Final = re.compile(r'^[^\S\n]*"commsOverSubshells"\s*:\s*"(\w+)"', re.MULTILINE)
_WITHOUT: Final = (
    "through the kernel (VS Code, Colab, a remote kernel) Stop waits until the cell has ended"
)


async def subshells(here: CheckContext) -> CheckResult:
    """Check that this environment's kernel can receive messages while a cell runs."""
    kernel, lab = _version("ipykernel"), _version("jupyterlab")
    about = f"ipykernel {kernel or 'missing'}, jupyterlab {lab or 'not in this environment'}"
    if _numbers(kernel) < _FIRST_KERNEL:
        return warn(f"{about}: {_WITHOUT}", "Install ipykernel 7 or newer for the kernel.")
    if lab and _numbers(lab) < _FIRST_LAB:
        return warn(f"{about}: {_WITHOUT}", "Install JupyterLab 4.4 or newer.")
    setting = await asyncio.to_thread(_comms_setting, here.environ.get("JUPYTERLAB_SETTINGS_DIR"))
    if setting == "disabled":
        return warn(
            f"{about}, but switched off in JupyterLab: {_WITHOUT}",
            "In JupyterLab's settings set Kernel, `Kernel Comms over subshells`, to another value.",
        )
    return ok(f"{about}, comms over subshells: {setting or 'as JupyterLab has it'}")


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", text)[:2]))


def _comms_setting(folder: str | None) -> str:
    """Return the user's own setting; the file may have comments, so it is not parsed."""
    usual = Path(jupyter_config_dir(), "lab", "user-settings")
    place = (Path(folder) if folder else usual) / _SETTINGS
    try:
        match = _SETTING.search(place.read_text("utf-8"))
    except (OSError, ValueError):
        return ""
    return "" if match is None else match[1]
