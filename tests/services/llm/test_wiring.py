from jupyter_ac.rpc.methods import Access
from tests.chat.memory import open_world
from tests.services.llm.pages import serving

METHODS = {
    "attach_stream": Access.READ,
    "cancel_streaming": Access.WRITE,
    "chat_streaming": Access.WRITE,
    "compact_now": Access.WRITE,
    "get_context_breakdown": Access.READ,
    "get_current_state": Access.READ,
    "get_history_status": Access.READ,
    "get_image": Access.READ,
    "get_message_text": Access.READ,
    "get_mode": Access.READ,
    "get_sent_map": Access.READ,
    "get_selected_files": Access.READ,
    "get_session_messages": Access.READ,
    "get_spend": Access.READ,
    "history_get_session": Access.READ,
    "history_list_sessions": Access.READ,
    "history_new_session": Access.WRITE,
    "history_search": Access.READ,
    "load_session_into_context": Access.WRITE,
    "new_session": Access.WRITE,
    "put_image": Access.WRITE,
    "set_cross_reference": Access.WRITE,
    "set_selected_files": Access.WRITE,
    "switch_mode": Access.WRITE,
    "trim_context": Access.WRITE,
}


async def test_the_surface_is_these_methods_under_three_names() -> None:
    async with serving(open_world()) as service:
        found = {name: method.access for name, method in service.table.items()}
    assert found == {
        f"{namespace}.{name}": access
        for namespace in ("LLMService", "LLM", "LiteLLM")
        for name, access in METHODS.items()
    }
