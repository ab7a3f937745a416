"""The stage that refuses a prompt which is longer than the model's limit."""

from collections.abc import Sequence
from typing import Final

from jupyter_ac.chat.prompt.blocks import shown_path
from jupyter_ac.chat.prompt.log import WHOLE
from jupyter_ac.chat.prompt.prompt import MESSAGE_OVERHEAD
from jupyter_ac.chat.turn.turn import Gathered, PromptRequest
from jupyter_ac.errors import ProviderContext

_NAMED_FILES: Final = 3


async def fit(gathered: Gathered, request: PromptRequest) -> None:
    """Refuse a request that is too long before it is sent.

    Raises:
        ProviderContext: it is; the message names the largest files that can be unticked.
    """
    prompt, limit, scale = request.prompt, gathered.input_limit, gathered.model.scale
    overhead = MESSAGE_OVERHEAD * prompt.message_count
    if limit <= 0 or await scale.fit(prompt.blocks, limit - overhead):
        return
    total = await scale.total(prompt.blocks) + overhead
    files = [block for block in prompt.ask if block.category in WHOLE]
    sizes = await scale.each(files)
    named = sorted(zip(sizes, files, strict=True), key=lambda row: -row[0])[:_NAMED_FILES]
    rows = [(shown_path(block.path or ""), size) for size, block in named]
    raise ProviderContext(_explain(total, limit, rows))


def _explain(total: int, limit: int, largest: Sequence[tuple[str, int]]) -> str:
    said = f"The request has about {total:,} tokens and the model takes {limit:,}. "
    if not largest:
        return said + "Begin a new conversation, or choose a model with a larger window."
    names = ", ".join(f"{name} ({size:,})" for name, size in largest)
    return said + f"Untick large files ({names}) or begin a new conversation."
