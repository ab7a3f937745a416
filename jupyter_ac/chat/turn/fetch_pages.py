"""The stage that fetches the web pages whose addresses are in a question, if the user wants it."""

from jupyter_ac.chat.ports import PageAsk, TurnPorts
from jupyter_ac.chat.turn.stored_turn import StoredTurn
from jupyter_ac.chat.turn.turn import TurnContext


async def fetch_pages(context: TurnContext, stored: StoredTurn, ports: TurnPorts) -> None:
    """Fetch the pages of a question; the notices say what was contacted, and what failed."""
    question = context.question
    ask = PageAsk(question.text, question.excluded_urls, question.request_id)
    async with stored.heartbeat(ports.history):
        context.notices.extend(await ports.fetch_pages(context.conversation, ask))
