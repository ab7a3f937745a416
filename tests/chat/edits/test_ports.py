"""By default nothing applies edits, and nothing is known of files."""

from jupyter_ac.chat.edits.ports import EditPorts
from jupyter_ac.ids import ConversationKey, Identity
from jupyter_ac.settings.app import EditSettings

SEAT = ConversationKey(Identity("ada"))


async def test_by_default_edits_are_only_listed() -> None:
    ports = EditPorts()
    assert ports.applier is None
    assert ports.settings() == EditSettings(review=False, retries=1)
    assert not ports.exists("a")
    assert not ports.is_reviewing()
    assert list(await ports.unsaved(SEAT)) == []
    await ports.select(SEAT, (), ())
