"""Summarises web pages of conversations, and stores what that costs."""

from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.model_gateway import ModelGateway
from jupyter_ac.chat.page_summary import summarize_page, summary_type_for
from jupyter_ac.services.llm.commit_work import Spent
from jupyter_ac.services.llm.page_fetching import PageFetching
from jupyter_ac.web.url_content import UrlContent


class PageSummaries:
    """Summarises pages by the model for side tasks, and stores what that costs.

    Args:
        fetching: keeps the summaries.
        models: write them.
        spent: stores their cost.
    """

    def __init__(self, fetching: PageFetching, models: ModelGateway, spent: Spent) -> None:
        self._fetching, self._models, self._spent = fetching, models, spent

    async def summarize(
        self,
        conversation: Conversation,
        content: UrlContent,
        summary_type: str | None,
        user_text: str | None,
    ) -> UrlContent:
        """Return a page with a summary, unless it has one of this type or no text.

        Raises:
            InvalidParams: there is no such type of summary.
            NotReady, ProviderError: no model summarises it.
        """
        kind = summary_type_for(content, summary_type, user_text)
        if content.error is not None or (content.summary and content.summary_type == kind):
            return content
        session = conversation.session
        answer = await summarize_page(self._models, content, kind)
        session.side.append(answer.usage)
        await self._spent(conversation.conversation_key, session.session_id, "page", answer)
        return await self._fetching.keep_summary(conversation, content, kind, answer.text)
