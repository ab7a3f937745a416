"""The stage of a turn that finds the images which come with its question."""

from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.turn import Turn
from jupyter_ac.errors import Unsupported


async def attach(turn: Turn, ports: TurnPorts) -> None:
    """Write into the turn where its images are; one that is gone is said, and the turn goes on.

    Raises:
        Unsupported: the model takes no images.
    """
    names = turn.record.images
    if not names:
        return
    if turn.info is not None and not turn.info.takes_images and turn.choice is not None:
        raise Unsupported(
            f"The model {turn.choice.model} takes no images; ask without them, or choose a model "
            "that does."
        )
    found = await ports.images.find(names)
    turn.pictures = tuple(path for path in found if path is not None)
    gone = found.count(None)
    if gone:
        many = "An image is" if gone == 1 else f"{gone} images are"
        turn.notices.append(f"{many} no longer kept and could not be sent.")
