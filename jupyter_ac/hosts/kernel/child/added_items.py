"""Adds variables, cells and errors of the kernel to the next question of a conversation."""

import json
import os
from collections.abc import Iterable, Mapping, Sequence

from jupyter_ac.chat.context_items import MAX_CHARS
from jupyter_ac.chat.secret_names import is_secret_value_name
from jupyter_ac.context_rows import ContextItemGiven
from jupyter_ac.errors import AcError, InvalidParams
from jupyter_ac.rpc.peer import Peer
from jupyter_ac.terminal import terminal_text


async def add_items(
    peer: Peer, items: Sequence[ContextItemGiven], known: Mapping[str, str]
) -> list[str]:
    """Add items to the next question; all of them or none.

    Args:
        peer: of the conversation.
        items: without masked secrets; the host masks them.
        known: variables of the environment that the host has had from its start.

    Returns:
        Their ids, for `remove_items`; also those that were replaced.

    Raises:
        InvalidParams: the host refuses one; says why.
        AcError: the host doesn't answer.
    """
    added: list[str] = []
    if not items:
        return added
    try:
        await _teach_secrets(peer, known)
        counts = [await _add(peer, item, added) for item in items]
        if len(items) > 1 and any(counts):
            # A secret that was recognised in a later item may stand in an earlier one.
            for item in items:
                await _add(peer, item, added)
    except BaseException:
        remove_items(peer, added)
        raise
    return added


def remove_items(peer: Peer, ids: Iterable[str]) -> None:
    """Remove items that have not gone out; doesn't wait for that."""
    for item_id in ids:
        peer.notify("LLMService.remove_context", item_id)


async def restore_secrets(peer: Peer, cell: ContextItemGiven, text: str) -> str:
    """Put the secrets of a cell that was added back into the text that replaces it.

    Args:
        peer: of the conversation.
        cell: the item, as it was added.
        text: with placeholders.

    Raises:
        AcError: the host doesn't answer.
    """
    place = cell.get("source", ""), cell.get("cell", "")
    found = await peer.call("LLMService.restore_cell_secrets", *place, text)
    match found:
        case {"text": str(restored)}:
            return restored
        case _:
            raise AcError(
                "jupyter ac stdio is of another version than this kernel; restart the kernel"
            )


async def _teach_secrets(peer: Peer, known: Mapping[str, str]) -> None:
    """Let the host know secrets that cells have put into the environment since its start.

    They are in an item that is removed before anything is asked: the host keeps them in mind.
    """
    lines = [
        f"{name} = {json.dumps(value, ensure_ascii=False)}"
        for name, value in os.environ.items()
        if known.get(name) != value and (is_secret_value_name(name) or "://" in value)
    ]
    text = "\n".join(lines)[:MAX_CHARS]
    if text:
        taught: list[str] = []
        try:
            await _add(peer, {"kind": "variable", "name": "environment", "text": text}, taught)
        finally:
            remove_items(peer, taught)


async def _add(peer: Peer, item: ContextItemGiven, added: list[str]) -> int:
    """Add an item and note its id; returns the number of its masked secrets."""
    match await peer.call("LLMService.add_context", item):
        case {"id": str(item_id), "secrets": int(count)}:
            added.append(item_id)
            return count
        case {"error": str(error)}:
            raise InvalidParams(terminal_text(f"{item['name']}: {error}"))
        case _:
            raise AcError(
                "jupyter ac stdio is of another version than this kernel; restart the kernel"
            )
