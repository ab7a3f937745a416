import os

import pytest

from jupyter_ac.errors import TooLarge
from jupyter_ac.hosts.mcp import stdio_lines
from jupyter_ac.hosts.mcp.stdio_lines import InputLines, OutputLines
from jupyter_ac.transports.streams import Streams, open_streams


async def lines_of(data: bytes) -> list[str]:
    streams, given, taken = await joined()
    os.write(given, data)
    os.close(given)
    try:
        return [line async for line in InputLines(streams)]
    finally:
        streams.close_input()
        streams.writer.close()
        os.close(taken)


async def joined() -> tuple[Streams, int, int]:
    read, given = os.pipe()
    taken, write = os.pipe()
    return await open_streams(read, write), given, taken


async def test_lines_are_decoded_and_blank_ones_left_out() -> None:
    assert await lines_of(b'{"a": 1}\n\n \n{"b": "\xff"}\n') == ['{"a": 1}', '{"b": "\ufffd"}']


async def test_a_line_that_is_too_long_ends_the_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stdio_lines, "MAX_LINE", 100)
    with pytest.raises(TooLarge):
        await lines_of(b"x" * 200 + b"\n")


async def test_what_is_written_comes_out_as_utf8() -> None:
    streams, given, taken = await joined()
    output = OutputLines(streams)
    await output.write('"ä\ud800"\n')
    await output.flush()
    assert os.read(taken, 100) == '"ä?"\n'.encode()
    streams.close_input()
    streams.writer.close()
    os.close(given)
    os.close(taken)
