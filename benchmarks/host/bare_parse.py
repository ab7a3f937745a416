"""tree-sitter alone: parses the Python files of a repository in this one process.

`python -m benchmarks.host.bare_parse ROOT`
"""

import subprocess
import sys
from pathlib import Path

import tree_sitter
import tree_sitter_python


def main() -> None:
    """Parse, and forget."""
    root = Path(sys.argv[1])
    command = ["git", "ls-files", "-z", "*.py"]
    told = subprocess.run(command, cwd=root, capture_output=True, check=True).stdout
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_python.language()))
    for name in told.decode().split("\0")[:-1]:
        parser.parse((root / name).read_bytes())


if __name__ == "__main__":
    main()
