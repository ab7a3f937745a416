"""The content of an editor's prompt: the question's text, files of the repository, images."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias
from urllib.parse import unquote, urlsplit

from acp.schema import (
    AudioContentBlock,
    EmbeddedResourceContentBlock,
    ImageContentBlock,
    ResourceContentBlock,
    TextContentBlock,
    TextResourceContents,
)

ContentBlock: TypeAlias = (
    TextContentBlock
    | ImageContentBlock
    | AudioContentBlock
    | ResourceContentBlock
    | EmbeddedResourceContentBlock
)

_SHOWN: Final = 200


@dataclass(frozen=True, slots=True)
class PromptContent:
    """A prompt as the engine takes it.

    Attributes:
        text: the question.
        files: that go with it, relative to the repository.
        images: as data URIs.
        notices: sentences about what isn't sent.
    """

    text: str
    files: tuple[str, ...] = ()
    images: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def read_prompt(blocks: Sequence[ContentBlock], root: Path) -> PromptContent:
    """Read a prompt.

    Files are named by `file:` addresses; those of the repository go out as files that are ticked.
    The text of an embedded resource is quoted in the question.

    Args:
        blocks: of the prompt.
        root: the repository's top folder, resolved.
    """
    texts: list[str] = []
    files: list[str] = []
    images: list[str] = []
    notices: list[str] = []
    for block in blocks:
        match block:
            case TextContentBlock():
                texts.append(block.text)
            case ImageContentBlock():
                images.append(f"data:{block.mime_type};base64,{block.data}")
            case ResourceContentBlock():
                path = _inside(block.uri, root)
                if path:
                    files.append(path)
                    texts.append(f"`{path}`")
                else:
                    notices.append(f"Not sent: {block.uri[:_SHOWN]} isn't in the repository.")
            case EmbeddedResourceContentBlock(resource=TextResourceContents() as resource):
                name = _inside(resource.uri, root) or resource.uri[:_SHOWN]
                texts.append(f"\n{name}:\n{_quoted(resource.text)}\n")
            case _:
                notices.append("Not sent: content of a kind that isn't supported.")
    return PromptContent("".join(texts), tuple(dict.fromkeys(files)), tuple(images), tuple(notices))


def _inside(uri: str, root: Path) -> str:
    """Return the path of an address in the repository; "" for anything else."""
    parts = urlsplit(uri)
    if parts.scheme != "file" or parts.netloc not in {"", "localhost"}:
        return ""
    path = os.path.normpath(unquote(parts.path))
    relative = os.path.relpath(path, root)
    if "\0" in path or relative == "." or Path(relative).parts[0] == os.pardir:
        return ""
    return relative


def _quoted(text: str) -> str:
    """Fence a text by more backticks than it has in a row."""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text}\n{fence}"
