from pathlib import Path

from jupyter_ac.rpc.methods import Access
from tests.services.settings.world import World, page

METHODS = {
    "choose_model": Access.WRITE,
    "get_config_content": Access.READ,
    "get_config_info": Access.READ,
    "get_review_snippets": Access.READ,
    "get_snippets": Access.READ,
    "list_models": Access.READ,
    "reload_app_config": Access.WRITE,
    "reload_llm_config": Access.WRITE,
    "save_config_content": Access.WRITE,
    "set_key": Access.EXECUTE,
}


async def test_the_surface_is_these_methods(tmp_path: Path) -> None:
    async with page(World(tmp_path)) as caller:
        found = {name: method.access for name, method in caller.table.items()}
    assert found == {f"Settings.{name}": access for name, access in METHODS.items()}
