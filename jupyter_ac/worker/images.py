"""Puts images into a request: the host names files, the provider gets their contents."""

import base64
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from jupyter_ac.errors import ProviderBadRequest
from jupyter_ac.workers.wire import CompletionRequest


def with_images(request: CompletionRequest) -> CompletionRequest:
    """Read the images of a request; blocks on the disk.

    Raises:
        ProviderBadRequest: one can't be read.
    """
    return replace(request, messages=[_message(message) for message in request.messages])


def _message(message: Mapping[str, object]) -> Mapping[str, object]:
    content = message.get("content")
    if not isinstance(content, list):
        return message
    return {**message, "content": [_part(part) for part in content]}


def _part(part: dict[str, object]) -> dict[str, object]:
    if part.get("type") != "image_file":
        return part
    try:
        data = Path(str(part["path"])).read_bytes()
    except OSError as error:
        raise ProviderBadRequest(
            "An image of the question can't be read any more; add it again."
        ) from error
    url = f"data:{part['mime']};base64,{base64.b64encode(data).decode()}"
    return {"type": "image_url", "image_url": {"url": url}}
