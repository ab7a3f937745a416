import pytest

from jupyter_ac.chat.compaction.ports import LogPorts
from jupyter_ac.chat.prompt.log_removals import Removal
from jupyter_ac.errors import Unsupported
from jupyter_ac.ids import SessionId


async def test_without_a_history_nothing_can_be_kept() -> None:
    ports = LogPorts()
    assert ports.settings().history_compaction.enabled
    assert ports.instructions() == ""
    with pytest.raises(Unsupported, match="trim of s"):
        await ports.removals.keep(SessionId("s"), Removal("trim", "t"), 1)
