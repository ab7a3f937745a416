"""The package: cost and content of its import."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import jupyter_ac

ROOT = Path(__file__).parents[1]
HEAVY = {
    "litellm",
    "tree_sitter",
    "tornado",
    "anywidget",
    "ipywidgets",
    "IPython",
    "jupyter_server",
}


def in_a_fresh_interpreter(program: str) -> dict[str, object]:
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    found: dict[str, object] = json.loads(done.stdout.splitlines()[-1])
    return found


def test_importing_the_package_loads_no_heavy_library() -> None:
    found = in_a_fresh_interpreter(
        "import json, sys; import jupyter_ac; print(json.dumps({'modules': sorted(sys.modules)}))"
    )
    modules = found["modules"]
    assert isinstance(modules, list)
    assert not HEAVY & set(modules)


def test_loading_the_extension_loads_neither_widgets_nor_models() -> None:
    found = in_a_fresh_interpreter(
        "import json, sys\n"
        "from IPython.core.interactiveshell import InteractiveShell\n"
        "shell = InteractiveShell.instance()\n"
        "shell.run_line_magic('load_ext', 'jupyter_ac')\n"
        "print(json.dumps({'modules': sorted(sys.modules),"
        " 'ac': shell.find_line_magic('ac') is not None}))"
    )
    modules = found["modules"]
    assert isinstance(modules, list)
    assert found["ac"] is True
    assert not (HEAVY - {"IPython"}) & set(modules)


def test_the_panel_is_offered_under_its_public_name() -> None:
    from jupyter_ac.hosts.kernel.panel import Panel

    assert jupyter_ac.Panel is Panel


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'panel'"):
        _ = jupyter_ac.panel


def test_jupyter_finds_the_server_extension_and_the_front_end() -> None:
    from jupyter_ac.hosts.server.extension import JupyterAcExtension

    (point,) = jupyter_ac._jupyter_server_extension_points()
    assert point["app"] is JupyterAcExtension
    (path,) = jupyter_ac._jupyter_labextension_paths()
    assert path == {"src": "labextension", "dest": "jupyter-ac"}


def test_the_server_extension_is_switched_on_by_the_configuration_it_ships() -> None:
    shipped = ROOT / "jupyter-config/server-config/jupyter_ac.json"
    config = json.loads(shipped.read_text(encoding="utf-8"))
    assert config == {"ServerApp": {"jpserver_extensions": {"jupyter_ac": True}}}
