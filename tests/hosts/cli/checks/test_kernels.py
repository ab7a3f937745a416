"""Whether a kernel takes messages while a cell runs."""

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest

from jupyter_ac.hosts.cli.checks import kernels
from jupyter_ac.hosts.cli.checks.context import CheckState
from tests.hosts.cli.checks.conftest import Look


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    installed = {"ipykernel": "7.1.0", "jupyterlab": "4.5.0"}

    def version(name: str) -> str:
        if name not in installed:
            raise PackageNotFoundError(name)
        return installed[name]

    monkeypatch.setattr(kernels, "version", version)
    return installed


async def test_new_ones_do(look: Look, versions: dict[str, str]) -> None:
    assert (await kernels.subshells(await look())).state is CheckState.OK
    del versions["jupyterlab"]
    assert (await kernels.subshells(await look())).state is CheckState.OK


@pytest.mark.parametrize(
    ("name", "old"), [("ipykernel", "6.31.0"), ("jupyterlab", "4.3.9"), ("ipykernel", "")]
)
async def test_old_ones_do_not(name: str, old: str, look: Look, versions: dict[str, str]) -> None:
    versions[name] = old
    found = await kernels.subshells(await look())
    assert found.state is CheckState.WARN
    assert "Stop waits" in found.text
    assert found.remedy.startswith("Install")


async def test_it_can_be_switched_off_in_jupyterlab(
    look: Look, versions: dict[str, str], tmp_path: Path
) -> None:
    assert versions
    place = tmp_path / "lab" / "@jupyterlab" / "apputils-extension"
    place.mkdir(parents=True)
    settings = place / "kernels-settings.jupyterlab-settings"
    settings.write_text('{\n  // off\n  "commsOverSubshells": "disabled"\n}\n')
    here = await look(JUPYTERLAB_SETTINGS_DIR=str(tmp_path / "lab"))
    found = await kernels.subshells(here)
    assert found.state is CheckState.WARN
    assert "comms over subshells" in found.remedy.lower()
    settings.write_text('{\n  // "commsOverSubshells": "disabled"\n}\n')
    assert (await kernels.subshells(here)).state is CheckState.OK
