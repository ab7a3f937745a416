from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.rpc.methods import Access, MethodTable
from jupyter_ac.services.repo.wiring import repo_namespace
from tests.support.repositories import make_repository


async def test_the_methods_of_the_first_cut_are_on_the_wire_for_readers(tmp_path: Path) -> None:
    table = MethodTable(repo_namespace(await discover(make_repository(tmp_path / "r").root)))
    assert {name: method.access for name, method in table.items()} == dict.fromkeys(
        (
            "Repo.get_file_tree",
            "Repo.get_flat_file_list",
            "Repo.get_file_content",
            "Repo.file_exists",
            "Repo.is_binary_file",
            "Repo.search_files",
            "Repo.get_current_branch",
            "Repo.is_clean",
        ),
        Access.READ,
    )
    assert all(method.doc for method in table.values())
