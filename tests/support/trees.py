"""The file tree of a repository, as returned by `get_file_tree`."""

import json

from jupyter_ac.git.repository import Repository
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.git.tree.serialize import FileTree


async def file_tree(repository: Repository) -> FileTree:
    """Return the tree as one who looks for the first time sees it."""
    snapshot = await TreeCache(repository).snapshot()
    tree: FileTree = json.loads(snapshot.encoded.text)
    return tree
