from jupyter_ac.rpc.methods import Access
from tests.chat.memory import open_world
from tests.services.llm.pages import serving

METHODS = {
    "attach_stream": Access.READ,
    "cancel_streaming": Access.WRITE,
    "chat_streaming": Access.WRITE,
    "get_context_breakdown": Access.READ,
    "get_current_state": Access.READ,
    "get_history_status": Access.READ,
    "get_selected_files": Access.READ,
    "history_new_session": Access.WRITE,
    "new_session": Access.WRITE,
    "set_selected_files": Access.WRITE,
}


async def test_the_surface_is_these_methods_under_three_names() -> None:
    async with serving(open_world()) as service:
        found = {name: method.access for name, method in service.table.items()}
    assert found == {
        f"{namespace}.{name}": access
        for namespace in ("LLMService", "LLM", "LiteLLM")
        for name, access in METHODS.items()
    }
