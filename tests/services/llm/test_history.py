from tests.chat.memory import open_world
from tests.services.llm.pages import serving


async def test_the_status_has_the_keys_of_both_vintages() -> None:
    async with serving(open_world()) as service:
        page = await service.page()
        await page.ask("chat_streaming", "1-a", "Why?")
        await page.completion()
        status = await page.ask("get_history_status")
        assert set(status) == {
            *("tokens", "max", "percent", "session_id", "message_count", "history_tokens"),
            *("max_history_tokens", "remaining", "needs_compaction", "compaction_enabled"),
            *("compaction_trigger", "compaction_percent"),
            *("enabled", "trigger_tokens", "current_tokens"),
        }
        assert (status["tokens"], status["message_count"]) == (4, 2)
