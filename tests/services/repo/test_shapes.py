"""Every answer has the shape that its type promises, on a repository in every kind of state."""

from dataclasses import replace
from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.hosts.method_table import repo_methods
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.repo.history import CommitHistoryMethods
from tests.services.llm.pages import Page, connect
from tests.support.changing import writers_of
from tests.support.conformance import problems
from tests.support.repositories import RepositoryFolder, make_repository
from tools.api.surface import result_of

CALLS: dict[str, tuple[object, ...]] = {
    "get_file_tree": (),
    "get_tree_rows": (),
    "get_activity": (30,),
    "get_flat_file_list": (),
    "get_file_content": ("a.py",),
    "file_exists": ("a.py",),
    "is_binary_file": ("a.py",),
    "search_files": ("print",),
    "get_current_branch": (),
    "is_clean": (),
    "get_file_hash": ("a.py",),
    "write_file": ("a.py", "x = 3\n"),
    "create_file": ("e/new.py",),
    "stage_files": (["a.py"],),
    "unstage_files": (["a.py"],),
    "stage_all": (),
    "commit": ("message",),
    "discard_changes": (["a.py"],),
    "rename_file": ("b.py", "f.py"),
    "rename_directory": ("e", "g"),
    "delete_file": ("f.py",),
    "reset_hard": (),
    "checkout_branch": ("main",),
    "create_branch": ("side",),
    "get_file_base64": ("a.py",),
    "get_notebook_language": ("d/empty.ipynb",),
    "get_notebook_text": ("d/empty.ipynb",),
    "checkout_review_parent": ("main",),
    "setup_review_soft_reset": ("0" * 40, "0" * 40),
    "exit_review_mode": (),
    "get_review_state": (),
    "get_review_changed_files": (),
    "get_review_file_diff": ("a.py",),
    "list_branches": (),
    "list_all_branches": (),
    "search_commits": ("first",),
    "get_commit_log": ("HEAD",),
    "get_commit_graph": (10, 0, True),
    "get_commit_parent": ("HEAD",),
    "get_merge_base": ("HEAD",),
    "resolve_ref": ("main",),
    "get_staged_diff": (),
    "get_unstaged_diff": (),
    "get_diff_to_branch": ("main",),
    "get_commit_hooks": (),
    "list_programs": (),
    "allow_program": ("filter", "strip", "cat"),
    "forbid_program": ("filter", "strip"),
    "delete_directory": ("d",),
}


def untidy(root: Path) -> RepositoryFolder:
    """A repository with changed, staged, new, deleted, binary and linked files."""
    texts: dict[str, str | bytes] = {"a.py": "x = 1\nprint(x)\n", "b.py": "2\n", "d/c.py": "3\n"}
    folder = make_repository(root, texts)
    folder.write("a.py", "x = 2\nprint(x)\n")
    folder.write("b.py", "22\n")
    folder.git("add", "b.py")
    folder.git("rm", "--quiet", "d/c.py")
    folder.write("new.bin", b"\0\1")
    folder.write("d/empty.ipynb", "")
    (folder.root / "link").symlink_to("a.py")
    return folder


async def test_every_method_answers_in_its_shape(tmp_path: Path) -> None:
    folder = untidy(tmp_path / "r")
    permissions = tmp_path / "config" / "allowed_programs.json"
    repository = replace(await discover(folder.root), permissions=permissions)
    folder.git("config", "filter.strip.clean", "cat")
    folder.git("config", "user.name", "Ada")
    folder.git("config", "user.email", "ada@example.org")
    table = MethodTable(
        repo_methods(
            repository,
            writers_of(repository),
            TreeCache(repository),
            CommitHistoryMethods(repository),
        )
    )
    without_call = set(table) - {f"Repo.{name}" for name in CALLS}
    assert not without_call, "add arguments to CALLS, so that the answer is held against its type"
    page = Page()
    connection = await connect(page, table)
    try:
        for name, arguments in CALLS.items():
            answer = await page.peer.call(f"Repo.{name}", *arguments, timeout_s=30)
            assert problems(answer, result_of(table[f"Repo.{name}"]), name) == []
        folder.git("checkout", "--quiet", "--detach")
        branch = await page.peer.call("Repo.get_current_branch", timeout_s=30)
        hint = result_of(table["Repo.get_current_branch"])
        assert problems(branch, hint) == []
    finally:
        await connection.close()
