"""The images of outputs in ticked notebooks: they go out with one question, each image once.

A line in the log names those that went out. Images whose line is gone, after a compaction for
instance, go out again.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from jupyter_ac.chat.files import Reading
from jupyter_ac.chat.images import MAX_IMAGES, QuestionImage, image_of
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.prompt.blocks import Block, Category, note_block, shown_path
from jupyter_ac.chat.prompt.log import Exchange
from jupyter_ac.chat.turn.turn import AnsweringModel, TurnContext
from jupyter_ac.errors import AcError

_BEGIN: Final = "Images of outputs, the last of those that come with this message, in this order: "
_SENT: Final = re.compile(r"image ([0-9a-f]{12}) \(cell ")


@dataclass(frozen=True, slots=True)
class OutputImages:
    """What goes out.

    Attributes:
        files: the images; in a preview their number is right, and nothing else.
        note: names them for the model; None without any.
    """

    files: tuple[Path, ...] = ()
    note: Block | None = None


@dataclass(frozen=True, slots=True)
class _Picture:
    about: str
    image: QuestionImage


async def output_images(
    context: TurnContext,
    model: AnsweringModel,
    exchanges: Iterable[Exchange],
    reading: Reading,
    ports: TurnPorts,
    asked: int,
) -> OutputImages:
    """Find the images that the log hasn't yet; what can't be sent becomes a notice.

    Args:
        context: of the turn; a preview keeps no image.
        model: that answers.
        exchanges: of the log.
        reading: the selected files.
        ports: what the stages work with.
        asked: how many images come with the question itself.
    """
    pictures = _fresh(exchanges, reading)
    if not pictures:
        return OutputImages()
    if model.choice is not None and model.info is not None and not model.info.takes_images:
        context.notices.append(
            f"The model {model.name} takes no images; those of outputs are only named."
        )
        return OutputImages()
    sent = pictures[: max(0, MAX_IMAGES - asked)]
    if len(sent) < len(pictures):
        context.notices.append(
            f"Only {len(sent)} of {len(pictures)} images of outputs go out with this question; "
            "the others go out with later ones."
        )
    is_preview = not context.question.index_wait_s
    files = (Path(),) * len(sent) if is_preview else await _kept(sent, context, ports)
    return OutputImages(files, _note(sent)) if files else OutputImages()


def _fresh(exchanges: Iterable[Exchange], reading: Reading) -> list[_Picture]:
    """Return the images that no line of the log names; equal ones once."""
    sent = {
        name
        for exchange in exchanges
        for block in exchange.sent
        if block.category is Category.NOTE and block.text.startswith(_BEGIN)
        for name in _SENT.findall(block.text)
    }
    found: dict[str, _Picture] = {}
    for file in reading.files:
        for one in file.images:
            if one.image.name in sent or one.image.name in found:
                continue
            about = f"image {one.image.name} (cell {shown_path(one.cell)} of "
            image = image_of(one.image.data, "")
            found[one.image.name] = _Picture(f"{about}{shown_path(file.path)})", image)
    return list(found.values())


async def _kept(
    pictures: Sequence[_Picture], context: TurnContext, ports: TurnPorts
) -> tuple[Path, ...]:
    try:
        for picture in pictures:
            await ports.images.put(picture.image)
        found = await ports.images.find([picture.image.name for picture in pictures])
    except AcError as error:
        context.notices.append(f"The images of outputs are not sent: {error}")
        return ()
    paths = tuple(path for path in found if path is not None)
    return paths if len(paths) == len(pictures) else ()


def _note(pictures: Sequence[_Picture]) -> Block:
    return note_block(None, f"{_BEGIN}{'; '.join(one.about for one in pictures)}.")
