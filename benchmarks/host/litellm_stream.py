"""litellm alone: what the worker could pass on at best. One request for each line that comes in.

`python -m benchmarks.host.litellm_stream MODEL API_BASE KEY` prints, for each, the chunks a second.
"""

import asyncio
import os
import sys
import time

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm


async def rate(model: str, api_base: str, key: str) -> float:
    """Stream one answer to its end; chunks of text a second from the first on."""
    messages = [{"role": "user", "content": "Tell me everything."}]
    stream = await litellm.acompletion(
        model=model, messages=messages, api_base=api_base, api_key=key, stream=True
    )
    chunks = 0
    began = time.monotonic()
    async for chunk in stream:
        chunks += bool(chunk.choices and chunk.choices[0].delta.content)
    return chunks / (time.monotonic() - began)


async def main() -> None:
    """Answer until the input ends."""
    await rate(*sys.argv[1:4])
    print("READY", flush=True)
    while await asyncio.to_thread(sys.stdin.readline):
        print(await rate(*sys.argv[1:4]), flush=True)


if __name__ == "__main__":
    asyncio.run(main())
