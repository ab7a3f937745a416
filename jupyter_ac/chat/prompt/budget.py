"""Whether a request fits into the model, and what to say when it doesn't."""

from collections.abc import Sequence
from typing import Final

from jupyter_ac.chat.images import IMAGE_TOKENS
from jupyter_ac.chat.prompt.assemble import MESSAGE_OVERHEAD, Prompt
from jupyter_ac.chat.prompt.blocks import Category, shown_path
from jupyter_ac.chat.prompt.counts import Scale
from jupyter_ac.errors import ProviderContext
from jupyter_ac.models.client import ModelInfo

LONGEST_ANSWER: Final = 32_768
"""Room kept for an answer at most, however long the model could write."""

_NAMED_FILES: Final = 3


def input_limit(info: ModelInfo, images: int = 0) -> int:
    """Return how many tokens of text a request may have, so that images and answer have room.

    The window holds the answer too. Some models list an answer as long as the window itself, so at
    most a quarter of it is kept free.
    """
    window = info.max_input_tokens
    kept = min(info.max_output_tokens, LONGEST_ANSWER, window // 4)
    return window - kept - IMAGE_TOKENS * images


async def require_fit(prompt: Prompt, info: ModelInfo, scale: Scale, images: int = 0) -> None:
    """Refuse a request that is too long before it is sent.

    Raises:
        ProviderContext: it is; the message names the largest files that can be unticked.
    """
    limit = input_limit(info, images)
    overhead = MESSAGE_OVERHEAD * prompt.message_count
    if limit <= 0 or await scale.fit(prompt.blocks, limit - overhead):
        return
    total = await scale.total(prompt.blocks) + overhead
    files = [block for block in prompt.ask if block.category is Category.FILE]
    sizes = await scale.each(files)
    named = sorted(zip(sizes, files, strict=True), key=lambda row: -row[0])[:_NAMED_FILES]
    rows = [(shown_path(block.path or ""), size) for size, block in named]
    raise ProviderContext(_explain(total, limit, rows))


def _explain(total: int, limit: int, largest: Sequence[tuple[str, int]]) -> str:
    said = f"The request has about {total:,} tokens and the model takes {limit:,}. "
    if not largest:
        return said + "Begin a new session, or choose a model with a larger window."
    names = ", ".join(f"{name} ({size:,})" for name, size in largest)
    return said + f"Untick large files ({names}) or begin a new session."
