import subprocess
import sys

from jupyter_ac.rpc.methods import Namespace
from jupyter_ac.worker.index.parts import part
from jupyter_ac.worker.jobs import Jobs


def test_all_parts_have_one_name_on_the_wire() -> None:
    names = {found.name for found in Namespace("Index", *part(Jobs())).methods()}
    assert {"Index.open", "Index.refresh", "Index.skipped"} <= names


def test_what_is_heavy_is_loaded_when_it_is_needed() -> None:
    script = (
        "import sys, jupyter_ac.worker.index.parts\n"
        "print([n for n in ('tree_sitter', 'tiktoken', 'markdown_it', 'jedi') if n in sys.modules])"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, check=True, text=True
    )
    assert told.stdout.strip() == "[]"
