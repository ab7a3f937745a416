import asyncio

from jupyter_ac.chat.startup_gate import StartGate


async def test_who_waits_passes_when_the_gate_opens_and_later_comers_at_once() -> None:
    gate = StartGate()
    waiting = asyncio.create_task(gate.wait())
    await asyncio.sleep(0)
    assert not waiting.done()
    assert not gate.is_open
    gate.open()
    await asyncio.wait_for(waiting, 30)
    await asyncio.wait_for(gate.wait(), 30)
    assert gate.is_open
