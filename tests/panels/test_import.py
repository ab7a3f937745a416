"""What importing the SDK loads."""

import json
import subprocess
import sys

from jupyter_ac import panels


def test_the_import_loads_the_standard_library_and_our_rpc_only() -> None:
    script = (
        "import json, sys; before = set(sys.modules); import jupyter_ac.panels; "
        "print(json.dumps(sorted(set(sys.modules) - before)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=90, check=True
    )
    loaded = json.loads(done.stdout)
    ours = {name for name in loaded if name.split(".")[0] == "jupyter_ac"}
    foreign = {name.split(".")[0] for name in loaded} - sys.stdlib_module_names - {"jupyter_ac"}
    assert foreign <= {"orjson"}, "the codec of our rpc has that one"
    allowed = ("jupyter_ac.panels", "jupyter_ac.rpc")
    bases = {"jupyter_ac", "jupyter_ac.version", "jupyter_ac.errors"}
    assert {name for name in ours if not name.startswith(allowed)} <= bases
    assert "jupyter_ac.rpc.peer" not in ours


def test_the_public_names_are_sorted_and_all_there() -> None:
    assert sorted(panels.__all__) == list(panels.__all__)
    assert all(hasattr(panels, name) for name in panels.__all__)
