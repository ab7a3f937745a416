from dataclasses import replace
from pathlib import Path

import pytest

from jupyter_ac.chat.attaching import attach
from jupyter_ac.chat.conversation import Conversation
from jupyter_ac.chat.history.images import ImageFolder
from jupyter_ac.chat.images import image_of
from jupyter_ac.chat.ports import TurnPorts
from jupyter_ac.chat.turn import Turn
from jupyter_ac.errors import Unsupported
from jupyter_ac.ids import ConversationKey
from jupyter_ac.models.choice import ModelChoice
from tests.chat.memory import ADA, INFO, open_world
from tests.support.pictures import GIF, png

IMAGES = [image_of(data, "") for data in (png(), GIF)]
NAMES = tuple(image.name for image in IMAGES)


def turn_with(*names: str) -> Turn:
    turn = Turn.of(Conversation(ConversationKey(ADA)), "1-a", "What is this?", names)
    turn.choice, turn.info = ModelChoice("openai/seeing", "flag"), INFO
    return turn


async def ports_with(state: Path) -> TurnPorts:
    folder = ImageFolder(state)
    for image in IMAGES:
        await folder.put(image)
    return replace(open_world().ports(), images=folder)


async def test_the_images_of_a_question_are_found_in_order(tmp_path: Path) -> None:
    ports, turn = await ports_with(tmp_path), turn_with(*reversed(NAMES))
    await attach(turn, ports)
    assert [path.name for path in turn.pictures] == list(reversed(NAMES))
    assert turn.notices == []
    shown = turn.record.messages()[0]["images"]
    assert [row["mime"] for row in shown] == ["image/gif", "image/png"]


async def test_images_that_are_gone_are_said_and_the_turn_goes_on(tmp_path: Path) -> None:
    ports, turn = await ports_with(tmp_path), turn_with(*NAMES)
    (tmp_path / "images" / NAMES[0]).unlink()
    await attach(turn, ports)
    assert [path.name for path in turn.pictures] == [NAMES[1]]
    assert turn.notices == ["An image is no longer kept and could not be sent."]


async def test_a_model_that_takes_no_images_is_not_asked(tmp_path: Path) -> None:
    ports, turn = await ports_with(tmp_path), turn_with(*NAMES)
    turn.info = replace(INFO, takes_images=False)
    with pytest.raises(Unsupported, match="openai/seeing takes no images"):
        await attach(turn, ports)
    plain = turn_with()
    plain.info = turn.info
    await attach(plain, ports)
