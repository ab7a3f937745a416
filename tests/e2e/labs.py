"""JupyterLab servers that many tests use one after another."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from tests.e2e.installed import Installed
from tests.e2e.lab import Lab
from tests.support.model_process import RunningModelServer

Settings = Mapping[str, Mapping[str, object]]
# Workspaces of tests that are over need not be kept for long.
IDLE = {"idle_minutes": 1}


def variables_for(model: RunningModelServer, name: str) -> dict[str, str]:
    """What makes a server ask the scripted model by this name."""
    return {
        "JUPYTER_AC_MODEL": f"openai/{name}",
        "JUPYTER_AC_API_BASE": model.openai,
        "OPENAI_API_KEY": "sk-scripted-0000",
    }


def administer(home: Path, admin: Mapping[str, object]) -> None:
    """Make a home in which these are the administrator's settings."""
    (home / "config").mkdir(parents=True)
    file = home / "config" / "jupyter_ac_config.json"
    file.write_text(json.dumps({"JupyterAC": admin}), encoding="utf-8")


@dataclass
class Labs:
    """Servers over the folder that holds the folders of all tests, one for each way to start it.

    A server starts in seconds, and so does the worker of its models. A test gets it without
    kernels, without settings of other tests and with a repository that it has never seen.
    """

    installed: Installed
    root: Path
    _running: dict[tuple[object, ...], Lab] = field(default_factory=dict)

    def lab(
        self,
        root: Path,
        variables: Mapping[str, str],
        settings: Settings,
        arguments: Sequence[str] = (),
        *,
        expects_extension: bool = True,
        app: str = "lab",
    ) -> Lab:
        """Give a server for a test's own folder below `root`."""
        key = (*sorted(variables.items()), *arguments, expects_extension, app)
        lab = self._running.get(key)
        if lab is None:
            home = self.root / f"labs-home{len(self._running)}"
            administer(home, IDLE)
            lab = Lab(
                self.installed,
                self.root,
                home,
                variables,
                arguments=arguments,
                expects_extension=expects_extension,
                app=app,
            )
            self._running[key] = lab
            lab.start()
        try:
            lab.end_kernels()
        except OSError:  # whatever is wrong with it is not this test's
            lab.stop()
            lab.start()
        lab.write_settings(settings)
        return replace(lab, folder=os.path.relpath(root, self.root))

    def stop(self) -> None:
        """End them all."""
        for lab in self._running.values():
            lab.stop()


@contextmanager
def running_labs(installed: Installed, root: Path) -> Iterator[Labs]:
    """Share servers for the time of the block."""
    labs = Labs(installed, root)
    try:
        yield labs
    finally:
        labs.stop()
