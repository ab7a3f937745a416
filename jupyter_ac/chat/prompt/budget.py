"""The token budget of a request: the model's limit, minus room for images and the answer."""

from typing import Final

from jupyter_ac.chat.images import IMAGE_TOKENS
from jupyter_ac.models.client import ModelInfo

LONGEST_ANSWER: Final = 32_768
"""The most tokens that are reserved for an answer, even if the model could write more."""


def input_limit(info: ModelInfo, images: int = 0) -> int:
    """Return how many tokens of text a request may have, so that images and answer have room.

    The window holds the answer too. Some models declare an answer limit as long as the window, so
    at most a quarter of the window is reserved.
    """
    window = info.max_input_tokens
    kept = min(info.max_output_tokens, LONGEST_ANSWER, window // 4)
    return window - kept - IMAGE_TOKENS * images
