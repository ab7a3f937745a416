"""All methods of a workspace, as its pages get them."""

from collections import Counter
from pathlib import Path

from jupyter_ac.git.repository import discover
from jupyter_ac.git.tree.cache import TreeCache
from jupyter_ac.hosts.method_table import LLM_ALIASES, method_table, repo_methods
from jupyter_ac.hosts.panel_composition import WorkspacePanels
from jupyter_ac.hosts.planner_composition import make_planner
from jupyter_ac.rpc.methods import MethodTable
from jupyter_ac.services.browser.names import browser_methods
from jupyter_ac.services.planner.planner_names import planner_methods
from jupyter_ac.services.repo.history import CommitHistoryMethods
from tests.hosts.test_composition import composed
from tests.services.llm.pages import Page, connect
from tests.support.changing import writers_of
from tests.support.repositories import make_repository


async def test_the_table_has_its_namespaces_and_the_aliases_of_one(tmp_path: Path) -> None:
    root = make_repository(tmp_path / "r", {"a.py": "x\n"}).root
    async with composed(root, tmp_path / "cache") as made:
        plans = make_planner(made)
        table = method_table(made, plans.ports, WorkspacePanels(made).directory_of)
        browser = browser_methods(made.browser, made.browser_page)[1]
        planner = planner_methods(plans.ports)
        seed = {*browser.names, *planner[1].names, "Planner.get_metrics"}
    counts = Counter(name.partition(".")[0] for name in table if name not in seed)
    namespaces = {
        *("Browser", "Planner", "Repo", "LLMService", "Settings", "Kernel", "Panels", "Tests"),
        *("rpc", "get_metrics"),
    }
    assert seed < set(table)
    assert set(counts) == {*namespaces, *LLM_ALIASES}
    assert {counts[alias] for alias in LLM_ALIASES} == {counts["LLMService"]}
    assert len({method.handler for method in table.values()}) == sum(
        counts[name] for name in namespaces
    )


async def test_the_methods_of_a_repository_need_nothing_else(tmp_path: Path) -> None:
    repository = await discover(make_repository(tmp_path / "r", {"a.py": "x\n"}).root)
    table = MethodTable(
        repo_methods(
            repository,
            writers_of(repository),
            TreeCache(repository),
            CommitHistoryMethods(repository),
        )
    )
    connection = await connect(Page(()), table)
    try:
        assert await connection.page.peer.call("Repo.get_file_content", "a.py") == "x\n"
    finally:
        await connection.close()
