from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.rpc.methods import Access, MethodTable
from jupyter_ac.services.repo.wiring import repo_namespace
from tests.support.changing import writers_of
from tests.support.repositories import make_repository


async def test_the_methods_are_on_the_wire_for_readers_and_writers(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r").root)
    table = MethodTable(repo_namespace(repository, writers_of(repository), TreeCache(repository)))
    readers = dict.fromkeys(
        (
            "Repo.get_file_tree",
            "Repo.get_tree_rows",
            "Repo.get_flat_file_list",
            "Repo.get_file_content",
            "Repo.get_file_hash",
            "Repo.get_review_changed_files",
            "Repo.get_review_state",
            "Repo.get_review_file_diff",
            "Repo.get_file_base64",
            "Repo.get_notebook_language",
            "Repo.get_notebook_text",
            "Repo.file_exists",
            "Repo.is_binary_file",
            "Repo.search_files",
            "Repo.get_current_branch",
            "Repo.is_clean",
            "Repo.list_branches",
            "Repo.list_all_branches",
            "Repo.search_commits",
            "Repo.get_commit_log",
            "Repo.get_commit_graph",
            "Repo.get_commit_parent",
            "Repo.get_merge_base",
            "Repo.resolve_ref",
            "Repo.get_staged_diff",
            "Repo.get_unstaged_diff",
            "Repo.get_diff_to_branch",
            "Repo.get_commit_hooks",
            "Repo.list_programs",
        ),
        Access.READ,
    )
    writers = dict.fromkeys(
        (
            "Repo.write_file",
            "Repo.create_file",
            "Repo.stage_files",
            "Repo.unstage_files",
            "Repo.stage_all",
            "Repo.discard_changes",
            "Repo.commit",
            "Repo.reset_hard",
            "Repo.checkout_branch",
            "Repo.rename_file",
            "Repo.rename_directory",
            "Repo.delete_file",
            "Repo.checkout_review_parent",
            "Repo.setup_review_soft_reset",
            "Repo.exit_review_mode",
            "Repo.forbid_program",
        ),
        Access.WRITE,
    )
    writers["Repo.allow_program"] = Access.EXECUTE
    assert {name: method.access for name, method in table.items()} == readers | writers
    assert all(method.doc for method in table.values())
