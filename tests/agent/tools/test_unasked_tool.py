from jupyter_ac.agent.tools.unasked_tool import UnaskedTool
from tests.agent.tools.calls import Caller


async def test_it_asks_nothing() -> None:
    assert await UnaskedTool().question({"path": ".env"}, Caller().context()) is None
